"""Reads a built page as a browser would find it: ids, addresses, text, what is fetched."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from html.parser import HTMLParser
from pathlib import Path

HIDDEN_TEXT = {"script", "style", "code", "pre", "title"}
VOID = {"meta", "link", "input", "img", "br", "hr", "source", "wbr", "area", "base", "col", "embed"}


@dataclass
class PageRead(HTMLParser):
    """One page. links: (line, address) of a; fetched: (tag, address) of what loads by itself."""

    path: Path
    ids: list[str] = field(default_factory=list)
    links: list[tuple[int, str]] = field(default_factory=list)
    fetched: list[tuple[str, str]] = field(default_factory=list)
    prose: list[str] = field(default_factory=list)
    unindexed: list[str] = field(default_factory=list)
    metas: dict[str, str] = field(default_factory=dict)
    letters: list[tuple[str, str]] = field(default_factory=list)
    headings: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        super().__init__()
        self._open: list[tuple[str, dict[str, str]]] = []
        self.feed(self.path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attrs}
        if "id" in given:
            self.ids.append(given["id"])
        if tag == "a" and given.get("href"):
            self.links.append((self.getpos()[0], given["href"]))
        elif tag == "meta":
            self.metas[given.get("name") or given.get("property", "")] = given.get("content", "")
        elif not (tag == "link" and given.get("rel") in ("canonical", "prev", "next")):
            for name in ("src", "href", "poster", "data", "srcset", "xlink:href"):
                if given.get(name):
                    self.fetched.append((tag, given[name]))
        if tag in ("h1", "h2", "h3"):
            self.headings.append(tag)
        if tag not in VOID:
            self._open.append((tag, given))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not data.strip():
            return
        if self._open and self._open[-1][0] == "mi":
            self.letters.append((data.strip(), self._open[-1][1].get("class", "")))
        if any("data-search-exclude" in given for _, given in self._open):
            self.unindexed.append(data.strip())
        if not any(tag in HIDDEN_TEXT for tag, _ in self._open):
            self.prose.append(data)


@lru_cache
def read(path: Path) -> PageRead:
    return PageRead(path)


def html_pages(site: Path) -> list[Path]:
    return sorted(site.rglob("*.html"))


def pages_of(folder: Path) -> Iterator[tuple[str, PageRead]]:
    """Every page below a folder, with its address in it."""
    for path in html_pages(folder):
        yield path.relative_to(folder).as_posix(), PageRead(path)
