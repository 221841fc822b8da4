"""What the player is made of: a plate a stage, and the folds below it, each one decorated function.

A plate's function gets the marks bound to the picked row and returns the panels of its bench as HTML; a
fold's takes nothing and returns what stands under its question. The modules of plates/ and folds/ are
discovered.
"""

from collections.abc import Callable
from dataclasses import dataclass

from figures_src import discovery
from vitattn_core import STAGES, stage

from .bound import Bound


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
    mean_alt: str = (
        ""  # in place of alt where the mean of heads is chosen and something else is drawn
    )


_PLATES: dict[str, Plate] = {}


def plate(
    stage_id: str, *, shows: tuple[str, ...], alt: str, mean_alt: str = ""
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
        checked = discovery.returning(f"plate {stage_id}", draw, str)
        _PLATES[stage_id] = Plate(stage_id, shows, alt, checked, mean_alt)
        return draw

    return register


def plates() -> dict[str, Plate]:
    """Return all plates by stage, in the order of `STAGES`; modules of plates/ are discovered."""
    from . import plates as rooms

    discovery.modules(rooms.__name__, rooms.__path__)
    return {entry.id: _PLATES[entry.id] for entry in STAGES if entry.id in _PLATES}


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
        checked = discovery.returning(f"fold {name}", draw, str)
        _FOLDS[name] = Fold(name, question, order, checked, late, needs)
        return draw

    return register


def folds() -> list[Fold]:
    """Return all folds in their order; modules of folds/ are discovered."""
    from . import folds as rooms

    discovery.modules(rooms.__name__, rooms.__path__)
    return sorted(_FOLDS.values(), key=lambda fold: (fold.order, fold.name))
