"""The player's style sheet, applied to drawn marks: what a file to take away has to say by itself.

Reads the part of CSS that docs/stylesheets/player.css uses for marks; rules for states of a page
(:hover, :has, media) are passed over, container rules are taken as on a wide screen.
"""

import re
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import TypeAlias

from . import tree
from .tree import Node, Selector

SHEET = Path(__file__).resolve().parents[1] / "docs" / "stylesheets" / "player.css"
WIDTH = 1104  # of the player, in pixels
REM = 20  # pixels of a rem of the pages, at a browser's own size of text
ROOT = {"color": "var(--va-ink)", "fill": "currentColor", "font-size": "15px", "font-weight": "400"}
# What a mark does not take over from what it stands in.
OWN = {
    "display",
    "opacity",
    "background",
    "transform-origin",
    "transform-box",
    "overflow",
    "filter",
}
Style: TypeAlias = dict[str, str]
FONT = re.compile(r"(?P<style>italic )?(?P<weight>\d+ )?(?P<size>[\d.]+px)(?:/\S+)? (?P<family>.+)")


@dataclass(frozen=True)
class Rule:
    """One selector of a rule: how much it weighs, and what it declares."""

    selector: Selector
    weight: tuple[int, int, int]
    declares: tuple[tuple[str, str], ...]


@dataclass
class Sheet:
    """The rules by a class of what they choose; the others by its tag."""

    by_class: dict[str, list[Rule]] = field(default_factory=dict)
    by_tag: dict[str, list[Rule]] = field(default_factory=dict)

    def put(self, rule: Rule) -> None:
        last = rule.selector[-1][1]
        classes = [name for kind, name, *_ in last if kind == "class"]
        tags = [name for kind, name, *_ in last if kind == "tag"]
        room, key = (self.by_class, classes[0]) if classes else (self.by_tag, (tags or ["*"])[0])
        room.setdefault(key, []).append(rule)

    def choose(self, node: Node) -> list[Rule]:
        """Return the rules that choose an element, the weightiest last."""
        near = [rule for name in node.classes for rule in self.by_class.get(name, ())]
        near += [rule for name in (node.tag, "*") for rule in self.by_tag.get(name, ())]
        fit = [rule for rule in near if tree.matches(node, (rule.selector,))]
        return sorted(fit, key=lambda rule: rule.weight)


@cache
def sheet(text: str | None = None) -> Sheet:
    """Return the player's style sheet as rules, or those of a given text."""
    css = re.sub(r"/\*.*?\*/", "", SHEET.read_text("utf-8") if text is None else text, flags=re.S)
    css = re.sub(r"(-?[\d.]+)rem\b", lambda found: f"{float(found[1]) * REM:g}px", css)
    made, open_, order = Sheet(), [True], 0
    for head, sign in re.findall(r"([^{}]*)([{}])", css):
        head = head.strip()
        if sign == "{":
            if head.startswith("@"):
                open_.append(open_[-1] and _holds(head))
            else:
                chosen = head
                open_.append(open_[-1])
        else:
            if open_.pop() and head:
                order += 1
                for one in tree.apart(chosen, ","):
                    _put(made, one, head, order)
    return made


def _holds(head: str) -> bool:
    """Say whether an at-rule is in force on a wide screen."""
    found = re.fullmatch(r"@container player \((min|max)-width: ?([\d.]+)px\)", head)
    if not found:
        return False
    at = float(found[2])
    return at <= WIDTH if found[1] == "min" else at >= WIDTH


def _put(made: Sheet, chosen: str, body: str, order: int) -> None:
    try:
        (read,) = tree.selector(chosen)
    except ValueError:
        return  # for a state of the page
    declares = []
    for part in body.split(";"):
        name, _, value = (piece.strip() for piece in part.partition(":"))
        if name == "font" and (font := FONT.fullmatch(value)):
            declares += [
                ("font-style", (font["style"] or "normal").strip()),
                ("font-weight", (font["weight"] or "400").strip()),
                ("font-size", font["size"]),
                ("font-family", font["family"]),
            ]
        elif name:
            declares.append((name, value.removesuffix("!important").strip()))
    classes = len(re.findall(r"\.[\w-]+|\[|:nth", chosen))
    tags = len(re.findall(r"(?:^|[\s>+~(])[a-z][\w-]*", chosen))
    made.put(Rule(read, (chosen.count("#"), classes, tags * 10_000 + order), tuple(declares)))


def style(node: Node, above: Style) -> Style:
    """Return what a mark has: what it takes over from above, its attributes, its rules, its style."""
    own = {name: value for name, value in above.items() if name not in OWN}
    told = {name: node.attrs[name] for name in ("text-anchor", "style") if name in node.attrs}
    if "text-anchor" in told:
        own["text-anchor"] = told["text-anchor"]
    for rule in sheet().choose(node):
        own.update(part for part in rule.declares if part[1] != "inherit")
    for part in told.get("style", "").split(";"):
        name, _, value = part.partition(":")
        own[name.strip()] = value.strip()
    own["font-size"] = _size(own["font-size"], above["font-size"])
    return own


def _size(text: str, above: str) -> str:
    """Return a font's size in pixels."""
    over = float(above.removesuffix("px"))
    if found := re.fullmatch(r"max\(([\d.]+)px, ([\d.]+)em\)", text):
        return f"{max(float(found[1]), float(found[2]) * over):g}px"
    if found := re.fullmatch(r"([\d.]+)em", text):
        return f"{float(found[1]) * over:g}px"
    return text


def resolved(own: Style, name: str, default: str = "") -> str:
    """Return a property with its custom properties put in; colours of tokens stay names."""
    value = own.get(name, default)
    for _ in range(4):
        found = re.search(r"var\((--(?!va-)[\w-]+)\)", value)
        if not found:
            break
        value = value.replace(found[0], own.get(found[1], "0"))
    return own.get("color", "") if value.lower() == "currentcolor" else value
