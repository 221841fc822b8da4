"""The registry of what is drawn: a plate a stage, and figures for the explainer's sections.

A plate's function gets the marks bound to the picked row and returns the panels of its bench as
HTML; a figure's function takes nothing and returns its panels. One decorated function each.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from types import ModuleType
from typing import ParamSpec, TypeVar

from vitattn_core import STAGES, stage

from . import discovery
from .marks import Bound
from .source_fault import SourceFault, line_of

P = ParamSpec("P")
T = TypeVar("T", str, bytes)


@dataclass(frozen=True)
class Plate:
    """A stage's plate: what draws it, which arrays it shows, and the sentence for those who listen.

    What a plate says of the picked row, with its numbers, is drawn by `draw`. What the stage does to
    any row is `Stage.sentence` in the core, and what the film says is `Step.say`: three texts.
    """

    stage: str
    shows: tuple[str, ...]
    alt: str
    draw: Callable[[Bound], str]


_PLATES: dict[str, Plate] = {}


def plate(
    stage_id: str, *, shows: tuple[str, ...], alt: str
) -> Callable[[Callable[[Bound], str]], Callable[[Bound], str]]:
    """Register the decorated function as the plate of a stage; `alt` is mandatory.

    Raises ValueError for a second plate of a stage, for an empty `alt`, and for arrays that another
    plate shows already; KeyError for an unknown stage.
    """
    stage(stage_id)
    if not alt.strip():
        raise ValueError(f"plate {stage_id}: got an empty alt, takes a sentence")
    for other in _PLATES.values():
        if other.shows == shows:
            raise ValueError(f"plate {stage_id}: {other.stage} shows {', '.join(shows)} already")
    if stage_id in _PLATES:
        raise ValueError(f"plate {stage_id}: is there already")

    def register(draw: Callable[[Bound], str]) -> Callable[[Bound], str]:
        checked = _returning(f"plate {stage_id}", draw, str)
        _PLATES[stage_id] = Plate(stage=stage_id, shows=shows, alt=alt, draw=checked)
        return draw

    return register


def _discover(rooms: ModuleType) -> None:
    discovery.modules(rooms.__name__, rooms.__path__)


def _returning(what: str, draw: Callable[P, T], kind: type[T]) -> Callable[P, T]:
    """Return the drawing function, which raises SourceFault where it returns no `kind`."""

    @wraps(draw)
    def checked(*given: P.args, **named: P.kwargs) -> T:
        drawn = draw(*given, **named)
        if not isinstance(drawn, kind):
            takes = {str: "a string of HTML", bytes: "the bytes of a picture"}[kind]
            raise SourceFault(line_of(draw), f"{what}: returned {drawn!r:.60}, takes {takes}")
        return drawn

    return checked


def plates() -> dict[str, Plate]:
    """Return all plates by stage, in the order of `STAGES`; modules of plates/ are discovered."""
    from . import plates as rooms

    _discover(rooms)
    return {entry.id: _PLATES[entry.id] for entry in STAGES if entry.id in _PLATES}


@dataclass(frozen=True)
class SectionFigure:
    """A figure that a page names: the sentence under it, the one for those who listen, its drawing."""

    name: str
    caption: str
    alt: str
    draw: Callable[[], str]


_FIGURES: dict[str, SectionFigure] = {}


def figure(
    name: str, *, caption: str, alt: str
) -> Callable[[Callable[[], str]], Callable[[], str]]:
    """Register the decorated function as a figure; `caption` and `alt` are mandatory.

    Raises ValueError for a name that is there already, and for an empty caption or alt.
    """
    if not (caption.strip() and alt.strip()):
        raise ValueError(f"figure {name}: got an empty caption or alt, takes a sentence for each")
    if name in _FIGURES:
        raise ValueError(f"figure {name}: is there already")

    def register(draw: Callable[[], str]) -> Callable[[], str]:
        checked = _returning(f"figure {name}", draw, str)
        _FIGURES[name] = SectionFigure(name=name, caption=caption, alt=alt, draw=checked)
        return draw

    return register


def figures() -> dict[str, SectionFigure]:
    """Return all figures of sections by name; modules of sections/ are discovered."""
    from . import sections as rooms

    _discover(rooms)
    return dict(sorted(_FIGURES.items()))


_PICTURES: dict[str, Callable[[], bytes]] = {}


def picture(name: str) -> Callable[[Callable[[], bytes]], Callable[[], bytes]]:
    """Register the decorated function as the maker of `assets/pictures/<name>.webp`, for a figure.

    For pixels that are no photograph of `photos`. Raises ValueError for a name that is there already.
    """
    if name in _PICTURES:
        raise ValueError(f"picture {name}: is there already")

    def register(make: Callable[[], bytes]) -> Callable[[], bytes]:
        _PICTURES[name] = _returning(f"picture {name}", make, bytes)
        return make

    return register


def pictures() -> dict[str, Callable[[], bytes]]:
    """Return what makes each picture, by name; modules of sections/ are discovered."""
    figures()
    return dict(sorted(_PICTURES.items()))


@dataclass(frozen=True)
class Fold:
    """What waits under a question below the player; its script has its name.

    late: what stands under the question comes as a script too, so that the page is lighter.
    needs: further scripts of docs/javascripts, by name, that its own one builds on.
    """

    name: str
    question: str
    order: int
    draw: Callable[[], str]
    late: bool = False
    needs: tuple[str, ...] = ()


_FOLDS: dict[str, Fold] = {}


def fold(
    name: str, *, question: str, order: int, late: bool = False, needs: tuple[str, ...] = ()
) -> Callable[[Callable[[], str]], Callable[[], str]]:
    """Register the decorated function as a fold: it returns what stands under the question.

    Raises ValueError for a name that is there already.
    """
    if name in _FOLDS:
        raise ValueError(f"fold {name}: is there already")

    def register(draw: Callable[[], str]) -> Callable[[], str]:
        checked = _returning(f"fold {name}", draw, str)
        _FOLDS[name] = Fold(name, question, order, checked, late, needs)
        return draw

    return register


def folds() -> list[Fold]:
    """Return all folds in their order; modules of folds/ are discovered."""
    from . import folds as rooms

    _discover(rooms)
    return sorted(_FOLDS.values(), key=lambda fold: (fold.order, fold.name))


def undrawn() -> list[str]:
    """Return the stages that have no plate yet."""
    return [entry.id for entry in STAGES if entry.id not in plates()]
