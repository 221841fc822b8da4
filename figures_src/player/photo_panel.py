"""The photograph's panel: one picture, one grid of 197 cells, and the paint of every drawn stage."""

from collections.abc import Sequence

from figures_src.kit.elements import tag
from figures_src.kit.geometry import CELL, TEACHING, Field, corner
from figures_src.player.bound import Bound
from figures_src.player.styles.mark_sizes import CLS_TOP
from vitattn_core.teaching import GRID

SIDE = GRID.width
EDGE = 1.5  # a mark stands this far outside its cell
VIEW_BOX = f"0 {CLS_TOP} {SIDE} {SIDE - CLS_TOP}"


def panel(row: Bound, photo: str) -> str:
    """Return the panel for a photograph's file `assets/photos/<photo>.webp`."""
    file = f"assets/photos/{photo}.webp"
    image = tag("image", id="va-photograph", href=file, width=SIDE, height=SIDE)
    return tag(
        "svg",
        tag("defs", image),
        tag("use", href="#va-photograph", class_="va-picture"),
        _spot(row.row.query),
        tag("path", d=grid_lines(), class_="va-lines"),
        cells(row.row.levels, TEACHING),
        _squares(row, "products", "scores"),
        _squares(row, "scores", "scale"),
        _squares(row, "masked", "mask"),
        row.path("taken", class_="va-taken"),
        tag("text", "CLS", x=CELL + 2.5, y=CLS_TOP + 10.6, class_="va-cls-label"),
        _flow(row),
        mark(row.row.key, "key", "k", TEACHING),
        mark(row.row.query, "query", "q", TEACHING),
        **{"viewBox": VIEW_BOX, "class": "va-panel-photo", "id": "va-panel"},
        role="img",
        aria_label=f"{GRID.rows} × {GRID.columns} patches, and CLS as a cell of its own above them",
    )


def how() -> str:
    """Return the sentence under the photograph that says what a reader can do with it."""
    words = (
        "Click or tap a patch to pick it; to point at a key, hover, drag a finger sideways, press "
        "and hold, or use the arrow keys."
    )
    return tag("p", words, class_="va-how")


def repeated() -> str:
    """Return the panel once more, for print: by reference, so that no id and no cell stands twice.

    Browsers copy what is referred to, and copy again at each change; so with scripts the reference
    is made when printing begins (player.js), and without them this one stands.
    """
    use = tag("use", href="#va-panel")
    box = f"0 0 {SIDE} {SIDE - CLS_TOP}"  # what is copied brings its own origin
    again = tag("svg", use, aria_hidden="true", **{"class": "va-print", "viewBox": box})
    return tag("noscript", again)


def _spot(token: int) -> str:
    """Return the picked patch in its colours, for the stages at which the row works alone."""
    x, y = corner(token)
    box = {"viewBox": f"{x} {y} {CELL} {CELL}", "class": "va-spot", "data-crop": "query"}
    return tag("svg", tag("use", href="#va-photograph"), x=x, y=y, width=CELL, height=CELL, **box)


def grid_lines(field: Field = TEACHING) -> str:
    """Return the lines between the patches of a panel, as one path."""
    side = field.grid.width
    steps = range(field.cell, side, field.cell)
    return "".join(f"M{x} 0V{side}M0 {x}H{side}" for x in steps)


def cells(levels: Sequence[int], field: Field) -> str:
    """Return a cell for each row, in grid rows, CLS in a row of its own; each carries its sequence row."""
    grid, side = field.grid, field.cell
    cell_marks = []
    for token, level in enumerate(levels):
        x, y = field.corner(token)
        kind = f"va-square w{level}" if level else "va-square"
        cell_marks.append(
            tag("rect", x=x, y=y, width=side, height=side, class_=kind, data_token=token)
        )
    lines = [cell_marks[: grid.prefix]]
    lines += [
        cell_marks[start : start + grid.columns]
        for start in range(grid.prefix, grid.tokens, grid.columns)
    ]
    cls = tag("rect", x=0, y=field.cls_top, width=side, height=side, class_="va-cls")
    return cls + tag("g", *(tag("g", *line) for line in lines), class_="va-cells")


def _squares(row: Bound, name: str, stage: str) -> str:
    above = row.path(f"squares.{name}.above", class_="va-above")
    below = row.path(f"squares.{name}.below", class_="va-below")
    return tag("g", below, above, class_="va-paint", data_for=stage)


def _flow(row: Bound) -> str:
    """Return the arrows of the mixture, from key to query, each on a dark casing."""
    marks = []
    for shaft, head, width in row.row.arrows:
        parts = (
            tag("path", d=shaft, class_="va-casing"),
            tag("path", d=shaft, class_="va-shaft"),
            tag("path", d=head, class_="va-head"),
        )
        marks.append(tag("g", *parts, style=f"--w:{width}"))
    return tag("g", *marks, class_="va-paint va-flow", data_for="mix")


def mark(token: int, role: str, letter: str, field: Field) -> str:
    """Return the frame of the query (square) or of the key (rounded), with its tag."""
    side = field.cell + 2 * EDGE
    box = {"x": -EDGE, "y": -EDGE, "width": side, "height": side, "rx": 0 if role == "query" else 5}
    x, y = field.corner(token)
    shape = (
        tag("rect", x=-8, y=-8, width=9, height=9, rx=1)
        if role == "query"
        else tag("circle", cx=-3.5, cy=-3.5, r=4.7)
    )
    return tag(
        "g",
        tag("rect", class_="va-halo", **box),
        tag("rect", class_="va-frame", **box),
        shape,
        tag("text", letter, x=-3.5, y=-1),
        class_=f"va-mark is-{role}",
        transform=f"translate({x} {y})",
    )
