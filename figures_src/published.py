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
from markdown import Markdown
from mkdocs.utils import yaml_load

SETTINGS = Path(__file__).resolve().parents[1] / "mkdocs.yml"
GIVEN_BY_MKDOCS = ("toc", "tables", "fenced_code")
HOLE = "\ufffc"  # stands in a text for what is no prose: code, a formula, a quoted number
SPELT = "\ufffb"  # stands for a sign that the author wrote with a backslash: meant as it is
_ESCAPED = re.compile("\x02\\d+\x03")
NO_PROSE = "pre, code, .arithmatex, .fact, .va-generated, script, style, kbd, samp"
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
    """A page's tree, and the table rows that do not fit."""

    tree: BeautifulSoup
    rows: tuple[Row, ...]


@cache
def _markdown() -> Markdown:
    names, settings = list(GIVEN_BY_MKDOCS), {}
    for entry in yaml_load(SETTINGS.read_text(encoding="utf-8"))["markdown_extensions"]:
        given: dict[str, Any] = {entry: {}} if isinstance(entry, str) else entry
        for name, options in given.items():
            if name != "figures_src.mathml":
                names += [name] * (name not in names)
                settings[name] = options or {}
    settings["pymdownx.highlight"] = {"use_pygments": False}
    made = Markdown(extensions=names, extension_configs=settings)
    # Its last step writes escaped signs as themselves: then `\*` could not be told from `*`.
    made.treeprocessors.deregister("unescape")
    table = made.parser.blockprocessors["table"]
    table._build_row = _counting(table)
    made.va_rows = []
    return made


def _counting(table: Any) -> Any:
    """The table's own method, which also remembers the rows with another number of cells."""
    build = table._build_row

    def build_row(row: str, parent: Any, align: list[str | None]) -> None:
        cells = len(table._split_row(row))
        if cells != len(align):
            _markdown().va_rows.append(Row(row, cells, len(align)))
        build(row, parent, align)

    return build_row


def read(text: str) -> Page:
    """Return what is published of a page's Markdown."""
    made = _markdown()
    made.reset()
    made.va_rows = []
    html = _ESCAPED.sub(SPELT, made.convert(text))
    return Page(BeautifulSoup(html, "html.parser"), tuple(made.va_rows))


@dataclass(frozen=True)
class Text:
    """The prose of one block: an element's text without that of the blocks in it."""

    element: Tag
    text: str


def texts(tree: BeautifulSoup) -> Iterator[Text]:
    """Yield the prose of every block, in the order of the page."""
    for element in [tree, *tree.find_all(True)]:
        if element.name in BLOCKS and not _is_no_prose(element):
            for text in "".join(_own(element)).split("\x00"):
                if text.strip():
                    yield Text(element, text)


def _is_no_prose(element: Tag) -> bool:
    return element.css.match(NO_PROSE) or bool(element.css.closest(NO_PROSE))


def _own(element: Tag) -> Iterator[str]:
    for child in element.children:
        if isinstance(child, Tag):
            if child.name in BLOCKS:
                yield "\x00"
            elif "headerlink" in child.get_attribute_list("class"):
                continue
            elif child.css.match(NO_PROSE):
                yield HOLE
            elif child.name == "br":
                yield "\n"
            else:
                yield from _own(child)
        elif type(child) is NavigableString:  # no comment
            yield str(child)


def ids(tree: BeautifulSoup) -> list[str]:
    """Return the anchors of a page, in its order."""
    return [str(element["id"]) for element in tree.find_all(id=True)]
