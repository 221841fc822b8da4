"""The figures of pages, and the pictures that are no photographs: one decorated function each.

A figure's function takes nothing and returns its panels as HTML; a picture's returns the bytes of a file.
"""

from collections.abc import Callable
from dataclasses import dataclass

from figures_src import discovery

from . import modules


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
        checked = discovery.returning(f"figure {name}", draw, str)
        _FIGURES[name] = SectionFigure(name=name, caption=caption, alt=alt, draw=checked)
        return draw

    return register


def figures() -> dict[str, SectionFigure]:
    """Return all figures of sections by name; the pages' modules `figures` are discovered."""
    modules("figures")
    return dict(sorted(_FIGURES.items()))


_PICTURES: dict[str, Callable[[], bytes]] = {}


def picture(name: str) -> Callable[[Callable[[], bytes]], Callable[[], bytes]]:
    """Register the decorated function as the maker of `assets/pictures/<name>.webp`, for a figure.

    For pixels that are no photograph of `photos`. Raises ValueError for a name that is there already.
    """
    if name in _PICTURES:
        raise ValueError(f"picture {name}: is there already")

    def register(make: Callable[[], bytes]) -> Callable[[], bytes]:
        _PICTURES[name] = discovery.returning(f"picture {name}", make, bytes)
        return make

    return register


def pictures() -> dict[str, Callable[[], bytes]]:
    """Return what makes each picture, by name; the pages' modules `figures` are discovered."""
    figures()
    return dict(sorted(_PICTURES.items()))
