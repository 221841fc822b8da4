"""The arithmetic line: one key, one chain of numbers, with as many digits as make it add up.

A reader who takes the printed numbers and computes gets the printed results. Each step starts with
few digits, and its inputs get more until that is so. `docs/javascripts/row.js` does the same.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from .worked import fewest, surely
from .written import fixed, read, significant


@dataclass(frozen=True)
class Chain:
    """The written numbers of one key: q and k term by term, and every step after them."""

    q: tuple[str, ...]
    k: tuple[str, ...]
    product: str
    score: str
    top: str
    exponential: str
    total: str
    weight: str
    weighted: tuple[str, ...]


def chain(
    *,
    q: Sequence[float],
    k: Sequence[float],
    value: Sequence[float],
    product: float,
    score: float,
    taken_out: bool,
    divisor: float,
    top: float,
    total: float,
    weight: float,
) -> Chain:
    """Return the chain of one key in written form.

    q, k, value (d_h,); product = q·k; score = product ÷ divisor, which becomes −∞ for a key that is
    taken out; top: the largest score, which is subtracted; total: the sum of all e^(s − top);
    weight = e^(score − top) ÷ total.
    """
    exponential = 0.0 if taken_out else math.exp(score - top)
    a_digits = 3 if weight >= 0.1 else 2
    written_weight = significant(weight, a_digits)

    def divides(digits: int) -> bool:
        if total == 0:  # every key is taken out: nothing is divided
            return True
        shown = read(significant(exponential, digits)) / read(significant(total, digits))
        return surely(shown, lambda number: significant(number, a_digits), written_weight)

    e_digits = fewest(2, divides)
    written_e = significant(exponential, e_digits)

    def exponentiates(digits: int) -> bool:
        shown = math.exp(read(fixed(score, digits)) - read(fixed(top, digits)))
        return surely(shown, lambda number: significant(number, e_digits), written_e)

    s_digits = 2 if taken_out else fewest(2, exponentiates)
    written_score = fixed(score, s_digits)

    def scales(digits: int) -> bool:
        shown = read(fixed(product, digits)) / divisor
        return surely(shown, lambda number: fixed(number, s_digits), written_score)

    p_digits = fewest(2, scales)
    written_product = fixed(product, p_digits)

    def multiplies(digits: int) -> bool:
        terms = zip(q, k, strict=True)
        shown = sum(read(fixed(a, digits)) * read(fixed(b, digits)) for a, b in terms)
        return surely(shown, lambda number: fixed(number, p_digits), written_product)

    q_digits = fewest(2, multiplies)
    return Chain(
        q=tuple(fixed(x, q_digits) for x in q),
        k=tuple(fixed(x, q_digits) for x in k),
        product=written_product,
        score=written_score,
        top=fixed(top, s_digits),
        exponential=written_e,
        total=significant(total, e_digits),
        weight=written_weight,
        weighted=tuple(fixed(weight * v, 2) for v in value),
    )
