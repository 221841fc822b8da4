"""Movement as style rules: for each mark a class that says which frames it passes, and when.

A file plays once when it is opened, and stops. Without motion, for readers who want none, what is
seen is the end; words and numbers of moments in between are not.
"""

from dataclasses import dataclass, field

from ..tree import Node
from .ink import short
from .pieces import Piece

CALM = "@media(prefers-reduced-motion:no-preference)"


def seconds(ms: float) -> str:
    """Return a time as a style sheet has it."""
    text = f"{ms / 1000:.2f}".rstrip("0").rstrip(".")
    return (text.removeprefix("0") or "0") + "s"


@dataclass
class Motion:
    """What moves in a file: classes by mark, what stands in for a mark, what stands beside it."""

    names: dict[str, str] = field(default_factory=dict)  # frames: their name
    classes: dict[str, str] = field(default_factory=dict)  # animations: their class
    of: dict[Node, list[str]] = field(default_factory=dict)  # mark: its classes
    instead: dict[Node, list[Node]] = field(default_factory=dict)
    beside: dict[Node, list[Node]] = field(default_factory=dict)

    def put(self, mark: Node, pieces: list[Piece], origin: str = "", offset: int = 0) -> None:
        """Let a mark pass its pieces; `offset`: when its chapter begins."""
        groups: dict[tuple[int, int, int], list[Piece]] = {}
        for piece in pieces:
            groups.setdefault((piece.start, piece.ms, len(piece.values)), []).append(piece)
        told: list[str] = []
        seen: set[str] = set()
        for (start, ms, _), group in sorted(groups.items()):
            first = not seen & {piece.prop for piece in group}
            seen |= {piece.prop for piece in group}
            name = self._frames(group)
            fill = "both" if first else "forwards"
            told.append(f"{name} {seconds(ms)} {seconds(start + offset)} {fill}")
        self._add(mark, f"animation:{','.join(told)}")
        if any(piece.prop in ("scale", "rotate") for piece in pieces):
            self._about(mark, origin)

    def _about(self, mark: Node, origin: str) -> None:
        """Let a mark turn and grow about a place, its lines as thick as before."""
        if origin:
            box = "" if "px" in origin else ";transform-box:fill-box"
            self._add(mark, f"transform-origin:{origin}{box}")
        if "stroke:" in mark.attrs.get("look", ""):
            self._add(mark, "vector-effect:non-scaling-stroke")

    def _add(self, mark: Node, rule: str) -> None:
        name = self.classes.setdefault(rule, short(len(self.classes)).upper())
        self.of.setdefault(mark, []).append(name)

    def _frames(self, group: list[Piece]) -> str:
        count = len(group[0].values)
        body = ""
        for n in range(count):
            values = ";".join(f"{piece.prop}:{piece.values[n]}" for piece in group)
            body += f"{_percent(n / count)}{{{values}}}"
        if last := ";".join(f"{piece.prop}:{piece.last}" for piece in group if piece.last):
            body += f"to{{{_drawn(group, last)}}}"
        return self._name(body)

    def _name(self, body: str) -> str:
        return self.names.setdefault(body, short(len(self.names)))

    def show(self, mark: Node, start: int, end: int) -> None:
        """Let a mark be seen from `start` to `end` only; never where there is no motion."""
        name = self._name("from,to{visibility:visible}")
        self._add(mark, f"animation:{name} {seconds(end - start)} {seconds(start)}")
        self.of[mark].append("_")

    def wait(self, mark: Node, start: int) -> None:
        """Let a mark be seen from `start` on."""
        if start > 0:
            name = self._name("from,to{visibility:hidden}")
            self._add(mark, f"animation:{name} {seconds(start)}")

    def pass_(self, mark: Node, prop: str, stops: list[tuple[int, str]], offset: int) -> None:
        """Let a mark pass many values of a property at told times."""
        length = stops[-1][0] or 1
        frames = "".join(f"{_percent(time / length)}{{{prop}:{value}}}" for time, value in stops)
        self._add(
            mark, f"animation:{self._name(frames)} {seconds(length)} linear {seconds(offset)} both"
        )

    def fill(self, mark: Node, ms: int, offset: int) -> None:
        """Let a bar grow evenly from its left end."""
        name = self._name("from{scale:0 1}")
        self._add(mark, f"animation:{name} {seconds(ms)} linear {seconds(offset)} both")
        self._about(mark, "0 50%")

    def css(self) -> str:
        """Return the rules."""
        frames = "".join(f"@keyframes {name}{{{body}}}" for body, name in self.names.items())
        rules = "".join(f".{name}{{{rule}}}" for rule, name in self.classes.items())
        return f"._{{visibility:hidden}}{CALM}{{{rules}}}{frames}" if rules else ""


def _drawn(group: list[Piece], last: str) -> str:
    """Return the last frame; a line that draws itself must be told that it ends at 0."""
    dashed = any(piece.prop == "stroke-dasharray" for piece in group)
    return f"{last};stroke-dashoffset:0" if dashed else last


def _percent(share: float) -> str:
    return "from" if share == 0 else f"{100 * share:.2f}".rstrip("0").rstrip(".") + "%"
