"""Marks of Markdown that a reader would see: the parser took them for text, and says nothing.

Looked for in the published tree, never in the author's Markdown: what is rendered is not found there.
"""

import re
from collections.abc import Iterator

from bs4 import BeautifulSoup

from . import published_tree
from .published_tree import HOLE

OPEN = re.compile(r"\{\{[^{}\n]*")
ITEM = r"[ \t]{0,3}(?:[-*+]|\d+[.)])[ \t]+\S.*"
LIST = re.compile(rf"^{ITEM}(?:\n{ITEM})*", re.MULTILINE)
# In this order: of two that begin at the same place the first is told.
SLIPS: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.MULTILINE), reason)
    for pattern, reason in (
        (OPEN.pattern, "{{ is not closed by }}"),
        (
            r"\{:?\s*[.#][^{}\n]*\}",
            "an attribute list that belongs to nothing: it stands right behind a word in *…* or a heading",
        ),
        (r"[{}][^{}\n]*\}?", "a brace is published as text: a figure is {{ figure name }}"),
        (r"\[\^[^\]\n]+\]", "a footnote that is not defined: write [^name]: … below"),
        (r"\[[^\[\]\n]*\]\[[^\[\]\n]*\]", "a link whose address is not defined"),
        (r"!?\[[^\[\]\n]*\]\([^()\n]*\)?", "a link that is published as text"),
        (r"\[[^\[\]\n]*\]\s+\([^()\s]+\.md[^()\n]*\)", "a link that is published as text"),
        (r"https?://\S+", "an address that is no link: write <…> around it, or [words](…)"),
        (r"^(?:!!!|\?\?\?\+?|===)(?=\s|$).*", "a box that is not read: it needs a blank line above"),
        (LIST.pattern, "a list that is not read: it needs a blank line above"),
        (r"^[ \t]*\|.*(?:\n[ \t]*\|.*)*", "a table that is not read: a blank line above, and | --- |"),
        (r"^#{1,6}[ \t].*", "a heading that is not read"),
        (r"(?:```|~~~).*", "a fence that is not read"),
        (r"`[^`\n]*`?", "a backtick is published as text"),
        (
            r"\*+(?=\S)[^*\n]*\*+|(?<=\S)\*+|\*+(?=\S)",
            "an asterisk is published as text: its partner is missing, or the element around it"
            " lacks `markdown`",
        ),
        (r"(?<!\w)_+\S[^_\n]*\S_+(?!\w)", "underscores are published as text"),
        (
            r"\$(?!\d+(?:[.,]\d+)*(?![\w$^_\\]))[^$\n]*\$?",
            "a $ that opens no formula: write \\$ for the sign",
        ),
        (
            r"~~\S|==\S[^=\n]*==|\^\^\S|\+\+\S[^+\n]*\+\+|(?<=\w)([~^])[^\s~^]{1,12}\1"
            r"|(?<![\w:]):[a-z][a-z_]+:(?![\w:])|^-+8<-+.*|\[\[[^\[\]\n]+\]\]|^\[[ xX]\][ \t]|\\$",
            "a mark of another Markdown is published as text",
        ),
        (r"\\[A-Za-z]+", "a command of LaTeX outside a formula: write $…$"),
        (r"\b(?:TODO|FIXME|XXX|TBD)\b|\b[Ll]orem ipsum\b", "a note to oneself is published"),
        (r"(?i:\b(?!(?:had|is|not|that)\b)([a-z]{2,})\s+\1\b)", "a word that stands twice"),
        (r"^:[ \t]+\S.*", "a definition list is not read here"),
    )
)  # fmt: skip


def slips(tree: BeautifulSoup) -> Iterator[tuple[published_tree.Text, int, int, str]]:
    """(text, start, end, reason) of every mark that is published as text."""
    for block in published_tree.texts(tree):
        taken: list[tuple[int, int]] = []
        heading = re.fullmatch("h[1-6]", block.element.name)
        for pattern, reason in SLIPS:
            for found in pattern.finditer(block.text):
                if any(a < found.end() and found.start() < b for a, b in taken):
                    continue
                if heading and pattern is LIST:
                    continue  # its number
                taken.append(found.span())
                yield block, found.start(), found.end(), f"{reason}: {_shown(found[0])}"


def _shown(text: str) -> str:
    line = " ".join(text.splitlines()[0].replace(HOLE, "…").split())
    return line if len(line) <= 60 else line[:57] + "…"
