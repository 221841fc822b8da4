"""How a row gets its place: tables that are added to the rows, and a bias on the scores.

Sources: sine and cosine: Vaswani et al. 2017, section 3.5, here one half of the channels for each axis;
another grid: Dosovitskiy et al. 2020, section 3.2; relative bias: Liu et al. 2021 (Swin), eq. 4.
Shapes: N rows, D width, R × C patches.
"""

import math

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array, as_floats, as_rows
from .counts import whole
from .grid import Grid


def sine_positions(grid: Grid, width: int, *, base: float = 10_000.0) -> Array:
    """Return a fixed table (N, D): sine and cosine of the row, then of the column, a quarter each.

    Wave k of D/4 turns by base^(−k / (D/4)) radians a patch. Rows in front (CLS, registers) get 0.
    Raises ValueError where D is not a multiple of 4 or the base is not a positive number.

    Products of two rows tell how far apart the patches are, not where they are:

    >>> grid = Grid(64, 64, 16)
    >>> table = sine_positions(grid, 8)
    >>> near = [table[grid.token(r, c)] @ table[grid.token(r, c + 1)] for r, c in ((0, 0), (3, 2))]
    >>> bool(np.isclose(*near))
    True
    """
    width = whole("sine_positions: width", width)
    if not 0 < base < math.inf:
        raise ValueError(f"sine_positions: base: got {base}, takes a positive number")
    if width <= 0 or width % 4:
        raise ValueError(f"sine_positions: width: got {width}, takes a multiple of 4")
    speeds = base ** (-np.arange(width // 4) / (width // 4))
    places = np.array(list(grid.places()), dtype=np.float64)  # (R·C, 2)
    turned = places[:, :, None] * speeds  # (R·C, 2, D/4)
    waves = np.concatenate([np.sin(turned), np.cos(turned)], axis=-1)  # (R·C, 2, D/2)
    table = np.zeros((grid.tokens, width))
    table[grid.prefix :] = waves.reshape(grid.patches, width)
    return table


def resize_positions(table: ArrayLike, old: Grid, new: Grid, *, method: str = "linear") -> Array:
    """Return a position table (N_old, D) for another grid, (N_new, D).

    Rows in front stay as they are. The others are laid out on the old grid and interpolated along
    both axes, between the centres of patches. `linear`: between the two nearest centres; outside the
    outermost centres the nearest stays (PyTorch: bilinear). `cubic`: between the four nearest, by
    Keys' kernel with a = −0.75; outside the grid the outermost centre counts again (PyTorch:
    bicubic). Both as with align_corners=False, antialias=False.
    Raises ValueError for a table of another length, for grids with other rows in front, and for
    another method.

    Between the centres of patches: a column of two grows to four, and the ends stay.

    >>> old, new = Grid(2, 1, 1, cls=False), Grid(4, 1, 1, cls=False)
    >>> resize_positions([[0.0], [4.0]], old, new).ravel().tolist()
    [0.0, 1.0, 3.0, 4.0]
    """
    if method not in _METHODS:
        raise ValueError(
            f"resize_positions: method: got {method!r}, takes one of {', '.join(_METHODS)}"
        )
    rows = as_rows("resize_positions: table", table)
    if rows.ndim != 2 or len(rows) != old.tokens:
        raise ValueError(
            f"resize_positions: table: got shape {rows.shape}, takes ({old.tokens}, channels): "
            f"{old.prefix} rows in front and {old.rows} × {old.columns} patches"
        )
    if old.prefix != new.prefix:
        raise ValueError(
            f"resize_positions: got {old.prefix} rows in front, and {new.prefix} in the new grid; "
            "takes as many"
        )
    front, patches = rows[: old.prefix], rows[old.prefix :]
    laid = patches.reshape(old.rows, old.columns, -1)  # (R, C, D)
    between = _METHODS[method]
    down = between(old.rows, new.rows).astype(rows.dtype)  # (R', R)
    across = between(old.columns, new.columns).astype(rows.dtype)  # (C', C)
    moved = np.einsum("pr,qc,rcd->pqd", down, across, laid)  # (R', C', D)
    return np.concatenate([front, moved.reshape(new.patches, -1)])


def _between(old: int, new: int) -> Array:
    """Return (new, old): each new centre as a mean of the two old centres around it."""
    centres = np.clip((np.arange(new) + 0.5) * old / new - 0.5, 0, old - 1)
    below = np.minimum(centres.astype(int), max(old - 2, 0))
    above = np.minimum(below + 1, old - 1)
    parts = np.zeros((new, old))
    np.add.at(parts, (np.arange(new), below), 1 - (centres - below))
    np.add.at(parts, (np.arange(new), above), centres - below)
    return parts


def _keys(distance: Array) -> Array:
    """Return the weight of a centre at a distance, in old patches; 0 from 2 on. Keys 1981, a = −0.75."""
    a, t = -0.75, np.abs(distance)
    near = (a + 2) * t**3 - (a + 3) * t**2 + 1
    far = a * t**3 - 5 * a * t**2 + 8 * a * t - 4 * a
    return np.where(t <= 1, near, np.where(t < 2, far, 0))


def _between_four(old: int, new: int) -> Array:
    """Return (new, old): each new centre as a sum over the four old centres around it."""
    centres = (np.arange(new) + 0.5) * old / new - 0.5
    parts = np.zeros((new, old))
    for step in (-1, 0, 1, 2):
        place = np.floor(centres).astype(int) + step
        np.add.at(parts, (np.arange(new), np.clip(place, 0, old - 1)), _keys(centres - place))
    return parts


_METHODS = {"linear": _between, "cubic": _between_four}


def relative_bias(table: ArrayLike, grid: Grid) -> Array:
    """Return what is added to the scores: (…, 2R − 1, 2C − 1) -> (…, N, N), query by key.

    Entry (i, j) is the table's entry for how far i lies below j and to the right of j; offset
    (0, 0) stands in the table's middle. Pairs with a row in front (CLS, registers) get 0.
    Raises ValueError for a table of another size.

    Pairs at the same offset share one number, wherever they are: here the key right of the query.

    >>> table = np.zeros((1, 5))
    >>> table[0, 1] = 7  # one column to the left of the middle: the query lies left of the key
    >>> relative_bias(table, Grid(1, 3, 1, cls=False)).tolist()
    [[0.0, 7.0, 0.0], [0.0, 0.0, 7.0], [0.0, 0.0, 0.0]]
    """
    offsets = as_floats("relative_bias: table", table)
    size = (2 * grid.rows - 1, 2 * grid.columns - 1)
    if offsets.shape[-2:] != size:
        raise ValueError(
            f"relative_bias: table: got shape {offsets.shape}, takes (…, {size[0]}, {size[1]}): "
            f"every offset on a grid of {grid.rows} × {grid.columns}"
        )
    row, column = np.array(list(grid.places())).T
    down = row[:, None] - row[None, :] + grid.rows - 1  # (R·C, R·C), from 0 to 2R − 2
    across = column[:, None] - column[None, :] + grid.columns - 1
    bias = np.zeros((*offsets.shape[:-2], grid.tokens, grid.tokens), dtype=offsets.dtype)
    bias[..., grid.prefix :, grid.prefix :] = offsets[..., down, across]
    return bias
