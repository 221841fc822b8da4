"""Page Global and local: what moves what, measured, on the photograph and as whole matrices."""

import numpy as np

from figures_src.kit.elements import tag
from figures_src.kit.photographs import (
    field,
    frame,
    panel,
    photograph,
    side_by_side,
    sizes,
    squares,
)
from figures_src.pages.registry import figure

from . import examples
from .operators import Moved

GRID = examples.PATCHES


def others(name: str, photo: str = "chelsea") -> float:
    """Return the largest influence on the framed row from any row but itself."""
    row = examples.influence(name, photo)[examples.QUERY]
    return float(np.delete(row, examples.QUERY).max())


def on_photograph(name: str, photo: str, largest: float) -> str:
    """Return one row of an influence matrix on the photograph: area is how far the output moves."""
    cells = GRID.field(examples.influence(name, photo)[examples.QUERY])
    still = [GRID.place(int(t)) for t in np.flatnonzero(cells.ravel() <= 1e-12)]
    dark = squares(still, "va-hidden") if still else ""
    return photograph(dark, sizes(cells, largest), frame(*examples.PLACE), photo=photo)


@figure(
    "global-local-influence",
    caption="Each patch row is changed alone, and the operator run again; area is how far the output of "
    "the framed row then moves. A full cell is the most that any other row does, panel by panel. "
    "Dark: it does not move at all.",
    alt="The cat four times. Convolution: {{ local.inner.conv3.word = nine }} squares, then "
    "{{ local.inner.conv7 = 49 }}, around the left eye. Windows: "
    "{{ local.inner.windows = 49 }} in the upper left quarter, to one side of the eye. Global "
    "attention: all {{ vit.patches = 196 }}, largest where patches look like the eye or lie "
    "near it.",
)
def draw_influence() -> str:
    drawn = (
        panel(
            examples.NAMES[name],
            on_photograph(name, "chelsea", others(name)),
            f"{int(examples.moves(name)[examples.QUERY].sum())} of {GRID.tokens} rows",
        )
        for name in examples.TABLE
    )
    return side_by_side(*drawn)


@figure(
    "global-local-matrices",
    caption="The whole matrices: line i is an output row, column j an input row, both in the order of "
    "the sequence, line by line of the grid. Filled where output i moves when input j is changed.",
    alt="Four squares. Convolution: three, then seven stripes along the diagonal, with gaps at the "
    "borders of the grid. Windows: a checkered pattern in two blocks. Global attention: filled.",
)
def draw_matrices() -> str:
    drawn = []
    for name in examples.TABLE:
        moved = examples.moves(name)
        share = f"{int(moved.sum()):,} of {moved.size:,}"
        drawn.append(panel(examples.NAMES[name], _matrix(moved), share))
    return side_by_side(*drawn, size=240)


def _matrix(moved: Moved) -> str:
    """Return a matrix of booleans as a drawing."""
    rows, columns = moved.shape
    ground = tag("rect", width=columns, height=rows, class_="va-empty-cells")
    return field(ground, filled(moved), width=columns, height=rows)


def filled(found: Moved) -> str:
    """Return the True cells as one path; lines that are the same and touch become one piece."""
    pieces, start = [], 0
    for end in range(1, len(found) + 1):
        if end < len(found) and np.array_equal(found[end], found[start]):
            continue
        edges = np.flatnonzero(np.diff(np.concatenate([[0], found[start].astype(int), [0]])))
        height = end - start
        for left, right in zip(edges[::2], edges[1::2], strict=True):
            pieces.append(f"M{left} {start}h{right - left}v{height}h-{right - left}z")
        start = end
    return tag("path", d="".join(pieces), class_="va-filled")


@figure(
    "global-local-content",
    caption="The same place on two photographs, one scale a pair. A convolution’s influence is its "
    "kernel, whatever the picture. That of attention is made anew from the rows.",
    alt="Four pictures. Convolution on the cat and on the cup: the same "
    "{{ local.inner.conv7 = 49 }} squares. Global attention on the cat and on the cup: "
    "squares of other sizes in other places.",
)
def draw_content() -> str:
    drawn = []
    for name in ("conv7", "everywhere"):
        rows = {
            photo: examples.influence(name, photo)[examples.QUERY]
            for photo in ("chelsea", "coffee")
        }
        largest = max(float(row.max()) for row in rows.values())
        drawn += [
            panel(examples.NAMES[name], on_photograph(name, photo, largest), words)
            for photo, words in (("chelsea", "the cat"), ("coffee", "a cup"))
        ]
    return side_by_side(*drawn)


SHORT = {
    "conv3": "conv. 3 × 3",
    "conv7": "conv. 7 × 7",
    "windows": "windows",
    "everywhere": "global",
}
LAYERS = 3
ORDERS = {"one": "one column on", "seven": "seven columns on", "any": "mixed up"}


@figure(
    "global-local-order",
    caption="The patches change places: all one column on, all seven on, both with the last columns "
    "coming in at the other side, or all mixed up. Filled is each output row that changes place "
    "along with its patch.",
    alt="Twelve grids. Convolution follows a shift except in the columns whose kernel crosses the seam, "
    "and no mixing up. Windows follow a shift by seven only. Global attention follows all three.",
)
def draw_order() -> str:
    lines = []
    for order, words in ORDERS.items():
        grids = {name: examples.follows(name, order) for name in examples.TABLE}
        lines.append(_line(words, grids))
    return _head([SHORT[name] for name in examples.TABLE]) + "".join(lines)


@figure(
    "global-local-layers",
    caption="One layer after another: filled is each row that can have reached the framed one. The "
    "shifted windows take turns with the plain ones, as in Swin.",
    alt="Five lines of three grids. Convolution 3 × 3 grows by one ring a layer, 7 × 7 by three. Windows "
    "never grow. Shifted windows fill the grid at the third layer, global attention at the first.",
)
def draw_layers() -> str:
    lines = []
    for name in examples.STACKS:
        found = examples.layers(name)
        grids = {str(n + 1): found[min(n, len(found) - 1)] for n in range(LAYERS)}
        lines.append(_line(examples.NAMES[name], grids, mark=True))
    return _head([f"layer {n + 1}" for n in range(LAYERS)]) + "".join(lines)


def _head(names: list[str]) -> str:
    words = (tag("b", name) for name in names)
    return tag("div", tag("span", ""), *words, class_="va-grid-table", style=f"--n:{len(names)}")


def _line(words: str, grids: dict[str, Moved], mark: bool = False) -> str:
    cells = (
        tag("div", _grid(found, mark), tag("small", str(int(found.sum()))))
        for found in grids.values()
    )
    return tag("div", tag("span", words), *cells, class_="va-grid-table", style=f"--n:{len(grids)}")


def _grid(found: Moved, mark: bool) -> str:
    row, column = examples.PLACE
    box = {"width": GRID.columns, "height": GRID.rows}
    marks = [
        tag("rect", class_="va-empty-cells", **box),
        filled(found.reshape(GRID.rows, GRID.columns)),
    ]
    if mark:
        place = {"x": column, "y": row, "width": 1, "height": 1}
        marks += [tag("rect", class_=f"va-marked-{kind}", **place) for kind in ("ground", "cell")]
    view = f"-0.2 -0.2 {GRID.columns + 0.4} {GRID.rows + 0.4}"
    return tag("svg", *marks, viewBox=view, aria_hidden="true")
