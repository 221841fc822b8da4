"""The list of pages in mkdocs.yml: every page and notebook stands in it once, and every entry is one."""

from collections.abc import Iterator
from pathlib import Path

import yaml

from figures_src.publish import page_files
from figures_src.publish.page_faults import PageError
from figures_src.publish.quoted_numbers import near

SETTINGS = "mkdocs.yml"


class NavError(PageError):
    """A fault of the navigation, told at its line of mkdocs.yml."""

    folder = ""


def faults(docs: Path) -> Iterator[PageError]:
    """Yield what the navigation beside `docs` lacks, names wrongly or names twice."""
    settings = docs.parent / SETTINGS
    if not settings.is_file():
        return
    root = yaml.compose(settings.read_text(encoding="utf-8"), Loader=yaml.SafeLoader)
    nav = next((value for name, value in root.value if name.value == "nav"), None)
    there = {
        path.relative_to(docs).as_posix()
        for pattern in ("*.md", "*.ipynb")
        for path in page_files.published(docs, pattern)
    }
    seen: set[str] = set()
    for entry in _entries(nav) if nav else ():
        line, page = entry.start_mark.line + 1, str(entry.value)
        if "://" in page:
            continue
        if page not in there:
            reason = f"nav: there is no page {page!r}: there is {near(page, there)}"
            yield NavError(SETTINGS, line, reason)
        elif page in seen:
            yield NavError(SETTINGS, line, f"nav: {page} stands here and above")
        seen.add(page)
    for page in sorted(there - seen) if nav else ():
        reason = f"no line of nav leads here: write one in {SETTINGS}, as - Its title: {page}"
        yield PageError(page, 0, reason)


def _entries(node: yaml.Node) -> Iterator[yaml.ScalarNode]:
    if isinstance(node, yaml.ScalarNode):
        yield node
    elif isinstance(node, yaml.MappingNode):
        for _, value in node.value:
            yield from _entries(value)
    elif isinstance(node, yaml.SequenceNode):
        for inner in node.value:
            yield from _entries(inner)
