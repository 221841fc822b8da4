"""Shapes: paths, places and lengths of marks, from plain numbers.

Lengths on the photograph's panel are its pixels; axes are drawn in their own units.
`docs/javascripts/row.js` draws the same shapes.
"""

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from vitattn_core import Grid
from vitattn_core.teaching import GRID

from .written import fixed, plain

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


def on_grid(weights: Floats, bug: str = "") -> Floats:
    """Return the weights (patches,) that are painted on the patches, in their order.

    With the bug `offset` the row's first numbers as they come, so that CLS's lies on patch (0,0).
    """
    return weights[: GRID.patches] if bug == "offset" else weights[GRID.prefix :]


def squares(values: Floats, sign: int, axis: float) -> str:
    """Return one path of a square for each value of this sign; area = size, a full cell at `axis`."""
    marks = []
    for token, value in enumerate(values):
        if not value * sign > NOTHING:
            continue
        side = CELL * min(1.0, math.sqrt(abs(value) / axis))
        x, y = (start + (CELL - side) / 2 for start in corner(token))
        edge = plain(side, 1)
        marks.append(f"M{plain(x, 1)} {plain(y, 1)}h{edge}v{edge}h-{edge}z")
    return "".join(marks)


def crosses(tokens: Iterable[int]) -> str:
    """Return one path of a cross over the cell of each row."""
    arm = CELL - 2 * CROSS
    corners = ((x + CROSS, y + CROSS) for x, y in map(corner, tokens))
    return "".join(f"M{x} {y}l{arm} {arm}m0 -{arm}l-{arm} {arm}" for x, y in corners)


def ticks(values: Floats) -> str:
    """Return one path of a tick for each finite value, in the axis's own units."""
    return "".join(f"M{plain(value, 2)} 0v1" for value in values if math.isfinite(value))


def sticks(values: Floats, heights: Floats) -> str:
    """Return one path of a stick for each finite value, as high as told (0 to 1), from the foot up."""
    pairs = zip(values, heights, strict=True)
    return "".join(
        f"M{plain(v, 2)} 1v{plain(-h, 4)}" for v, h in pairs if math.isfinite(v) and h >= 0.0005
    )


def curve(top: float, axis: float) -> str:
    """Return e^(s − top) from the left end of the axis to `top`, from the foot up."""
    points = np.linspace(-axis, top, 60)
    return "M" + "L".join(f"{plain(s, 2)} {plain(1 - math.exp(s - top), 4)}" for s in points)


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


def strip(weights: Floats, values: Floats) -> str:
    """Return a staircase in bar order: each key as wide as its weight and as high as its value."""
    path, x = ["M0 0"], 0.0
    for token in order(weights):
        if weights[token] >= 0.0002:
            path.append(f"V{plain(-values[token], 3)}H{plain(x + weights[token], 4)}")
        x += weights[token]
    return "".join(path) + "V0z"


def band(weights: Floats, token: int) -> str:
    """Return the part of the strips that one key fills, from their top to their foot."""
    before = itertools.takewhile(lambda other: other != token, order(weights))
    start = math.fsum(float(weights[other]) for other in before)
    width = plain(float(weights[token]), 4)
    return f"M{plain(start, 4)} {-STRIP:g}h{width}v{2 * STRIP:g}h-{width}z"


def arrows(query: int, weights: Floats) -> list[Arrow]:
    """Return the arrows from the strongest other keys to the query; width ∝ weight in this row."""
    others = [token for token in order_by_weight(weights) if token != query][:ARROWS]
    largest = float(weights[others[0]])
    widths = (WIDEST * float(weights[t]) / largest if largest > 0 else 0.0 for t in others)
    return [arrow(t, query, width) for t, width in zip(others, widths, strict=True)]


def arrow(key: int, query: int, width: float) -> Arrow:
    """Return a bent shaft from the middle of the key's cell and a head at the rim of the query's."""
    (x0, y0), (x1, y1) = ((x + CELL / 2, y + CELL / 2) for x, y in (corner(key), corner(query)))
    bx, by = (x0 + x1) / 2 + 0.16 * (y1 - y0), (y0 + y1) / 2 - 0.16 * (x1 - x0)
    reach = math.hypot(x1 - bx, y1 - by)
    ux, uy = (x1 - bx) / reach, (y1 - by) / reach  # where the arrow points to, length 1
    tip_x, tip_y = x1 - RIM * ux, y1 - RIM * uy
    long, half = 3 + width, 1.5 + 0.8 * width
    end_x, end_y = tip_x - long * ux, tip_y - long * uy
    points = (
        *((x0, y0), (bx, by), (end_x, end_y), (tip_x, tip_y)),
        *((end_x - half * uy, end_y + half * ux), (end_x + half * uy, end_y - half * ux)),
    )
    start, bend, end, tip, left, right = (f"{plain(x, 1)} {plain(y, 1)}" for x, y in points)
    return f"M{start}Q{bend} {end}", f"M{tip}L{left}L{right}z", plain(width, 3)


def axis_of(values: Floats, least: float) -> float:
    """Return how far the axis reaches: the first of `AXES`, from `least` up, that holds all values."""
    largest = float(np.abs(values[np.isfinite(values)]).max(initial=0))
    return next((axis for axis in AXES if axis >= max(least, largest)), AXES[-1])


def bar(value: float, reach: float) -> str:
    """Return a signed bar's length: −1 to 1 of the half cell it may fill."""
    return plain(max(-1.0, min(1.0, value / reach)), 3)


def along_axis(value: float, reach: float) -> str:
    """Return where a value stands on an axis from −reach to reach."""
    if not math.isfinite(value):
        return "0%"
    return f"{plain(50 + 50 * value / reach, 2)}%"


def axis_values(name: str, reach: float) -> dict[str, str]:
    """Return the view box of an axis from −reach to reach, and the five numbers under it."""
    numbers = (fixed(part * reach, 0) for part in (-1.0, -0.5, 0.0, 0.5, 1.0))
    labels = {f"axis.{name}.{n}": number for n, number in enumerate(numbers)}
    return {f"box.{name}": f"{-reach:g} 0 {2 * reach:g} 1", **labels}


def grid_map(
    weights: Floats,
    level: int,
    levels: int,
    bug: str = "",
    *,
    largest: float | None = None,
    field: Field = TEACHING,
) -> str:
    """Return one path over the patches whose weight falls in one of `levels` equal steps.

    The last step ends at `largest`, or else at the largest weight on a patch; patches near 0 are in
    none. Units: patches.
    """
    on_patches = on_grid(weights, bug) if field is TEACHING else weights[field.grid.prefix :]
    end = float(on_patches.max()) if largest is None else largest
    path = []
    for n, weight in enumerate(on_patches):
        step = math.ceil(weight / end * levels - 1e-9) if end > 0 else 0
        if step == level and weight >= end / 50:
            path.append(f"M{n % field.grid.columns} {n // field.grid.columns}h1v1h-1z")
    return "".join(path)
