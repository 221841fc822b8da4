"""Convolution, attention in windows and global attention on one grid, and what is measured of them.

Each maps rows (N, D) of a grid to as many. Influence is measured, never written down: one input row
is changed at a time, the operator is run again, and the outputs are compared.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from figures_src.kit.geometry import Floats
from figures_src.kit.numbers import ROUNDING
from vitattn_core import AttentionWeights, Grid, multi_head_attention, window_mask

Operator = Callable[[Floats], Floats]
Moved = NDArray[np.bool_]


def kernel(side: int, width: int) -> Floats:
    """Return a kernel (k, k, D, D) from a closed formula, weaker from its middle outwards."""
    entries = np.sin(1.3 * (1 + np.arange(float(side**2 * width**2))))
    row, column = np.indices((side, side)) - side // 2
    fade = 1 / (1 + np.hypot(row, column))
    return entries.reshape(side, side, width, width) * fade[:, :, None, None]


def convolution(grid: Grid, kernel: Floats) -> Operator:
    """Return a convolution with stride 1 and zeros beyond the border; kernel (k, k, D, D), k odd."""
    reach = len(kernel) // 2

    def run(x: Floats) -> Floats:
        field = x.reshape(grid.rows, grid.columns, -1)
        padded = np.pad(field, ((reach, reach), (reach, reach), (0, 0)))
        out = np.zeros_like(field)
        for r, c in np.ndindex(*kernel.shape[:2]):
            out += padded[r : r + grid.rows, c : c + grid.columns] @ kernel[r, c]
        return out.reshape(x.shape)

    return run


def attending(weights: AttentionWeights, keep: Moved | None = None) -> Operator:
    """Return multi-head attention on rows (N, D); `keep` (N, N) is a mask, True = keep."""

    def run(x: Floats) -> Floats:
        return multi_head_attention(x, weights, keep)["M"]

    return run


def windows(grid: Grid, side: int, shift: int = 0) -> Moved:
    """Return which keys a query keeps (N, N): those in its window of side × side.

    With a shift all borders lie so many rows and columns further on, as in every second layer of
    Swin; what is left over at the edges makes smaller windows.
    """
    if not shift:
        return window_mask(grid, side)
    row, column = np.array(list(grid.places())).T
    window = (row - shift) // side * grid.tokens + (column - shift) // side
    keep: Moved = window[:, None] == window[None, :]
    return keep


def influence(operator: Operator, x: Floats, step: float = 0.5) -> Floats:
    """Return (N, N): how far output row i moves, as a length, when input row j is changed.

    The change has the length `step` and its own size in each channel, the same for all rows. What
    is below ROUNDING is 0: a processor that adds in another order leaves 1e-16 where nothing moves.
    """
    change = np.sin(1.0 + np.arange(x.shape[1]))
    change *= step / np.linalg.norm(change)
    still = operator(x)
    moved = np.empty((len(x), len(x)))
    for j in range(len(x)):
        changed = x.copy()
        changed[j] += change
        moved[:, j] = np.linalg.norm(operator(changed) - still, axis=1)
    return np.where(moved < ROUNDING, 0, moved)


def reach(layers: Sequence[Moved], start: int) -> list[Moved]:
    """Return which input rows can have reached row `start` (N,) after one layer, two, and so on.

    layers: what moves what in each, the last layer first, and from the start again if there are
    more. Ends where all layers in turn add nothing.
    """
    found = [np.arange(len(layers[0])) == start]
    while len(found) <= len(layers) or found[-1].sum() > found[-1 - len(layers)].sum():
        layer = layers[(len(found) - 1) % len(layers)]
        found.append(layer[found[-1]].any(axis=0))
    full = found[-1].sum()
    return [now for n, now in enumerate(found) if n == 0 or found[n - 1].sum() < full][1:]


def follows(operator: Operator, x: Floats, order: NDArray[np.int_]) -> Moved:
    """Return which output rows (N,) are the moved ones when the input rows are put in another order."""
    there, here = operator(x[order]), operator(x)[order]
    apart = np.abs(there - here).max(axis=1)
    close: Moved = apart <= 1e-9 * max(1.0, float(np.abs(here).max()))
    return close
