"""Drawn markup as a tree: read it, find marks in it by the selectors a style sheet uses, write it.

For the timelines, whose moves name marks, and for the files to take away.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cache
from html import escape
from html.parser import HTMLParser
from typing import TypeAlias

from .marks import VOID


@dataclass(eq=False)
class Node:
    """An element: its children are elements and texts, `parent` is None at the root."""

    tag: str
    attrs: dict[str, str] = field(default_factory=dict)
    children: list["Node | str"] = field(default_factory=list, repr=False)
    parent: "Node | None" = field(default=None, repr=False)

    @property
    def classes(self) -> list[str]:
        return self.attrs.get("class", "").split()

    @property
    def elements(self) -> list["Node"]:
        return [child for child in self.children if isinstance(child, Node)]

    def walk(self) -> Iterator["Node"]:
        """Yield this element and all below it, in the order of the document."""
        yield self
        for child in self.elements:
            yield from child.walk()

    def text(self) -> str:
        """Return all text in it."""
        return "".join(
            child.text() if isinstance(child, Node) else child for child in self.children
        )

    def add(self, *children: "Node | str") -> "Node":
        """Put children at its end; return itself."""
        for child in children:
            if isinstance(child, Node):
                child.parent = self
        self.children += children
        return self


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.at = self.root = Node("root")

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        # The parser lowers names; two of SVG's are not in lower case.
        names = {"viewbox": "viewBox", "preserveaspectratio": "preserveAspectRatio"}
        found = Node(tag, {names.get(name, name): value or "" for name, value in attrs})
        self.at.add(found)
        if tag not in VOID:
            self.at = found

    def handle_endtag(self, tag: str) -> None:
        if self.at.tag != tag or self.at.parent is None:
            raise ValueError(f"tree: got </{tag}> in <{self.at.tag}>, takes balanced markup")
        self.at = self.at.parent

    def handle_data(self, data: str) -> None:
        self.at.add(data)


def read(markup: str) -> Node:
    """Return the tree of a piece of markup, under a root; ValueError unless it is balanced."""
    reader = _Reader()
    reader.feed(markup)
    reader.close()
    if reader.at is not reader.root:
        raise ValueError(f"tree: got <{reader.at.tag}> left open, takes balanced markup")
    return reader.root


def write(node: Node | str) -> str:
    """Return an element as XML."""
    if isinstance(node, str):
        return escape(node, quote=False)
    attrs = "".join(f' {name}="{escape(value)}"' for name, value in node.attrs.items())
    inside = "".join(write(child) for child in node.children)
    return f"<{node.tag}{attrs}>{inside}</{node.tag}>" if inside else f"<{node.tag}{attrs}/>"


# Selectors -------------------------------------------------------------------------------------

# One condition of a compound: kind, name, and for an attribute how it is compared and with what;
# for `is` and `not` the alternatives inside.
Condition: TypeAlias = tuple[str, str, str, str, "tuple[Selector, ...]"]
# A compound and how it hangs on the one before: " " or ">" or "+" or "~".
Selector: TypeAlias = tuple[tuple[str, tuple[Condition, ...]], ...]

PART = re.compile(
    r"""(?P<tag>[\w-]+|\*) | \.(?P<cls>[\w-]+) | \#(?P<id>[\w-]+)
    | \[(?P<attr>[\w-]+)(?:(?P<how>[\^$]?=)["']?(?P<value>[^"'\]]*)["']?)?\]
    | :(?P<pseudo>is|not|where|nth-of-type)\((?P<inner>(?:[^()]|\([^()]*\))*)\)""",
    re.VERBOSE,
)


@cache
def selector(text: str) -> tuple[Selector, ...]:
    """Return the alternatives of a selector; ValueError for what is not known here."""
    return tuple(_one(part) for part in apart(text, ","))


def apart(text: str, sign: str) -> list[str]:
    """Cut a text at a sign that stands in no brackets."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(text):
        depth += (letter in "([") - (letter in ")]")
        if letter == sign and depth == 0:
            parts.append(text[start:place])
            start = place + 1
    return [part.strip() for part in (*parts, text[start:])]


def _one(text: str) -> Selector:
    compounds: list[tuple[str, tuple[Condition, ...]]] = []
    place, hangs = 0, ""
    while place < len(text):
        if found := re.compile(r"\s*([>+~])\s*|\s+").match(text, place):
            hangs, place = found[1] or " ", found.end()
            continue
        conditions: list[Condition] = []
        while found := PART.match(text, place):
            conditions.append(_condition(found))
            place = found.end()
        if not conditions:
            raise ValueError(f"selector: got {text!r}, of which {text[place:]!r} is not known")
        compounds.append((hangs, tuple(conditions)))
        hangs = ""
    return tuple(compounds)


def _condition(found: re.Match[str]) -> Condition:
    if found["tag"]:
        return "tag", found["tag"], "", "", ()
    if found["cls"]:
        return "class", found["cls"], "", "", ()
    if found["id"]:
        return "attr", "id", "=", found["id"], ()
    if found["attr"]:
        return "attr", found["attr"], found["how"] or "", found["value"] or "", ()
    if found["pseudo"] == "nth-of-type":
        return "nth", found["inner"].replace(" ", ""), "", "", ()
    return ("not" if found["pseudo"] == "not" else "is"), "", "", "", selector(found["inner"])


def matches(node: Node, chosen: str | tuple[Selector, ...]) -> bool:
    """Say whether a selector chooses an element."""
    alternatives = selector(chosen) if isinstance(chosen, str) else chosen
    return any(_hangs(node, one, len(one) - 1) for one in alternatives)


def _hangs(node: Node | None, one: Selector, n: int) -> bool:
    hangs, conditions = one[n]
    if node is None or not all(_holds(node, condition) for condition in conditions):
        return False
    if n == 0:
        return True
    if hangs == ">":
        return _hangs(node.parent, one, n - 1)
    if hangs in "+~":
        beside = node.parent.elements if node.parent else [node]
        before = beside[: beside.index(node)]
        return any(_hangs(other, one, n - 1) for other in (before if hangs == "~" else before[-1:]))
    above = node.parent
    while above is not None:
        if _hangs(above, one, n - 1):
            return True
        above = above.parent
    return False


def _holds(node: Node, condition: Condition) -> bool:
    kind, name, how, wanted, inner = condition
    if kind == "class":
        return name in node.classes
    if kind == "tag":
        return name in ("*", node.tag)
    if kind == "attr":
        own = node.attrs.get(name)
        if own is None or not how:
            return own is not None
        ends = {"^=": own.startswith, "$=": own.endswith}
        return ends[how](wanted) if how in ends else own == wanted
    if kind == "nth":  # n+3, the only one in use: from the third on
        beside = node.parent.elements if node.parent else []
        same = [other for other in beside if other.tag == node.tag]
        return same.index(node) + 1 >= int(name.removeprefix("n+"))
    return matches(node, inner) == (kind == "is")


def find(root: Node, chosen: str) -> list[Node]:
    """Return the elements below a root that a selector chooses, in the order of the document."""
    alternatives = selector(chosen)
    return [node for node in root.walk() if node is not root and matches(node, alternatives)]
