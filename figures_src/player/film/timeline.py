"""The film as data: twelve chapters, one a stage; each is steps, and each step moves marks of its plate.

A chapter ends as its plate, exactly: a move says where a mark comes from, never where it ends.
`docs/javascripts/film.js` plays the chapters in the page, `film_css.py` writes them as style rules for
readers without JavaScript and for the files to take away. Times are milliseconds.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import pairwise
from typing import Any, TypeAlias

from figures_src import discovery
from figures_src.kit.numbers import MINUS
from vitattn_core import STAGES
from vitattn_core.teaching import GRID

# A property and its value; {name} stands for a value of the row, as a plate prints it.
Frame: TypeAlias = Mapping[str, str]
# Keys that appear together: the first, the one after the last, and when.
Part: TypeAlias = tuple[int, int, int]

# What a mark has when nothing moves it. A property that is not here keeps its first value.
NATURAL = {
    "opacity": "1",
    "translate": "none",
    "scale": "none",
    "rotate": "none",
    "stroke-dashoffset": "0px",
    "visibility": "visible",
}
# Properties that move something; opacity alone does not count.
MOVING = {"translate", "scale", "rotate", "stroke-dashoffset"}
REST = 900  # at the end of a chapter, before the next one


@dataclass(frozen=True)
class Move:
    """Marks of the plate or of the photograph, and the frames they pass before they rest.

    marks: a style-sheet selector. start: within the step. stagger: from one mark to the next.
    source: a mark whose place they come from, pairwise where there are as many; `along` "y": its
    height only; `zoom`: from its size too. parts: the path is taken apart by key, each part at its
    time in the chapter; own: the mark moves with the part of the query. lay: the parts of the unit
    bar come from the sticks. copy: a copy of the path moves, with a tick for each score that takes
    part ("kept"), or is taken out ("taken"); it does not stay.
    """

    marks: str
    frames: tuple[Frame, ...] = ()
    start: int = 0
    ms: int = 500
    stagger: int = 0
    source: str = ""
    along: str = ""
    zoom: bool = False
    parts: tuple[Part, ...] = ()
    own: bool = False
    lay: bool = False
    copy: str = ""


@dataclass(frozen=True)
class Step:
    """A part of a chapter: what is said beside the controls, and what moves.

    `say` tells one move of the picked row. What the stage does to any row is `Stage.sentence` in the
    core; what the plate says, with the row's numbers, is drawn by the plate.
    cls: what is said of CLS instead; mean: while the mean of heads is chosen.
    visits: (time, key) of each key that the line and the bench show in between; −1: the pointed key.
    """

    say: str
    ms: int
    moves: tuple[Move, ...] = ()
    cls: str = ""
    mean: str = ""
    visits: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True)
class Chapter:
    """The film of one stage."""

    stage: str
    steps: tuple[Step, ...]

    @property
    def ms(self) -> int:
        """How long it lasts, the rest at its end included."""
        return sum(step.ms for step in self.steps) + REST

    def moves(self) -> list[tuple[int, Move]]:
        """Return every move and when its step begins."""
        begin, timed_moves = 0, []
        for step in self.steps:
            timed_moves += [(begin, move) for move in step.moves]
            begin += step.ms
        return timed_moves

    def visits(self) -> list[tuple[int, int]]:
        """Return (time, key) of each key that is visited, in order."""
        begin, timed_visits = 0, []
        for step in self.steps:
            timed_visits += [(begin + at, key) for at, key in step.visits]
            begin += step.ms
        return timed_visits


@dataclass(frozen=True)
class Track:
    """The values a property of a mark passes: (time, value), the last one its own."""

    prop: str
    points: tuple[tuple[int, str], ...] = field(default=())


@cache
def chapters() -> dict[str, Chapter]:
    """Return the chapters by stage, in order; the modules of film/ are discovered.

    Raises ValueError for a stage without a chapter.
    """
    from . import chapters as room

    every = (
        discovery.attribute(module, "CHAPTER", Chapter, "the Chapter of its stage")
        for module in discovery.modules(room.__name__, room.__path__)
    )
    by_stage = {chapter.stage: chapter for chapter in every}
    if missing := [entry.id for entry in STAGES if entry.id not in by_stage]:
        raise ValueError(f"chapters: got none for {', '.join(missing)}, takes one for each stage")
    return {entry.id: by_stage[entry.id] for entry in STAGES}


def filled(text: str, values: Mapping[str, str]) -> str:
    """Return a frame's value with the row's values in place of their names."""
    for name in values if "{" in text else ():
        text = text.replace(f"{{{name}}}", values[name].replace(MINUS, "-"))
    return text


def by_rows(start: int = 0, stagger: int = 90) -> tuple[Part, ...]:
    """Return the keys in the order of the sequence: CLS, then a row of patches at a time."""
    firsts = [0, *range(GRID.prefix, GRID.tokens, GRID.columns), GRID.tokens]
    return tuple((a, b, start + n * stagger) for n, (a, b) in enumerate(pairwise(firsts)))


def bars(name: str, start: int = 0, stagger: int = 40) -> Move:
    """Return the bars of a row of numbers growing from zero."""
    return Move(f'[data-v^="bar.{name}."]', ({"scale": "0 1"},), start, 400, stagger)


def stream(marks: str, source: str, start: int = 0, ms: int = 450, stagger: int = 100) -> Move:
    """Return marks that leave one place in single file; they are seen once they are apart."""
    frames = ({"opacity": "0"}, {"opacity": "0"}, {"opacity": "1"})
    return Move(marks, frames, source=source, start=start, ms=ms, stagger=stagger)


def come(marks: str, x: int = 0, y: int = -18, start: int = 0, ms: int = 400, **more: Any) -> Move:
    """Return marks that come from x, y pixels away."""
    return Move(marks, ({"translate": f"{x}px {y}px", "opacity": "0"},), start, ms, **more)


def script() -> str:
    """Return the script that tells the page: `window.vitattn.timeline`."""

    def set_fields(thing: object) -> dict[str, Any]:
        return {name: value for name, value in vars(thing).items() if value or name == "ms"}

    film = {
        stage: [
            {**set_fields(step), "moves": [set_fields(move) for move in step.moves]}
            for step in chapter.steps
        ]
        for stage, chapter in chapters().items()
    }
    data = {"rest": REST, "natural": NATURAL, "chapters": film}
    text = json.dumps(data, separators=(",", ":"), ensure_ascii=False)
    return (
        "// The film: what moves, when and from where. javascripts/film.js plays it.\n"
        f"window.vitattn.timeline = {text};\n"
    )
