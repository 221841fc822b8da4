"""Numbers as the reader sees them. `docs/javascripts/numbers.js` writes them in the same way."""

from decimal import ROUND_HALF_UP, Decimal

from vitattn_core.arrays import Array

MINUS = "\u2212"
# Between what rounding leaves in float64, 1e-16, and the least change that really happens, 1e-5.
ROUNDING = 1e-12


def fixed(number: float, digits: int) -> str:
    """Return a number with `digits` decimals, a true minus, and no minus before zero."""
    exact = Decimal(float(number)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    text = f"{abs(exact):f}"
    return MINUS + text if exact < 0 else text


def ascii_number(number: float, digits: int) -> str:
    """Return a number for a mark, not for a reader: an ASCII minus, and no minus before zero."""
    return fixed(number, digits).replace(MINUS, "-")


def significant(number: float, digits: int) -> str:
    """Return a positive number with `digits` significant digits, and all those before the point.

    A tiny one is written with a power of ten.
    """
    if number == 0:
        return "0"
    exact = Decimal(float(number))
    last = Decimal(1).scaleb(exact.adjusted() - digits + 1)
    mantissa, exponent = f"{exact.quantize(last, ROUND_HALF_UP):.{digits - 1}e}".split("e")
    power = int(exponent)
    if power < -5:
        return f"{mantissa}·10{superscript(power)}"
    if power >= digits:  # 196.6 is 197 and never 200: a reader takes each digit as right
        return fixed(number, 0)
    return fixed(float(f"{mantissa}e{power}"), digits - 1 - power)


def operand(text: str) -> str:
    """Return a written number as it stands after a sign: in brackets if it is negative."""
    return f"({text})" if text.startswith(MINUS) else text


def superscript(power: int) -> str:
    """Return a whole number in raised digits."""
    return str(power).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


def read(text: str) -> float:
    """Return the number that was written: the inverse of `fixed` and `significant`."""
    ascii_text = text.replace(MINUS, "-").replace(",", "")
    if "·10" not in ascii_text:
        return float(ascii_text)
    mantissa, raised = ascii_text.split("·10")
    power = raised.translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    return float(f"{mantissa}e{power}")


_ONES = """
    zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen
    seventeen eighteen nineteen
"""
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
ONES, TENS = _ONES.split(), _TENS.split()


def in_words(number: str) -> str:
    """Return a whole number from 0 to 99 in words, as twenty-five; ValueError for another one."""
    if not (number.isdecimal() and int(number) < 100):
        raise ValueError(f"{number} is not written in words: whole numbers from 0 to 99 are")
    tens, ones = divmod(int(number), 10)
    if tens < 2:
        return ONES[int(number)]
    return TENS[tens - 2] + (f"-{ONES[ones]}" if ones else "")


def with_commas(number: int) -> str:
    """Return an integer in full, as 465,708."""
    return f"{number:,}"


def percent(share: float, digits: int = 1) -> str:
    """Return a share as a percentage."""
    return f"{fixed(100 * share, digits)}%"


def rank_from_top(values: Array, place: int) -> int:
    """Return the rank of one value from 1, largest first."""
    return int((values > values[place]).sum()) + 1


def span(numbers: Array, digits: int) -> str:
    """Return the smallest and the largest of some numbers, as 0.91–0.95."""
    low, high = fixed(float(numbers.min()), digits), fixed(float(numbers.max()), digits)
    return low if low == high else f"{low}–{high}"
