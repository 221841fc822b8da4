"""Notebooks as pages: what their text may say, and a light page out of a converted one.

mkdocs-jupyter runs a notebook and converts it: half a megabyte with its own styles, scripts and a
hidden copy of the code. checks.py reads the notebook before that, by the rules of pages.
`slim` then takes out of the converted page only what a reader sees and writes it as the other pages
are written.

Notebooks of `KEPT` need torch, which the build does not have: they are committed with the outputs
that `make notebooks` wrote, and converted as they are.
"""

import hashlib
import html
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString

from figures_src.kit import mathml
from figures_src.publish import markdown_spans, markup, page_files

from . import drawings as notebook_drawings

KEPT = ("notebooks/train-a-tiny-vit.ipynb",)  # not run by the build; by_hand/notebooks.py does it

WEIGHT = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)
FORMULA = re.compile(f"{markdown_spans.DISPLAY.pattern}|{markdown_spans.INLINE.pattern}", re.DOTALL)
# Stands for a formula while the page is parsed: MathML is no HTML and would not stay as it is.
MARK = "\ue000{}\ue001"
MARKS = re.compile(r"<p>\ue000(\d+)\ue001</p>|\ue000(\d+)\ue001")
PAGE_LINK = re.compile(r"(?P<page>[^:#]+)\.(?:md|ipynb)(?P<anchor>#.*)?")
FOLDED = {"answer": "The answer", "drawing": "The code that draws"}
# Code is ink; only these look different in site.css: keywords, comments, strings, new names. `si` is
# the code inside an f-string's braces.
CELL, LINE = re.compile(r"cell (\d+)"), re.compile(r"line (\d+)")
SEEN = re.compile(r"k|kn|kc|ow|nc|nf|c|c1|cm|s(?!i)\w*")


@dataclass(frozen=True)
class Cell:
    """One cell: kind markdown or code, its text, its tags, and whether the file holds its outputs."""

    id: str
    kind: str
    text: str
    tags: tuple[str, ...] = ()
    ran: bool = False


@dataclass(frozen=True)
class Notebook:
    """A notebook's source. page: its path from docs. Cells count from 1.

    made_from: the digest of the code that the kept outputs belong to, if it keeps any.
    """

    page: str
    title: str
    description: str
    cells: tuple[Cell, ...]
    made_from: str | None = None

    def digest(self) -> str:
        """What stands for the code of this notebook; it changes with every character of it."""
        code = [cell.text for cell in self.cells if cell.kind == "code"]
        return hashlib.sha256(json.dumps(code).encode()).hexdigest()[:16]

    def error(self, cell: int, reason: object) -> "CellError":
        return CellError(self.page, f"cell {cell}", reason)


class CellError(markup.PageError):
    """A notebook that cannot be built: file, cell and reason."""

    def __init__(self, page: str, place: str, reason: object) -> None:
        Exception.__init__(self, f"docs/{page}, {place}: {reason}")
        self.reason = str(reason)
        cell, line = (
            int(found[1]) if found else 0 for found in (CELL.search(place), LINE.search(place))
        )
        self.order = (page, cell, line)


class LineError(CellError):
    """A file that is no notebook: file, line and reason. Line 0 is the file as a whole."""

    def __init__(self, page: str, line: int, reason: str) -> None:
        markup.PageError.__init__(self, page, line, reason)


@dataclass(frozen=True)
class CellSource(markup.Source):
    """A Markdown cell, read as a page is; its faults name the cell."""

    cell: int = field(default=0, kw_only=True)

    def error(self, place: int, reason: object) -> CellError:
        line = markdown_spans.line_of(self.text, place)
        return CellError(self.page, f"cell {self.cell}, line {line}", reason)


def read(page: str, source: str) -> Notebook:
    """The notebook at `page`, from the text of its file; CellError in one sentence where it is none."""
    for line, reason in page_files.conflicts(source):
        raise LineError(page, line, reason)
    if source.startswith("\ufeff"):
        raise LineError(page, 1, "begins with a byte order mark: save it as UTF-8 without one")
    if not source.strip():
        raise LineError(page, 0, "is empty: a notebook has cells")
    try:
        held = json.loads(source)
    except json.JSONDecodeError as error:
        raise LineError(page, error.lineno, f"is no notebook: {error.msg}") from None
    if not isinstance(held, dict) or "nbformat" not in held:
        raise LineError(page, 0, "is no notebook: it has no nbformat")
    meta = held.get("metadata", {})
    if held["nbformat"] != 4 or held.get("nbformat_minor", 0) < 5:
        raise CellError(page, "format", "takes nbformat 4.5 or later, whose cells have ids")
    for name in ("title", "description"):
        if not meta.get(name):
            raise CellError(page, "metadata", f"has no {name!r}: the page needs one")
    if not held.get("cells"):
        raise LineError(page, 0, "has no cells: write one, or take the page away")
    cells = tuple(
        Cell(
            cell["id"],
            cell["cell_type"],
            "".join(cell["source"]),
            tuple(cell["metadata"].get("tags", ())),
            bool(cell.get("outputs")) or cell.get("execution_count") is not None,
        )
        for cell in held["cells"]
    )
    return Notebook(page, meta["title"], meta["description"], cells, meta.get("made_from"))


def slim(converted: str, notebook: Notebook, wheel: str) -> str:
    """What a reader sees of the converted notebook, as HTML like that of the other pages.

    wheel: the file of the core beside the pages, for a notebook that imports it.
    """
    soup = BeautifulSoup(WEIGHT.sub("", converted), "html.parser")
    parts = []
    for number, cell in enumerate(notebook.cells, start=1):
        found = soup.find(id=f"cell-id={cell.id}")
        if not isinstance(found, Tag):
            raise notebook.error(number, "is not in the converted page: has its markup changed?")
        write = _text if cell.kind == "markdown" else _code
        try:
            parts.append(write(found, cell))
        except ValueError as error:
            raise notebook.error(number, error) from error
    parts[0] += _download(notebook, wheel)
    return "\n".join(parts) + "\n"


def _only(found: Tag, selector: str) -> Tag:
    matches = found.select(selector)
    if len(matches) != 1:
        raise ValueError(f"has {len(matches)} {selector} in the converted page, takes one")
    return matches[0]


def _text(found: Tag, cell: Cell) -> str:
    """A Markdown cell: links to pages, links to headings and formulas as on the other pages."""
    written = _only(found, ".jp-RenderedMarkdown")
    for link in written.select("a[href]"):
        if "anchor-link" in link.get_attribute_list("class"):
            link["class"], link["title"] = "headerlink", "Link to this section"
        elif page := PAGE_LINK.fullmatch(str(link["href"])):
            link["href"] = f"{page['page']}.html{page['anchor'] or ''}"
    formulas: list[str] = []
    for text in written.find_all(string=True):
        if "$" in text and not text.find_parent(["code", "pre"]):
            text.replace_with(NavigableString(_marked(text, formulas)))
    return MARKS.sub(lambda m: formulas[int(m[1] or m[2])], written.decode_contents().strip())


def _marked(text: str, formulas: list[str]) -> str:
    """The text with a mark for each formula, which goes to the list."""

    def mark(found: re.Match[str]) -> str:
        display = found[0].startswith("$$")
        formulas.append(mathml.element(found[0].strip("$"), display=display))
        return MARK.format(len(formulas) - 1)

    marked = FORMULA.sub(mark, text)
    if "$" in marked:
        raise ValueError(f"a $ is left over: {marked.strip()}")
    return marked


def _code(found: Tag, cell: Cell) -> str:
    """A code cell and what it printed or drew, folded if a tag says so."""
    code = _only(found, ".highlight-ipynb > pre")
    for span in code.select("span"):
        kind = " ".join(span.get_attribute_list("class"))
        if not SEEN.fullmatch(kind):
            span.unwrap()
    part = f'<div class="highlight"><pre><code>{code.decode_contents()}</code></pre></div>'
    for kind, group in groupby(found.select(".jp-OutputArea-output"), key=_kind):
        write = _drawn if kind == "image/svg+xml" else _printed
        part += write(group)
    for tag, summary in FOLDED.items():
        if tag in cell.tags:
            return f"<details>\n<summary>{summary}</summary>\n{part}\n</details>"
    return part


def _kind(output: Tag) -> str:
    """Printed or drawn; widgets and warnings have no place on the page."""
    kind = str(output.get("data-mime-type"))
    if kind not in ("text/plain", "image/svg+xml"):
        raise ValueError(f"has an output of {kind}: {output.get_text().strip()[:200]}")
    return kind


def _printed(outputs: Iterable[Tag]) -> str:
    """What a cell prints at once may come in several pieces: nothing may stand between them."""
    printed = _last_state("".join(_only(output, "pre").get_text() for output in outputs))
    # Numbers, which the search index would fill with; a box that a keyboard can scroll.
    box = '<div class="va-printed va-wide-content" tabindex="0" data-search-exclude>'
    return f"\n{box}<pre>{html.escape(printed.rstrip(), quote=False)}</pre></div>"


def _last_state(printed: str) -> str:
    """What a terminal shows in the end: after a \r a progress line is written over from its start."""
    lines = []
    for line in printed.split("\n"):
        shown = ""
        for state in line.split("\r"):
            shown = state + shown[len(state) :]
        lines.append(shown.rstrip() if "\r" in line else line)
    return "\n".join(lines)


def _drawn(outputs: Iterable[Tag]) -> str:
    """Drawings that follow one another stand side by side, as far as there is room."""
    addresses = (str(_only(output, "img")["src"]) for output in outputs)
    drawings = "\n".join(map(notebook_drawings.inline, addresses))
    return f'\n<div class="va-drawings" data-search-exclude>\n{drawings}\n</div>'


def _download(notebook: Notebook, wheel: str) -> str:
    name = Path(notebook.page).name
    outputs = "with the outputs shown" if notebook.page in KEPT else "without outputs"
    imports = any(markup.IMPORTS_CORE.search(cell.text) for cell in notebook.cells)
    core = f' It imports the core: <code>pip install</code> <a href="../{wheel}">{wheel}</a>.'
    return (
        f'\n<p class="va-download"><a href="{name}" download>Download the notebook</a>'
        f" (.ipynb, {outputs}) to run it yourself.{core * imports}</p>"
    )
