"""What a page may write, expanded and checked. Plain functions: text in, text out, no generator.

    {{ key = 0.364 }}                          a number of a page's facts, as the reader sees it
    {{ figure name }}                          a figure, inlined
    {{ player }} {{ explorer }}                the player, or the explorer of a trained model, inlined
    {{ ask id }}                               a question of a page's exercises, with its answers folded
    {{ api }}                                  the core's public names, see api_page.py
    {{ source torch_reference: name name }}    definitions of a file of the core, see code/definitions.py
    {{ state stage=scores query=5.4 : words }} a link to a state of the player
    {{ explore layer=4 head=2 : words }}       a link to a state of the explorer
    $…$  $$…$$                                 LaTeX, see mathml.py
    `vitattn_core.name`                        a public name of the core
    [words](page.md#anchor)                    a page and an anchor that exist

Whatever is wrong stops the build with the file and the line: checks/pages.py looks at all pages before
the first is built. Steps: `expand` works on Markdown and leaves an empty element where a figure goes;
`in_sections` divides the HTML that comes of it; `fill` puts the drawings in last, so that neither the
Markdown parser nor the search index reads them.
"""

import html
import json
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from figures_src.kit import mathml

from . import links, markdown_spans, quoted_numbers
from .checks import bare_numbers
from .code import definitions, outputs
from .page_faults import PageError

CORE_NAME = re.compile(r"vitattn_core\.[\w.]+")
FIGURE = re.compile(r"figure\s+(?P<name>[\w-]+)")
SOURCE = re.compile(r"source\s+(?P<file>\w+)\s*:\s*(?P<names>\w+(?:\s+\w+)*)")
ASK = re.compile(r"ask\s+(?P<id>[\w-]+)")
STATE = re.compile(r"(?P<of>state|explore)\s+(?P<settings>[^:]*?)\s*:\s+(?P<words>.+)", re.DOTALL)
# One line each, so that Python-Markdown takes them for HTML blocks.
SLOT = '<figure class="va-figure" id="figure-{}" data-search-exclude></figure>'
SLOTS = re.compile(SLOT.format(r"(?P<name>[\w-]+)").removesuffix("</figure>"))
# A wide table scrolls in its own box, which a keyboard must be able to reach. The reader views of browsers
# weigh a box by its class: one that speaks of content is kept, one that speaks of scrolling is dropped.
TABLE = '<div class="va-wide-content" tabindex="0"><table class="va-table">'
TABLES = re.compile(r"<table>(.*?)</table>", re.DOTALL)  # of Markdown: the player's have a class
HEAD_FORMULA = re.compile(r"(<th[^>]*>)<math (.*?</math>)</th>")
ANSWERS = re.compile(r'<ol class="va-answers"[^>]*>(.*?)</ol>', re.DOTALL)
IMPORTS_CORE = re.compile(r"^(?:from|import) vitattn_core\b", re.MULTILINE)  # not in a box
GET_THE_CORE = (
    "To run the code of this page, download {} and `pip install` it: it takes NumPy and nothing else."
    "\n{{: .va-download }}\n"
)
OUTPUT = (
    "{ .text .va-printed }"  # the language and the class of a fence that shows what code prints
)
CORE = Path(__file__).resolve().parents[2] / "vitattn_core"
T = TypeVar("T")
ELEMENTS = ("player", "explorer")
ELEMENT = '<div class="va-{}-slot" data-search-exclude></div>'


@dataclass(frozen=True)
class Source:
    """One page as its author wrote it.

    page: path from docs. text: without the front matter. above: lines of the file before text.
    head: those lines, the front matter. computed: its numbers are written by the core, not typed.
    printed: what its code prints, by the place of each block (code/outputs.py).
    """

    page: str
    text: str
    above: int = 0
    head: str = ""
    computed: bool = False
    printed: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(
        cls, page: str, text: str, whole: str, printed: Mapping[int, str] | None = None
    ) -> "Source":
        """text: what is left of the whole file once the front matter has been taken off."""
        above = whole.count("\n") - text.count("\n")
        head = "".join(whole.splitlines(keepends=True)[:above])
        return cls(page, text, above, head, printed=printed or {})

    def error(self, place: int, reason: object) -> PageError:
        return PageError(
            self.page, self.above + markdown_spans.line_of(self.text, place), str(reason)
        )


def load_manifest(build: Path) -> dict[str, Any]:
    """What figures_src made; FileNotFoundError says which command makes it."""
    path = build / "manifest.json"
    if not path.is_file():
        raise FileNotFoundError(f"{path.name} is missing from {build.name}/: run make docs")
    manifest: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return manifest


@dataclass(frozen=True)
class Piece:
    """A piece of the page as it goes to the Markdown parser: where it began, its kind (see scan), text."""

    start: int
    kind: str
    text: str


def expand(source: Source, manifest: dict[str, Any]) -> str:
    """The page's Markdown, ready for the Markdown parser; PageError for its first fault."""
    pieces, faults = expanded(source, manifest)
    if faults:
        raise min(faults, key=lambda fault: fault.order)
    return "".join(piece.text for piece in _with_the_core(source, pieces, manifest))


def _with_the_core(
    source: Source, pieces: list[Piece], manifest: dict[str, Any]
) -> Iterator[Piece]:
    """The page with a line on how to get the core, below the first code that imports it."""
    waits = True
    for piece in pieces:
        yield piece
        if waits and piece.kind == "fence" and IMPORTS_CORE.search(piece.text):
            waits = False
            link = f"[{manifest['wheel']}]({'../' * source.page.count('/')}{manifest['wheel']})"
            yield Piece(piece.start, "prose", f"\n{GET_THE_CORE.format(link)}\n")


def expanded(source: Source, manifest: dict[str, Any]) -> tuple[list[Piece], list[PageError]]:
    """The page in pieces and all faults of its expressions, formulas, names and fences.

    A piece with a fault is left out, so that what follows from it is not told as well.
    """
    faults: list[PageError] = []
    return _pieces(source, 0, source.text, manifest, faults), faults


def _pieces(
    source: Source, start: int, text: str, manifest: dict[str, Any], faults: list[PageError]
) -> list[Piece]:
    """text: the page, or a piece of it that begins at start."""
    pieces = []
    for span in markdown_spans.spans(text):
        part, place = text[span.start : span.end], start + span.start
        try:
            if span.kind == "code":
                _check_code(source, place, part, manifest)
            elif span.kind in ("inline", "display"):
                part = _expand_formula(source, place, part, manifest)
            elif span.kind == "expression":
                part = _expand_expression(source, place, part, manifest, faults)
            elif span.kind == "fence":
                part = _expand_fence(source, place, part)
        except PageError as error:
            faults.append(error)
            part = ""
        pieces.append(Piece(place, span.kind, part))
    return pieces


# Names, signs and numbers in code look like any other code: without elements of their own the page has
# a third fewer of them, and is laid out faster.
PLAIN_TOKEN = re.compile(r'<span class="(?:p|n|o|w|mi|mf|nn|nb|ne)">([^<]*)</span>')


def without_code_in_search(page_html: str) -> str:
    """The page's HTML with its code blocks marked: the index, loaded with every page, holds words."""
    return page_html.replace("<pre", "<pre data-search-exclude")


def in_sections(page_html: str) -> str:
    """The page's HTML with a section for each h2 below the player: player.css says what for.

    Such an h2 stands in no other element; a browser test looks at every section.
    """
    above, slot, below = page_html.partition(ELEMENT.format("player"))
    first, *texts = re.split("(?=<h2 )", below)
    sections = (f'<section class="md-typeset">{text}</section>\n' for text in texts)
    return above + slot + first + "".join(sections)


def fill(page_html: str, manifest: dict[str, Any], build: Path) -> str:
    """The page's HTML with each figure, and the player, in its place."""

    def figure(found: re.Match[str]) -> str:
        drawing = (build / manifest["figures"][found["name"]]["file"]).read_text(encoding="utf-8")
        return found[0] + drawing

    page_html = TABLES.sub(rf"{TABLE}\1</table></div>", page_html)
    page_html = page_html.replace("<th></th>", "<td></td>")  # the corner of a table heads nothing
    page_html = HEAD_FORMULA.sub(_with_words, page_html)
    page_html = PLAIN_TOKEN.sub(r"\1", page_html)
    page_html = SLOTS.sub(figure, page_html)
    for name in ELEMENTS:
        if (slot := ELEMENT.format(name)) in page_html:
            drawn = (build / f"{name}.html").read_text(encoding="utf-8")
            page_html = page_html.replace(slot, drawn)
    return mathml.kept_together(_answers_last(page_html))


def _answers_last(page_html: str) -> str:
    """The page's HTML with its answers once more at the end, for paper alone: there they cannot be folded."""
    found = ANSWERS.findall(page_html)
    if not found:
        return page_html
    listed = "".join(
        f'<div><p><b>{n}.</b></p><ol type="A">{whys}</ol></div>' for n, whys in enumerate(found, 1)
    )
    last = f'<section class="va-answers-page" hidden><h2>Answers</h2>{listed}</section>'
    return page_html.replace("</article>", f"{last}</article>", 1)


def _with_words(found: re.Match[str]) -> str:
    """A column's head that is a formula only: its letters as words too, for who hears the table."""
    words = re.sub(r"<[^>]*>", "", "<" + found[2])
    return (
        f'{found[1]}<span class="va-heard">{words}</span><math aria-hidden="true" {found[2]}</th>'
    )


def _at(source: Source, place: int, check: Callable[..., T], *given: object) -> T:
    """check(*given), its ValueError turned into an error of the page at this place."""
    try:
        return check(*given)
    except ValueError as error:
        raise source.error(place, error) from error


def _check_code(source: Source, place: int, code: str, manifest: dict[str, Any]) -> None:
    found = CORE_NAME.match(code.strip("` "))
    if found and (name := found[0].rstrip(".")) not in manifest["public"]:
        near = quoted_numbers.near(name, manifest["public"])
        raise source.error(place, f"{name} is no public name of the core: it has {near}")


def _expand_fence(source: Source, place: int, fence: str) -> str:
    """The fence, and under code what it prints: what was printed at build, or is given as `output`."""
    if not markdown_spans.is_closed(fence):
        raise source.error(place, f"a fence that is not closed: {fence.strip().splitlines()[0]}")
    if outputs.GIVEN.match(fence):
        first, *lines = fence.splitlines(keepends=True)
        return "".join([re.sub(r"output\b.*", OUTPUT, first), *lines])
    if printed := source.printed.get(place, ""):
        indent = fence[: len(fence) - len(fence.lstrip(" \t"))]
        lines = [f"~~~~{OUTPUT}", *printed.rstrip("\n").split("\n"), "~~~~"]
        # A blank line, or Python-Markdown puts both into one paragraph.
        return fence.rstrip("\n") + "\n\n" + "".join(f"{indent}{line}\n" for line in lines)
    return fence


def _expand_formula(source: Source, start: int, part: str, manifest: dict[str, Any]) -> str:
    def number(found: re.Match[str]) -> str:
        place = start + found.start()
        quote = quoted_numbers.QUOTE.fullmatch(found["inner"])
        if not quote:
            raise source.error(place, f"a formula quotes numbers only, not {found[0]}")
        given = quote["key"], quote["literal"], manifest["facts"]
        return quoted_numbers.as_tex(_at(source, place, quoted_numbers.fact_text, *given))

    unquoted = markdown_spans.EXPRESSION.sub(lambda found: markdown_spans.blank(found[0]), part)
    for place, bare in [] if source.computed else bare_numbers.bare(unquoted):
        raise source.error(start + place, bare_numbers.unquoted(bare))
    tex = markdown_spans.EXPRESSION.sub(number, part)
    try:  # converted again later, but only here is the line known
        mathml.convert(tex.strip("$"), display=part.startswith("$$"))
    except ValueError as error:
        raise source.error(start, error) from error
    return tex


def _expand_expression(
    source: Source, start: int, part: str, manifest: dict[str, Any], faults: list[PageError]
) -> str:
    inner = markdown_spans.EXPRESSION.fullmatch(part)["inner"]  # type: ignore[index]
    if state := STATE.fullmatch(inner):
        given = state["settings"], source.page, manifest, state["of"]
        address = _at(source, start, links.state_address, *given)
        place = start + part.rindex(state["words"])
        pieces = _pieces(source, place, state["words"], manifest, faults)
        words = "".join(piece.text for piece in pieces)
        return f'<a class="va-state" {_leads(state["of"], address, manifest)}>{words}</a>'
    if ask := ASK.fullmatch(inner):
        return _question(source, start, ask["id"], manifest)
    return _at(source, start, _expression, inner, manifest)


def _leads(of: str, address: str, manifest: dict[str, Any]) -> str:
    """Where a link to a state leads: on the page of its element only a script can show the state.

    There the link leads to the state's still, or nowhere, until the element's script is there.
    """
    if not address.startswith("#"):
        return f'href="{html.escape(address)}"'
    still = links.still(address, manifest, of)
    href = f'href="{html.escape(still)}" ' if still else ""
    return f'{href}data-state="{html.escape(address)}"'


def _question(source: Source, place: int, id: str, manifest: dict[str, Any]) -> str:
    """An exercise's Markdown, its formulas and names checked like the page's own."""
    if id not in (known := manifest["exercises"]):
        raise source.error(
            place, f"no exercise is named {id!r}: there is {quoted_numbers.near(id, known)}"
        )
    if known[id]["page"] != source.page:
        raise source.error(place, f"exercise {id!r} belongs to {known[id]['page']}")
    text = known[id]["text"]
    try:
        return expand(Source(source.page, text, computed=True), manifest)
    except PageError as error:
        raise source.error(place, f"exercise {id!r}: {error.reason}") from error


def _expression(inner: str, manifest: dict[str, Any]) -> str:
    if inner in ELEMENTS:
        return ELEMENT.format(inner)
    if inner == "api":
        return str(manifest["api"])
    if source := SOURCE.fullmatch(inner):
        file = CORE / f"{source['file']}.py"
        if not file.is_file():
            raise ValueError(f"vitattn_core has no file {file.name}")
        return f"```python\n{definitions.definitions(file, source['names'].split())}```\n"
    if figure := FIGURE.fullmatch(inner):
        name = figure["name"]
        if name not in manifest["figures"]:
            near = quoted_numbers.near(name, manifest["figures"])
            raise ValueError(f"no figure is named {name!r}: there is {near}")
        return SLOT.format(name)
    if quote := quoted_numbers.QUOTE.fullmatch(inner):
        facts = manifest["facts"]
        text = quoted_numbers.fact_text(quote["key"], quote["literal"], facts)
        return quoted_numbers.as_html(
            quote["key"], text, quoted_numbers.origin(quote["key"], facts)
        )
    raise ValueError(
        f"{{{{ {inner} }}}} is none of: key = number, figure, player, explorer, ask, api,"
        " source, state, explore"
    )
