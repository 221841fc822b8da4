"""Written elements as the text of a file: short classes, equal neighbours made one, no idle groups."""

from html import escape

from ..tree import Node
from .ink import Classes
from .motion import Motion

STILL = Motion()
LONG = 300


def text(node: Node | str, classes: Classes, motion: Motion = STILL) -> str:
    """Return an element as XML; what moves has its classes, and what stands in for it is written."""
    if isinstance(node, str):
        return escape(node, quote=False)
    if node in motion.instead:
        return "".join(text(part, classes, motion) for part in motion.instead[node])
    written = _element(node, classes, motion)
    return written + "".join(text(part, classes, motion) for part in motion.beside.get(node, ()))


def _element(node: Node, classes: Classes, motion: Motion) -> str:
    moves = motion.of.get(node, [])
    # An attribute would be moved along; a long path may stand elsewhere too.
    fixed = {"transform", "keep"} & set(node.attrs) or len(node.attrs.get("d", "")) > LONG
    outer = bool(moves) and bool(fixed)
    names = [classes.name(node.attrs["look"])] if "look" in node.attrs else []
    attrs = {name: value for name, value in node.attrs.items() if name not in ("look", "keep")}
    if names or (moves and not outer):
        attrs = {"class": " ".join(names + ([] if outer else moves)), **attrs}
    inside = "".join(text(child, classes, motion) for child in _merged(node, motion))
    if node.tag == "g" and not attrs and "keep" not in node.attrs:
        return inside
    told = "".join(f' {name}="{escape(value)}"' for name, value in attrs.items())
    whole = f"<{node.tag}{told}>{inside}</{node.tag}>" if inside else f"<{node.tag}{told}/>"
    if (node.tag == "g" and not inside) or attrs.get("d") == "":
        return ""
    return f'<g class="{" ".join(moves)}">{whole}</g>' if outer else whole


def _merged(node: Node, motion: Motion) -> list[Node | str]:
    """Return the children with all still rectangles and paths of one look made one path."""
    children: list[Node | str] = []
    first: dict[str, Node] = {}
    for child in _lines(node, motion):
        shape = _shape(child, motion) if isinstance(child, Node) else None
        if shape is None or not isinstance(child, Node):
            children.append(child)
            continue
        look = child.attrs.get("look", "")
        if look not in first:
            first[look] = Node("path", {"look": look, "d": ""})
            children.append(first[look])
        first[look].attrs["d"] += shape
    return children


def _lines(node: Node, motion: Motion) -> list[Node | str]:
    """Return the children with words that stand and move alike on one line made one text."""
    children: list[Node | str] = []
    lines: dict[tuple[str, ...], Node] = {}
    for child in _open(node, motion):
        if (
            not isinstance(child, Node)
            or child.tag != "text"
            or not set(child.attrs) <= {"look", "x", "y"}
            or any(isinstance(part, Node) for part in child.children)
            or child in motion.instead
            or child in motion.beside
        ):
            children.append(child)
            continue
        moves = motion.of.get(child, [])
        kind = (child.attrs["look"], child.attrs.get("y", ""), *moves)
        if kind not in lines:
            told = {name: text for name, text in child.attrs.items() if name != "x"}
            lines[kind] = Node("text", told)
            if moves:
                motion.of[lines[kind]] = moves
            children.append(lines[kind])
        lines[kind].children.append(
            Node("tspan", {"x": child.attrs.get("x", "0")}).add(child.text())
        )
    return [_alone(child) for child in children]


def _open(node: Node, motion: Motion) -> list[Node | str]:
    """Return the children with those of idle groups in their place."""
    children: list[Node | str] = []
    for child in node.children:
        busy = child in motion.of or child in motion.instead or child in motion.beside
        if isinstance(child, Node) and child.tag == "g" and not child.attrs and not busy:
            children += _open(child, motion)
        else:
            children.append(child)
    return children


def _alone(line: Node | str) -> Node | str:
    """Return a text of one word as it was."""
    if isinstance(line, str) or line.tag != "text" or len(line.children) != 1:
        return line
    (word,) = line.children
    if isinstance(word, Node) and set(word.attrs) == {"x"}:
        line.attrs = {**line.attrs, **word.attrs}
        line.children = word.children
    return line


def _shape(child: Node, motion: Motion) -> str | None:
    """Return the outline of a mark that can be one with others of its look."""
    known = {"look", "d", "x", "y", "width", "height"}
    busy = child in motion.of or child in motion.instead or child in motion.beside
    if busy or not set(child.attrs) <= known or "look" not in child.attrs:
        return None
    if child.tag == "path":
        return child.attrs["d"]
    if child.tag != "rect":
        return None
    x, y, wide, high = (child.attrs[name] for name in ("x", "y", "width", "height"))
    return f"M{x} {y}h{wide}v{high}h-{wide}z"
