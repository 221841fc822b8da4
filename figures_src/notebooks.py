"""Notebooks as pages: what their text may say, and a light page out of a converted one.

mkdocs-jupyter runs a notebook and converts it: half a megabyte with its own styles, scripts and a
hidden copy of the code. `check` reads the notebook before that, by the rules of pages.py: links,
names of the core, formulas, numbers. A notebook is also opened without the site, so its sentences
hold no {{ … }}, and no number that pages would quote: it prints what it computes. `slim` then takes
out of the converted page only what a reader sees and writes it as the other pages are written.

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
from typing import Any

from bs4 import BeautifulSoup, Tag
from bs4.element import NavigableString

from figures_src import mathml, notebook_drawings, pages, prose_numbers, scan

KEPT = ("notebooks/train-a-tiny-vit.ipynb",)  # not run by the build; make_notebooks.py does it

WEIGHT = re.compile(r"<(script|style)\b.*?</\1>", re.DOTALL)
FORMULA = re.compile(f"{scan.DISPLAY.pattern}|{scan.INLINE.pattern}", re.DOTALL)
# Stands for a formula while the page is parsed: MathML is no HTML and would not stay as it is.
MARK = "\ue000{}\ue001"
MARKS = re.compile(r"<p>\ue000(\d+)\ue001</p>|\ue000(\d+)\ue001")
PAGE_LINK = re.compile(r"(?P<page>[^:#]+)\.(?:md|ipynb)(?P<anchor>#.*)?")
FOLDED = {"answer": "The answer", "drawing": "The code that draws"}
# Code is ink; only these look different in site.css: keywords, comments, strings, new names. `si` is
# the code inside an f-string's braces.
SEEN = re.compile(r"k|kn|kc|ow|nc|nf|c|c1|cm|s(?!i)\w*")


@dataclass(frozen=True)
class Cell:
    """One cell: kind markdown or code, its text, its tags."""

    id: str
    kind: str
    text: str
    tags: tuple[str, ...] = ()


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


class CellError(pages.PageError):
    """A notebook that cannot be built: file, cell and reason."""

    def __init__(self, page: str, place: str, reason: object) -> None:
        Exception.__init__(self, f"docs/{page}, {place}: {reason}")
        self.reason = str(reason)


@dataclass(frozen=True)
class CellSource(pages.Source):
    """A Markdown cell, read as a page is; its faults name the cell."""

    cell: int = field(default=0, kw_only=True)

    def error(self, place: int, reason: object) -> CellError:
        line = scan.line_of(self.text, place)
        return CellError(self.page, f"cell {self.cell}, line {line}", reason)


def read(page: str, source: str) -> Notebook:
    """The notebook at `page`, from the text of its file."""
    held = json.loads(source)
    meta = held["metadata"]
    if held["nbformat"] != 4 or held["nbformat_minor"] < 5:
        raise CellError(page, "format", "takes nbformat 4.5 or later, whose cells have ids")
    for name in ("title", "description"):
        if not meta.get(name):
            raise CellError(page, "metadata", f"has no {name!r}: the page needs one")
    cells = tuple(
        Cell(
            cell["id"],
            cell["cell_type"],
            "".join(cell["source"]),
            tuple(cell["metadata"].get("tags", ())),
        )
        for cell in held["cells"]
    )
    return Notebook(page, meta["title"], meta["description"], cells, meta.get("made_from"))


def check(notebook: Notebook, manifest: dict[str, Any], docs: Path) -> None:
    """CellError at the first fault of the notebook's text."""
    if notebook.page in KEPT and notebook.made_from != notebook.digest():
        stale = "the outputs are not those of the code: run make notebooks"
        raise CellError(notebook.page, "metadata", stale)
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.kind == "code":
            continue
        if cell.kind != "markdown":
            raise notebook.error(number, f"a cell is markdown or code, not {cell.kind}")
        source = CellSource(notebook.page, cell.text, cell=number)
        for span in scan.spans(cell.text):
            text = cell.text[span.start : span.end]
            if span.kind not in ("fence", "code") and scan.EXPRESSION.search(text):
                reason = "{{ … }} means nothing where the notebook is opened without the site"
                raise source.error(span.start, reason)
        for place, bare in prose_numbers.bare_numbers(cell.text):
            raise source.error(place, f"{bare} is quoted: let a code cell compute and print it")
        pages.expand(source, manifest, docs)


def slim(converted: str, notebook: Notebook) -> str:
    """What a reader sees of the converted notebook, as HTML like that of the other pages."""
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
    parts[0] += _download(notebook)
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
    printed = "".join(_only(output, "pre").get_text() for output in outputs)
    # Numbers, which the search index would fill with; a box that a keyboard can scroll.
    box = '<div class="va-printed va-wide-content" tabindex="0" data-search-exclude>'
    return f"\n{box}<pre>{html.escape(printed.rstrip(), quote=False)}</pre></div>"


def _drawn(outputs: Iterable[Tag]) -> str:
    """Drawings that follow one another stand side by side, as far as there is room."""
    addresses = (str(_only(output, "img")["src"]) for output in outputs)
    drawings = "\n".join(map(notebook_drawings.inline, addresses))
    return f'\n<div class="va-drawings" data-search-exclude>\n{drawings}\n</div>'


def _download(notebook: Notebook) -> str:
    name = Path(notebook.page).name
    outputs = "with the outputs shown" if notebook.page in KEPT else "without outputs"
    return (
        f'\n<p class="va-download"><a href="{name}" download>Download the notebook</a>'
        f" (.ipynb, {outputs}) to run it yourself.</p>"
    )
