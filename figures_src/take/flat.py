"""A panel's marks with plain coordinates: no percentages, no stretched axes, no lengths in variables.

Files then look the same in a browser and in programs that know less of SVG.
"""

import re
from dataclasses import dataclass, field, replace

from ..cascade import Style, style
from ..marks import anchor_at
from ..tree import Node
from .ink import Look, look_text, shape_look, text_look, with_level

RISE = 66.0  # half the height of the residual's columns, as the style sheet has it
PIECE = re.compile(r"([MLHVQhvz])([^MLHVQhvz]*)")


@dataclass(frozen=True)
class Place:
    """Where a mark's numbers stand in the picture.

    x, y: of its origin, in pixels. across, down: pixels a unit. wide, high: its viewport, in units.
    baked: its numbers are written in pixels; else a group scales them.
    """

    x: float
    y: float
    across: float = 1
    down: float = 1
    wide: float = 0
    high: float = 0
    baked: bool = True
    rough: bool = False  # paths of long axes in whole pixels

    @property
    def by(self) -> tuple[float, float]:
        """What a number is multiplied by when it is written."""
        return (self.across, self.down) if self.baked else (1, 1)

    @property
    def unit(self) -> tuple[float, float]:
        """Pixels that one written unit is long."""
        return (1, 1) if self.baked else (self.across, self.down)


@dataclass(frozen=True)
class Box:
    """A rectangle of the picture, in pixels."""

    x: float
    y: float
    width: float
    height: float

    @property
    def centre(self) -> tuple[float, float]:
        return self.x + self.width / 2, self.y + self.height / 2


@dataclass
class Drawn:
    """What came of the drawn marks: the written element of each, its box, its place, its origin."""

    of: dict[Node, Node] = field(default_factory=dict)
    boxes: dict[Node, Box] = field(default_factory=dict)
    places: dict[Node, Place] = field(default_factory=dict)
    origins: dict[Node, str] = field(default_factory=dict)
    rough: bool = False

    def made(
        self, source: Node, tag: str, place: Place, attrs: dict[str, str], look: Look = ()
    ) -> Node:
        """Return a written element for a mark, and note it."""
        self.of[source] = Node(tag, {"look": look_text(look), **attrs} if look else attrs)
        self.places[source] = place
        return self.of[source]


def number(value: float, digits: int = 1) -> str:
    """Return a coordinate, as short as it can be."""
    text = f"{value:.{digits}f}"
    short = text.rstrip("0").rstrip(".") if "." in text else text
    return "0" if short == "-0" else short


def path(shape: str, across: float, down: float, digits: int = 1) -> str:
    """Return a path's outline with its numbers multiplied; equal pieces stand once."""
    if (across, down) == (1, 1):
        return shape
    made = []
    for letter, told in PIECE.findall(shape):
        numbers = [float(text) for text in re.findall(r"-?[\d.]+", told)]
        factors = {"H": (across,), "h": (across,), "V": (down,), "v": (down,)}.get(
            letter, (across, down)
        )
        scaled = (number(n * factors[i % len(factors)], digits) for i, n in enumerate(numbers))
        made.append(letter + " ".join(scaled))
    whole = "".join(made)
    if digits:
        return whole
    pieces = dict.fromkeys(re.findall(r"M[^M]+", whole))
    return "".join(piece for piece in pieces if not piece.endswith("v0"))


def flat(node: Node, above: Style, place: Place, drawn: Drawn) -> Node | None:
    """Return a mark, and what stands in it, as written elements; None for one that is not shown."""
    own = with_level(node, above)
    own = style(node, own)
    if own.get("display") == "none" or node.tag == "defs":
        return None
    if node.tag == "svg":
        return _svg(node, own, place, drawn)
    if node.tag == "g":
        return _group(node, own, place, drawn)
    if node.tag == "text":
        return _text(node, own, place, drawn)
    shape = {"rect": _rect, "line": _line, "circle": _circle, "path": _path, "use": _use}[node.tag]
    made = shape(node, own, place, drawn)
    _note_origin(node, own, place, drawn)
    return made


def _note_origin(node: Node, own: Style, place: Place, drawn: Drawn) -> None:
    """Note what a mark turns and grows about."""
    origin = own.get("transform-origin")
    if not origin:
        return
    if own.get("transform-box") == "fill-box":
        drawn.origins.setdefault(node, origin)
    else:
        x, y = (float(part.removesuffix("px")) for part in origin.split())
        drawn.origins[node] = f"{number(x * place.by[0])}px {number(y * place.by[1])}px"


def length(text: str, whole: float) -> float:
    """Return a length in units; a percentage is one of the whole."""
    if text.endswith("%"):
        return float(text[:-1]) / 100 * whole
    return float(text.removesuffix("px") or 0)


def _xy(node: Node, place: Place, x: str = "x", y: str = "y") -> tuple[float, float]:
    found = (node.attrs.get(x, "0"), node.attrs.get(y, "0"))
    return length(found[0], place.wide), length(found[1], place.high)


def _variable(node: Node, name: str) -> float:
    found = re.search(rf"--{name}:(-?[\d.]+)", node.attrs.get("style", ""))
    return float(found[1]) if found else 0.0


def _all(node: Node, own: Style, place: Place, drawn: Drawn, into: Node) -> Node:
    for child in node.elements:
        if made := flat(child, own, place, drawn):
            into.add(made)
    return into


def _group(node: Node, own: Style, place: Place, drawn: Drawn) -> Node:
    """Return a group; one that is moved by an attribute keeps that, in written units."""
    attrs = {}
    inside = place
    if found := re.fullmatch(
        r"translate\((-?[\d.]+) (-?[\d.]+)\)", node.attrs.get("transform", "")
    ):
        x, y = float(found[1]), float(found[2])
        attrs["transform"] = f"translate({number(x * place.by[0])} {number(y * place.by[1])})"
        inside = replace(place, x=place.x + x * place.across, y=place.y + y * place.down)
    if "va-cells" in node.classes:
        attrs["keep"] = ""  # the same at several stages
    made = drawn.made(node, "g", place, attrs)
    _note_origin(node, own, place, drawn)
    return _all(node, own, inside, drawn, made)


def _svg(node: Node, own: Style, place: Place, drawn: Drawn) -> Node:
    """Return a drawing inside a drawing: a crop of the photograph, an axis, or marks that moved along."""
    x, y = _xy(node, place)
    wide = length(node.attrs.get("width", "100%"), place.wide)
    high = length(node.attrs.get("height", "100%"), place.high)
    left, top = place.x + x * place.across, place.y + y * place.down
    box = Box(left, top, wide * place.across, high * place.down)
    drawn.boxes[node] = box
    view = [float(part) for part in node.attrs.get("viewBox", "").split()]
    if view and all(child.tag == "use" for child in node.elements):
        return _crop(node, own, place, drawn, (x, y, wide, high))
    if not view:
        inside = replace(place, x=left, y=top, wide=wide, high=high)
        moved = [number(part * by) for part, by in zip((x, y), place.by, strict=True)]
    else:
        across, down = box.width / view[2], box.height / view[3]
        stretched = node.attrs.get("preserveAspectRatio") == "none"
        if not stretched:
            across = down = min(across, down)
        origin = left - view[0] * across, top - view[1] * down
        inside = Place(*origin, across, down, view[2], view[3], stretched, place.rough)
        moved = [
            number((there - here) / unit, 2)
            for there, here, unit in zip(origin, (place.x, place.y), place.unit, strict=True)
        ]
    turn = "" if moved == ["0", "0"] else f"translate({' '.join(moved)})"
    if not inside.baked:
        turn += f"scale({number(inside.across / place.unit[0], 4)})"
    attrs = {"transform": turn} if turn else {}
    made = drawn.made(node, "g", place, attrs)
    return _all(node, own, inside, drawn, made)


def _crop(
    node: Node, own: Style, place: Place, drawn: Drawn, sides: tuple[float, float, float, float]
) -> Node:
    """Return a piece of the photograph."""
    (x, y, wide, high), (across, down) = sides, place.by
    if "va-thumb" in node.classes:
        x -= wide / 2
    attrs = {
        **{"x": number(x * across), "y": number(y * down)},
        **{"width": number(wide * across), "height": number(high * down)},
        "viewBox": node.attrs["viewBox"],
    }
    made = drawn.made(node, "svg", place, attrs)
    if "va-enlarged" in node.classes and not place.rough:
        return made.add(Node("use", {"href": "#pixels"}))
    for child in node.elements:
        dim = {"filter": "url(#grey)"} if {"va-dim", "va-picture"} & set(child.classes) else {}
        made.add(Node("use", {"href": "#photo", **dim}))
    return made


def _use(node: Node, own: Style, place: Place, drawn: Drawn) -> Node:
    grey = {"filter": "url(#grey)"} if own.get("filter", "none") != "none" else {}
    return drawn.made(node, "use", place, {"href": "#photo", **grey})


def _rect(node: Node, own: Style, place: Place, drawn: Drawn) -> Node:
    x, y = _xy(node, place)
    wide = length(node.attrs.get("width", "0"), place.wide)
    high = length(node.attrs.get("height", "0"), place.high)
    value = _variable(node, "v")
    if "va-bar" in node.classes:
        x, wide = (x + wide * value, -wide * value) if value < 0 else (x, wide * value)
        drawn.origins[node] = "100% 50%" if value < 0 else "0 50%"
    elif "va-rise" in node.classes:
        if node.parent is not None and "va-added" in node.parent.classes:
            y -= _variable(node.parent, "x") * RISE
        y, high = (y - high * value, high * value) if value > 0 else (y, -high * value)
        drawn.origins[node] = "50% 100%" if value > 0 else "50% 0"
    across, down = place.by
    drawn.boxes[node] = Box(
        place.x + x * place.across,
        place.y + y * place.down,
        wide * place.across,
        high * place.down,
    )
    attrs = {
        **{"x": number(x * across), "y": number(y * down)},
        **{"width": number(wide * across, 2), "height": number(high * down, 2)},
    }
    if node.attrs.get("rx", "0") != "0":
        attrs["rx"] = node.attrs["rx"]
    return drawn.made(node, "rect", place, attrs, shape_look(own, place.unit[0]))


def _line(node: Node, own: Style, place: Place, drawn: Drawn) -> Node:
    x1, y1 = _xy(node, place, "x1", "y1")
    x2, y2 = _xy(node, place, "x2", "y2")
    x2 = min(x2, place.wide)  # a longer one is cut off at the edge of its plot
    if "va-end" in node.classes:
        y1 = y2 = y1 - _variable(node, "v") * RISE
    across, down = place.by
    shape = f"M{number(x1 * across)} {number(y1 * down)}"
    shape += f"H{number(x2 * across)}" if y1 == y2 else f"V{number(y2 * down)}"
    return drawn.made(node, "path", place, {"d": shape}, shape_look(own, place.unit[0]))


def _circle(node: Node, own: Style, place: Place, drawn: Drawn) -> Node:
    told = {name: node.attrs[name] for name in ("cx", "cy", "r")}
    return drawn.made(node, "circle", place, told, shape_look(own, place.unit[0]))


def _path(node: Node, own: Style, place: Place, drawn: Drawn) -> Node:
    if "va-shaft" in node.classes or "va-casing" in node.classes:
        width = 2 * _variable(node.parent, "w") if node.parent else 0
        own = {**own, "stroke-width": f"{width + 2 * ('va-casing' in node.classes):.2f}px"}
    shape = path(node.attrs.get("d", ""), *place.by, digits=0 if place.rough else 1)
    return drawn.made(node, "path", place, {"d": shape}, shape_look(own, place.unit[0]))


def _text(node: Node, own: Style, place: Place, drawn: Drawn) -> Node:
    x, y = _xy(node, place)
    across, down = place.by
    moved = node.parent.attrs.get("x") if node.parent is not None else None
    if moved and node.parent is not None and "va-over" in node.parent.classes:
        own = {**own, "text-anchor": anchor_at(moved)}
    attrs = {"x": number(x * across), "y": number(y * down)}
    if attrs["x"] == "0":
        del attrs["x"]
    made = drawn.made(node, "text", place, attrs, text_look(own))
    drawn.boxes[node] = Box(place.x + x * place.across, place.y + y * place.down - 5, 0, 10)
    for child in node.children:
        if isinstance(child, str):
            made.add(child)
            continue
        inner = style(child, own)
        if inner.get("display") == "none":
            continue
        same = text_look(inner) == text_look(own)
        made.add(
            child.text()
            if same
            else drawn.made(child, "tspan", place, {}, text_look(inner)).add(child.text())
        )
    return made
