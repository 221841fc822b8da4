"""A pre-norm transformer block: Y = X + MHA(LN(X)), Z = Y + MLP(LN(Y)).

With layer scale, what is added is first multiplied channel by channel by learned numbers.
Sources: Dosovitskiy et al. 2020, eq. 2 and 3; layer norm: Ba et al. 2016; GELU: Hendrycks & Gimpel 2016;
layer scale: Touvron et al. 2021 (CaiT), section 2.
Shapes: N rows, D width; one leading batch axis may stand in front.
"""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array, as_floats, as_rows, same_dtype
from .attention import AttentionWeights, linear, multi_head_attention
from .trace import Trace

_erf = np.vectorize(math.erf, otypes=[np.float64])


def layer_norm(
    x: ArrayLike, gain: ArrayLike | None = None, shift: ArrayLike | None = None, *, eps: float
) -> Array:
    """Give every row (…, D) mean 0 and biased variance 1, then gain (D,) and shift (D,).

    `eps` is added to the variance, inside the root; it has no default, since libraries differ. With
    it the variance comes out a little below 1. A row of equal numbers becomes 0, with any eps.

    The variance is the biased one: with D − 1 the first number would be 1.5.

    >>> layer_norm([1.0, 0.0, 0.0, 0.0], eps=0).round(4).tolist()
    [1.7321, -0.5774, -0.5774, -0.5774]
    >>> layer_norm([0.0, 2.0], eps=1).round(4).tolist()  # eps inside the root: 1 / √2
    [-0.7071, 0.7071]
    """
    rows = as_floats("layer_norm: x", x)
    if rows.ndim == 0 or rows.shape[-1] == 0:
        raise ValueError(f"layer_norm: x: got shape {rows.shape}, takes (…, D)")
    if not eps >= 0:
        raise ValueError(f"layer_norm: eps: got {eps}, takes 0 or more")
    centred = rows - rows.mean(axis=-1, keepdims=True)
    low, high = rows.min(axis=-1, keepdims=True), rows.max(axis=-1, keepdims=True)
    flat = (low == high) & np.isfinite(low)  # the mean of equal numbers may be one rounding off
    centred = np.where(flat, rows.dtype.type(0), centred)
    variance = np.mean(centred * centred, axis=-1, keepdims=True)  # biased: divided by D, not D − 1
    spread = np.sqrt(variance + rows.dtype.type(eps))
    normed = centred / np.where(flat, rows.dtype.type(1), spread)
    for name, factor in (("gain", gain), ("shift", shift)):
        if factor is None:
            continue
        row = as_floats(f"layer_norm: {name}", factor)
        same_dtype("layer_norm", x=rows, **{name: row})
        if row.shape != rows.shape[-1:]:
            raise ValueError(f"layer_norm: {name}: got shape {row.shape}, takes {rows.shape[-1:]}")
        normed = normed * row if name == "gain" else normed + row
    return normed


def gelu(x: ArrayLike) -> Array:
    """Return x · Φ(x), any shape, with the exact normal distribution function Φ, not the tanh form.

    Not monotonic: a little below zero it gives less than far below.

    >>> gelu([-4.0, -0.75, 0.0, 1.0]).round(4).tolist()
    [-0.0001, -0.17, 0.0, 0.8413]
    """
    values = as_floats("gelu: x", x)
    phi = 0.5 * (1 + _erf(values.astype(np.float64) / math.sqrt(2)))
    return (values * phi).astype(values.dtype)


@dataclass(frozen=True)
class BlockWeights:
    """The learned numbers of one block.

    w_1 (D, hidden), b_1 (hidden,), w_2 (hidden, D), b_2 (D,); gains and shifts (D,) or None for 1
    and 0; `eps` of both layer norms; layer scales scale_1 and scale_2 (D,) or None; `activation` of
    the MLP, the exact GELU unless told otherwise.

    `eps` has no default, since libraries differ (1e-5, 1e-6, 1e-12), and a block without it is no block:

    >>> eye = np.eye(2)
    >>> BlockWeights(AttentionWeights(eye, eye, 2 * eye, eye, heads=1), w_1=eye, w_2=eye)
    Traceback (most recent call last):
    TypeError: ...missing 1 required positional argument: 'eps'
    """

    attention: AttentionWeights
    w_1: Array
    w_2: Array
    eps: float
    b_1: Array | None = None
    b_2: Array | None = None
    gain_1: Array | None = None
    shift_1: Array | None = None
    gain_2: Array | None = None
    shift_2: Array | None = None
    scale_1: Array | None = None
    scale_2: Array | None = None
    activation: Callable[[Array], Array] = gelu


def _scaled(name: str, added: Array, scale: Array | None) -> Array:
    """Return what a branch adds, times its layer scale."""
    if scale is None:
        return added
    factors = as_floats(f"block: {name}", scale)
    same_dtype("block", added=added, **{name: factors})
    if factors.shape != added.shape[-1:]:
        raise ValueError(f"block: {name}: got shape {factors.shape}, takes {added.shape[-1:]}")
    return added * factors


def block(X: ArrayLike, weights: BlockWeights, mask: ArrayLike | None = None) -> Trace:
    """Run one block on rows X (N, D) or (B, N, D); the Trace holds every step, its result is Z.

    M and F are as W_O and the MLP return them, before a layer scale.
    `mask` as in `masks.check_mask`: scores are (h, N, N), or (B, h, N, N) in a batch.

    The skip goes round the norm: where attention and MLP add nothing, the row stays as it was.

    >>> none = np.zeros((2, 2))
    >>> weights = BlockWeights(AttentionWeights(none, np.eye(2), none, none, heads=1), none, none, eps=1e-6)
    >>> block([[0.0, 2.0], [4.0, 0.0]], weights).Z.tolist()
    [[0.0, 2.0], [4.0, 0.0]]
    """
    w = weights
    rows = as_rows("block: X", X)
    if rows.ndim > 3:
        raise ValueError(f"block: X: got shape {rows.shape}, takes (N, D) or (B, N, D)")
    U = layer_norm(rows, w.gain_1, w.shift_1, eps=w.eps)
    heads = multi_head_attention(U, w.attention, mask)
    Y = rows + _scaled("scale_1", heads["M"], w.scale_1)  # the raw row, not the normed one
    W = layer_norm(Y, w.gain_2, w.shift_2, eps=w.eps)
    H = linear("block: MLP in", W, w.w_1, w.b_1)  # (N, D) -> (N, hidden)
    G = w.activation(H)
    F = linear("block: MLP out", G, w.w_2, w.b_2)  # (N, hidden) -> (N, D)
    Z = Y + _scaled("scale_2", F, w.scale_2)
    return Trace({"X": rows, "U": U, **heads, "Y": Y, "W": W, "H": H, "G": G, "F": F, "Z": Z})


def stack(
    X: ArrayLike, blocks: Sequence[BlockWeights], mask: ArrayLike | None = None
) -> list[Trace]:
    """Run blocks one after the other, each on the Z of the one before; one Trace a block.

    Each block reads what the one before wrote:

    >>> eye, none = np.eye(2), np.zeros((2, 2))
    >>> one = BlockWeights(AttentionWeights(none, none, eye, eye, heads=1), none, none, eps=1e-6)
    >>> first, last = stack([[0.0, 2.0], [4.0, 0.0]], [one, one])
    >>> bool((last.X == first.Z).all()), bool((last.Z == first.Z).all())
    (True, False)
    """
    if not blocks:
        raise ValueError("stack: got no blocks, takes one or more")
    traces: list[Trace] = []
    for weights in blocks:
        traces.append(block(traces[-1].Z if traces else X, weights, mask))
    return traces
