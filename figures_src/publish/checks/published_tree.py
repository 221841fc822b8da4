"""What Python-Markdown makes of a page: the tree that the checks of its text look at.

The site is rendered by Python-Markdown, so its own parsers tell what a reader will see; another
Markdown parser would tell what the author meant. The same extensions as in mkdocs.yml, but for what
only colours: code stays plain and formulas stay LaTeX.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, NavigableString, Tag
from bs4.element import PageElement
from markdown import Markdown
from mkdocs.utils import yaml_load

SETTINGS = Path(__file__).resolve().parents[3] / "mkdocs.yml"
GIVEN_BY_MKDOCS = ("toc", "tables", "fenced_code")
HOLE = "\ufffc"  # stands in a text for what is no prose: code, a formula, a quoted number
SPELT = "\ufffb"  # stands for a sign that the author wrote with a backslash: meant as it is
ADDRESS = re.compile(r"https?://|mailto:")
_ESCAPED = re.compile("\x02\\d+\x03")
NO_PROSE = {"pre", "code", "kbd", "samp", "script", "style"}  # elements, and classes:
NO_PROSE_CLASSES = {"arithmatex", "fact", "headerlink"}
_BLOCKS = """
    [document] address article aside blockquote caption dd details div dl dt figcaption figure footer h1 h2
    h3 h4 h5 h6 header li main nav ol p pre section summary table tbody td tfoot th thead tr ul
"""
BLOCKS = frozenset(_BLOCKS.split())


@dataclass(frozen=True)
class Row:
    """A row of a table that has not as many cells as its head, as the author wrote it."""

    text: str
    cells: int
    columns: int


@dataclass(frozen=True)
class Page:
    """A page's tree, the table rows that do not fit, and list items that are not where they seem."""

    tree: BeautifulSoup
    rows: tuple[Row, ...]
    items: tuple[str, ...]
    underlined: tuple[str, ...] = ()  # words above a line of --- or ===, which makes them a heading


@cache
def _markdown() -> Markdown:
    names, settings = list(GIVEN_BY_MKDOCS), {}
    for entry in yaml_load(SETTINGS.read_text(encoding="utf-8"))["markdown_extensions"]:
        given: dict[str, Any] = {entry: {}} if isinstance(entry, str) else entry
        for name, options in given.items():
            if name != "figures_src.kit.mathml":
                names += [name] * (name not in names)
                settings[name] = options or {}
    settings["pymdownx.highlight"] = {"use_pygments": False}
    made = Markdown(extensions=names, extension_configs=settings)
    # Its last step writes escaped signs as themselves: then `\*` could not be told from `*`.
    made.treeprocessors.deregister("unescape")
    table = made.parser.blockprocessors["table"]
    table._build_row = _counting(table)
    for name in ("ulist", "olist"):
        _watching(made.parser.blockprocessors[name])
    _keeping_headings(made, made.parser.blockprocessors["setextheader"])
    made.va_rows, made.va_items, made.va_underlined = [], [], []
    return made


def _keeping_headings(made: Any, underlined: Any) -> None:
    """Make the parser remember the words that the line below them makes a heading."""
    run = underlined.run

    def run_and_keep(parent: Any, blocks: list[str]) -> Any:
        made.va_underlined.append(blocks[0].split("\n")[0].strip())
        return run(parent, blocks)

    underlined.run = run_and_keep


def _counting(table: Any) -> Any:
    """The table's own method, which also remembers the rows with another number of cells."""
    build = table._build_row

    def build_row(row: str, parent: Any, align: list[str | None]) -> None:
        cells = len(table._split_row(row))
        if cells != len(align):
            _markdown().va_rows.append(Row(row, cells, len(align)))
        build(row, parent, align)

    return build_row


def _watching(items: Any) -> None:
    """Make a list's own method remember the items that are indented and yet no list of their own."""
    split = items.get_items

    def get_items(block: str) -> list[str]:
        lines = [line for line in block.split("\n") if items.CHILD_RE.match(line)]
        least = min((_indent(line) for line in lines), default=0)
        _markdown().va_items.extend(line for line in lines if _indent(line) > least)
        return list(split(block))

    items.get_items = get_items


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" "))


def read(text: str) -> Page:
    """Return what is published of a page's Markdown."""
    made = _markdown()
    made.reset()
    made.va_rows, made.va_items, made.va_underlined = [], [], []
    html = _ESCAPED.sub(SPELT, made.convert(text))
    watched = (made.va_rows, made.va_items, made.va_underlined)
    return Page(BeautifulSoup(html, "html.parser"), *map(tuple, watched))


@dataclass(frozen=True)
class Text:
    """The prose of one block: an element's text without that of the blocks in it."""

    element: Tag
    text: str


def texts(tree: Tag) -> Iterator[Text]:
    """Yield the prose of every block, in the order of the page."""
    pending = ""
    for child in tree.children:
        if not (isinstance(child, Tag) and _holds_blocks(child)):
            pending += _prose(child)
            continue
        if pending.strip():
            yield Text(tree, pending)
        pending = ""
        yield from texts(child)
    if pending.strip():
        yield Text(tree, pending)


def _holds_blocks(element: Tag) -> bool:
    return not _is_no_prose(element) and (
        element.name in BLOCKS or any(inner.name in BLOCKS for inner in element.find_all(True))
    )


def _is_no_prose(element: Tag) -> bool:
    classes = element.get_attribute_list("class")
    return element.name in NO_PROSE or not NO_PROSE_CLASSES.isdisjoint(classes)


def _prose(child: PageElement) -> str:
    """The text of what stands in a line, with holes for what is no prose."""
    if not isinstance(child, Tag):
        return str(child) if type(child) is NavigableString else ""  # no comment
    if child.name == "br":
        return "\n"
    if _is_no_prose(child):
        return "" if "headerlink" in child.get_attribute_list("class") else HOLE
    words = "".join(map(_prose, child.children))
    if child.name == "a" and ADDRESS.match(words):
        return HOLE  # an address that is its own words
    return words


def ids(tree: BeautifulSoup) -> list[str]:
    """Return the anchors of a page, in its order."""
    return [str(element["id"]) for element in tree.find_all(id=True)]
