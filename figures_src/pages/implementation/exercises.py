"""Questions of the page on implementation."""

import math

import numpy as np

from figures_src.kit.numbers import fixed
from figures_src.pages.exercises import Exercise
from vitattn_core import Grid, attention, layer_norm, multi_head_attention
from vitattn_core.attention import AttentionWeights

PAGE = "implementation.md"


def entries() -> list[Exercise]:
    """Return the page's questions."""
    return [_shape(), _mask(), _norm()]


def _shape() -> Exercise:
    batch, heads, head_width = 2, 6, 64
    grid = Grid(96, 160, 16)
    n = grid.tokens

    def solve() -> str:
        """Run zeros of these sizes through the core."""
        eye = np.eye(heads * head_width)
        weights = AttentionWeights(w_q=eye, w_k=eye, w_v=eye, w_o=eye, heads=heads)
        rows = np.zeros((batch, n, heads * head_width))
        return " × ".join(map(str, multi_head_attention(rows, weights)["A"].shape))

    return Exercise(
        id="implementation-shape",
        page=PAGE,
        question=f"Two images of {grid.height} × {grid.width} pixels, $P = {grid.patch}$, with CLS; {heads} "
        f"heads of width {head_width}. Which shape have the attention weights of one layer?",
        choices=(
            (
                f"{batch} × {n} × {n}",
                "That is the mean over heads, which `nn.MultiheadAttention` returns unless told "
                "otherwise.",
            ),
            (
                f"{batch} × {heads} × {n - 1} × {n - 1}",
                "CLS is a query and a key like the others: [error 10](index.md#errors) begins here.",
            ),
            (
                f"{batch} × {heads} × {n} × {n}",
                f"Image, head, query, key: {grid.rows} · {grid.columns} patches and CLS on both sides. "
                "The width of the head is not in it.",
            ),
            (
                f"{batch} × {heads} × {n}",
                "That is one row for each head. The layer computes all of them: "
                "[error 5](index.md#errors).",
            ),
        ),
        right=2,
        solve=solve,
    )


def _written(row: np.ndarray) -> str:
    return ", ".join(fixed(number, 1) for number in row)


def _mask() -> Exercise:
    zeros = np.zeros((1, 2))
    keys, values = np.zeros((4, 2)), np.array([[2.0], [4.0], [6.0], [8.0]])
    given = np.array([[True, False, False, False]])
    kept = attention(zeros, keys, values, given)[0][0]
    ignored = attention(zeros, keys, values, ~given)[0][0]
    unmasked = attention(zeros, keys, values)[0][0]

    def solve() -> str:
        """True = leave out: the mean of the values that are left."""
        left = [
            v for v, out in zip(values[:, 0].tolist(), given[0].tolist(), strict=True) if not out
        ]
        return fixed(sum(left) / len(left), 1)

    return Exercise(
        id="implementation-mask",
        page=PAGE,
        question="All scores are 0 and the values are 2, 4, 6, 8. The boolean mask [True, False, False, "
        "False] goes to `nn.MultiheadAttention` (projections: the identity). What comes out?",
        choices=(
            (
                _written(kept),
                "That is what `scaled_dot_product_attention` gives, where True means keep. Here True "
                "means leave out: [error 8](index.md#errors).",
            ),
            (
                _written(ignored),
                "True means leave out: the last three keys share the weight.",
            ),
            (
                _written(unmasked),
                "That is the row without a mask, or with one that was multiplied into scores of 0: "
                "a score of 0 is not “ignored”, since its exponential is 1.",
            ),
        ),
        right=1,
        solve=solve,
    )


def _norm() -> Exercise:
    row, eps = np.array([[0.0, 4.0]]), 5
    right = layer_norm(row, eps=eps)[0, 1]
    outside = 2 / (2 + eps)
    unbiased = 2 / math.sqrt(row.var(ddof=1) + eps)

    def solve() -> str:
        """(4 − 2) / √(variance + ε), with the variance divided by two."""
        mean = (0 + 4) / 2
        variance = ((0 - mean) ** 2 + (4 - mean) ** 2) / 2
        return fixed((4 - mean) / math.sqrt(variance + eps), 3)

    return Exercise(
        id="implementation-norm",
        page=PAGE,
        question=f"Layer norm of the row (0, 4), with gain 1, shift 0 and (to make it visible) "
        f"$\\varepsilon = {eps}$. What becomes of the 4?",
        choices=(
            (
                fixed(outside, 3),
                "Here $\\varepsilon$ was added to the standard deviation, outside the root: a fault "
                "that cannot be seen while $\\varepsilon$ is tiny.",
            ),
            (
                fixed(float(right), 3),
                "Mean 2, variance 4, and $2 / \\sqrt{4 + 5}$.",
            ),
            (
                fixed(unbiased, 3),
                "Here the variance was divided by $D - 1$. Layer norm takes the biased one, "
                "divided by $D$.",
            ),
        ),
        right=1,
        solve=solve,
    )
