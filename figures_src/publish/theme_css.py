"""The theme's style sheets without what no page of this site uses: every page loads them.

A rule stays if everything it asks for by a class, an id or an attribute is a word of some page or
script; a custom property stays if something reads it. What is inside :not(), :is() and the like is
not looked at, so that a rule is rather kept than lost.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import tinycss2

from .kept import CACHE, digest, kept

NESTED = {"media", "supports", "layer", "container"}
WORD = re.compile(r"[\w-]+")


def kept_lean(sheets: dict[str, str], texts: Iterable[str], folder: Path = CACHE) -> dict[str, str]:
    """Return what `lean` returns, from the build before where the sheets use the same words as then."""
    asked = {word for css in sheets.values() for word in WORD.findall(css)}
    used = {word for text in texts for word in asked.intersection(WORD.findall(text))}
    inputs = [*(part for sheet in sorted(sheets.items()) for part in sheet), " ".join(sorted(used))]
    key = digest([*inputs, Path(__file__).read_bytes()])
    return dict(kept("theme", key, lambda: lean(sheets, used), folder))


def lean(sheets: dict[str, str], texts: Iterable[str]) -> dict[str, str]:
    """Return the style sheets, by name, with the rules that the site's `texts` can use.

    `texts` are its pages, scripts and other style sheets, as they are served.
    """
    used = {word for text in texts for word in WORD.findall(text)}
    kept = {name: "".join(_rules(_parsed(css), used)) for name, css in sheets.items()}
    # A property that another one reads is used only if that one is: until nothing more goes.
    while True:
        read = used | {
            word for css in kept.values() for word in re.findall(r"var\(\s*([\w-]+)", css)
        }
        fewer = {name: "".join(_rules(_parsed(css), used, read)) for name, css in kept.items()}
        if fewer == kept:
            return kept
        kept = fewer


def _parsed(css: str) -> list[Any]:
    return tinycss2.parse_stylesheet(css, skip_comments=True, skip_whitespace=True)


def _rules(rules: list[Any], used: set[str], read: set[str] | None = None) -> Iterator[str]:
    """Yield the rules that are kept; with `read`, without custom properties that are not in it."""
    for rule in rules:
        if rule.type == "qualified-rule":
            chosen = [part for part in _selectors(rule.prelude) if _asked(part) <= used]
            said = _declarations(rule.content, read)
            if chosen and said:
                yield f"{','.join(tinycss2.serialize(part).strip() for part in chosen)}{{{said}}}"
        elif rule.type == "at-rule" and rule.lower_at_keyword in NESTED and rule.content:
            inner = tinycss2.parse_rule_list(rule.content, skip_comments=True, skip_whitespace=True)
            if text := "".join(_rules(inner, used, read)):
                yield f"@{rule.at_keyword}{tinycss2.serialize(rule.prelude)}{{{text}}}"
        else:
            yield rule.serialize()


def _selectors(prelude: list[Any]) -> Iterator[list[Any]]:
    """Yield the parts of a selector list between its commas."""
    part: list[Any] = []
    for token in prelude:
        if token == ",":
            yield part
            part = []
        else:
            part.append(token)
    yield part


def _asked(selector: list[Any]) -> set[str]:
    """Return what a selector asks for: classes, ids, names and values of attributes."""
    asked: set[str] = set()
    for n, token in enumerate(selector):
        if token.type == "hash" or (token.type == "ident" and n and selector[n - 1] == "."):
            asked.add(token.value)
        elif token.type == "[] block":
            told = [part for part in token.content if part.type in ("ident", "string")]
            asked |= {word for part in told for word in WORD.findall(part.value)}
    return asked


def _declarations(content: list[Any], read: set[str] | None) -> str:
    """Return a rule's declarations, less the custom properties that nothing reads."""
    found = tinycss2.parse_declaration_list(content, skip_comments=True, skip_whitespace=True)
    kept = [
        one.serialize().removesuffix(";")
        for one in found
        if read is None or not one.name.startswith("--") or one.name in read
    ]
    return ";".join(kept)
