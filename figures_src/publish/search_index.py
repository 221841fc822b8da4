"""A lean search index: the theme loads the whole index with every page, so it must be small.

An entry is a section. It keeps its title, the start of its text, and those of its other words that
few pages have: by them a reader finds the page. Of a word that more pages have, only those keep it
that say it most often; a word that nearly every page has finds none.
"""

import json
import re
from collections import Counter, defaultdict
from html import unescape

START = 100  # characters of a section's text that stay as they are, for the list of results
FEW = 2  # pages that keep a word; if more have it, only those that say it most often
MANY = 14  # pages: a word on more of them tells nothing about where to look
# Pages that name everything: beside a page that explains a word they come later.
BOOST = {"api.md": 0.01, "questions.md": 0.3, "test-yourself.md": 0.2, "sources.md": 0.3}
WORD = re.compile(r"[^\W\d_]\w{3,}")


def lean(index: str) -> str:
    """Return the search index (JSON as MkDocs writes it) with each text cut to what finds it."""
    found = json.loads(index)
    texts = [_plain(entry["text"]) for entry in found["docs"]]
    pages = [entry["location"].partition("#")[0] for entry in found["docs"]]
    where: dict[str, Counter[str]] = defaultdict(Counter)
    for page, text in zip(pages, texts, strict=True):
        for word in _words(text):
            where[word][page] += 1
    keep = {word: _keepers(on) for word, on in where.items()}
    said: set[tuple[str, str]] = set()  # page and word: once a page is enough
    for entry, page, text in zip(found["docs"], pages, texts, strict=True):
        start = text if len(text) <= START else text[:START].rpartition(" ")[0]
        rest = dict.fromkeys(_words(text[len(start) :]))
        told = [word for word in rest if page in keep[word] and (page, word) not in said]
        said |= {(page, word) for word in told}
        entry["text"] = f"{start} … {' '.join(told)}" if told else start
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def _keepers(on: Counter[str]) -> set[str]:
    """Return which of the pages that have a word keep it; `on` counts it page by page."""
    if len(on) > MANY:
        return set()
    return {page for page, _ in on.most_common(FEW)}


def _plain(markup: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", markup))).strip()


def _words(text: str) -> list[str]:
    return WORD.findall(text.lower())
