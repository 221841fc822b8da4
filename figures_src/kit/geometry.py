"""Shapes: places and lengths of marks, computed from plain numbers.

Lengths on the photograph's panel are its pixels. A module that draws gives the numbers and gets places back.
"""

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vitattn_core import Grid
from vitattn_core.teaching import GRID

from .numbers import ascii_number

Floats: TypeAlias = NDArray[np.floating]
Segment: TypeAlias = tuple[int, float, float]  # sequence row, where it starts, how wide it is

CELL = 16  # units of the photograph's panel: its pixels
COLLECTED = 0.018  # weights below this stand together at the end of the unit bar
SAME = 1e-12  # weights and products no further apart than this are the same but for rounding


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
    return ascii_number(max(-1.0, min(1.0, value / reach)), 3)
