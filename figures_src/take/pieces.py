"""What a chapter does to one mark: pieces of movement, each a property, a time and its values.

The same moves as in docs/javascripts/film.js, for a picture whose places are known.
"""

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from vitattn_core.teaching import GRID

from ..shapes import corner
from ..timeline import NATURAL, Move, Part, filled
from ..tree import Node, find
from .flat import Box, Drawn, Place, number, path

THIN = 3.0  # a stick that is laid down, in pixels
AMOUNT = re.compile(r"(-?[\d.]+)(px|%|deg)?")


@dataclass(frozen=True)
class Piece:
    """A property that passes values from `start` on, for `ms`; then it has its own, or `rest`."""

    prop: str
    start: int
    ms: int
    values: tuple[str, ...]
    rest: str = ""

    @property
    def last(self) -> str:
        """The value at its end: its own one is not written, unless no one knows it."""
        return self.rest or ("" if self.prop in NATURAL else self.values[0])


@dataclass(frozen=True)
class Row:
    """The picked row as moves need it: its values, its query, and scores, tops and sum of its head."""

    values: Mapping[str, str]
    query: int
    scores: tuple[float, ...]
    top: float
    total: float


@dataclass
class Scene:
    """A drawn picture whose marks a chapter moves."""

    source: Node
    drawn: Drawn
    row: Row
    lean: bool = False  # marks of one kind move together: fewer rules

    def find(self, marks: str) -> list[Node]:
        """Return the drawn marks that a selector chooses, on the photograph and in the plate."""
        return [node for node in find(self.source, marks) if node in self.drawn.of]


def amount(text: str, place: Place, axis: int, variable: float = 0.0) -> float:
    """Return a length in written units: px of the mark's own units, or a share of its viewport."""
    whole = (place.wide, place.high)[axis]
    text = text.replace("var(--v)", f"{variable:g}").removeprefix("calc(").removesuffix(")")

    def one(part: str) -> float:
        found = AMOUNT.fullmatch(part.strip())
        if not found:
            raise ValueError(f"amount: got {part!r}, takes px or %")
        value = float(found[1])
        return value / 100 * whole if found[2] == "%" else value

    if " * " in text:
        return math.prod(one(part) for part in text.split(" * ")) * place.by[axis]
    total, sign = 0.0, 1.0
    for part in re.split(r" ([+-]) ", text):
        if part in "+-":
            sign = -1.0 if part == "-" else 1.0
        else:
            total += sign * one(part)
    return total * place.by[axis]


def pixels(*lengths: float) -> str:
    """Return lengths as a style sheet has them."""
    return " ".join(f"{number(length, 1)}px" if round(length, 1) else "0" for length in lengths)


def _value(scene: Scene, mark: Node, prop: str, text: str) -> str:
    text = filled(text, scene.row.values)
    if prop != "translate":
        return text
    if scene.lean and "var(--v)" in text:
        return "0 -24px"
    place = scene.drawn.places[mark]
    x, y = re.findall(r"calc\(.*?\)(?= |$)|\S+", text.replace("var(--v)", "@")) or ("0", "0")
    found = re.search(r"--v:(-?[\d.]+)", mark.attrs.get("style", ""))
    own = float(found[1]) if found else 0.0
    parts = (part.replace("@", "var(--v)") for part in (x, y))
    return pixels(*(amount(part, place, axis, own) for axis, part in enumerate(parts)))


def _framed(scene: Scene, mark: Node, move: Move, start: int) -> Iterator[Piece]:
    for prop in dict.fromkeys(name for frame in move.frames for name in frame):
        values = tuple(_value(scene, mark, prop, frame[prop]) for frame in move.frames)
        yield Piece(prop, start, move.ms, values)


def pieces(scene: Scene, move: Move, begin: int) -> Iterator[tuple[Node, Piece]]:
    """Yield every mark that a move takes hold of as it stands, and what happens to it."""
    found = scene.find(move.marks)
    if scene.lean and move.marks == ".va-cells > g":
        found = scene.find(".va-cells")
    if move.own:
        at = next(at for _, end, at in move.parts if scene.row.query < end)
        for mark in found:
            yield from ((mark, piece) for piece in _framed(scene, mark, move, at))
        return
    sources = scene.find(move.source) if move.source else []
    for n, mark in enumerate(found):
        together = scene.lean and len(found) > 1 and not move.lay
        start = begin + move.start + (0 if together else n * move.stagger)
        if move.lay:
            yield from ((mark, piece) for piece in _laid(scene, mark, start, move.ms))
            continue
        if sources:
            source = sources[n if len(sources) == len(found) else 0]
            middle = found[len(found) // 2] if together else mark
            yield from ((mark, piece) for piece in _come(scene, middle, source, move, start))
        frames = move.frames or (({"opacity": "0"}, {"opacity": "1"}) if move.source else ())
        framed = replace(move, frames=frames)
        yield from ((mark, piece) for piece in _framed(scene, mark, framed, start))


def _come(scene: Scene, mark: Node, source: Node, move: Move, start: int) -> Iterator[Piece]:
    """Yield how a mark comes from the place of another one."""
    here, there = box_of(scene.drawn, mark), box_of(scene.drawn, source)
    unit = scene.drawn.places[mark].unit
    far = [(b - a) / u for a, b, u in zip(here.centre, there.centre, unit, strict=True)]
    if move.along == "y":
        far[0] = 0.0
    yield Piece("translate", start, move.ms, (pixels(*far),))
    if move.zoom:
        yield Piece("scale", start, move.ms, (number(there.width / here.width, 3),))


def box_of(drawn: Drawn, mark: Node) -> Box:
    """Return a mark's rectangle; that of a group is its first part's."""
    if mark in drawn.boxes:
        return drawn.boxes[mark]
    return next(drawn.boxes[node] for node in mark.walk() if node in drawn.boxes)


def _laid(scene: Scene, block: Node, start: int, ms: int) -> Iterator[Piece]:
    """Yield how a part of the unit bar comes from the stick of its key."""
    stick = scene.find('[data-d="sticks"]')[0].parent
    bar = block.parent.parent if block.parent else None
    if stick is None or bar is None or block.parent is None:
        raise ValueError("lay: got a part without its bar, takes parts of the unit bar")
    while bar.tag != "svg":
        bar = bar.parent or bar
    axis, whole, own = (scene.drawn.boxes[node] for node in (stick, bar, block))
    row, token = scene.row, block.parent.attrs.get("data-token")
    thin = number(THIN / own.height, 3)
    if token is None:
        at, long, turn = axis.x, axis.width / 2, "0deg"
    else:
        score = row.scores[int(token)]
        left, _, wide, _ = (float(part) for part in stick.attrs["viewBox"].split())
        at = axis.x + (score - left) / wide * axis.width
        long, turn = math.exp(score - row.top) * axis.height, "-90deg"
    share = min(1.0, axis.height * row.total / whole.width)
    flat = pixels((own.x - whole.x) * (share - 1), 0)
    foot = axis.y + axis.height - own.y - own.height
    lying = f"{number(share, 3)} {thin}"
    stood = f"{number(long / max(own.width, 0.01), 3)} {thin}"
    yield Piece("opacity", start, 1, ("0",))
    hold = 1 if scene.lean else 2
    yield Piece("translate", start, ms, (pixels(at - own.x, foot), *[flat] * hold))
    yield Piece("rotate", start, ms, (turn, *["0deg"] * hold))
    yield Piece("scale", start, ms, (stood, *[lying] * hold))


def apart(shape: str, parts: tuple[Part, ...]) -> Iterator[tuple[str, int]]:
    """Yield the outline of each part of a path, by its keys, and when it appears."""
    found = []
    for n, piece in enumerate(re.findall(r"M[^M]+", shape)):
        square = re.match(r"M(\S+) (\S+)h([\d.]+)", piece)
        if square:
            x, y, side = (float(part) for part in square.groups())
            column, line = (math.floor((edge + side / 2) / GRID.patch) for edge in (x, y))
            n = 0 if line < 0 else GRID.token(line, column)
        found.append((n, piece))
    for first, end, at in parts:
        yield "".join(piece for key, piece in found if first <= key < end), at


def in_pairs(parts: tuple[Part, ...]) -> tuple[Part, ...]:
    """Return parts with the rows of patches two by two; single keys stay alone."""
    single = [part for part in parts if part[1] - part[0] == 1]
    rows = [part for part in parts if part[1] - part[0] > 1]
    pairs = zip(rows[::2], [*rows[1::2], rows[-1]], strict=False)
    return (*single, *((a[0], b[1], b[2]) for a, b in pairs))


def split(scene: Scene, move: Move) -> Iterator[tuple[Node, list[tuple[Node, list[Piece]]]]]:
    """Yield each path that a move takes apart, and the parts that stand in for it."""
    for mark in scene.find(move.marks):
        whole, by = scene.drawn.of[mark], scene.drawn.places[mark].by
        stand_in = []
        parts = in_pairs(move.parts) if scene.lean else move.parts
        for shape, at in apart(mark.attrs["d"], parts):
            if shape:
                part = Node(
                    "path", {**whole.attrs, "d": path(shape, *by, digits=0 if scene.lean else 1)}
                )
                stand_in.append((part, list(_framed(scene, mark, move, at))))
        yield whole, stand_in


def kept(scene: Scene, move: Move, begin: int) -> Iterator[tuple[Node, Node, list[Piece]]]:
    """Yield a copy of a path with a tick for each score, what it stands beside, and its pieces."""
    if move.copy != "kept":
        return  # nothing is taken out of the default row
    for mark in scene.find(move.marks):
        whole, by = scene.drawn.of[mark], scene.drawn.places[mark].by
        shape = "".join(f"M{score:.2f} 0v1" for score in scene.row.scores)
        copy = Node("path", {**whole.attrs, "d": path(shape, *by, digits=0 if scene.lean else 1)})
        framed = _framed(scene, mark, move, begin + move.start)
        yield whole, copy, [replace(piece, rest=piece.values[-1]) for piece in framed]


def walk(key: int, visits: list[tuple[int, int]]) -> tuple[tuple[int, str], ...]:
    """Return where the key's mark is seen from its last place: (time, translate) of each visit."""
    home = corner(key)
    stops: list[tuple[int, str]] = []
    for n, (time, token) in enumerate(visits):
        x, y = (a - b for a, b in zip(corner(key if token < 0 else token), home, strict=True))
        later = visits[n + 1][0] if n + 1 < len(visits) else time + 1000
        there = time + min(300, int(0.7 * (later - time)))
        if stops:
            stops.append((time, stops[-1][1]))
        stops.append((there if stops else 0, pixels(x, y)))
    return tuple(stops)
