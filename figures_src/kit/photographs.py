"""Photographs with a row of weights on them, in small panels side by side, for figures of pages.

Words stand beside the drawing, never in it, so that they keep their size when the panel gets small.
"""

import math
from collections.abc import Sequence
from html import escape

import numpy as np

from vitattn_core import Grid
from vitattn_core.teaching import GRID

from .colours import weight_level
from .elements import tag
from .geometry import CELL, Floats
from .numbers import ascii_number, fixed

EDGE = 1.5  # a frame stands this far outside its cell


def side_by_side(*panels: str, size: int = 248) -> str:
    """Return panels in one line where there is room, each at most `size` px wide, else in two columns."""
    return tag("div", *panels, class_="va-shows", style=f"--n:{len(panels)};--size:{size}")


def panel(title: str, drawing: str, *words: str, above: str = "") -> str:
    """Return a drawing with a title and a few lines of words under it; `above` stands over it."""
    lines = tag("p", tag("b", title), *(tag("small", line) for line in words), class_="va-show-say")
    return tag("div", above, drawing, lines, class_="va-show")


def photograph(*marks: str, photo: str = "chelsea", dim: bool = True) -> str:
    """Return a photograph with marks on it, in its own pixels; `dim` turns it grey and darker."""
    picture = tag(
        "image",
        href=f"assets/photos/{photo}.webp",
        width=GRID.width,
        height=GRID.height,
        class_="va-dim" if dim else None,
    )
    return field(picture, *marks, width=GRID.width, height=GRID.height)


def field(*marks: str, width: float, height: float) -> str:
    """Return a drawing of width × height units that fills its panel."""
    box = f"0 0 {width:g} {height:g}"
    return tag("svg", *marks, viewBox=box, class_="va-show-field", aria_hidden="true")


def paint(weights: Floats, grid: Grid = GRID, *, largest: float | None = None) -> str:
    """Return a row of weights (N,) painted on its patches; the scale ends at `largest`.

    Without `largest` it ends at the largest weight of the row, CLS and registers included.
    """
    cells = grid.field(weights)
    return cells_painted(cells, float(weights.max()) if largest is None else largest, grid.patch)


def cells_painted(cells: Floats, largest: float, cell: int = CELL) -> str:
    """Return a picture (rows, columns) of weights, one path for each level of paint.

    cell: side of a patch, in pixels of the photograph.
    """
    paths: dict[int, list[str]] = {}
    for row, line in enumerate(cells):
        for column, weight in enumerate(line):
            if level := weight_level(float(weight), largest):
                paths.setdefault(level, []).append(square(row, column, cell))
    return "".join(tag("path", d="".join(d), class_=f"w{level}") for level, d in paths.items())


def sizes(cells: Floats, largest: float, cell: int = CELL) -> str:
    """Return a picture (rows, columns) of lengths as squares: area is size, a full cell at `largest`.

    For what is no weight: the colours from dark to bright belong to weights alone.
    """
    marks = []
    for (row, column), value in np.ndenumerate(cells):
        side = cell * min(1.0, math.sqrt(abs(float(value)) / largest))
        x, y = (cell * place + (cell - side) / 2 for place in (column, row))
        edge = ascii_number(side, 1)
        marks.append(f"M{ascii_number(x, 1)} {ascii_number(y, 1)}h{edge}v{edge}h-{edge}z")
    return tag("path", d="".join(marks), class_="va-size")


def square(row: int, column: int, cell: int = CELL) -> str:
    """Return the outline of one patch."""
    return f"M{column * cell} {row * cell}h{cell}v{cell}h-{cell}z"


def squares(places: Sequence[tuple[int, int]], kind: str) -> str:
    """Return patches (row, column) as one path of a class."""
    return tag("path", d="".join(square(*place) for place in places), class_=kind)


def frame(row: int, column: int, role: str = "query", cell: int = CELL) -> str:
    """Return the frame around a patch: square for the query, rounded for a key."""
    side, edge = cell + 2 * EDGE, -EDGE
    box = {"x": edge, "y": edge, "width": side, "height": side, "rx": 0 if role == "query" else 5}
    return tag(
        "g",
        tag("rect", class_="va-halo", **box),
        tag("rect", class_="va-frame", **box),
        class_=f"va-mark is-{role}",
        transform=f"translate({column * cell} {row * cell})",
    )


def in_front(*shares: tuple[str, float], largest: float) -> str:
    """Return the line above a photograph: a cell for each row in front, its name and its weight."""
    cells = []
    for name, weight in shares:
        level = weight_level(weight, largest)
        cell = tag(
            "svg",
            tag("rect", width=CELL, height=CELL, class_="va-cls"),
            tag("rect", width=CELL, height=CELL, class_=f"w{level}") if level else "",
            viewBox=f"0 0 {CELL} {CELL}",
            aria_hidden="true",
        )
        cells.append(tag("span", cell, escape(name), " ", tag("b", fixed(weight, 3))))
    return tag("p", *cells, class_="va-show-front")
