"""Charts: matplotlib draws them, and this module makes them parts of a page.

What comes out is one `<svg>` for a page: no style sheet and no colour of its own, every id with the
figure's name in front, text as text in the page's font, coordinates to a tenth of a pixel. The bytes
do not depend on a reader's matplotlibrc. A chart is drawn 400 units wide and scaled to its place; its
type is set so that it stays above 11 px on a narrow phone. Where large text leaves no room for it, it
keeps its least width in a box that scrolls.
"""

import io
import re
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import matplotlib
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.colors import to_hex, to_rgba_array
from matplotlib.figure import Figure

from figures_src.source_fault import SourceFault, calling_line, line_of

from .colours import TOKENS
from .elements import tag

WIDTH, HEIGHT = 400, 300  # units; the text of a chart is 14 of them high
TEXT = 14.0
# Colours while drawing; afterwards a mark follows the scheme of the page.
COLOUR = {token.name: token.light for token in TOKENS if "-" not in token.name}
_VARIABLE = {hex_: f"var(--va-{name})" for name, hex_ in COLOUR.items()}
# The style of all charts, set over matplotlib's own defaults, whatever a user's file says.
RC = {
    "svg.fonttype": "none",
    "font.size": TEXT,
    "axes.edgecolor": COLOUR["quiet"],
    "axes.labelcolor": COLOUR["quiet"],
    "axes.linewidth": 1,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "text.color": COLOUR["ink"],
    "xtick.color": COLOUR["quiet"],
    "ytick.color": COLOUR["quiet"],
    "xtick.major.pad": 6,  # under the lowest number of the other axis
    "xtick.minor.visible": False,
    "ytick.minor.visible": False,
    "lines.linewidth": 2,
    "lines.solid_capstyle": "round",
    "lines.dash_capstyle": "butt",
}
# Kept from matplotlib's style attributes, as attributes; fonts belong to the page.
KEPT = (
    "stroke-width",
    "stroke-dasharray",
    "stroke-linecap",
    "stroke-linejoin",
    "fill-opacity",
    "stroke-opacity",
    "opacity",
    "text-anchor",
)
_NUMBER = re.compile(r"-?\d+\.\d+")
_NAME = re.compile(r"\{[^}]*\}")


def chart(name: str, draw: Callable[[Axes], None], *, place: tuple[float, ...]) -> str:
    """Return the chart that `draw` puts on axes at `place`: left, bottom, width, height, in units.

    Raises SourceFault where a mark has a colour that is no token: it would not follow the scheme.
    """
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        salted = RC | {"svg.hashsalt": f"vitattn:{name}"}
        matplotlib.rcParams.update(salted)  # type: ignore[arg-type]
        figure = Figure(figsize=(WIDTH / 72, HEIGHT / 72), dpi=72)
        FigureCanvasSVG(figure)
        left, bottom, width, height = place
        box = (left / WIDTH, bottom / HEIGHT, width / WIDTH, height / HEIGHT)
        axes = _Noted(figure, box, facecolor="none")
        figure.add_axes(axes)
        draw(axes)
        file = io.StringIO()
        metadata = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        figure.savefig(file, format="svg", transparent=True, metadata=metadata)
    try:
        return inlined(name, file.getvalue())
    except _Foreign as found:
        takes = f"is no colour of colours.py; takes {', '.join(COLOUR)}"
        message = (
            f"chart {name}: {found.use} {found.colour} {takes} (as COLOUR['{next(iter(COLOUR))}'])"
        )
        raise SourceFault(axes.line_of(found.colour) or line_of(draw), message) from None


class _Foreign(ValueError):
    """A colour that no token has, and what it was used for."""

    def __init__(self, use: str, colour: str) -> None:
        super().__init__(f"{use} {colour} is no colour of colours.py")
        self.use, self.colour = use, colour


class _Noted(Axes):
    """Axes that note for each mark the line that made it: the SVG does not know it any more."""

    def _set_artist_props(self, a: Artist) -> None:  # every mark that comes to the axes passes here
        super()._set_artist_props(a)  # type: ignore[misc]
        line = calling_line(*(f"_Noted.{name}" for name in vars(_Noted)), "chart")
        self.__dict__.setdefault("noted", []).append((a, line))

    def line_of(self, colour: str) -> str | None:
        """Return the line that made the first mark of this colour; None where no line is known."""
        for mark, line in self.__dict__["noted"]:
            for name in ("color", "edgecolor", "facecolor", "markerfacecolor", "markeredgecolor"):
                value = getattr(mark, f"get_{name}", lambda: "none")()
                if colour in _written_colours(value):
                    return str(line)
        return None


def _written_colours(value: Any) -> set[str]:
    """Return one colour of matplotlib, or several, as the SVG writes them."""
    return {to_hex(row) for row in to_rgba_array(value)}


def inlined(name: str, document: str) -> str:
    """Return the drawing of an SVG document of matplotlib, ready to stand in a page."""
    root = ElementTree.fromstring(document)
    children = "".join(_markup(name, child) for child in root)
    box = f"0 0 {WIDTH} {HEIGHT}"
    chart = tag("svg", children, class_="va-chart", viewBox=box, aria_hidden="true")
    return tag("div", chart, class_="va-sideways")


def _markup(name: str, node: ElementTree.Element) -> str:
    """Return an element and what is in it; nothing for what does not belong into a page."""
    kind = _NAME.sub("", node.tag)
    if kind in ("metadata", "style"):
        return ""
    inside = "".join(_markup(name, child) for child in node)
    attributes = dict(_attributes(name, kind, node))
    if kind == "text":
        inside = tag("text", node.text or "", **attributes)
        return inside
    if kind == "g" and set(attributes) <= {"id"}:
        return inside  # a group that does nothing
    if kind in ("defs", "clipPath") and not inside:
        return ""
    return tag(kind, inside, **attributes)


def _attributes(name: str, kind: str, node: ElementTree.Element) -> list[tuple[str, str]]:
    attributes = []
    for full, value in node.attrib.items():
        key = _NAME.sub("", full)
        if key == "style":
            attributes += _style_attributes(value)
        elif key == "id":
            attributes.append(("id", f"{name}--{value}"))
        elif key == "href":
            attributes.append(("href", f"#{name}--{value.removeprefix('#')}"))
        elif key == "clip-path":
            attributes.append((key, value.replace("url(#", f"url(#{name}--")))
        elif not (key == "transform" and value.startswith("rotate(-0 ")):
            attributes.append((key, _NUMBER.sub(_short, value)))
    return attributes


def _style_attributes(style: str) -> list[tuple[str, str]]:
    """Return a style attribute as attributes, its colours as variables of the page."""
    attributes = []
    for part in filter(None, (part.strip() for part in style.split(";"))):
        key, value = (side.strip() for side in part.split(":", 1))
        if key in ("fill", "stroke"):
            if value != "none" and value not in _VARIABLE:
                raise _Foreign(key, value)
            attributes.append((key, _VARIABLE.get(value, "none")))
        elif key in KEPT:
            attributes.append((key, value))
    return attributes


def _short(number: re.Match[str]) -> str:
    text = f"{float(number[0]):.1f}".removesuffix(".0")
    return "0" if text == "-0" else text
