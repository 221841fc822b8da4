"""The rest of a pass for thousands of interventions: no step kept, the same result as the core's.

`passes.see` holds it to the core's blocks on every photograph.
"""

from collections.abc import Mapping
from functools import lru_cache

import numpy as np

from vitattn_core import BlockWeights, layer_norm, merge_heads, split_heads
from vitattn_core.arrays import Array, Mask


def fast_gelu(x: Array) -> Array:
    """The exact GELU as the core's, by SciPy: ten times as fast."""
    from scipy.special import erf

    bent = x * x.dtype.type(0.5**0.5)
    erf(bent, out=bent)
    bent += 1
    bent *= x
    bent *= x.dtype.type(0.5)
    found: Array = bent
    return found


@lru_cache(maxsize=64)
def _joined(weights: "Same") -> tuple[Array, Array]:
    a = weights.block.attention
    bias = [
        np.zeros(a.w_q.shape[1], a.w_q.dtype) if b is None else b for b in (a.b_q, a.b_k, a.b_v)
    ]
    return np.hstack([a.w_q, a.w_k, a.w_v]), np.hstack(bias)


class Same:
    """A block as a key of the cache: the same object, the same entry."""

    def __init__(self, block: BlockWeights) -> None:
        self.block = block

    def __hash__(self) -> int:
        return id(self.block)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Same) and other.block is self.block


def _bias(bias: Array | None) -> Array | float:
    return 0.0 if bias is None else bias


def lean_block(rows: Array, w: BlockWeights, mask: Mask | None) -> Array:
    """Return Z of rows (N, D); `mask` (1 or h, N, N), True = keep, leaves every row some key."""
    matrix, bias = _joined(Same(w))
    together = layer_norm(rows, w.gain_1, w.shift_1, eps=w.eps) @ matrix
    together += bias
    q, k, v = (split_heads(part, w.attention.heads) for part in np.split(together, 3, axis=1))
    scores = q @ k.swapaxes(-1, -2)
    scores *= scores.dtype.type(q.shape[-1] ** -0.5)
    if mask is not None:
        np.copyto(scores, -np.inf, where=~mask)
    scores -= scores.max(axis=-1, keepdims=True)
    np.exp(scores, out=scores)
    mixed = (scores @ v) / scores.sum(axis=-1, keepdims=True)
    added = merge_heads(mixed) @ w.attention.w_o + _bias(w.attention.b_o)
    Y = rows + (added if w.scale_1 is None else added * w.scale_1)
    hidden = layer_norm(Y, w.gain_2, w.shift_2, eps=w.eps) @ w.w_1 + _bias(w.b_1)
    out = w.activation(hidden) @ w.w_2 + _bias(w.b_2)
    return Y + (out if w.scale_2 is None else out * w.scale_2)


def final_block_rows(
    rows: Array, blocks: tuple[BlockWeights, ...], layer: int, masks: Mapping[int, Mask]
) -> Array:
    """Return the rows (N, D) after the last block of rows that enter `layer`, from 0."""
    for i in range(layer, len(blocks)):
        rows = lean_block(rows, blocks[i], masks.get(i))
    return rows
