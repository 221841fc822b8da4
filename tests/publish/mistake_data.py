"""Typical mistakes of those who write, as data: tests/mistakes/*.toml, one file a topic.

    [[kind]]
    name = "list"                  # what goes wrong, in a few words
    right = "The cases:\n\n- one"  # the correct neighbour: builds without a word

    [[kind.mistake]]
    text = "The cases:\n- one"     # put at the end of a page that holds all such texts
    line = 2                       # the line of the text that has to be told, 1 if left out
    says = "needs a blank line"    # words that the build has to say

What else a mistake may have:

    page = "own.md"       a page of its own: `text` is the whole file, its front matter included
    hex = "ff fe"         the bytes of that file, where they are no text; `size` adds as many zero bytes
    cell = 2              `text` is a Markdown cell of a notebook; what is told has this cell
    whole = "notebook"    `text` is a whole notebook file, at `page`
    figure = true         `text` is a module of figures_src/pages/heads/, with captions; no `page`
    alone = true          it would hide others: it gets a copy of the pages to itself

Mistakes that are no pages:

    code = "…"            Python, run by itself; the error it ends with has to say `says`
    file, old, new        an edit of the project, in a copy; `run` is the command, a list of arguments
                          of Python; what it prints has to hold `says` (slow: a few seconds each)
    where = "figures_src/kit/chart.py:12"   what stands before the words, if they name a place

`right` may be a list; `right_pages` maps names of files to their text, `right_figure` is such a
module, `right_code` is code that ends without an error. unseen.toml names what the build
cannot see, at most five, each with the reason.
"""

import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parents[1] / "mistakes"
HEAD = "---\ntitle: A page of mistakes\ndescription: A page that holds mistakes for a test.\n---\n\n# A\n\n"


@dataclass(frozen=True)
class Mistake:
    """One mistake of a kind; the fields are those of the table above."""

    kind: str
    says: str
    text: str = ""
    line: int = 1
    page: str = ""
    hex: str = ""
    size: int = 0
    cell: int = 0
    figure: bool = False
    alone: bool = False
    code: str = ""
    file: str = ""
    old: str = ""
    new: str = ""
    run: tuple[str, ...] = ()
    where: str = ""


@dataclass(frozen=True)
class Kind:
    """A kind of mistake and its correct neighbours."""

    name: str
    mistakes: tuple[Mistake, ...]
    right: tuple[str, ...] = ()
    right_pages: dict[str, str] = field(default_factory=dict)
    right_figure: str = ""
    right_code: str = ""


def kinds() -> list[Kind]:
    """Return every kind of every file, in the order of the files' names."""
    found = []
    for path in sorted(FOLDER.glob("*.toml")):
        for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("kind", []):
            found.append(_kind(entry, path.name))
    return found


def _kind(entry: dict[str, Any], file: str) -> Kind:
    right = entry.get("right", [])
    mistakes = [
        Mistake(**{"kind": entry["name"], **one, "run": tuple(one.get("run", ()))})
        for one in entry.get("mistake", [])
    ]
    assert mistakes, f"{file}: {entry['name']} has no mistake"
    return Kind(
        name=entry["name"],
        mistakes=tuple(mistakes),
        right=(right,) if isinstance(right, str) else tuple(right),
        right_pages=entry.get("right_pages", {}),
        right_figure=entry.get("right_figure", ""),
        right_code=entry.get("right_code", ""),
    )
