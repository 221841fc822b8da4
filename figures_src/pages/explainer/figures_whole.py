"""Before the first section: a whole Vision Transformer, from the image to a class."""

from figures_src.inputs.models import BASE, CLASSES
from figures_src.kit.elements import tag
from figures_src.kit.numbers import with_commas
from figures_src.pages.registry import figure
from vitattn_core.teaching import GRID

WIDTH, HEIGHT = 84, 64  # of each drawing, in px
PHOTOGRAPH = "assets/photos/chelsea.webp"
ROWS = 8  # drawn in place of all


@figure(
    "whole-vit",
    caption="A whole ViT-B/16, from the image to a class. In the blocks attention is the only step in "
    "which rows meet; the MLP works on each row alone, and a norm stands before both. The figure "
    "above is the inside of one such block.",
    alt="Six steps from left to right: the image is cut into {{ vit.patches = 196 }} squares; each "
    "becomes a row of {{ vit.width = 768 }} numbers, its place is added, and CLS stands in front; "
    "{{ vit.blocks.word = twelve }} blocks of attention and MLP rewrite the rows; of the last ones the "
    "row of CLS alone goes to the classifier, which gives a number for each class.",
)
def draw() -> str:
    steps = (
        ("image", f"{GRID.height} × {GRID.width} pixels", _image()),
        ("squares", f"{GRID.patches} patches", _squares()),
        ("rows", f"{GRID.tokens} × {BASE.width}, CLS first", _rows()),
        (f"{BASE.depth} blocks", "attention, MLP", _blocks()),
        ("CLS", f"1 × {BASE.width}", _rows(kept=1)),
        ("classes", f"{with_commas(CLASSES)} numbers", _classes()),
    )
    parts = (
        tag("li", _svg(drawing), tag("b", name), tag("small", size))
        for name, size, drawing in steps
    )
    return tag("ol", *parts, class_="va-pipeline")


def _svg(drawing: str) -> str:
    box = f"0 0 {WIDTH} {HEIGHT}"
    return tag("svg", drawing, viewBox=box, width=WIDTH, height=HEIGHT, aria_hidden="true")


def _image() -> str:
    return tag("image", href=PHOTOGRAPH, x=10, width=HEIGHT, height=HEIGHT)


def _squares() -> str:
    """Return the photograph with gaps between its squares, fewer than there are."""
    side = HEIGHT / 7
    gaps = "".join(f"M{10 + n * side:g} 0V{HEIGHT}M10 {n * side:g}H74" for n in range(1, 7))
    return _image() + tag("path", d=gaps, class_="va-gaps")


def _rows(kept: int = ROWS) -> str:
    """Return rows as bars, that of CLS first; those that are not kept are outlines."""
    drawn = []
    for n in range(ROWS):
        kind = "va-row-bar" if n < kept else "va-row-bar is-left"
        first = " is-front" if n == 0 else ""
        drawn.append(tag("rect", x=8, y=8 * n + 1, width=68, height=5, class_=kind + first))
    return "".join(drawn)


def _blocks() -> str:
    """Return a stack of boxes; on the first one, rows that meet, and a row by itself."""
    stack = "".join(
        tag("rect", x=4 + 6 * n, y=12 - 6 * n, width=64, height=50, rx=3, class_="va-block-box")
        for n in (2, 1, 0)
    )
    places = [(14, 22 + 10 * n) for n in range(4)]
    meets = "".join(f"M{x} {y}L38 {other}" for x, y in places for _, other in places)
    alone = "".join(f"M46 {y}H62" for _, y in places)
    return stack + tag("path", d=meets, class_="va-meets") + tag("path", d=alone, class_="va-alone")


def _classes() -> str:
    """Return places for numbers, all alike: which of them is large is not told here."""
    places = [(x, y) for y in range(10, HEIGHT, 14) for x in range(14, WIDTH - 8, 14)]
    return "".join(tag("circle", cx=x, cy=y, r=4, class_="va-row-bar") for x, y in places)
