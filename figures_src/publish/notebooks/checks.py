"""All faults of all notebooks, before the first is run: by the rules of pages, cell by cell.

A notebook is also opened without the site, so its sentences hold no {{ … }}, and no number that pages
would quote: it prints what it computes. Its Markdown is rendered by nbconvert, so that is the tree that
is looked at, not Python-Markdown's.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup, NavigableString

from figures_src.publish import links, markdown_spans, markup, page_files
from figures_src.publish.checks import bare_numbers, markdown_slips, published_tree
from figures_src.publish.checks.source_places import Origins
from figures_src.publish.page_faults import PageError

from . import pages as notebooks
from .pages import CellSource, Notebook

# Counted by the core or a registry. Its own rows, heads and the like a notebook shows in its cells.
OTHERS = "stage bug photograph chart page question"


def faults(docs: Path, manifest: dict[str, Any], site: links.Site) -> list[PageError]:
    """Return every fault of every notebook under docs."""
    told: list[PageError] = []
    for path in page_files.published(docs, "*.ipynb"):
        page = path.relative_to(docs).as_posix()
        try:
            notebook = notebooks.read(page, page_files.text_of(path, docs, mark=True))
        except PageError as error:
            told.append(error)
        else:
            told += of(notebook, manifest, site)
    return told


def of(notebook: Notebook, manifest: dict[str, Any], site: links.Site) -> Iterator[PageError]:
    """Yield every fault of one notebook."""
    kept = notebook.page in notebooks.KEPT
    if kept and notebook.made_from != notebook.digest():
        stale = "the outputs are not those of the code: run make notebooks"
        yield notebooks.CellError(notebook.page, "metadata", stale)
    for text in (notebook.title, notebook.description):
        for _, typed in (*bare_numbers.bare(text), *bare_numbers.counts(text)):
            reason = f"{typed}: no such number in title or description"
            yield notebooks.CellError(notebook.page, "metadata", reason)
    for number, cell in enumerate(notebook.cells, start=1):
        if cell.kind not in ("code", "markdown"):
            yield notebook.error(number, f"a cell is markdown or code, not {cell.kind}")
        elif cell.kind == "code" and cell.ran and not kept:
            reason = "holds outputs, which the build makes anew: clear all outputs and save"
            yield notebook.error(number, reason)
        elif cell.kind == "markdown":
            yield from _of_text(CellSource(notebook.page, cell.text, cell=number), manifest, site)


def _of_text(source: CellSource, manifest: dict[str, Any], site: links.Site) -> Iterator[PageError]:
    alone = True
    for span in markdown_spans.spans(source.text):
        text = source.text[span.start : span.end]
        if span.kind not in ("fence", "code") and markdown_spans.EXPRESSION.search(text):
            alone = False
            reason = "{{ … }} means nothing where the notebook is opened without the site"
            yield source.error(span.start, reason)
    if not alone:
        return
    pieces, wrong = markup.expanded(source, manifest)
    yield from wrong
    origins = Origins(pieces)
    tree = _tree(origins.text)
    for block, start, end, reason in markdown_slips.slips(tree):
        fragment, *around = block.text[start:end], block.text[:start], block.text[end:]
        yield source.error(origins.find(fragment, *around), reason)
    for block in published_tree.texts(tree):
        for number in (bare_numbers.bare(block.text), bare_numbers.counts(block.text, OTHERS)):
            for place, bare in number:
                at = origins.find(bare, block.text[:place], block.text[place + len(bare) :])
                reason = f"{bare} is quoted: let a code cell compute and print it"
                yield source.error(at, reason)
    for link in tree.select("a[href]"):
        if "anchor-link" not in link.get_attribute_list("class"):
            try:
                site.check(str(link["href"]), source.page)
            except ValueError as error:
                yield source.error(origins.find(str(link["href"]), link.get_text()), error)


def _tree(text: str) -> BeautifulSoup:
    """What nbconvert makes of a cell, its formulas as holes: they are looked at by themselves."""
    from nbconvert.filters.markdown_mistune import markdown2html_mistune  # slow to import

    tree = BeautifulSoup(markdown2html_mistune(text), "html.parser")
    for found in tree.find_all(string=notebooks.FORMULA):
        if not found.find_parent(["code", "pre"]):
            found.replace_with(NavigableString(notebooks.FORMULA.sub(published_tree.HOLE, found)))
    return tree
