"""Figures of the page on patches and position: what position tables and a bias know of places."""

import numpy as np

from figures_src.kit.geometry import CELL, Floats
from figures_src.kit.numbers import fixed
from figures_src.kit.photographs import cells_painted, field, frame, panel, side_by_side, squares
from figures_src.pages.registry import figure
from vitattn_core import (
    Grid,
    products,
    relative_bias,
    resize_positions,
    scale,
    sine_positions,
    softmax,
)
from vitattn_core.teaching import GRID

PLACE = (5, 4)
WIDTH = 64  # of the position tables that the maps compare
WIDE = Grid(GRID.height, 384, GRID.patch)


def closeness(table: Floats, token: int, grid: Grid = GRID) -> Floats:
    """Return the weights of a head whose queries and keys are the position rows themselves."""
    rows = table[grid.prefix :]
    scores = scale(products(rows[[token - grid.prefix]], rows), 1)[0]
    return np.concatenate([np.zeros(grid.prefix), softmax(scores)])


def along_the_list(width: int) -> Floats:
    """Return the sine table of one long line of 196 patches: the place in the list, no grid."""
    line = Grid(GRID.patch, GRID.patches * GRID.patch, GRID.patch, cls=False)
    table = sine_positions(line, 2 * width)[:, width:]  # the half that speaks of the column
    return np.concatenate([np.zeros((GRID.prefix, width)), table])


@figure(
    "patches-tables",
    caption="What patch (5,4) would read in a head whose queries and keys are the position rows and "
    "nothing else (64 channels, no divisor). Along the list only the neighbours left and right are "
    "near; the patch below is 14 places away. With rows and columns, all four are. The scale of each "
    "panel ends at its largest weight.",
    alt="Two maps on an empty grid. Along the list: a short horizontal band. Row and column: a spot "
    "around the patch, with faint arms along its row and its column.",
)
def draw_tables() -> str:
    tables = (
        ("sine along the list", along_the_list(WIDTH)),
        ("sine of row and column", sine_positions(GRID, WIDTH)),
    )
    panels = []
    for title, table in tables:
        weights = closeness(table, GRID.token(*PLACE))
        beside = weights[GRID.token(PLACE[0], PLACE[1] + 1)]
        below = weights[GRID.token(PLACE[0] + 1, PLACE[1])]
        words = f"to the right {fixed(beside, 3)}, below {fixed(below, 3)}"
        panels.append(panel(title, _plain(GRID, weights, PLACE), words))
    return side_by_side(*panels)


def _plain(grid: Grid, weights: Floats, place: tuple[int, int]) -> str:
    """Return weights on an empty grid, with a frame around the query."""
    cells = squares(list(grid.places()), "va-empty-cells")
    drawn = cells_painted(grid.field(weights), float(weights.max()))
    width, height = CELL * grid.columns, CELL * grid.rows
    return field(cells, drawn, frame(*place), width=width, height=height)


def hill() -> Floats:
    """Return a bias table (27, 27) set by hand: highest where the key lies two patches to the right."""
    down, across = (np.arange(1 - n, n) for n in (GRID.rows, GRID.columns))
    return -(down[:, None] ** 2 + (across[None, :] + 2) ** 2) / 4.0


@figure(
    "patches-bias",
    caption="One relative bias table, set by hand to prefer the key two patches to the right; "
    "softmax of the bias alone, for two queries. The pattern moves along with the query, and ends at "
    "the edge of the grid.",
    alt="Two maps on an empty grid: for each of two framed patches the same spot, two patches to its "
    "right.",
)
def draw_bias() -> str:
    bias = relative_bias(hill(), GRID)
    panels = []
    for place in (PLACE, (9, 9)):
        row = np.concatenate([np.zeros(1), softmax(bias[GRID.token(*place), GRID.prefix :])])
        panels.append(panel(f"query ({place[0]},{place[1]})", _plain(GRID, row, place)))
    return side_by_side(*panels)


def swapped() -> Floats:
    """Return the table for the wide image with height and width mixed up: the same shape."""
    return resize_positions(_table(), GRID, Grid(WIDE.width, WIDE.height, WIDE.patch))


def _table() -> Floats:
    return sine_positions(GRID, WIDTH)


@figure(
    "patches-resized",
    caption="A table made for 14 × 14 patches, resized for 14 × 24; the maps are again those of a "
    "head that compares position rows. On the left, a spot around the patch. On the right, height and "
    "width were mixed up: the shape is the same, and patches that lie far apart pass for neighbours.",
    alt="Two wide grids. Resized: one spot around the framed patch. Height and width mixed up: small "
    "spots and stripes, scattered over the image.",
)
def draw_resized() -> str:
    panels = []
    shape = f"{WIDE.tokens} × {WIDTH}"
    for title, table in (
        ("resized", resize_positions(_table(), GRID, WIDE)),
        ("height and width mixed up", swapped()),
    ):
        weights = closeness(table, WIDE.token(*PLACE), WIDE)
        panels.append(panel(title, _plain(WIDE, weights, PLACE), f"shape {shape}"))
    return side_by_side(*panels, size=368)
