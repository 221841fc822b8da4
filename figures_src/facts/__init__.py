"""Every number that the prose may quote: key, text as the reader sees it, origin.

Origins: `formula` (follows from sizes alone), `teaching` (hand-set weights on a photograph),
`checkpoint` (a trained model on a photograph, from the captures) or `measured` (on one machine:
read from a committed record). A page writes {{ key = text }}; the build stops where the text
differs. One module a page: it has a function `entries()` that returns its facts, and is discovered.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from typing import Literal

from .. import discovery
from ..written import fixed

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


def whole(number: int) -> str:
    """Return an integer in full, as 465,708."""
    return f"{number:,}"


def percent(share: float, digits: int = 1) -> str:
    """Return a share as a percentage."""
    return f"{fixed(100 * share, digits)}%"


@cache
def facts() -> dict[str, Fact]:
    """Return all facts by key; ValueError for a key that stands twice."""
    every = discovery.entries(__name__, __path__, Fact)
    by_key = {fact.key: fact for fact in every}
    if len(by_key) < len(every):
        keys = [fact.key for fact in every]
        twice = sorted({key for key in keys if keys.count(key) > 1})
        raise ValueError(f"facts: got {', '.join(twice)} twice, takes each key once")
    return by_key
