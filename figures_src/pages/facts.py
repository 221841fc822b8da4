"""Every number that the prose may quote: key, text as the reader sees it, origin.

Origins: `formula` (follows from sizes alone), `teaching` (hand-set weights on a photograph),
`checkpoint` (a trained model on a photograph, from the captures) or `measured` (on one machine:
read from a committed record). A page writes {{ key = text }}; the build stops where the text
differs. A page's module `facts` has a function `entries()` that returns them, and is discovered.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from figures_src import discovery

from . import modules

Origin = Literal["formula", "teaching", "checkpoint", "measured"]


@dataclass(frozen=True)
class Fact:
    """One number: what a page calls it, how it is written, whose it is."""

    key: str
    text: str
    origin: Origin


def of(origin: Origin, numbers: Iterable[tuple[str, str]]) -> list[Fact]:
    """Return facts of one origin from pairs of key and text."""
    return [Fact(key, text, origin) for key, text in numbers]


@cache
def facts() -> dict[str, Fact]:
    """Return all facts by key; ValueError for a key that stands twice."""
    from . import caption_numbers, counts

    every = discovery.entries([*modules("facts"), caption_numbers, counts], Fact)
    by_key = {fact.key: fact for fact in every}
    if len(by_key) < len(every):
        keys = [fact.key for fact in every]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        raise ValueError(f"facts: got {', '.join(twice)} twice, takes each key once")
    return by_key


@cache
def known() -> dict[str, Any]:
    """Return all facts as the manifest has them: by key, their text and their origin."""
    return {key: {"text": fact.text, "origin": fact.origin} for key, fact in facts().items()}
