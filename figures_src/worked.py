"""A worked step: numbers in, one number out, with as many digits as make the printed step right."""

from collections.abc import Callable, Sequence

from .written import fixed, read

MOST = 9  # digits: beyond that the printed line would not be read
# This near to the middle between two written numbers a reader, or the page, may round the other way.
TIE = 1e-9


def fewest(start: int, holds: Callable[[int], bool]) -> int:
    """Return the fewest digits from `start` up with which a written step holds."""
    return next((digits for digits in range(start, MOST) if holds(digits)), MOST)


def surely(number: float, write: Callable[[float], str], text: str) -> bool:
    """Return whether a number is written as `text`, and would still be a hair above or below."""
    return all(write(number * by) == text for by in (1 - TIE, 1 + TIE))


def worked(
    inputs: Sequence[float], compute: Callable[[Sequence[float]], float], result: float
) -> tuple[list[str], str]:
    """Return inputs and result as written; `compute` of the written inputs gives the written result.

    The result has two decimals, the inputs two or more.
    """
    written = fixed(result, 2)

    def holds(digits: int) -> bool:
        computed = compute([read(fixed(x, digits)) for x in inputs])
        return surely(computed, lambda number: fixed(number, 2), written)

    digits = fewest(2, holds)
    return [fixed(x, digits) for x in inputs], written
