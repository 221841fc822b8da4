"""A plate laid out: its sentence, its strips and panels, one under the other, in pixels.

The columns are those of the player on a wide screen.
"""

from collections.abc import Callable
from dataclasses import replace

from ..cascade import Style, resolved, style
from ..tree import Node
from .flat import Box, Drawn, Place, flat, length
from .ink import look_text, shape_look, words_look
from .words import Run, lines, runs

LABEL, RESULT, GAP = 84.0, 62.0, 10.0
TALL = 1.36  # lines, in sizes of their words
CLOSE = 0.92  # lines of a label


def block(
    node: Node, above: Style, x: float, y: float, width: float, drawn: Drawn
) -> tuple[Node, float]:
    """Return an element of a plate at its place, and how high it is."""
    own = style(node, above)
    written = drawn.made(node, "g", Place(x, y, wide=width), {})
    if _is_away(node, own):
        return written, 0.0
    lay: Callable[..., float] = _stack
    for name, found in LAYOUTS.items():
        if name in node.classes:
            lay = found
            break
    else:
        if node.tag == "svg":
            lay = _panel
        elif node.tag == "small":
            lay = _rows
        elif node.tag == "p" or all(child.tag in INLINE for child in node.elements):
            lay = _paragraph
    height = lay(node, own, x, y, width, drawn, written)
    drawn.boxes[node] = Box(x, y, width, height)
    return written, height + BELOW.get(next(iter(node.classes), ""), 0)


INLINE = {"b", "i", "em", "span", "small", "sub", "sup", "strong", "button"}
BELOW = {"va-say": 12.0, "va-strip": 5.0, "va-aside": 0.0, "va-sums": 4.0}
ABOVE = {"va-aside": 8.0, "va-roomy": 12.0, "va-unit": 12.0, "va-sequence": 12.0}


def _is_away(node: Node, own: Style) -> bool:
    return own.get("display") == "none" or "hidden" in node.attrs or "va-unseen" in node.classes


def _put(
    children: list[Node], own: Style, x: float, y: float, width: float, drawn: Drawn, into: Node
) -> float:
    """Put elements one under the other; return how high they are together."""
    start = y
    for child in children:
        y += next((ABOVE[name] for name in child.classes if name in ABOVE), 0.0)
        written, height = block(child, own, x, y, width, drawn)
        into.add(written)
        y += height
    return y - start


def _stack(
    node: Node, own: Style, x: float, y: float, width: float, drawn: Drawn, into: Node
) -> float:
    return _put(node.elements, own, x, y, width, drawn, into)


def _panel(
    node: Node, own: Style, x: float, y: float, width: float, drawn: Drawn, into: Node
) -> float:
    """Put a panel: as wide as its place, or a square of its own size."""
    high = node.attrs.get("height", "")
    wide = length(node.attrs.get("width", "100%"), width)
    if "va-map" in node.classes:
        wide, high = min(width, 96.0), str(min(width, 96.0))
    elif "va-matrix" in node.classes:
        wide, high = 104.0, "104"
    height = length(high or "0", 0)
    view = node.attrs.get("viewBox")
    box = {"x": f"{x:g}", "y": f"{y:g}", "width": f"{wide:g}", "height": f"{height:g}"}
    if own.get("background", "").startswith("color-mix"):
        part = own["background"].removeprefix("color-mix(in srgb, ").removesuffix(", transparent)")
        token, share = part.rsplit(" ", 1)
        faint = {"fill": token, "fill-opacity": f"{float(share[:-1]) / 100:g}"}
        into.add(Node("rect", {"look": look_text(shape_look(faint)), **box}))
    root = Place(x=0, y=0, wide=width, high=height, rough=drawn.rough)
    node.attrs |= box
    if made := flat(node, own, root, drawn):
        into.add(made)
        if "va-enlarged" in node.classes and view:
            frame = {"fill": "none", "stroke": "var(--va-photo-query)", "stroke-width": "3px"}
            edge = {"x": f"{x - 1.5:g}", "y": f"{y - 1.5:g}"}
            edge |= {"width": f"{wide + 3:g}", "height": f"{height + 3:g}"}
            group = Node("g").add(
                made, Node("rect", {"look": look_text(shape_look(frame)), **edge})
            )
            into.children[-1] = group
            drawn.of[node] = group
    return height


def text_line(parts: list[Run], x: float, y: float, drawn: Drawn, anchor: str = "start") -> Node:
    """Return one line of words as an element; it begins, ends or is centred at x."""
    written = Node("text", {"x": f"{x:.1f}".removesuffix(".0"), "y": f"{y:.1f}".removesuffix(".0")})
    down = 0.0
    for n, part in enumerate(parts):
        look = words_look(
            fill=part.colour,
            font_size=f"{part.size:g}px",
            font_weight=part.weight,
            font_style=part.slant,
            font_family="Georgia,serif" if part.family else "",
            text_anchor=anchor,
            text_decoration="underline" if part.line else "",
        )
        attrs = {"look": look_text(look)}
        if n == 0 and len(parts) == 1 and not part.shift:
            written.attrs = {**attrs, **written.attrs}
            return written.add(part.text)
        if part.shift != down:
            attrs["dy"] = f"{part.shift - down:.1f}"
            down = part.shift
        if part.gap and n:
            attrs["dx"] = f"{part.gap:g}"
        written.add(Node("tspan", attrs).add(part.text))
    if anchor != "start":  # the line's own look says where it hangs
        written.attrs = {"look": look_text(words_look(text_anchor=anchor)), **written.attrs}
    return written


def put_lines(
    parts: list[Run],
    x: float,
    y: float,
    width: float,
    drawn: Drawn,
    into: Node,
    anchor: str = "start",
) -> float:
    """Put words as lines into a group; return how high they are. x: where each begins, ends or is centred."""
    start = y
    for line in lines(parts, width):
        size = max(part.size for part in line)
        written = text_line(line, x, y + size * 1.02, drawn, anchor)
        into.add(written)
        left = {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        at = x - left * sum(part.width for part in line)
        for part in line:
            if part.node is not None:
                drawn.of[part.node] = written
                drawn.places[part.node] = Place(0, 0)
                drawn.boxes[part.node] = Box(at, y, part.width, size)
            at += part.width
        y += size * TALL
    return y - start


def _paragraph(
    node: Node, own: Style, x: float, y: float, width: float, drawn: Drawn, into: Node
) -> float:
    most = {"va-say": 560.0, "va-aside": 560.0}.get(next(iter(node.classes), ""), width)
    return put_lines(
        _clean(runs(node, own | {"display": "block"})), x, y, min(width, most), drawn, into
    )


def _clean(parts: list[Run]) -> list[Run]:
    return [part for part in parts if part.text]


def _strip(
    node: Node, own: Style, x: float, y: float, width: float, drawn: Drawn, into: Node
) -> float:
    """Put a strip: label, plot and result side by side; a wide one has its label above."""
    label, plot, result = _three(node)
    group, written = Node("g"), Node("g")
    drawn.of[label] = group
    into.add(group)
    if "va-wide" in node.classes:
        columns = [[replace(part[0], gap=8.0), *part[1:]] for part in _columns(label, own)]
        words = [part for column in columns for part in column]
        words[:1] = [replace(part, gap=0.0) for part in words[:1]]
        tall = put_lines(words, x, y, width, drawn, group)
        made, height = block(plot, own, x, y + tall, width, drawn)
        into.add(made)
        return tall + height
    inner = width - LABEL - RESULT - 2 * GAP
    made, height = block(plot, own, x + LABEL + GAP, y, inner, drawn)
    into.add(made)
    drawn.of[result] = written
    into.add(written)
    named, ends = _columns(label, own), _columns(result, own)
    tall = sum(len(lines(part, LABEL)) * max(r.size for r in part) * TALL for part in named)
    top = y + max(0.0, (height - tall) / 2)
    for part in named:
        top += put_lines(part, x, top, LABEL, drawn, group) * CLOSE
    top = y + max(0.0, (height - sum(part[0].size * TALL for part in ends)) / 2)
    for part in ends:
        top += put_lines(part, x + width, top, RESULT + 60, drawn, written, "end") * CLOSE
    return max(height, tall * CLOSE)


def _three(node: Node) -> tuple[Node, Node, Node]:
    """Return a strip's label, plot and result; what it does not have is empty."""
    found = {name: part for part in node.elements for name in part.classes}
    return tuple(  # type: ignore[return-value]
        found.get(name) or Node("div") for name in ("va-label", "va-plot", "va-result")
    )


def _columns(node: Node, own: Style) -> list[list[Run]]:
    """Return the words of a label or a result: the large ones, then each small one under them."""
    inner = style(node, own)
    large: list[Run] = []
    small: list[list[Run]] = []
    for child in node.children:
        if isinstance(child, str):
            continue
        found = _clean(runs(child, inner))
        if found and child.tag == "small":
            small.append(found)
        elif found:
            large += found
    return [part for part in (large, *small) if part]


def _side(shares: tuple[float, ...] | int, gap: float) -> Callable[..., float]:
    """Return a layout of columns: so many equal ones, or the first as wide as told."""

    def lay(
        node: Node, own: Style, x: float, y: float, width: float, drawn: Drawn, into: Node
    ) -> float:
        count = len(node.elements)
        if isinstance(shares, int):
            widths = [(width - gap * (shares - 1)) / shares] * count
        else:
            widths = [*shares, width - sum(shares) - gap * len(shares)]
        high = 0.0
        for child, wide in zip(node.elements, widths, strict=False):
            written, height = block(child, own, x, y, wide, drawn)
            into.add(written)
            high = max(high, height)
            x += wide + gap
        return high

    return lay


def _names(
    node: Node, own: Style, x: float, y: float, width: float, drawn: Drawn, into: Node
) -> float:
    """Put names over columns, each centred, standing on one line at the foot."""
    if "va-nameless" in _over(node, 4):
        return 0.0
    wide = width / max(1, len(node.elements))
    inner = style(node, own)
    columns = [lines(_clean(runs(child, inner)), wide) for child in node.elements]
    most = max((len(column) for column in columns), default=0)
    if "va-groups" in _over(node, 2) and "va-short" not in _over(node, 4):
        most = 2
    size = float(inner["font-size"].removesuffix("px"))
    for n, column in enumerate(columns):
        for line, words in enumerate(column):
            at = y + (most - len(column) + line) * size * 1.12 + size
            into.add(text_line(words, x + (n + 0.5) * wide, at, drawn, "middle"))
    return most * size * 1.12 + 4


def _over(node: Node, levels: int) -> list[str]:
    """Return the classes of what stands so many levels above."""
    at: Node | None = node
    for _ in range(levels):
        at = at.parent if at is not None else None
    return at.classes if at is not None else []


def _sums(
    node: Node, own: Style, x: float, y: float, width: float, drawn: Drawn, into: Node
) -> float:
    """Put sums side by side, each a line of its own that can come by itself."""
    if not node.elements or any(isinstance(c, str) and c.strip() for c in node.children):
        return _paragraph(node, own, x, y, width, drawn, into)
    left, start = x, y
    for child in node.elements:
        parts = _clean(runs(child, own))
        wide = sum(part.width for part in parts)
        if left > x and left + wide > x + width:
            left, y = x, y + 22
        if chip := next((n for n in child.walk() if "va-chip" in n.classes), None):
            ink = resolved(style(chip, own), "background", "none")
            high = 3 if "is-end" in chip.classes else 11
            box = {"x": f"{left:.1f}", "y": f"{y + 11 - high / 2 - 1.5:.1f}"}
            box |= {"width": "11", "height": str(high)}
            into.add(Node("rect", {"look": look_text(shape_look({"fill": ink})), **box}))
            left += 15
        group = Node("g")
        put_lines(parts, left, y, 2 * width, drawn, group)
        drawn.of[child] = group
        drawn.places[child] = Place(0, 0)
        drawn.boxes[child] = Box(left, y, wide, 16)
        into.add(group)
        left += wide + 24
    return y - start + 22


def _rows(
    node: Node, own: Style, x: float, y: float, width: float, drawn: Drawn, into: Node
) -> float:
    """Put each element of a small text on a line of its own."""
    inner = style(node, own)
    start = y
    for child in node.elements:
        y += put_lines(_clean(runs(child, inner)), x, y, width, drawn, into)
    return y - start


def _mean(
    node: Node, own: Style, x: float, y: float, width: float, drawn: Drawn, into: Node
) -> float:
    """Put a bar with its words above it and its number at their right."""
    label, plot, result = _three(node)
    words = [part for column in _columns(label, own) for part in column]
    tall = put_lines(words, x, y, width, drawn, into)
    written = Node("g")
    for part in _columns(result, own):
        put_lines(part, x + width, y, 200, drawn, written, "end")
    drawn.of[result] = written
    into.add(written)
    made, height = block(plot, own, x, y + tall, width, drawn)
    into.add(made)
    return tall + height + 3


LAYOUTS: dict[str, Callable[..., float]] = {
    "va-strip": lambda node, *more: (_mean if _is_mean(node) else _strip)(node, *more),
    "va-names": _names,
    "va-groups": _side(3, 8.0),
    "va-pixels": _side((163.0,), 16.0),
    "va-maps": _side(3, 8.0),
    "va-map-line": _side((96.0,), 8.0),
    "va-matrix-line": _side((104.0,), 14.0),
    "va-sums": _sums,
}


def _is_mean(node: Node) -> bool:
    return node.parent is not None and "va-means" in node.parent.classes
