"""Masks: boolean, True = this key takes part; the last axis is the key axis.

`torch.nn.functional.scaled_dot_product_attention` reads a boolean mask in the same way,
`torch.nn.MultiheadAttention` reads it in the opposite way (True = ignore).
"""

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array, Mask, as_booleans, as_floats
from .counts import whole
from .grid import Grid


def check_mask(mask: ArrayLike, scores_shape: tuple[int, ...]) -> Mask:
    """Return a boolean mask that broadcasts to scores (…, N_q, N_k) in one way only.

    A mask has as many axes as the scores, each 1 or full, or exactly two: (query, key).
    Raises TypeError for anything but booleans, ValueError for other shapes, and for two axes that
    may as well be (image, key).

    Three images and three rows: which of the two are the lines of this mask? It is refused, not guessed.

    >>> check_mask(np.ones((1, 1, 3, 3), bool), (3, 1, 3, 3)).shape
    (1, 1, 3, 3)
    >>> check_mask(np.ones((3, 3), bool), (3, 1, 3, 3))
    Traceback (most recent call last):
    ValueError: mask: got shape (3, 3) for scores (3, 1, 3, 3): rows may be queries or images; ...
    """
    keep = as_booleans("mask", mask, "True = keep this key")
    if keep.ndim not in (2, len(scores_shape)):
        raise ValueError(
            f"mask: got shape {keep.shape} for scores {scores_shape}, takes {len(scores_shape)} axes, "
            "each 1 or full, or two: (query, key)"
        )
    matched = scores_shape[-keep.ndim :]
    if any(have not in (1, want) for have, want in zip(keep.shape, matched, strict=True)):
        raise ValueError(
            f"mask: got shape {keep.shape}, does not spread over scores {scores_shape}; "
            "one row of keys an image is written (B, 1, 1, N)"
        )
    if keep.ndim < len(scores_shape) and keep.shape[0] == scores_shape[0] > 1:
        raise ValueError(
            f"mask: got shape {keep.shape} for scores {scores_shape}: rows may be queries or images; "
            "write (1, …, N, N) for query and key, (B, 1, 1, N) for one row of keys an image"
        )
    return keep


def hide(scores: ArrayLike, mask: ArrayLike | None) -> Array:
    """Return scores (…, N_q, N_k) with −∞ where the mask is False; without a mask, unchanged.

    To hide is not to multiply by 0: a score of 0 still takes part, since e⁰ = 1.

    >>> scores, keep = np.log([[1.0, 2.0, 5.0]]), np.array([[True, True, False]])
    >>> softmax(hide(scores, keep)).round(3).tolist(), softmax(scores * keep).round(3).tolist()
    ([[0.333, 0.667, 0.0]], [[0.25, 0.5, 0.25]])
    """
    shown = as_floats("hide: scores", scores)
    if mask is None:
        return shown
    keep = check_mask(mask, shown.shape)
    return np.where(keep, shown, shown.dtype.type(-np.inf))


def key_mask(keep: ArrayLike) -> Mask:
    """Return a padding mask: (N,) becomes (1, N), and (B, N), a row an image, (B, 1, 1, N).

    Raises TypeError for anything but booleans, ValueError for other shapes.

    The last axis is the keys: one row an image spreads over all its heads and queries.

    >>> key_mask(np.array([[True, True, False], [True, True, True]])).shape
    (2, 1, 1, 3)
    """
    keys = as_booleans("key_mask", keep, "True = keep this key")
    if keys.ndim == 1:
        return keys[None, :]
    if keys.ndim == 2:
        return keys[:, None, None, :]
    raise ValueError(f"key_mask: got shape {keys.shape}, takes (N,) or (B, N)")


def causal_mask(tokens: int) -> Mask:
    """Return (N, N): a query keeps itself and the keys before it, as a decoder needs it.

    An encoder of images has no use for it: CLS, in front of all patches, would keep only itself.
    Raises TypeError for what is no whole number, ValueError unless N is positive.

    CLS stands first, and would read nothing but itself:

    >>> causal_mask(4)[0].tolist(), int(causal_mask(197).sum())
    ([True, False, False, False], 19503)
    """
    if (tokens := whole("causal_mask: tokens", tokens)) <= 0:
        raise ValueError(f"causal_mask: got {tokens} rows, takes a positive number")
    return np.tri(tokens, dtype=np.bool_)


def window_mask(grid: Grid, side: int) -> Mask:
    """Return (N, N): a patch keeps the patches of its own window of side × side patches.

    Rows in front (CLS, registers) keep all rows and are kept by all.
    Raises ValueError where a side of the grid is not a multiple of `side`, TypeError for a side that
    is no whole number.

    With windows of 7 × 7 patches a row of ViT-B/16 keeps 50 keys of 197, CLS among them:

    >>> keep = window_mask(Grid(224, 224, 16), 7)
    >>> int(keep[1].sum()), int(keep.sum())  # a patch; all pairs
    (50, 9997)
    """
    side = whole("window_mask: side", side)
    for name, patches in (("rows", grid.rows), ("columns", grid.columns)):
        if side <= 0 or patches % side:
            raise ValueError(
                f"window_mask: got {patches} {name} for windows of {side}, takes a multiple of {side}"
            )
    row, column = np.array(list(grid.places())).T
    window = row // side * grid.columns + column // side  # one number a window
    keep = np.ones((grid.tokens, grid.tokens), dtype=np.bool_)
    keep[grid.prefix :, grid.prefix :] = window[:, None] == window[None, :]
    return keep
