"""Quoted numbers: `{{ key = 0.364 }}` in a page, held to the value that a page's facts.py computed.

The literal stands in the page, so that the sentence reads well while it is written, and the build
stops when the value moves. `python -m figures_src --quote` then writes the new value in, and the
author rereads the sentence.
"""

import html
import re
from pathlib import Path
from typing import Any

from figures_src.kit import numbers
from figures_src.stamp import is_source

from . import markdown_spans

QUOTE = re.compile(r"(?P<key>[A-Za-z_][\w.-]*)\s*=\s*(?P<literal>\S(?:.*\S)?)", re.DOTALL)


WORD = (
    ".word"  # behind the key of a whole number: the number in words, `{{ bug.bugs.word = eleven }}`
)


def fact_text(key: str, literal: str, facts: dict[str, Any]) -> str:
    """The fact's text, when the literal agrees with it; ValueError names what does not agree."""
    text = current(key, literal, facts)
    if literal != text:
        raise ValueError(
            f"{key} is quoted as {literal!r}, but its value is {text!r}"
            " (python -m figures_src --quote writes it in)"
        )
    return text


def current(key: str, literal: str, facts: dict[str, Any]) -> str:
    """The fact's text now, where a word with a capital if the literal has one; ValueError without it."""
    base = key.removesuffix(WORD)
    if base not in facts:
        raise ValueError(f"no fact is named {base!r}: there is {near(base, facts)}")
    text = str(facts[base]["text"])
    if base == key:
        return text
    word = numbers.in_words(text)
    return word.capitalize() if literal[:1].isupper() else word


def origin(key: str, facts: dict[str, Any]) -> str:
    """Where the fact comes from."""
    return str(facts[key.removesuffix(WORD)]["origin"])


def as_html(key: str, text: str, origin: str) -> str:
    """A number in prose, marked with its key and where it comes from."""
    return (
        f'<span class="fact" data-fact="{html.escape(key)}" data-origin="{html.escape(origin)}">'
        f"{html.escape(text)}</span>"
    )


def plain(text: str, facts: dict[str, Any]) -> str:
    """A text with its quotes as their numbers; ValueError for another expression, or a wrong number."""

    def number(found: re.Match[str]) -> str:
        quote = QUOTE.fullmatch(found["inner"])
        if not quote:
            raise ValueError(f"{found[0]}: only numbers are quoted here")
        return fact_text(quote["key"], quote["literal"], facts)

    return markdown_spans.EXPRESSION.sub(number, text)


def marked(text: str, facts: dict[str, Any]) -> str:
    """The same as HTML, each number marked as in prose."""

    def number(found: re.Match[str]) -> str:
        shown = plain(found[0], facts)
        quote = QUOTE.fullmatch(found["inner"])
        return as_html(quote["key"], shown, origin(quote["key"], facts)) if quote else shown

    return markdown_spans.EXPRESSION.sub(number, text)


def as_tex(text: str) -> str:
    """The same number inside a formula: a comma that groups digits gets no space after it."""
    return text.replace("−", "-").replace(",", "{,}").replace("%", r"\%")


def rewrite(text: str, facts: dict[str, Any]) -> tuple[str, list[tuple[int, str]]]:
    """The page with every literal at its current value; of each change the line and one sentence."""
    changes: list[tuple[int, str]] = []
    parts = []
    for span in markdown_spans.spans(text):
        part = text[span.start : span.end]
        literal = span.kind in ("fence", "code", "comment")
        parts.append(part if literal else _renewed(part, span.start, text, facts, changes))
    return "".join(parts), changes


def _renewed(
    part: str, start: int, text: str, facts: dict[str, Any], changes: list[tuple[int, str]]
) -> str:
    def renew(found: re.Match[str]) -> str:
        quote = QUOTE.fullmatch(found["inner"])
        if not quote or quote["key"].removesuffix(WORD) not in facts:
            return found[0]
        new = current(quote["key"], quote["literal"], facts)
        if quote["literal"] == new:
            return found[0]
        line = markdown_spans.line_of(text, start + found.start())
        changes.append((line, f"{quote['key']}: {quote['literal']} becomes {new}"))
        before, after = found[0].rsplit(quote["literal"], 1)
        return before + new + after

    return markdown_spans.EXPRESSION.sub(renew, part)


def rewrite_pages(docs: Path, facts: dict[str, Any]) -> list[str]:
    """Bring every page under docs up to date in place; returns what changed, as file:line: change."""
    report = []
    for page in sorted(filter(is_source, docs.rglob("*.md"))):
        old = page.read_text(encoding="utf-8")
        new, changes = rewrite(old, facts)
        if new != old:
            page.write_text(new, encoding="utf-8")
        where = page.relative_to(docs.parent).as_posix()
        report += [f"{where}:{line}: {change}" for line, change in changes]
    return list(dict.fromkeys(report))


def near(name: str, names: Any) -> str:
    """The names most like a misspelt one, for an error message."""
    import difflib

    close = difflib.get_close_matches(name, list(names), n=3, cutoff=0.5)
    return "nothing like it" if not close else " or ".join(repr(n) for n in close)
