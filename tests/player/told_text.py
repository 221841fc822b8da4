"""The player's text as a reader has it in any state: what was drawn, with other values in its places.

The page fills its marks in the same way: what is no value stands as it was drawn, and a class says what
is hidden while the mean of heads, or CLS, is picked.
"""

import re
from dataclasses import dataclass
from functools import cache
from html.parser import HTMLParser

from figures_src.player import element
from figures_src.player.row import State

# Where a text ends and another begins.
BLOCKS = {"p", "div", "figure", "figcaption", "small", "text", "li", "tr", "td", "strong"}
VOID = {"input", "img", "br", "meta", "link"}
# A class, and when what has it is not shown.
HIDDEN = {
    "va-one-head": lambda state: state.head == 0,
    "va-heads": lambda state: state.head > 0,
    "va-not-cls": lambda state: state.query == 0,
    "va-only-cls": lambda state: state.query > 0,
}
# What stands beside the plates: its class, and what it is called.
BESIDE = {
    "va-line": "line",
    "va-readouts": "readouts",
    "va-chosen": "chosen",
    "va-legend": "legend",
}


@dataclass(frozen=True)
class Piece:
    """Some text, or the name of a value; where it stands, and the classes that hide it."""

    where: str
    text: str
    name: str | None
    hidden: frozenset[str]


class Reader(HTMLParser):
    """The pieces of a drawn player, in their order."""

    def __init__(self, markup: str) -> None:
        super().__init__()
        self.pieces: list[Piece] = []
        self.stack: list[tuple[str, dict[str, str]]] = []
        self.feed(markup)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = {name: value or "" for name, value in attrs}
        if tag in VOID:
            return
        self.stack.append((tag, found))
        if tag in BLOCKS:
            self._add(" ¶ ")
        if name := found.get("data-t"):
            self._add("", name)

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self._add(" ¶ ")
        assert self.stack.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        if not any("data-t" in found for _, found in self.stack):
            self._add(data)

    def _add(self, text: str, name: str | None = None) -> None:
        where = [place for _, found in self.stack if (place := self._place(found))]
        unread = {tag for tag, _ in self.stack} & {"script", "noscript", "style", "math"}
        if where and not unread:
            classes = {one for _, found in self.stack for one in found.get("class", "").split()}
            self.pieces.append(Piece(where[0], text, name, frozenset(classes & set(HIDDEN))))

    @staticmethod
    def _place(found: dict[str, str]) -> str | None:
        if found.get("id", "").startswith("stage-"):
            return found["id"].removeprefix("stage-")
        kinds = [kind for kind in BESIDE if kind in found.get("class", "").split()]
        return " ".join([BESIDE[kinds[0]], found.get("data-line", "")]).strip() if kinds else None


@cache
def pieces() -> list[Piece]:
    return Reader(element.player()).pieces


def names() -> set[str]:
    """The values that stand anywhere in the text."""
    return {piece.name for piece in pieces() if piece.name}


def told(state: State, values: dict[str, str]) -> dict[str, str]:
    """What stands in each place, in this state; KeyError for a value that is missing where it is shown."""
    texts: dict[str, str] = {}
    for piece in pieces():
        if not any(HIDDEN[kind](state) for kind in piece.hidden):
            shown = values[piece.name] if piece.name else piece.text
            texts[piece.where] = texts.get(piece.where, "") + shown
    return {
        where: re.sub(r"\s+", " ", re.sub(r"(\s*¶\s*)+", " ¶ ", text))
        for where, text in texts.items()
    }
