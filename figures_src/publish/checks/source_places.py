"""Where the author wrote what a reader sees: from the published text back to a place of the page.

Python-Markdown keeps no line numbers. What is published wrongly stands on the page as it was written,
so it is found again by its words; where the same words stand in several places, by what is around them.
"""

import re
from collections.abc import Sequence
from difflib import SequenceMatcher
from itertools import accumulate

from figures_src.publish import markdown_spans
from figures_src.publish.markup import Piece

from .published_tree import HOLE, SPELT

HIDDEN = ("fence", "code", "comment", "inline", "display")
AROUND = 60  # characters on each side that tell one place from another
SPELLINGS = {"\u00a0": "(?:\u00a0|&nbsp;|&#160;|&#xa0;)", "&": "&(?:amp;)?", "<": "(?:<|&lt;)"}
SPELLINGS |= {">": "(?:>|&gt;)", '"': '(?:"|&quot;)', "\u2030": "(?:\u2030|&permil;)"}
SPELLINGS |= {SPELT: r"\\.", "%": "(?:%|&percnt;|&#37;)"}
# What may stand between two words that a reader sees side by side.
BETWEEN = r"(?:\s|<[^<>]*>|[*_]|\[|\]\([^()]*\)|\{:?[^{}]*\})+"


def _spelt(sign: str) -> str:
    return SPELLINGS.get(sign) or re.escape(sign)


class Origins:
    """The expanded text of a page and, for each of its places, the place on the page.

    text: what Python-Markdown reads. masked: the same, blank where no prose and no HTML is.
    """

    def __init__(self, pieces: Sequence[Piece]) -> None:
        self._pieces = list(pieces)
        ends = list(accumulate(len(piece.text) for piece in self._pieces))
        self._begins = [0, *ends]
        self.text = "".join(piece.text for piece in self._pieces)
        self.masked = "".join(
            markdown_spans.blank(piece.text) if piece.kind in HIDDEN else piece.text
            for piece in self._pieces
        )
        self._given: set[int] = set()

    def forget(self) -> None:
        """Begin anew: no place has been given yet."""
        self._given.clear()

    def place(self, offset: int) -> int:
        """The place on the page of a place of the text."""
        for piece, begin in zip(self._pieces, self._begins, strict=False):
            if begin <= offset < begin + len(piece.text):
                whole = piece.kind == "expression"  # its text is not what the author wrote
                return piece.start if whole else piece.start + offset - begin
        return self._pieces[-1].start if self._pieces else 0

    def find(self, fragment: str, before: str = "", after: str = "") -> int:
        """The place on the page of a published fragment that stands between these texts."""
        offsets = self._offsets(fragment) or self._offsets(before[-AROUND:].split("\n")[-1])
        if not offsets:
            return 0
        fresh = [offset for offset in offsets if offset not in self._given] or offsets
        best = max(fresh, key=lambda offset: self._alike(offset, fragment, before, after))
        self._given.add(best)
        return self.place(best)

    def _offsets(self, fragment: str) -> list[int]:
        known = re.sub(r"[ \t\n]+", " ", max(fragment.split(HOLE), key=len))
        words = known.split()
        while words:
            pattern = BETWEEN.join("".join(map(_spelt, word)) for word in words)
            for text in (self.masked, self.text):
                if found := [at.start() for at in re.finditer(pattern, text)]:
                    return found
            words.pop()  # the rest may be written in some other way
        return []

    def _alike(self, offset: int, fragment: str, before: str, after: str) -> float:
        left = self.text[max(0, offset - AROUND) : offset]
        right = self.text[offset + len(fragment) : offset + len(fragment) + AROUND]
        return (
            SequenceMatcher(None, left, before[-AROUND:], autojunk=False).ratio()
            + SequenceMatcher(None, right, after[:AROUND], autojunk=False).ratio()
        )
