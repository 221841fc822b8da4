"""All faults of all pages, before the first is built: each with its file, its line and what to do.

A page is expanded (markup.py), its own HTML is read (html_elements.py), and what Python-Markdown makes of it
(published_tree.py) is looked through by page_rules.py. A fault is found in what is published and told where
it was written.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from mkdocs.utils.meta import YAML_RE

from figures_src.publish import (
    front_matter,
    links,
    markdown_spans,
    markup,
    page_files,
    quoted_numbers,
)
from figures_src.publish.code import outputs
from figures_src.publish.notebooks import checks
from figures_src.publish.page_faults import PageError

from . import bare_numbers, navigation, page_rules, published_tree

ROOT = Path(__file__).resolve().parents[3]  # the core that the code on the pages imports


@dataclass(frozen=True)
class _Asked(markup.Source):
    """The text of an exercise; its faults are told where a page asks it."""

    asker: markup.Source | None = None
    place: int = 0
    id: str = ""

    def error(self, place: int, reason: object) -> PageError:
        assert self.asker is not None
        return self.asker.error(self.place, f"exercise {self.id!r}: {reason}")


def faults(docs: Path, manifest: dict[str, Any], build: Path | None = None) -> list[PageError]:
    """Return every fault of every page and notebook; `build` holds the files that figures_src made."""
    heavy = page_files.heavy_pictures(docs)
    told = [PageError(name, 0, reason) for name, reason in heavy.items()]
    read: list[page_rules.Read] = []
    for path in page_files.published(docs, "*.md"):
        source = _source(path, docs, manifest, told)
        read += _read_once(source, manifest, told) if source else []
    anchors: dict[str, list[str]] = {}
    for one in read:
        anchors.setdefault(one.source.page, []).extend(_anchors(one, manifest))
    site = links.Site(docs, anchors, [docs, *([build] if build else [])], heavy)
    for one in read:
        told += page_rules.faults(one, site)
    told += navigation.faults(docs)
    return told + checks.faults(docs, manifest, site)


def _source(
    path: Path, docs: Path, manifest: dict[str, Any], told: list[PageError]
) -> markup.Source | None:
    """The page without its front matter; None where nothing more can be said about it."""
    page = path.relative_to(docs).as_posix()
    try:
        whole = page_files.text_of(path, docs)
    except PageError as error:
        told.append(error)
        return None
    if unmerged := list(page_files.conflicts(whole)):
        told += [PageError(page, *fault) for fault in unmerged]
        return None
    told += [PageError(page, *fault) for fault in page_files.invisible(whole)]
    told += [PageError(page, *fault) for fault in front_matter.faults(whole)]
    head = YAML_RE.match(whole)
    text = whole[head.end() :].lstrip("\n") if head else whole
    source = markup.Source.of(page, text, whole)
    try:
        source = replace(source, printed=outputs.outputs(text, ROOT))
    except outputs.CodeStops as stop:
        told.append(PageError(page, source.above + stop.line, stop.reason))
    told += _of_head(source, manifest["facts"])
    return source


def _of_head(source: markup.Source, facts: dict[str, Any]) -> Iterator[PageError]:
    """The front matter: a number of the description is quoted as any number; a title holds none."""
    for line, said in enumerate(source.head.splitlines(), start=1):
        quoted = markdown_spans.EXPRESSION.search(said)
        try:
            if quoted and not said.startswith("description:"):
                raise ValueError(f"{quoted[0]}: the description alone quotes numbers")
            quoted_numbers.plain(said, facts)
        except ValueError as error:
            yield PageError(source.page, line, error)
        said = markdown_spans.EXPRESSION.sub("", said)
        for _, number in bare_numbers.bare(said):
            yield PageError(source.page, line, bare_numbers.unquoted(number))
        for _, words in bare_numbers.counts(said):
            yield PageError(source.page, line, bare_numbers.uncounted(words))


# Each page as it was read last, and from what: while serving, only what has changed is read anew.
_last: dict[str, tuple[markup.Source, dict[str, Any], list[page_rules.Read], list[PageError]]] = {}


def _read_once(
    source: markup.Source, manifest: dict[str, Any], told: list[PageError]
) -> list[page_rules.Read]:
    last = _last.get(source.page)
    if not last or last[:2] != (source, manifest):
        wrong: list[PageError] = []
        last = source, manifest, list(_read(source, manifest, wrong)), wrong
        _last[source.page] = last
    told += last[3]
    return last[2]


def _read(
    source: markup.Source, manifest: dict[str, Any], told: list[PageError]
) -> Iterator[page_rules.Read]:
    """The page, and by themselves the exercises that it asks."""
    exercises = manifest.get("exercises", {})
    empty = {id: asked | {"text": ""} for id, asked in exercises.items()}
    yield page_rules.read(source, manifest | {"api": "", "exercises": empty}, told)
    for span in markdown_spans.spans(source.text):
        found = markdown_spans.EXPRESSION.fullmatch(source.text[span.start : span.end])
        ask = markup.ASK.fullmatch(found["inner"]) if found and span.kind == "expression" else None
        if ask and (asked := exercises.get(ask["id"])):
            given = _Asked(
                source.page,
                asked["text"],
                computed=True,
                asker=source,
                place=span.start,
                id=ask["id"],
            )
            yield page_rules.read(given, manifest, told)


def _anchors(one: page_rules.Read, manifest: dict[str, Any]) -> list[str]:
    found = published_tree.ids(one.page.tree)
    if one.source.text.count("{{ api }}"):
        found += published_tree.ids(published_tree.read(str(manifest["api"])).tree)
    return found
