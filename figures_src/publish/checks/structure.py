"""What is wrong with the parts of a page: its headings, boxes, code blocks, footnotes and attributes.

Looked for in the published tree, as in markdown_slips.py, but by its elements and not by their words.
"""

import re
import warnings
from collections.abc import Iterator

from bs4 import BeautifulSoup, Tag
from pygments.lexers import get_all_lexers

from figures_src.publish.quoted_numbers import near

# What HTML knows and a page may need, besides data-… and aria-….
_ATTRIBUTES = """
    align alt checked cite class colspan datetime disabled download for height hidden href id lang loading
    markdown name open rel role rowspan scope span src start style tabindex title type value width
"""
ATTRIBUTES = frozenset(_ATTRIBUTES.split())
LANGUAGES = frozenset(name for _, names, _, _ in get_all_lexers() for name in names)

# (reason, words to look for on the page, and what stands before and behind them)
Fault = tuple[str, str, str, str]


def faults(tree: BeautifulSoup) -> Iterator[Fault]:
    """Yield every fault of the parts of a page."""
    yield from _headings(tree)
    yield from _boxes(tree)
    yield from _code(tree)
    yield from _footnotes(tree)
    for element in tree.find_all(True):
        for name in element.attrs:
            if name not in ATTRIBUTES and not name.startswith(("data-", "aria-")):
                yield f"{name}= is no attribute that a page may hold", name, element.get_text(), ""


def _headings(tree: BeautifulSoup) -> Iterator[Fault]:
    above = 0
    for heading in tree.find_all(re.compile("h[1-6]")):
        level, words = int(heading.name[1]), heading.get_text().removesuffix("¶").strip()
        if level == 1 and above:
            yield "a second title: # stands at the top alone, and below it ##", words, "# ", ""
        elif above and level > above + 1:
            said = f"{'#' * level} stands under {'#' * above}: a level is left out"
            yield said, words, f"{'#' * level} ", ""
        above = level


def _boxes(tree: BeautifulSoup) -> Iterator[Fault]:
    for box in tree.select("div.admonition, details"):
        title = "".join(part.get_text() for part in box.find_all(_is_title, recursive=False))
        if box.get_text().strip() == (title := title.strip()):
            kind = str(box.get_attribute_list("class")[-1])
            mark = f"{'???' if box.name == 'details' else '!!!'} {kind}"
            words = mark if title == kind.capitalize() else title  # the title that nobody wrote
            yield f"a box without words: indent them by four spaces: {words}", words, "", ""


def _is_title(part: Tag) -> bool:
    return part.name == "summary" or "admonition-title" in part.get_attribute_list("class")


def _code(tree: BeautifulSoup) -> Iterator[Fault]:
    for code in tree.select("[class*=language-]"):
        for name in code.get_attribute_list("class"):
            language = str(name).removeprefix("language-")
            if language == name:
                continue
            if language not in LANGUAGES:
                like = near(language, LANGUAGES)
                yield (
                    f"no colours for a language {language!r}: there is {like}",
                    language,
                    "```",
                    "",
                )
            elif language == "python" and (found := _no_python(code.get_text())):
                yield found


def _no_python(code: str) -> Fault | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(code, "page", "exec")
    except SyntaxError as error:
        lines = code.splitlines()
        at = min(error.lineno or 1, len(lines)) - 1
        return f"no Python: {error.msg}", lines[at].strip(), "\n".join(lines[:at]), ""
    return None


def _footnotes(tree: BeautifulSoup) -> Iterator[Fault]:
    asked = {str(link["href"]) for link in tree.select("a.footnote-ref[href]")}
    for note in tree.select(".footnote li[id]"):
        if f"#{note['id']}" not in asked:
            name = str(note["id"]).partition(":")[2]
            yield f"a footnote that nothing refers to: [^{name}]", f"[^{name}]", "", note.get_text()
