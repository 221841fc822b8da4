"""HTML that an author writes into a page, read by Python's own HTML parser.

Python-Markdown closes what is left open, somewhere, and publishes scripts; a browser repairs the rest
in its own way. Here each element has to be one that belongs into prose, closed where it was opened.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from html.entities import html5
from html.parser import HTMLParser

VOID = {"br", "hr", "img", "wbr"}
PROSE = """
    a abbr aside b blockquote cite code dd del details dfn div dl dt em figcaption figure h1 h2 h3 h4 h5 h6
    i ins kbd li mark ol p pre q s samp section small span strong sub summary sup table tbody td tfoot th
    thead time tr u ul var
"""
ALLOWED = VOID | set(PROSE.split())
# What stands in a line of text ends with its paragraph.
IN_LINE = """
    a abbr b cite code del dfn em i ins kbd mark q s samp small span strong sub sup time u var
"""
SIGN = re.compile(r"&([A-Za-z][A-Za-z0-9]*;)")
BLANK_LINE = re.compile(r"\n[ \t]*\n")


@dataclass(frozen=True)
class Tag:
    """One tag of a text: its place, its length, its name and attributes."""

    start: int
    length: int
    name: str
    given: dict[str, str | None] = field(default_factory=dict)


class _Reader(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[Tag] = []
        self.open: list[Tag] = []
        self.faults: list[tuple[Tag, str]] = []
        self._text = text
        self._lines = [0, *(n + 1 for n, sign in enumerate(text) if sign == "\n")]
        self.feed(text)
        self.close()
        for tag in self.open:
            self._unclosed(tag)

    def set_cdata_mode(self, *_: object, **__: object) -> None:
        """What follows `<script>` is read on: a fault must not hide the next."""

    def _place(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

    def handle_starttag(self, name: str, attrs: list[tuple[str, str | None]]) -> None:
        if ":" in name or "@" in name:
            return  # an address in angle brackets
        tag = Tag(self._place(), len(self.get_starttag_text() or ""), name, dict(attrs))
        self.tags.append(tag)
        if name not in ALLOWED:
            self.faults.append((tag, f"<{name}> is no element that a page may hold"))
        for attribute in tag.given:
            if attribute.startswith("on"):
                self.faults.append((tag, f"{attribute}= is a script: a page holds none"))
        if name in ALLOWED - VOID:
            self.open.append(tag)

    def handle_startendtag(self, name: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(name, attrs)  # HTML knows `/>` for void elements alone

    def handle_endtag(self, name: str) -> None:
        start = self._place()
        tag = Tag(start, self._text.find(">", start) + 1 - start, name)
        if name not in ALLOWED:
            self.faults.append((tag, ""))  # told where it was opened
        elif name in [opened.name for opened in self.open]:
            while (opened := self.open.pop()).name != name:
                self._unclosed(opened)
        elif name not in VOID:
            self.faults.append((tag, f"</{name}> closes nothing"))

    def handle_data(self, data: str) -> None:
        if BLANK_LINE.search(data):
            for tag in [tag for tag in self.open if tag.name in IN_LINE.split()]:
                self._unclosed(tag)
                self.open.remove(tag)

    def _unclosed(self, tag: Tag) -> None:
        self.faults.append((tag, f"<{tag.name}> is not closed: write </{tag.name}> where it ends"))


@dataclass(frozen=True)
class Elements:
    """The tags of a text and what is wrong with them; a fault without words only takes its tag out."""

    tags: list[Tag]
    faults: list[tuple[Tag, str]]


def read(text: str) -> Elements:
    """Return the tags of a text whose code, closed comments and formulas are blank."""
    comments = [Tag(found.start(), 4, "!--") for found in re.finditer("<!--", text)]
    found = _Reader(without(text, comments))
    unclosed = [(tag, "a comment that is not closed: write -->") for tag in comments]
    unknown = [
        (Tag(sign.start(), len(sign[0]), sign[0]), f"HTML knows no sign {sign[0]}")
        for sign in SIGN.finditer(text)
        if sign[1] not in html5
    ]
    return Elements(found.tags, found.faults + unclosed + unknown)


def without(text: str, tags: Iterable[Tag]) -> str:
    """Return the text, these tags blank, so that what follows them is read as the author meant it."""
    for tag in tags:
        end = tag.start + tag.length
        text = text[: tag.start] + " " * (end - tag.start) + text[end:]
    return text
