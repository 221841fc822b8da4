"""Section Global attention beside local convolution: who can meet whom, measured on a small grid.

One row of the input is changed at a time; a cell is filled where the output of the marked row moves.
"""

from collections.abc import Callable

import numpy as np

from figures_src.kit.elements import tag
from figures_src.kit.geometry import Floats
from figures_src.kit.numbers import ROUNDING
from figures_src.pages.registry import figure
from vitattn_core import attention

SIDE, WINDOW, WIDTH = 6, 3, 2
MARKED = (2, 2)
Operator = Callable[[Floats], Floats]


def rows() -> Floats:
    """Return an input of SIDE·SIDE rows, all different: closed formulas, no random numbers."""
    n = np.arange(SIDE * SIDE)
    return np.stack([np.sin(1.7 * n), np.cos(2.3 * n)], axis=1)


def convolution(x: Floats) -> Floats:
    """Return a 3 × 3 convolution of the grid, zeros beyond the border."""
    grid = np.pad(x.reshape(SIDE, SIDE, WIDTH), ((1, 1), (1, 1), (0, 0)))
    kernel = np.array([[1, 2, -1], [2, 3, 1], [-1, 1, 2]])
    shifted = (kernel[r, c] * grid[r : r + SIDE, c : c + SIDE] for r in range(3) for c in range(3))
    return np.sum(list(shifted), axis=0).reshape(-1, WIDTH)


def windows(x: Floats) -> Floats:
    """Return attention in windows of 3 × 3 rows: a mask keeps the keys of the query's window."""
    row, column = np.divmod(np.arange(SIDE * SIDE), SIDE)
    window = row // WINDOW * SIDE + column // WINDOW
    return attention(x, x, 1 - x, window[:, None] == window)[0]


def everywhere(x: Floats) -> Floats:
    """Return global attention."""
    return attention(x, x, 1 - x)[0]


def influence(operator: Operator) -> np.ndarray:
    """Return (N, N): True where output row i moves when input row j is changed."""
    x = rows()
    moved = np.zeros((len(x), len(x)), dtype=bool)
    for j in range(len(x)):
        changed = x.copy()
        changed[j] += 0.5
        moved[:, j] = np.any(abs(operator(changed) - operator(x)) > ROUNDING, axis=1)
    return moved


OPERATORS: dict[str, Operator] = {
    "convolution, 3 × 3": convolution,
    "attention in windows": windows,
    "global attention": everywhere,
}


@figure(
    "influence",
    caption="Measured on a grid of 6 × 6 rows: filled is every row that moves the output of the "
    "marked one when it is changed.",
    alt="Three grids of 6 by 6. Convolution: the {{ influence.convolution.word = nine }} rows "
    "around the marked one. Attention in windows: the {{ influence.windows.word = nine }} "
    "rows of its window, which lie to one side. Global attention: all "
    "{{ influence.everywhere = 36 }}.",
)
def draw() -> str:
    token = MARKED[0] * SIDE + MARKED[1]
    grids = (_grid(name, influence(operator)[token]) for name, operator in OPERATORS.items())
    return tag("div", *grids, class_="va-grids")


def _grid(name: str, moved: np.ndarray) -> str:
    cells = []
    for n, filled in enumerate(moved):
        place = {"x": n % SIDE + 0.06, "y": n // SIDE + 0.06, "width": 0.88, "height": 0.88}
        cells.append(tag("rect", class_="va-reached" if filled else "va-unreached", **place))
    mark = tag("rect", x=MARKED[1], y=MARKED[0], width=1, height=1, class_="va-marked-cell")
    box = f"-0.1 -0.1 {SIDE + 0.2} {SIDE + 0.2}"
    drawing = tag("svg", *cells, mark, viewBox=box, aria_hidden="true")
    count = f"{int(moved.sum())} of {len(moved)} rows"
    return tag("div", drawing, tag("b", name), tag("small", count), class_="va-grid-line")
