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
    """Return q·k for every query and key: (…, N_q, d_h), (…, N_k, d_h) -> (…, N_q, N_k)."""
    queries = as_rows("products: q", q)
    keys = as_rows("products: k", k, queries.shape[-1])
    same_dtype("products", q=queries, k=keys)
    spread_in_front("products", q=queries, k=keys)
    return queries @ keys.swapaxes(-1, -2)


def scale(unscaled: ArrayLike, head_width: int) -> Array:
    """Divide products by √d_h, so that their spread does not grow with the head's width.

    Any shape, kept. Raises ValueError unless `head_width` is positive, TypeError for what is no
    whole number.
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
    """Return the weighted sum of values: (…, N_q, N_k), (…, N_k, d_v) -> (…, N_q, d_v)."""
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
    """Give every head its own d_h channels: (…, N, h·d_h) -> (…, h, N, d_h)."""
    x = as_rows("split_heads: rows", rows)
    *batch, tokens, width = x.shape
    heads = whole("split_heads: heads", heads)
    if heads <= 0 or width % heads:
        raise ValueError(
            f"split_heads: got width {width} for {heads} heads, takes a multiple of heads"
        )
    return x.reshape(*batch, tokens, heads, width // heads).swapaxes(-3, -2)


def merge_heads(outputs: ArrayLike) -> Array:
    """Put the heads' channels side by side again: (…, h, N, d_h) -> (…, N, h·d_h)."""
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
