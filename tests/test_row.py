"""The picked row as it is written: who computes with the printed numbers gets the printed results."""

import dataclasses
import itertools
import math
import re
from functools import cache
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from figures_src import photos
from figures_src.lines import KEY_STAGES, lines
from figures_src.marks import Bound
from figures_src.photos import NAMED_PATCHES, TITLES
from figures_src.row import Row, State, named, place, row, strongest_other
from figures_src.shapes import COLLECTED, order, order_by_weight, segments
from figures_src.tokens import UNPAINTED, WEIGHT_LEVELS, weight_level
from figures_src.written import MINUS, fixed, plain, read, significant
from vitattn_core import STAGES, Trace, key_mask
from vitattn_core.mistakes import core_with
from vitattn_core.teaching import GRID, HEADS

RANDOM_KEYS = 300  # over all photographs and heads
# The player's switches as the core has them: what a state says, and the line of the core it swaps.
SWITCHED: dict[str, tuple[dict[str, Any], str]] = {
    "scale=model": ({"scale": "model"}, "sqrt-model"),
    "scale=off": ({"scale": "off"}, "no-divisor"),
    "axis=queries": ({"axis": "queries"}, "axis"),
    "mix=k": ({"mix": "k"}, "keys-mixed"),
    "position=off": ({}, "no-position"),
}


@cache
def switched(name: str, photo: str) -> Trace:
    return core_with(SWITCHED[name][1]).teaching_pass(photos.image(photo))


@cache
def without(photo: str, *dropped: int) -> Trace:
    keep = np.ones(GRID.tokens, dtype=bool)
    keep[list(dropped)] = False
    return core_with().teaching_pass(photos.image(photo), mask=key_mask(keep))


def unit(text: str) -> float:
    """One in the last place of a written number: 0.01 for 3.76, 1e-9 for 1.2·10⁻⁸."""
    mantissa = re.match(rf"[{MINUS}-]?\d+(?:\.(\d+))?", text)
    assert mantissa is not None, text
    power = read("1·10" + text.split("·10")[1]) if "·10" in text else 1
    return 10.0 ** -len(mantissa[1] or "") * power


def gives(number: float, text: str) -> bool:
    """Whether a number, rounded as `text` is, reads `text`."""
    return abs(number - read(text)) <= unit(text) * (0.5 + 1e-6)


def some_rows(photo: str, head: int, count: int, seed: int) -> list[tuple[int, int]]:
    """Seeded (query, key) of one photograph and head, CLS among both."""
    random = np.random.default_rng([seed, list(TITLES).index(photo), head])
    pairs = random.integers(0, GRID.tokens, (count, 2)).tolist()
    return [(0, pairs[0][1]), (pairs[0][0], 0), *((i, j) for i, j in pairs)][:count]


# The arithmetic line -------------------------------------------------------------------------------


def check_line(values: dict[str, str], divisor: float) -> None:
    """The line of a key, computed again from nothing but its printed numbers."""
    q, k = ([read(values[f"line.{name}.{c}"]) for c in range(4)] for name in "qk")
    product, score, top = (values[f"line.{name}"] for name in ("product", "score", "top"))
    exponential, total, weight = (
        values[f"line.{name}"] for name in ("exponential", "total", "weight")
    )
    assert gives(sum(a * b for a, b in zip(q, k, strict=True)), product), values
    assert gives(read(product) / divisor, score), (product, score)
    if values["line.masked"] != f"{MINUS}∞":
        assert values["line.masked"] == score
        assert gives(math.exp(read(score) - read(top)), exponential), (score, top, exponential)
    else:
        assert exponential == "0"
    assert gives(read(exponential) / read(total), weight), (exponential, total, weight)


@pytest.mark.parametrize("head", range(1, len(HEADS) + 1))
@pytest.mark.parametrize("photo", TITLES)
def test_the_line_adds_up_for_random_keys(photo: str, head: int) -> None:
    trace = photos.trace(photo)
    count = math.ceil(RANDOM_KEYS / len(TITLES) / len(HEADS))
    for query, key in some_rows(photo, head, count, seed=3):
        values = row(State(photo=photo, query=query, head=head, key=key), trace).values
        check_line(values, math.sqrt(trace.Q.shape[-1]))


@pytest.mark.parametrize("name", SWITCHED)
def test_the_line_adds_up_with_a_switch(name: str) -> None:
    told, _ = SWITCHED[name]
    for photo, head in itertools.product(TITLES, range(1, len(HEADS) + 1)):
        trace = switched(name, photo)
        for query, key in some_rows(photo, head, 5, seed=4):
            state = State(photo=photo, query=query, head=head, key=key, **told)
            under = {"head": 4, "model": 12, "off": 1}[state.scale]
            check_line(row(state, trace).values, math.sqrt(under))


def test_the_line_of_a_key_that_is_taken_out() -> None:
    trace = without("chelsea", 90, 165)
    for key, query in itertools.product((90, 165, 75), (75, 90, 0)):
        values = row(State(query=query, key=key), trace).values
        check_line(values, 2.0)
        assert (values["line.weight"] == "0") == (key != 75)
        out = f"{MINUS}∞, off the axis"
        assert values["masked"] == (out if key != 75 else values["scaled"])
        assert (values["line.masked"] == f"{MINUS}∞") == (key != 75)


def test_the_line_is_that_of_the_pass() -> None:
    """Adding up is not enough: every number of the line is its array's, as far as it is written."""
    trace = photos.trace("rocket")
    for query, key in some_rows("rocket", 2, 40, seed=5):
        values = row(State(photo="rocket", query=query, head=2, key=key), trace).values
        told = {
            **{f"line.q.{c}": trace.Q[1, query, c] for c in range(4)},
            **{f"line.k.{c}": trace.K[1, key, c] for c in range(4)},
            **{f"line.av.{c}": trace.A[1, query, key] * trace.V[1, key, c] for c in range(4)},
            "line.product": trace.P[1, query, key],
            "line.score": trace.S[1, query, key],
            "line.top": trace.S[1, query].max(),
            "line.weight": trace.A[1, query, key],
        }
        for name, number in told.items():
            assert gives(number, values[name]), name


def test_the_mean_of_heads_is_the_mean_of_the_printed_weights() -> None:
    for photo in TITLES:
        trace = photos.trace(photo)
        for query, key in some_rows(photo, 0, 20, seed=6):
            values = row(State(photo=photo, query=query, head=0, key=key), trace).values
            printed = [read(values[f"h{h}.weight"]) for h in range(len(HEADS))]
            assert gives(sum(printed) / len(printed), values["mean.weight"])
            assert abs(read(values["mean.weight"]) - trace.A[:, query, key].mean()) <= 1e-4


def arithmetic(text: str) -> tuple[str, str]:
    """What stands before and after the last "=" of a line, as Python reads it: no words, no names."""
    text = re.sub(r"\([^()]*[a-z][^()]*\)|\b(from|of) [a-z ]+\d*", "", text)
    text = re.sub(r"[a-z]{2,}", "", text)
    before, _, after = text.rpartition("=")
    return before.translate(str.maketrans("×÷−", "*/-")), after.strip()


def other_lines(shown: Row, trace: Trace) -> dict[str, str]:
    """The lines of the stages at which no key is pointed at, as the reader sees them."""
    mean = row(State(query=shown.query, head=0), trace).values
    written = lines(Bound(dataclasses.replace(shown, values=mean | shown.values)))
    unseen = (
        "va-not-cls" if shown.query < GRID.prefix else "va-only-cls"
    )  # as the style sheet has it

    def text(mark: ElementTree.Element) -> str:
        seen = not {unseen, "va-who"} & set(mark.get("class", "").split())
        inside = (mark.text or "") + "".join(text(part) for part in mark) if seen else ""
        return inside + (mark.tail or "")

    texts = {
        p.get("data-line", ""): text(p) for p in ElementTree.fromstring(f"<div>{written}</div>")
    }
    assert set(texts) == {"key"} | {entry.id for entry in STAGES} - set(KEY_STAGES)
    return {name: line for name, line in texts.items() if name != "key"}


@pytest.mark.parametrize("switch", [None, *SWITCHED])
@pytest.mark.parametrize("photo", TITLES)
def test_the_other_lines_add_up_as_printed(photo: str, switch: str | None) -> None:
    trace = switched(switch, photo) if switch else photos.trace(photo)
    told: dict[str, Any] = SWITCHED[switch][0] if switch else {}
    for query, _ in some_rows(photo, 1, 5 if switch else 15, seed=7):
        head = 1 + query % len(HEADS)
        texts = other_lines(row(State(photo=photo, query=query, head=head, **told), trace), trace)
        for name, text in texts.items():
            if (name, query) == ("patches", 0):
                assert not re.search(r"\d", text), "CLS has no grid row: nothing to compute"
                continue
            before, result = arithmetic(text)
            if name == "patches":  # in words, but for the numbers
                assert re.sub(r"\D+", " ", text).split() == ["1", str(GRID.columns), str(query)]
                down, across = GRID.place(query)
                before = f"1 + {GRID.columns} * {down} + {across}"
            assert gives(eval(before), result), (name, query, text)


# Numbers as they are written -----------------------------------------------------------------------

NUMBERS = st.floats(-1e6, 1e6, allow_nan=False)


@given(NUMBERS, st.integers(0, 9))
def test_read_is_the_inverse_of_fixed(number: float, digits: int) -> None:
    text = fixed(number, digits)
    assert abs(read(text) - number) <= 0.5 * 10.0**-digits + 1e-9
    assert fixed(read(text), digits) == text
    assert "-" not in text
    assert (read(text) == 0) <= (MINUS not in text)
    assert plain(number, digits) == text.replace(MINUS, "-")


@given(st.floats(1e-300, 1e12), st.integers(2, 9))
def test_read_is_the_inverse_of_significant(number: float, digits: int) -> None:
    text = significant(number, digits)
    assert read(text) == pytest.approx(number, rel=0.51 * 10.0 ** (1 - digits))
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
        (significant(196.6, 2), "200"),
        (significant(0.0996, 2), "0.10"),
    ],
)
def test_numbers_are_written_so(written: str, text: str) -> None:
    assert written == text


# Paint, bar, order ---------------------------------------------------------------------------------


def all_states() -> list[State]:
    """Every photograph, head and range with a few queries, CLS among them."""
    asked = itertools.product(TITLES, range(len(HEADS) + 1), ("fit", "fixed"), (0, 1, 75, 110, 196))
    return [State(photo=p, head=h, range=r, query=q) for p, h, r, q in asked]


@pytest.mark.parametrize(
    "state", all_states(), ids=lambda s: f"{s.photo}-{s.head}-{s.range}-{s.query}"
)
def test_bar_paint_and_readouts_of_a_row(state: State) -> None:
    trace = photos.trace(state.photo)
    weights = trace.A.mean(axis=0) if state.head == 0 else trace.A[state.head - 1]
    a, shown = weights[state.query], row(state, trace)
    values = shown.values

    end = (a if state.range == "fit" else weights).max()
    assert shown.range_end == end
    assert values["range.end"] == fixed(end, 3)
    for weight, level in zip(a, shown.levels, strict=True):
        assert (level == 0) == (weight < UNPAINTED * end)
        assert level == 0 or abs(level / (WEIGHT_LEVELS - 1) - weight / end) <= 1 / (
            WEIGHT_LEVELS - 1
        )
    assert (max(shown.levels) == WEIGHT_LEVELS - 1) >= (state.range == "fit")

    tokens = [token for token, _, _ in shown.segments]
    widths = [width for _, _, width in shown.segments]
    assert tokens[: GRID.prefix] == list(range(GRID.prefix))
    assert widths == [a[token] for token in tokens]
    assert set(tokens[GRID.prefix :]) == {t for t in range(1, GRID.tokens) if a[t] >= COLLECTED}
    np.testing.assert_array_less(np.diff(widths[GRID.prefix :]), 1e-12)  # falling
    starts = [start for _, start, _ in shown.segments]
    assert starts == pytest.approx([0, *np.cumsum(widths)[:-1]])
    left = sum(a[t] for t in range(GRID.tokens) if t not in tokens)
    assert sum(widths) + left == pytest.approx(a.sum(), abs=1e-12)
    assert gives(left, values["rest"])
    assert int(values["rest.count"]) + len(tokens) == GRID.tokens

    assert gives(a.sum(), values["row.sum"])
    assert gives(a[0], values["cls.share"])
    assert gives(-(a[a > 0] * np.log(a[a > 0])).sum(), values["entropy"])
    assert gives(a.max(), values["weight.largest"])
    places = {place(int(token)) for token in np.flatnonzero(a >= a.max() - 1e-12)}
    assert values["weight.largest.key"].partition(", ")[0] in places
    others = np.delete(np.arange(GRID.tokens), state.query)
    assert a[shown.key] == pytest.approx(a[others].max(), abs=1e-12)
    assert values["key"] == place(shown.key)


def test_a_row_whose_sum_is_not_one_keeps_its_bar_and_its_sum() -> None:
    """With the softmax over queries, columns sum to 1 and rows do not."""
    trace = switched("axis=queries", "chelsea")
    for query in (0, 75, 120):
        a = trace.A[0, query]
        shown = row(State(query=query, axis="queries"), trace)
        rest = read(shown.values["rest"])
        total = sum(width for _, _, width in shown.segments) + rest
        assert total == pytest.approx(read(shown.values["row.sum"]), abs=2e-3)
        assert gives(a.sum(), shown.values["row.sum"])


def test_equal_weights_stand_in_the_order_of_the_sequence() -> None:
    weights = np.zeros(GRID.tokens)
    weights[[5, 9, 0, 150]] = (0.2, 0.3, 0.1, 0.2)
    assert order_by_weight(weights)[:5] == [9, 5, 150, 0, 1]
    assert order(weights)[:4] == [0, 9, 5, 150]
    assert order_by_weight(np.full(GRID.tokens, 1 / GRID.tokens)) == list(range(GRID.tokens))
    assert strongest_other(0, np.zeros(GRID.tokens)) == 1
    hair = np.full(GRID.tokens, 0.005)
    hair[[7, 70]] += (1e-15, 2e-15)  # as the same sum comes out in another order
    assert order_by_weight(hair) == list(range(GRID.tokens))
    assert strongest_other(9, weights) == 5
    assert [token for token, _, _ in segments(weights)] == [0, 9, 5, 150]


def test_paint_levels_end_where_they_should() -> None:
    assert weight_level(1.0, 1.0) == WEIGHT_LEVELS - 1
    assert weight_level(UNPAINTED * 0.999, 1.0) == 0
    assert weight_level(UNPAINTED, 1.0) == 1
    assert weight_level(0.0, 0.0) == 0


def test_named_patches_are_on_the_grid_and_their_names_are_said() -> None:
    assert set(NAMED_PATCHES) == set(TITLES)
    for photo, names in NAMED_PATCHES.items():
        for where, name in names.items():
            token = GRID.token(*where)
            assert GRID.place(token) == where
            assert named(photo, token) == f"({where[0]},{where[1]}), {name}"
    assert named("coffee", 0) == "CLS"
    assert named("chelsea", GRID.token(0, 0)) == "(0,0)"


def test_every_row_has_the_same_names() -> None:
    """So that no plate ever lacks the value of a mark, whatever is picked."""
    trace = photos.trace("coffee")
    for head in range(len(HEADS) + 1):
        sets = [
            set(row(State(photo="coffee", query=q, head=head), trace).values) for q in (0, 75, 196)
        ]
        assert sets[0] == sets[1] == sets[2]
        taken = row(State(photo="coffee", query=7, head=head, key=0), without("coffee", 0, 7))
        assert set(taken.values) == sets[0]


def test_no_text_is_empty_or_not_a_number() -> None:
    for state in all_states()[::7]:
        for name, text in row(state, photos.trace(state.photo)).values.items():
            assert "nan" not in text, name
            assert text or name == "taken" or name.startswith(("squares.", "ticks.", "map.")), name


@pytest.mark.parametrize("axis", ["keys", "queries"])
def test_a_row_without_any_key_is_written_too(axis: str) -> None:
    """All weights are 0: nothing is divided by nothing, and no number is missing."""
    core = core_with("axis") if axis == "queries" else core_with()
    for kept in ([], [75]):
        keep = np.isin(np.arange(GRID.tokens), kept)
        trace = core.teaching_pass(photos.image("chelsea"), mask=key_mask(keep))
        for head in range(len(HEADS) + 1):
            values = row(State(query=75, head=head, key=3, axis=axis), trace).values
            assert values["weight"] == "0.000"
            assert not [name for name, text in values.items() if "nan" in text or "inf" in text]
