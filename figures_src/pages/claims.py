"""Numbers measured in the trained model, each with the entries it is read from.

A source is the name of a finding of captures/manifest.json, or of a file of figures_src/inputs/captures/.
A test changes every source of every claim, and requires that the page then cannot be built.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from figures_src.inputs import captures
from figures_src.kit.elements import tag
from figures_src.kit.geometry import Floats

from .facts import Fact, of


@dataclass(frozen=True)
class Claim:
    """One number of a page: its key, the entries it is read from, and what writes it."""

    key: str
    sources: tuple[str, ...]
    write: Callable[[], str]


def claim(
    key: str, sources: str | Sequence[str], write: Callable[..., str], *given: object
) -> Claim:
    """Return a claim that `write(*given)` writes; KeyError for a source that is no finding and no file."""
    names = (sources,) if isinstance(sources, str) else tuple(sources)
    known = captures.manifest()
    if unknown := [n for n in names if n not in known["findings"] and n not in known["files"]]:
        raise KeyError(f"claim {key}: no finding or file {', '.join(unknown)}")
    return Claim(key, names, partial(write, *given))


def facts_of(claims: Iterable[Claim]) -> list[Fact]:
    """Return the claims as facts of origin `checkpoint`."""
    return of("checkpoint", [(one.key, one.write()) for one in claims])


def each_photo(stem: str) -> tuple[str, ...]:
    """Return the finding `stem` of each photograph."""
    return tuple(f"{stem}.{photo}" for photo in captures.PHOTOS)


def listed(claims: Iterable[Claim]) -> str:
    """Return, folded, which entries a page reads, and what each is in the manifest's own words."""
    named = dict.fromkeys(source for one in claims for source in one.sources)
    findings = captures.manifest()["findings"]
    by_words: dict[str, list[str]] = {}
    for name in sorted(named):
        says = findings[name]["says"] if name in findings else "queries and keys, one byte each"
        by_words.setdefault(says, []).append(name)
    lines = (
        tag("li", *(tag("code", name) + " " for name in names), tag("span", says))
        for says, names in by_words.items()
    )
    summary = tag("summary", "Which entry each number is read from")
    return tag("details", summary, tag("ul", *lines), class_="va-entries")


def stack(name: str) -> Floats:
    """Return a finding of all three photographs, photographs first."""
    return np.stack([captures.measured(f"{name}.{photo}") for photo in captures.PHOTOS])
