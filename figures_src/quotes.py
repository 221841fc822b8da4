"""Quoted numbers: `{{ key = 0.364 }}` in a page, held to the value that facts/ computed.

The literal stands in the page, so that the sentence reads well while it is written, and the build
stops when the value moves. `python -m figures_src --quote` then writes the new value in, and the
author rereads the sentence.
"""

import html
import re
from pathlib import Path
from typing import Any

from figures_src import scan
from figures_src.stamp import is_source

QUOTE = re.compile(r"(?P<key>[A-Za-z_][\w.-]*)\s*=\s*(?P<literal>\S(?:.*\S)?)", re.DOTALL)


def fact_text(key: str, literal: str, facts: dict[str, Any]) -> str:
    """The fact's text, when the literal agrees with it; ValueError names what does not agree."""
    if key not in facts:
        raise ValueError(f"no fact is named {key!r}: there is {near(key, facts)}")
    text = str(facts[key]["text"])
    if literal != text:
        raise ValueError(
            f"{key} is quoted as {literal!r}, but its value is {text!r}"
            " (python -m figures_src --quote writes it in)"
        )
    return text


def as_html(key: str, text: str, origin: str) -> str:
    """A number in prose, marked with its key and where it comes from."""
    return (
        f'<span class="fact" data-fact="{html.escape(key)}" data-origin="{html.escape(origin)}">'
        f"{html.escape(text)}</span>"
    )


def as_tex(text: str) -> str:
    """The same number inside a formula: a comma that groups digits gets no space after it."""
    return text.replace("−", "-").replace(",", "{,}").replace("%", r"\%")


def rewrite(text: str, facts: dict[str, Any]) -> tuple[str, list[str]]:
    """The page with every literal at its current value, and one sentence for each change."""
    changes: list[str] = []

    def current(found: re.Match[str]) -> str:
        quote = QUOTE.fullmatch(found["inner"])
        if not quote or quote["key"] not in facts:
            return found[0]
        new = str(facts[quote["key"]]["text"])
        if quote["literal"] == new:
            return found[0]
        changes.append(f"{quote['key']}: {quote['literal']} becomes {new}")
        before, after = found[0].rsplit(quote["literal"], 1)
        return before + new + after

    parts = []
    for span in scan.spans(text):
        part = text[span.start : span.end]
        literal = span.kind in ("fence", "code", "comment")
        parts.append(part if literal else scan.EXPRESSION.sub(current, part))
    return "".join(parts), changes


def rewrite_pages(docs: Path, facts: dict[str, Any]) -> list[str]:
    """Bring every page under docs up to date in place; returns what changed, page by page."""
    report = []
    for page in sorted(filter(is_source, docs.rglob("*.md"))):
        old = page.read_text(encoding="utf-8")
        new, changes = rewrite(old, facts)
        if new != old:
            page.write_text(new, encoding="utf-8")
        report += [f"{page.relative_to(docs.parent)}: {change}" for change in changes]
    return report


def near(name: str, names: Any) -> str:
    """The names most like a misspelt one, for an error message."""
    import difflib

    close = difflib.get_close_matches(name, list(names), n=3, cutoff=0.5)
    return "nothing like it" if not close else " or ".join(repr(n) for n in close)
