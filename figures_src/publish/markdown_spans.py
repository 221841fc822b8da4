"""Cut a Markdown page into prose, code, comments and maths, so that each is checked by its rules.

Python-Markdown's tree has no line numbers, and expressions are expanded before it reads the page; so
the text is cut once, from the top, and every character falls into exactly one span. What is published
is judged by the tree (checks/published_tree.py), not here. An expression is a span
of its own in prose, and part of its formula in a formula. Indented code blocks are not known here:
pages write fences.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

FENCE = re.compile(r"[ \t]*(?P<mark>`{3,}|~{3,})(?P<info>[^\n]*)\n?")
COMMENT = re.compile(r"<!--.*?-->", re.DOTALL)
# Nothing below runs over a blank line: there a block ends, and with it what stands in it.
TICKS = re.compile(r"(`+)(?!`)((?:(?!\n[ \t]*\n).)+?)(?<!`)\1(?!`)", re.DOTALL)
# As pymdownx.arithmatex reads them, so that no formula is seen by one and missed by the other.
DISPLAY = re.compile(r"\$\$((?:\\.|(?!\n[ \t]*\n)[^\\])+?)\$\$", re.DOTALL)
# `{{` not followed by a third brace: in \\frac{{{ key = 1 }}}{2} the outer braces are TeX's.
EXPRESSION = re.compile(
    r"\{\{(?!\{)\s*(?P<inner>(?:(?!\}\}|\{\{|\n[ \t]*\n).)*?)\s*\}\}", re.DOTALL
)
INLINE = re.compile(r"\$(?!\s)((?:\\.|(?!\n[ \t]*\n)[^\\$])+?)(?<!\s)\$", re.DOTALL)


@dataclass(frozen=True)
class Span:
    """text[start:end], of one kind: prose, expression, fence, code, comment, and the
    formulas: inline, display."""

    kind: str
    start: int
    end: int


def spans(text: str) -> Iterator[Span]:
    """Every character of the page once, in order."""
    prose = here = 0
    while here < len(text):
        found = _span_at(text, here)
        if found is None:
            here += 2 if text[here] == "\\" else 1
            continue
        if prose < here:
            yield Span("prose", prose, here)
        yield found
        prose = here = found.end
    if prose < len(text):
        yield Span("prose", prose, len(text))


def _span_at(text: str, here: int) -> Span | None:
    if here == 0 or text[here - 1] == "\n":
        fence = FENCE.match(text, here)
        if fence and not (fence["mark"][0] == "`" and "`" in fence["info"]):
            return Span("fence", here, _fence_end(text, fence))
    sign = text[here]
    for kind, first, pattern in (
        ("expression", "{", EXPRESSION),
        ("comment", "<", COMMENT),
        ("code", "`", TICKS),
        ("display", "$", DISPLAY),
        ("inline", "$", INLINE),
    ):
        if sign == first and (found := pattern.match(text, here)):
            return Span(kind, here, found.end())
    return None


def _fence_end(text: str, opening: re.Match[str]) -> int:
    found = _closing(text, opening)
    return found.end() if found else len(text)


def _closing(text: str, opening: re.Match[str]) -> re.Match[str] | None:
    mark = opening["mark"]
    closing = re.compile(
        rf"^[ \t]*{re.escape(mark[0])}{{{len(mark)},}}[ \t]*(?:\n|\Z)", re.MULTILINE
    )
    return closing.search(text, opening.end())


def is_closed(fence: str) -> bool:
    """Whether the text of a fence's span ends with its own closing line."""
    opening = FENCE.match(fence)
    return bool(opening and _closing(fence, opening))


def line_of(text: str, place: int) -> int:
    """The line, counted from 1, of a character of the text."""
    return text.count("\n", 0, place) + 1


def blank(text: str) -> str:
    """As many characters and the same line ends, but nothing to read."""
    return re.sub(r"[^\n]", " ", text)
