"""A lean search index: the theme loads the whole index with every page, so it must be small.

An entry is a section. It keeps its title, the start of its text, and those of its other words that
few pages have: by them a reader finds the page, and a word that every page has finds none.
"""

import json
import re
from collections import defaultdict
from html import unescape

START = 100  # characters of a section's text that stay as they are, for the list of results
FEW = 4  # pages: a word on more of them tells nothing about where to look
WORD = re.compile(r"[^\W\d_]{4,}")


def lean(index: str) -> str:
    """Return the search index (JSON as MkDocs writes it) with each text cut to what finds it."""
    found = json.loads(index)
    texts = [_plain(entry["text"]) for entry in found["docs"]]
    pages = [entry["location"].partition("#")[0] for entry in found["docs"]]
    where: dict[str, set[str]] = defaultdict(set)
    for page, text in zip(pages, texts, strict=True):
        for word in _words(text):
            where[word].add(page)
    said: set[tuple[str, str]] = set()  # page and word: once a page is enough
    for entry, page, text in zip(found["docs"], pages, texts, strict=True):
        start = text if len(text) <= START else text[:START].rpartition(" ")[0]
        rest = dict.fromkeys(_words(text[len(start) :]))
        told = [word for word in rest if len(where[word]) <= FEW and (page, word) not in said]
        said |= {(page, word) for word in told}
        entry["text"] = f"{start} … {' '.join(told)}" if told else start
    return json.dumps(found, ensure_ascii=False, separators=(",", ":"))


def _plain(markup: str) -> str:
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", markup))).strip()


def _words(text: str) -> list[str]:
    return WORD.findall(text.lower())
