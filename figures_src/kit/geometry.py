"""Shapes: places and lengths of marks, from plain numbers, and the sizes that the player draws with.

Lengths on the photograph's panel are its pixels; axes are drawn in their own units. What depends on
the picked row is drawn by `docs/javascripts/row.js` from these sizes (player/state.py tells them).
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vitattn_core import Grid
from vitattn_core.teaching import GRID

from .numbers import plain

Floats: TypeAlias = NDArray[np.floating]
Arrow: TypeAlias = tuple[str, str, str]  # shaft, head, width
Segment: TypeAlias = tuple[int, float, float]  # sequence row, where it starts, how wide it is

AXES = (6.0, 12.0, 24.0, 48.0, 96.0)  # how far an axis of products or scores may reach
CELL = 16  # units of the photograph's panel: its pixels
CLS_TOP = -18  # CLS is a cell above patch (0,0)
COLLECTED = 0.018  # weights below this stand together at the end of the unit bar
# Shares of the unit bar below which a part has no room for a patch, for a number, for one on a phone.
ROOM = {"is-narrow": 0.055, "is-small": 0.085, "is-middling": 0.115}
STRIP = 4.5  # how high and how low the strips of a mixture reach, the same for all channels
ARROWS = 9
SAME = 1e-12  # weights and products no further apart than this are the same but for rounding
NOTHING = 1e-9  # a product this small is 0 but for rounding: neither above nor below
CROSS = 4  # from the edge of a cell to the cross that takes its key out
WIDEST = 4.0  # the strongest arrow, in units of the panel
RIM = 9.0  # from the middle of the query's cell to the tip of an arrow
REACH = 6.0  # bars of channels: half a cell is 6
NORM_AXIS = 6.0
WORKING = (0, 1)  # the units of the MLP that are not zero


@dataclass(frozen=True)
class Field:
    """The panel of a photograph on a grid, in the photograph's pixels; CLS is a cell above patch (0,0)."""

    grid: Grid

    @property
    def cell(self) -> int:
        """Return the side of a cell."""
        return self.grid.patch

    @property
    def cls_top(self) -> int:
        """Return the upper edge of the cell of CLS: two pixels between it and the photograph."""
        return -self.grid.patch - 2

    def corner(self, token: int) -> tuple[int, int]:
        """Return the upper left corner (x, y) of a row's cell."""
        if token < self.grid.prefix:
            return 0, self.cls_top
        row, column = self.grid.place(token)
        return column * self.cell, row * self.cell


TEACHING = Field(GRID)


def corner(token: int) -> tuple[int, int]:
    """Return the upper left corner (x, y) of a row's cell in the player's panel."""
    return TEACHING.corner(token)


def order(weights: Floats) -> list[int]:
    """Return rows in the order of the unit bar: CLS first, then falling (equal: as in the sequence)."""
    return [
        *range(GRID.prefix),
        *(token for token in order_by_weight(weights) if token >= GRID.prefix),
    ]


def order_by_weight(weights: Floats) -> list[int]:
    """Return all rows, the largest first; equal ones, but for rounding, as in the sequence."""
    return [int(token) for token in np.argsort(-np.round(weights / SAME), kind="stable")]


def segments(weights: Floats) -> list[Segment]:
    """Return the segments of the unit bar that are wide enough to be drawn one by one."""
    ordered = order(weights)
    shown = [t for t in ordered if t < GRID.prefix or weights[t] >= COLLECTED]
    starts = np.concatenate([[0.0], np.cumsum(weights[shown])])
    return [(t, float(x), float(weights[t])) for t, x in zip(shown, starts, strict=False)]


def bar(value: float, reach: float) -> str:
    """Return a signed bar's length: −1 to 1 of the half cell it may fill."""
    return plain(max(-1.0, min(1.0, value / reach)), 3)
