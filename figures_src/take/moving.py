"""Files that move: a chapter, and the whole film. Each plays once when it is opened, and stops."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cache

from vitattn_core import STAGES

from .. import captions, photos
from ..registry import plates
from ..row import State
from ..settings import DEFAULTS
from ..timeline import Chapter, Move, Step, chapters
from ..tree import Node, find
from .ink import look_text, shape_look, words_look
from .motion import Motion
from .pieces import Piece, Row, Scene, kept, pieces, split, walk
from .sheet import EDGE, FOOT, WIDTH, Picture, document, picture, stage_list

BEGIN = 400  # a moment to look, before anything moves


@dataclass
class Take:
    """A chapter that is put into a file: its picture, the movement it adds to, and when it begins."""

    chapter: Chapter
    made: Picture
    motion: Motion
    offset: int
    collected: dict[Node, list[Piece]] = field(default_factory=dict)
    origins: dict[Node, str] = field(default_factory=dict)

    def put(self) -> None:
        """Add all that moves in the chapter."""
        scene = Scene(self.made.source, self.made.drawn, default_row(self.made), self.made.lean)
        begin = 0
        for step in self.chapter.steps:
            twins = self._visited(step, begin)
            if not (
                self.made.lean and twins and begin > 0
            ):  # the first key stands for the next two
                for move in step.moves:
                    self._move(scene, move, begin, twins)
            begin += step.ms
        for mark, found in self.collected.items():
            self.motion.put(mark, found, self.origins.get(mark, ""), self.offset)
        if visits := self.chapter.visits():
            self._walk(visits)

    def _move(self, scene: Scene, move: Move, begin: int, twins: dict[Node, Node]) -> None:
        if move.parts and not move.own and self.made.lean and "masked" in move.marks:
            move = replace(move, parts=(), start=move.parts[0][2])  # one path, as the stage before
        if move.parts and not move.own:
            for whole, stand_in in split(scene, move):
                self.motion.instead[whole] = [part for part, _ in stand_in]
                for part, found in stand_in:
                    self.collected[part] = found
            return
        if move.copy and self.made.lean:
            return
        if move.copy:
            for whole, copy, found in kept(scene, move, begin):
                self.motion.beside.setdefault(whole, []).append(copy)
                self.collected[copy] = found
                self.origins[copy] = next(
                    self.made.drawn.origins.get(mark, "") for mark in scene.find(move.marks)
                )
            return
        for mark, piece in pieces(scene, move, begin):
            written = twins.get(mark, self.made.drawn.of[mark])
            self.collected.setdefault(written, []).append(piece)
            middle = "50% 50%" if move.zoom else ""
            self.origins.setdefault(written, self.made.drawn.origins.get(mark, middle))

    def _visited(self, step: Step, begin: int) -> dict[Node, Node]:
        """Put in what is seen of a key that is visited, for as long as it is; return what stands for what."""
        if len(step.visits) != 1 or step.visits[0][1] < 0:
            return {}
        other = picture(self.made.stage.id, step.visits[0][1], self.made.lean)
        twins: dict[Node, Node] = {}
        for mark, twin in differences(self.made, other):
            pairs = zip(mark.walk(), twin.walk(), strict=True)
            twins |= {a: other.drawn.of[b] for a, b in pairs if b in other.drawn.of}
            if self.made.lean and begin > 0:
                continue
            written = self.made.drawn.of[mark]
            stood = Node("g")
            stood.children.append(other.drawn.of[twin])
            if stood.children not in [g.children for g in self.motion.beside.get(written, [])]:
                self.motion.beside.setdefault(written, []).append(stood)
                at = begin + self.offset
                self.motion.show(stood, at, at + step.ms)
        return twins

    def _walk(self, visits: list[tuple[int, int]]) -> None:
        """Let the key's mark go from key to key; what is said of the last one waits for it."""
        key = self.made.row.key
        mark = self.made.drawn.of[find(self.made.source, ".va-mark.is-key")[0]]
        self.motion.pass_(mark, "translate", list(walk(key, visits)), self.offset)
        last = visits[-1][0] + self.offset
        first = picture(self.made.stage.id, visits[0][1], self.made.lean)
        for waiting, _ in differences(self.made, first):
            written = self.made.drawn.of[waiting]
            if not {written, *written.walk()} & set(self.motion.of):
                self.motion.wait(written, last)


def default_row(made: Picture) -> Row:
    """Return what moves have to know of the picked row."""
    trace, query = photos.trace(DEFAULTS["photo"]), State().query
    scores = trace.masked[0, query]
    return Row(
        values=made.row.values,
        query=query,
        scores=tuple(float(score) for score in scores),
        top=float(scores.max()),
        total=float(made.row.values["total"]),
    )


def differences(one: Picture, other: Picture) -> Iterator[tuple[Node, Node]]:
    """Yield the smallest written marks of the bench and the line that differ in two pictures."""
    roots = [(part.source, ".va-take, .va-line") for part in (one, other)]
    seen = set()
    for a, b in zip(*(find(*root) for root in roots), strict=True):
        for mark, twin in _differ(a, b):
            while mark.tag == "tspan" and mark.parent and twin.parent:
                mark, twin = mark.parent, twin.parent
            written = one.drawn.of.get(mark)
            if written is not None and twin in other.drawn.of and written not in seen:
                seen.add(written)
                yield mark, twin


def _differ(a: Node, b: Node) -> Iterator[tuple[Node, Node]]:
    own = [[c for c in node.children if isinstance(c, str)] for node in (a, b)]
    if a.attrs != b.attrs or own[0] != own[1]:
        yield a, b
        return
    for one, other in zip(a.elements, b.elements, strict=True):
        yield from _differ(one, other)


def caption(say: str, values: Mapping[str, str]) -> str:
    """Return what is said of a step, with the row's values as a plate prints them."""
    return re.sub(r"\{([\w.]+)\}", lambda found: values[found[1]], say)


def said(made: Picture, chapter: Chapter, motion: Motion, offset: int) -> Node:
    """Return the words that say what happens, each seen during its step."""
    group = Node("g")
    look = look_text(words_look(fill="var(--va-ink)", font_size="15px"))
    begin = offset
    for n, step in enumerate(chapter.steps):
        end = begin + step.ms
        if n == len(chapter.steps) - 1:
            end = offset + chapter.ms
        words = caption(step.say, made.row.values)
        line = Node("text", {"look": look, "x": f"{EDGE:g}", "y": f"{FOOT:g}"}).add(words)
        group.add(line)
        motion.show(line, begin, end)
        begin = end
    return group


def progress(n: int, ms: int, offset: int, motion: Motion) -> Node:
    """Return the bar of a stage that fills while its chapter plays."""
    wide = (WIDTH - 2 * EDGE) / len(STAGES)
    look = look_text(shape_look({"fill": "var(--va-ink)"}))
    box = {"x": f"{EDGE + n * wide:g}", "y": "10", "width": f"{wide - 2:g}", "height": "4"}
    bar = Node("rect", {"look": look, **box})
    motion.fill(bar, ms, offset)
    return bar


@cache
def chapter(stage_id: str) -> str:
    """Return the file of a chapter."""
    made, told, motion = picture(stage_id), chapters()[stage_id], Motion()
    Take(told, made, motion, BEGIN).put()
    n = [entry.id for entry in STAGES].index(stage_id)
    bar = progress(n, told.ms, BEGIN, motion)
    title = f"{made.stage.title}, moving: self-attention in a Vision Transformer"
    words = f"{made.stage.sentence} {captions.spoken(plates()[stage_id].alt)}"
    body = [stage_list(stage_id), bar, made.body, said(made, told, motion, BEGIN)]
    return document(body, title, words, motion, webp=64)


@cache
def film() -> str:
    """Return the file of the whole film: all chapters, one after the other, in one frame."""
    motion, body = Motion(), [stage_list("")]
    offset = BEGIN
    for n, (stage_id, told) in enumerate(chapters().items()):
        made = picture(stage_id, lean=True)
        Take(told, made, motion, offset).put()
        scene = Node("g").add(made.body)
        last = n == len(STAGES) - 1
        begin = offset if n else 0
        if last:
            motion.wait(scene, begin)
        else:
            motion.show(scene, begin, offset + told.ms)
        body += [scene, progress(n, told.ms, offset, motion)]
        offset += told.ms
    words = "Twelve chapters: " + "; ".join(entry.title.lower() for entry in STAGES) + "."
    return document(body, "One patch row through self-attention", words, motion, webp=34)
