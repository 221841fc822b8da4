"""Questions of the page on masks."""

import math
from types import ModuleType

import numpy as np

import vitattn_core
from figures_src.kit.numbers import fixed
from figures_src.pages.exercises import Exercise
from vitattn_core import causal_mask, core_with, hide, softmax
from vitattn_core.arrays import Array, Mask
from vitattn_core.teaching import GRID

PAGE = "masks.md"


def entries() -> list[Exercise]:
    """Return the page's questions."""
    return [_meaning(), _place(), _empty(), _causal()]


def _meaning() -> Exercise:
    zeros, v = np.zeros((1, 2)), np.array([[10.0], [20.0], [30.0], [40.0]])
    keep = np.array([[True, True, False, False]])

    def output(core: ModuleType, mask: Mask | None) -> str:
        return fixed(core.attention(zeros, np.eye(4, 2), v, mask)[0][0, 0], 0)

    return Exercise(
        id="masks-meaning",
        page=PAGE,
        question="A query of zeros meets four keys; the values are 10, 20, 30 and 40. A mask, made for "
        "`scaled_dot_product_attention`, is True, True, False, False. By mistake it is passed to "
        "`nn.MultiheadAttention`, whose matrices are all the identity. What comes out?",
        choices=(
            (
                output(vitattn_core, keep),
                "This is what was meant: the mean of the two keys that the mask keeps.",
            ),
            (
                output(core_with("mask"), keep),
                "There, True means leave out: exactly the two keys that should be hidden are read. "
                "No error, and a plausible number.",
            ),
            (
                output(vitattn_core, None),
                "The mean of all four would mean that the mask was ignored; it is obeyed, with "
                "[its other meaning](#polarity).",
            ),
        ),
        right=1,
        solve=lambda: fixed(float(v[~keep[0]].mean()), 0),
    )


def _place() -> Exercise:
    scores, keep = np.log([[2.0, 3.0, 5.0]]), np.array([[True, False, True]])
    after = softmax(scores) * keep

    def written(weights: Array) -> str:
        return ", ".join(fixed(x, 2) for x in weights[0])

    return Exercise(
        id="masks-place",
        page=PAGE,
        question="Scores ln 2, ln 3 and ln 5; the second key is to be hidden. Which weights are right?",
        choices=(
            (
                written(softmax(scores * keep)),
                "The score was multiplied by 0, and $e^0 = 1$: the key still takes part.",
            ),
            (
                written(after),
                "The weights were multiplied by 0 after the softmax: the row no longer sums to 1.",
            ),
            (
                written(softmax(hide(scores, keep))),
                "The other two keep their proportion, 2 to 5, and sum to 1.",
            ),
        ),
        right=2,
        solve=lambda: ", ".join(fixed(n / 7, 2) for n in (2, 0, 5)),
    )


def _empty() -> Exercise:
    v = np.array([3.0, 6.0, 9.0])
    zeros = softmax(hide(np.zeros((1, 3)), np.zeros((1, 3), dtype=np.bool_)))[0]
    even = softmax(np.full((1, 3), -1e9))[0]
    return Exercise(
        id="masks-empty",
        page=PAGE,
        question="All three keys of a row are hidden by filling in one large negative number, the same "
        "for all; the values are 3, 6 and 9. What is its output?",
        choices=(
            (
                fixed(zeros @ v, 0),
                "Zeros are the [policy](#empty) of `scaled_dot_product_attention` and of this site, "
                "not what a fill gives.",
            ),
            (
                fixed(float(even @ v), 0),
                "Softmax only knows differences. All scores are equal, so the row reads evenly from "
                "all the keys that should be hidden.",
            ),
            (
                "NaN",
                "That is what minus infinity in a plain softmax gives; a large number is finite.",
            ),
        ),
        right=1,
        solve=lambda: fixed(sum(x * math.exp(-1e9 + 1e9) / 3 for x in v), 0),
    )


def _causal() -> Exercise:
    n = GRID.tokens
    every = n * n
    return Exercise(
        id="masks-causal",
        page=PAGE,
        question=f"A causal mask on {n} rows: how many pairs of query and key does it keep, in one head?",
        choices=(
            (
                f"{every:,}",
                "These are all pairs, with no mask.",
            ),
            (
                f"{int(causal_mask(n).sum()):,}",
                "Row 0 keeps one key, row 1 two, and so on; the query itself is among them.",
            ),
            (
                f"{n:,}",
                "This is one row, the last: it keeps all keys. The layer computes all rows.",
            ),
        ),
        right=1,
        solve=lambda: f"{sum(range(1, n + 1)):,}",
    )
