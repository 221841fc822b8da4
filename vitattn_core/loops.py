"""The same mechanism once more, in plain loops: slow, and written without the rest of the core.

A second implementation that shares no line with the first is what a parity check compares with.
Numbers are Python's own; only exp, erf and roots come from `math`. Shapes as in `block`: one image,
N rows, D width, h heads; what goes in may be arrays or lists, what comes out are lists.
"""

import math
from collections.abc import Sequence
from typing import Any

Rows = list[list[float]]


def cut(image: Any, patch: int) -> Rows:
    """Return the patches of an image (C, H, W) as rows of channel, y, x, line by line of the grid.

    The order is that of `patchify`:

    >>> cut(np.arange(16).reshape(1, 4, 4), 2)[0]
    [0.0, 1.0, 4.0, 5.0]
    """
    height, width = len(image[0]), len(image[0][0])
    return [
        [
            float(channel[top + y][left + x])
            for channel in image
            for y in range(patch)
            for x in range(patch)
        ]
        for top in range(0, height, patch)
        for left in range(0, width, patch)
    ]


def times(rows: Any, matrix: Any, bias: Any = None) -> Rows:
    """Return rows (N, in) times a matrix (in, out), plus a bias (out,) if there is one.

    Rows times (in, out): a stored (out, in) matrix would give [1, 12].

    >>> times([[1, 10]], [[1, 0], [2, 1]])
    [[21.0, 10.0]]
    """
    out = range(len(matrix[0]))
    start = [0.0 for _ in out] if bias is None else [float(b) for b in bias]
    return [
        [start[c] + sum(float(x) * float(matrix[r][c]) for r, x in enumerate(row)) for c in out]
        for row in rows
    ]


def plus(one: Any, other: Any) -> Rows:
    """Return the sum of two lists of rows, entry by entry.

    >>> plus([[1, 2]], [[0.5, -2]])
    [[1.5, 0.0]]
    """
    return [
        [float(a) + float(b) for a, b in zip(x, y, strict=True)]
        for x, y in zip(one, other, strict=True)
    ]


def norm(rows: Any, eps: float) -> Rows:
    """Return rows with mean 0 and biased variance 1, `eps` inside the root; no gain and no shift.

    `eps` stands inside the root: outside, these would be −0.5 and 0.5.

    >>> [[round(x, 4) for x in row] for row in norm([[0, 2]], eps=1)]
    [[-0.7071, 0.7071]]
    """
    normed = []
    for row in rows:
        mean = sum(row) / len(row)
        spread = math.sqrt(sum((x - mean) ** 2 for x in row) / len(row) + eps)
        normed.append([(x - mean) / spread for x in row])
    return normed


def head(q: Rows, k: Rows, v: Rows, keep: Sequence[bool]) -> tuple[Rows, Rows]:
    """Return outputs and weights of one head; `keep` says which keys take part, for every query.

    A key that is not kept has weight 0, and the others share its part:

    >>> head([[0.0]], [[1.0], [2.0], [3.0]], [[10.0], [20.0], [90.0]], [True, True, False])
    ([[15.0]], [[0.5, 0.5, 0.0]])
    """
    outputs, weights = [], []
    for query in q:
        e = [
            math.exp(sum(a * b for a, b in zip(query, key, strict=True)) / math.sqrt(len(query)))
            if kept
            else 0.0
            for key, kept in zip(k, keep, strict=True)
        ]
        row = [x / sum(e) for x in e] if any(keep) else e
        weights.append(row)
        outputs.append(
            [sum(a * value[c] for a, value in zip(row, v, strict=True)) for c in range(len(v[0]))]
        )
    return outputs, weights


def one_block(rows: Any, weights: Any, keep: Sequence[bool]) -> tuple[Rows, list[Rows]]:
    """Return Z and the weights of each head; `weights` is a `BlockWeights` without gains and shifts.

    A second way to the same numbers, which shares no line with the first:

    >>> w = stack_blocks()[0]
    >>> rows, weights = one_block(stack_rows(), w, [True] * 5)
    >>> trace = block(stack_rows(), w)
    >>> bool(np.allclose(rows, trace.Z)), bool(np.allclose(weights, trace.A))
    (True, True)
    """
    w = weights.attention
    normed = norm(rows, weights.eps)
    d = len(w.w_q[0]) // w.heads
    q, k, v = (times(normed, matrix) for matrix in (w.w_q, w.w_k, w.w_v))
    joined: Rows = [[] for _ in q]
    every = []
    for h in range(w.heads):
        own = slice(h * d, (h + 1) * d)
        mine = [[row[own] for row in m] for m in (q, k, v)]
        outputs, row_weights = head(mine[0], mine[1], mine[2], keep)
        every.append(row_weights)
        for row, output in zip(joined, outputs, strict=True):
            row += output
    y = plus(rows, times(joined, w.w_o))
    hidden = times(norm(y, weights.eps), weights.w_1)
    bent = [[x * (1 + math.erf(x / math.sqrt(2))) / 2 for x in row] for row in hidden]
    return plus(y, times(bent, weights.w_2)), every


def rolled_out(layers: Sequence[Any], discard: int) -> Rows:
    """Return the rollout of matrices (N, N); each loses its `discard` smallest entries first.

    Without a layer dropped or a weight discarded it is `rollout`:

    >>> rolled_out([[[0.0, 1.0], [0.5, 0.5]]], discard=0)
    [[0.5, 0.5], [0.25, 0.75]]
    """
    n = range(len(layers[0]))
    through = [[float(i == j) for j in n] for i in n]
    for layer in layers:
        dropped = set(sorted((layer[i][j], i, j) for i in n for j in n)[:discard])
        mixed = [
            [(0.0 if (layer[i][j], i, j) in dropped else layer[i][j]) + (i == j) for j in n]
            for i in n
        ]
        shares = [[float(x) / sum(row) for x in row] for row in mixed]
        through = times(shares, through)
    return through
