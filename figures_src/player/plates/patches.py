"""Patches: the photograph is cut into squares; the picked one is its pixels."""

from figures_src.kit.elements import tag
from figures_src.kit.geometry import corner
from figures_src.kit.strips import marked, strip, svg
from figures_src.player.bound import Bound, on_one_line, phrase
from figures_src.player.registry import plate
from vitattn_core.teaching import GRID

COLOURS = ("red", "green", "blue")


@plate(
    "patches",
    shows=("pixels",),
    alt="The picked patch, enlarged to its 16 by 16 pixels, and the means of its three colours; CLS, which "
    "has no pixels, has none of this. Below, the place among the {{ vit.tokens = 197 }} rows of the "
    "sequence.",
)
def draw(row: Bound) -> str:
    say = (
        f"The photograph is cut into {GRID.rows} × {GRID.columns} squares of {GRID.patch} × "
        f"{GRID.patch} pixels. {row.text('words.patch', 'span')}{row.text('query.named')} "
        f"{row.text('words.becomes', 'span')} row {row.text('token')} of "
        f"{phrase('sequence', 'the sequence')}{row.text('words.of', 'span')}"
        f"{on_one_line(phrase('pixels', row.text('words.pixels', 'span')), '.')}"
    )
    numbers = 3 * GRID.patch**2
    size = tag(
        "p",
        f"{GRID.patch} × {GRID.patch} pixels × 3 colours = {numbers} numbers",
        class_="va-aside va-not-cls",
    )
    cls = tag(
        "p",
        "CLS has no pixels: it is a row of its own, put in front of the patches.",
        class_="va-aside va-only-cls",
    )
    means = "".join(_mean(row, name, f"mean {name}, 0 to 255") for name in COLOURS)
    spot = _mean(row, "centre", "all three, centre 8 × 8") + _mean(
        row, "rim", "all three, around it"
    )
    enlarged = tag(
        "div",
        _enlarged(row),
        tag("div", means, spot, class_="va-means"),
        class_="va-pixels",
        **marked("pixels"),
    )
    return tag("p", say, class_="va-say") + enlarged + size + cls + _sequence(row)


def _enlarged(row: Bound) -> str:
    left, top = corner(row.row.query)
    return tag(
        "svg",
        tag("use", href="#va-photograph"),
        **{"viewBox": f"{left} {top} 16 16", "class": "va-enlarged", "data-crop": "query"},
        width=160,
        height=160,
        aria_hidden="true",
    )


def _mean(row: Bound, name: str, words: str) -> str:
    bar = row.bar(f"bar.pixels.{name}", x=0, width=100, y=0, height=9)
    plot = svg(9, tag("rect", width="100%", height=9, class_="va-cell"), bar, cls="role-none")
    return strip("", "none", words, plot, row.text(f"pixels.{name}"))


def _sequence(row: Bound) -> str:
    """Return the 197 rows as a strip, the picked one marked."""
    lines = "".join(f"M{token} 0v1" for token in range(GRID.tokens))
    rows = tag("path", d=lines, class_="va-tick")
    box = {"viewBox": f"-0.5 0 {GRID.tokens} 1", "preserveAspectRatio": "none"}
    inner = tag("svg", rows, width="100%", height=18, **box)
    ends = tag("text", "row 0: CLS", x="0%", y=48, class_="at-0")
    ends += tag("text", f"row {GRID.tokens - 1}", x="100%", y=48, class_="at-4")
    marker = tag("line", class_="va-marked", y1=0, y2=18)
    row_label = tag("text", "row ", row.text("token.sum", "tspan"), y=32)
    picked = row.at("x.token", "svg", marker, row_label, class_="va-over role-query")
    drawing = svg(52, inner, ends, picked, cls="va-sequence")
    return tag("div", drawing, **marked("sequence"))
