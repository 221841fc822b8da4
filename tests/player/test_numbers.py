"""Numbers as the reader sees them, written alike by Python and by the page's scripts."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from figures_src.kit.numbers import MINUS, ascii_number, fixed, read, significant
from figures_src.player import page_scripts
from tests.core import strategies

assert strategies  # its settings: no test depends on how fast the machine is
NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


@page_scripts.once
def scripts() -> list[page_scripts.Script]:
    # A caller that writes many numbers at once: one call of the engine costs more than a number.
    many = (
        "vitattn.numbers.many = (name, numbers) =>"
        " numbers.map(([number, digits]) => vitattn.numbers[name](number, digits));"
    )
    unfrozen = "vitattn.numbers = { ...vitattn.numbers };"
    return [*page_scripts.of_docs("attention", "numbers"), ("many", unfrozen + many)]


@given(NUMBERS, st.integers(0, 9))
def test_read_is_the_inverse_of_fixed(number: float, digits: int) -> None:
    text = fixed(number, digits)
    assert abs(read(text) - number) <= 0.5 * 10.0**-digits + 1e-9
    assert fixed(read(text), digits) == text
    assert "-" not in text
    assert (read(text) == 0) <= (MINUS not in text)
    assert ascii_number(number, digits) == text.replace(MINUS, "-")


@given(st.floats(1e-300, 1e12), st.integers(2, 9))
def test_read_is_the_inverse_of_significant(number: float, digits: int) -> None:
    text = significant(number, digits)
    assert abs(read(text) - number) <= max(0.51 * 10.0 ** (1 - digits) * number, 1e-300)
    assert number < 1 or abs(read(text) - number) <= 0.5 + 1e-9
    assert significant(read(text), digits) == text


@pytest.mark.parametrize(
    ("written", "text"),
    [
        (fixed(-0.001, 2), "0.00"),
        (fixed(-3.145, 1), "−3.1"),
        (fixed(0.125, 2), "0.13"),  # a tie goes away from zero, as toFixed does
        (fixed(-0.125, 2), "−0.13"),
        (fixed(12, 0), "12"),
        (significant(0, 2), "0"),
        (significant(0.000123, 2), "0.00012"),
        (significant(0.00000123, 2), "1.2·10⁻⁶"),
        (significant(196.6, 3), "197"),
        (significant(196.6, 2), "197"),
        (significant(0.0996, 2), "0.10"),
    ],
)
def test_numbers_are_written_so(written: str, text: str) -> None:
    assert written == text


SOME = st.lists(st.tuples(st.one_of(NUMBERS, st.floats(-2, 2)), st.integers(0, 9)), max_size=40)
POSITIVE = st.lists(st.tuples(st.floats(1e-60, 1e6), st.integers(2, 9)), max_size=40)


@given(SOME)
def test_the_scripts_write_a_number_of_decimals_as_python_does(
    asked: list[tuple[float, int]],
) -> None:
    ties = [(0.125, 2), (-0.125, 2), (-0.0004, 3), (0.0, 3), (2.5, 0)]
    for name, write in (("fixed", fixed), ("plain", ascii_number)):
        texts = scripts().call("numbers.many", name, [*asked, *ties])
        assert texts == [write(number, digits) for number, digits in [*asked, *ties]]


@given(POSITIVE)
def test_the_scripts_write_significant_digits_and_read_them_as_python_does(
    asked: list[tuple[float, int]],
) -> None:
    cases = [*asked, (0.0, 2), (0.00000123, 2), (196.6, 2), (0.0996, 2)]
    texts = scripts().call("numbers.many", "significant", cases)
    assert texts == [significant(number, digits) for number, digits in cases]
    numbers = scripts().call("numbers.many", "read", [[text, 0] for text in texts])
    assert numbers == [read(text) for text in texts]
    assert scripts().call("numbers.read", f"{MINUS}3.76") == -3.76


def test_what_the_scripts_cannot_do_names_script_and_request() -> None:
    with pytest.raises(page_scripts.ScriptError, match=r'numbers\.fixed\["x", 2\]') as caught:
        scripts().call("numbers.fixed", "x", 2)
    assert "docs/javascripts/numbers.js" in str(caught.value)
    with pytest.raises(page_scripts.ScriptError, match=r"running docs/javascripts/no\.js: "):
        page_scripts.PageScripts([("docs/javascripts/no.js", "const = 3")])
    with pytest.raises(ValueError, match="not JSON compliant"):
        scripts().call("numbers.fixed", math.inf, 2)
    assert json.dumps(scripts().call("numbers.many", "fixed", [])) == "[]"
