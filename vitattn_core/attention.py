"""Scaled dot-product attention and its heads, one named step at a time.

Source: Vaswani et al. 2017, eq. 1 and section 3.2.2.
Shapes: N rows, D width, h heads, d_h = D / h; leading axes (heads, batch) go along unchanged.
"""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array, as_array, as_floats, as_rows, same_dtype, spread_in_front
from .counts import whole
from .masks import hide


def products(q: ArrayLike, k: ArrayLike) -> Array:
    """Return q·k for every query and key: (…, N_q, d_h), (…, N_k, d_h) -> (…, N_q, N_k).

    A longer key has larger products with every query, liked or not:

    >>> products([[1.0, 1.0]], [[1.0, 0.0], [2.0, 0.0], [-2.0, 0.0]]).tolist()
    [[1.0, 2.0, -2.0]]
    """
    queries = as_rows("products: q", q)
    keys = as_rows("products: k", k, queries.shape[-1])
    same_dtype("products", q=queries, k=keys)
    spread_in_front("products", q=queries, k=keys)
    return queries @ keys.swapaxes(-1, -2)


def scale(unscaled: ArrayLike, head_width: int) -> Array:
    """Divide products by √d_h, so that their spread does not grow with the head's width.

    Any shape, kept. Raises ValueError unless `head_width` is positive, TypeError for what is no
    whole number.

    The divisor belongs to the head: by the model's width of 8 the row would be flatter, not sharper.

    >>> [float(softmax(scale([[0.0, 2.0, 4.0]], width)).max().round(3)) for width in (4, 8)]
    [0.665, 0.576]
    """
    scores = as_floats("scale: products", unscaled)
    if (head_width := whole("scale: head_width", head_width)) <= 0:
        raise ValueError(f"scale: head_width: got {head_width}, takes a positive number")
    return scores / math.sqrt(head_width)


def softmax(scores: ArrayLike, axis: int = -1) -> Array:
    """Turn scores into weights that sum to 1 along `axis` (the keys, unless told otherwise).

    The largest score is subtracted first, so exp never overflows; it cancels in the quotient.
    −∞ becomes exactly 0; a row that is all −∞ has no distribution and becomes all 0. A row with a
    NaN or a +∞ in it becomes all NaN. Raises IndexError for an axis that the scores do not have.

    Only differences of scores count, so 1000 does no harm:

    >>> softmax([[0.0, np.log(3)], [1000.0, 1000.0 + np.log(3)]]).round(6).tolist()
    [[0.25, 0.75], [0.25, 0.75]]
    >>> softmax([[-np.inf, -np.inf]]).tolist()  # no key left
    [[0.0, 0.0]]
    """
    s = as_floats("softmax: scores", scores)
    if not -s.ndim <= whole("softmax: axis", axis) < s.ndim:
        raise IndexError(f"softmax: axis: got {axis}, takes one of the axes of shape {s.shape}")
    top = np.max(s, axis=axis, keepdims=True, initial=-np.inf)
    # Out of reach of the largest, a score becomes −∞, as is right; ∞ − ∞ is NaN, as it should be.
    with np.errstate(over="ignore", invalid="ignore"):
        e = np.exp(s - np.where(top == -np.inf, 0, top))
    total = np.sum(e, axis=axis, keepdims=True)
    return e / np.where(total == 0, 1, total).astype(s.dtype)


def mix(weights: ArrayLike, values: ArrayLike) -> Array:
    """Return the weighted sum of values: (…, N_q, N_k), (…, N_k, d_v) -> (…, N_q, d_v).

    A weighted mean stays between the values; no output is larger than the largest of them:

    >>> mix([[0.5, 0.5], [1.0, 0.0]], [[10.0, 0.0], [20.0, 6.0]]).tolist()
    [[15.0, 3.0], [10.0, 0.0]]
    """
    a = as_rows("mix: weights", weights)
    v = as_rows("mix: values", values)
    same_dtype("mix", weights=a, values=v)
    if a.shape[-1] != v.shape[-2]:
        raise ValueError(
            f"mix: got {a.shape[-1]} weights a row for {v.shape[-2]} values, takes as many"
        )
    spread_in_front("mix", weights=a, values=v)
    return a @ v


def attention(
    q: ArrayLike, k: ArrayLike, v: ArrayLike, mask: ArrayLike | None = None
) -> tuple[Array, Array]:
    """Return outputs (…, N_q, d_v) and weights (…, N_q, N_k) of one head or of many at once.

    q (…, N_q, d_h), k (…, N_k, d_h), v (…, N_k, d_v). `mask` is boolean, True = keep, its last axis
    the keys (`masks.check_mask`). The weights are always formed: nothing is fused away.

    A hidden key's weight is exactly 0, which keeps every number of its value out, but neither NaN
    nor infinity: 0 · NaN is NaN. Fill padding with numbers. A hidden key's own numbers do not
    matter.

    Keys decide how much, values decide what: with equal scores the output is the mean of the values.

    >>> output, weights = attention(np.zeros((1, 2)), [[1, 0], [0, 1]], [[10, 0], [20, 6]])
    >>> weights.tolist(), output.tolist()
    ([[0.5, 0.5]], [[15.0, 3.0]])
    >>> attention(np.zeros((1, 2)), [[1, 0], [0, 1]], [[10, 0], [20, 6]], [[True, False]])[0].tolist()
    [[10.0, 0.0]]
    """
    queries, keys, values = (
        as_rows("attention: q", q),
        as_rows("attention: k", k),
        as_rows("attention: v", v),
    )
    same_dtype("attention", q=queries, k=keys, v=values)
    scores = hide(scale(products(queries, keys), queries.shape[-1]), mask)
    weights = softmax(scores)
    return mix(weights, values), weights


def split_heads(rows: ArrayLike, heads: int) -> Array:
    """Give every head its own d_h channels: (…, N, h·d_h) -> (…, h, N, d_h).

    A head gets channels of every row; a plain reshape to (h, N, d_h) would give it rows of every channel.

    >>> split_heads([[1, 2, 3, 4], [5, 6, 7, 8]], 2).astype(int).tolist()
    [[[1, 2], [5, 6]], [[3, 4], [7, 8]]]
    """
    x = as_rows("split_heads: rows", rows)
    *batch, tokens, width = x.shape
    heads = whole("split_heads: heads", heads)
    if heads <= 0 or width % heads:
        raise ValueError(
            f"split_heads: got width {width} for {heads} heads, takes a multiple of heads"
        )
    return x.reshape(*batch, tokens, heads, width // heads).swapaxes(-3, -2)


def merge_heads(outputs: ArrayLike) -> Array:
    """Put the heads' channels side by side again: (…, h, N, d_h) -> (…, N, h·d_h).

    It undoes `split_heads`, whatever the number of heads:

    >>> rows = np.arange(24.0).reshape(2, 12)
    >>> [bool((merge_heads(split_heads(rows, heads)) == rows).all()) for heads in (1, 3, 12)]
    [True, True, True]
    """
    o = as_rows("merge_heads: outputs", outputs)
    if o.ndim < 3:
        raise ValueError(f"merge_heads: outputs: got shape {o.shape}, takes (…, h, N, d_h)")
    *batch, heads, tokens, head_width = o.shape
    return o.swapaxes(-3, -2).reshape(*batch, tokens, heads * head_width)


@dataclass(frozen=True)
class AttentionWeights:
    """The learned matrices of multi-head attention, all heads side by side.

    w_q, w_k, w_v (D, h·d_h), w_o (h·d_h, D); biases (h·d_h,) and (D,) or None.
    Checkpoints store the transpose, (out, in).

    A layer of torch keeps (out, in), so its weight goes in transposed; where it is square, no shape tells.

    >>> stored = np.array([[1.0, 2.0], [0.0, 1.0]])
    >>> w = AttentionWeights(w_q=stored.T, w_k=stored.T, w_v=3 * stored.T, w_o=np.eye(2), heads=1)
    >>> (np.array([[1.0, 10.0]]) @ w.w_q).tolist()
    [[21.0, 10.0]]
    """

    w_q: Array
    w_k: Array
    w_v: Array
    w_o: Array
    heads: int
    b_q: Array | None = None
    b_k: Array | None = None
    b_v: Array | None = None
    b_o: Array | None = None


def linear(request: str, rows: Array, weight: ArrayLike, bias: ArrayLike | None) -> Array:
    """Return rows (…, N, in) @ weight (in, out) + bias (out,)."""
    matrix = as_floats(f"{request}: weight", weight)
    if matrix.ndim != 2 or matrix.shape[0] != rows.shape[-1]:
        raise ValueError(
            f"{request}: weight: got shape {matrix.shape}, takes ({rows.shape[-1]}, channels out)"
        )
    same_dtype(request, rows=rows, weight=matrix)
    if bias is None:
        return rows @ matrix
    offset = as_floats(f"{request}: bias", bias)
    same_dtype(request, rows=rows, bias=offset)
    if offset.shape != matrix.shape[1:]:
        raise ValueError(f"{request}: bias: got shape {offset.shape}, takes {matrix.shape[1:]}")
    return rows @ matrix + offset


def multi_head_attention(
    u: ArrayLike, weights: AttentionWeights, mask: ArrayLike | None = None
) -> dict[str, Array]:
    """Run all heads on normed rows u (…, N, D) and join them by W_O; return every intermediate.

    Q, K, V, O (…, h, N, d_h); P (products), S (scaled), masked, A (weights) (…, h, N, N);
    joined (…, N, h·d_h); M (…, N, D). `mask` as in `masks.check_mask`, for scores (…, h, N, N).

    W_O is where heads meet. Without it, a head that reads only itself leaves its channels as they were:

    >>> far = 100 * np.eye(2)
    >>> w = AttentionWeights(w_q=far, w_k=np.eye(2), w_v=3 * np.eye(2), w_o=np.eye(2), heads=1)
    >>> steps = multi_head_attention([[1.0, 0.0], [0.0, 1.0]], w)
    >>> steps["A"].round(9).tolist(), steps["M"].round(9).tolist()
    ([[[1.0, 0.0], [0.0, 1.0]]], [[3.0, 0.0], [0.0, 3.0]])
    """
    rows = as_rows("multi_head_attention: u", u)
    w = weights
    Q = split_heads(linear("W_Q", rows, w.w_q, w.b_q), w.heads)  # (N, D) -> (h, N, d_h)
    K = split_heads(linear("W_K", rows, w.w_k, w.b_k), w.heads)
    V = split_heads(linear("W_V", rows, w.w_v, w.b_v), w.heads)
    P = products(Q, K)  # (h, N, N)
    S = scale(P, Q.shape[-1])
    keep = None if mask is None else as_array("mask", mask)
    if keep is not None and rows.ndim == 2 and keep.ndim == 2:
        keep = keep[None]  # no batch: the two axes can only be query and key
    masked = hide(S, keep)
    A = softmax(masked)
    O = mix(A, V)  # (h, N, d_h)
    joined = merge_heads(O)  # (N, h·d_h)
    M = linear("W_O", joined, w.w_o, w.b_o)  # (N, D)
    return {
        "Q": Q,
        "K": K,
        "V": V,
        "P": P,
        "S": S,
        "masked": masked,
        "A": A,
        "O": O,
        "joined": joined,
        "M": M,
    }
