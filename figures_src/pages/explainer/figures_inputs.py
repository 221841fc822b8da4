"""Section What reaches the attention layer: a grid that is not square, as rows of the sequence."""

from figures_src.kit.elements import tag
from figures_src.pages.registry import figure
from vitattn_core import Grid

GRID = Grid(32, 64, 16)  # height and width in pixels
CELL = 44


@figure(
    "rows-of-a-grid",
    caption="An image 32 pixels high and 64 wide, P = 16: 2 × 4 patches, and CLS in front. The large "
    "number is the row of the sequence, counted from 0; the small ones are (row, column).",
    alt="A cell CLS with the number 0 beside a grid of two rows and four columns, numbered 1 to 8 "
    "row by row; patch (1,1) is row 6.",
)
def draw() -> str:
    cells = [_cell(0, 0, "0", "CLS", "va-front")]
    for row, column in GRID.places():
        token = GRID.token(row, column)
        place = f"({row},{column})"
        cells.append(_cell(1.5 + column, row, str(token), place, "va-patch"))
    width, height = (GRID.columns + 1.5) * CELL, GRID.rows * CELL
    box = f"-1 -1 {width + 2:g} {height + 2}"
    return tag(
        "svg",
        *cells,
        viewBox=box,
        width=width,
        height=height,
        class_="va-small",
        aria_hidden="true",
    )


def _cell(x: float, y: float, number: str, place: str, kind: str) -> str:
    left, top = x * CELL, y * CELL
    return tag(
        "g",
        tag("rect", x=left, y=top, width=CELL - 3, height=CELL - 3),
        tag("text", number, x=left + CELL / 2 - 1.5, y=top + 20, class_="va-number"),
        tag("text", place, x=left + CELL / 2 - 1.5, y=top + 34),
        class_=kind,
    )
