"""How a mark looks in a picture of its own: the properties of the style sheet, as short classes.

Colours are names of the token table until the very end; each class then says light and dark.
"""

import re
from dataclasses import dataclass, field

from .. import tokens
from ..cascade import Style, resolved
from ..tree import Node

TOKEN = re.compile(r"var\(--va-([\w-]+)\)")
MIX = re.compile(r"color-mix\(in srgb, (var\(--va-[\w-]+\)) (\d+)%, transparent\)")
FAMILIES = {"": "", "serif": "Georgia,serif"}
LEVEL = re.compile(r"w(\d+)")
PLAIN = {"fill-opacity": "1", "stroke-opacity": "1", "opacity": "1", "font-weight": "400"}

Look = tuple[tuple[str, str], ...]


def with_level(node: Node, own: Style) -> Style:
    """Return a style with the paint of a weight, which the style sheet's rules may still change."""
    for name in node.classes:
        if found := LEVEL.fullmatch(name):
            share = int(found[1]) / (tokens.WEIGHT_LEVELS - 1)
            opacity = f"{tokens.weight_opacity(share):.2f}"
            return {**own, "fill": tokens.weight_colour(share), "fill-opacity": opacity}
    return own


def shape_look(own: Style, scale: float = 1) -> Look:
    """Return how a shape is painted; a stroke that keeps its width is divided by the scale."""
    look: Style = {"fill": resolved(own, "fill", "none")}
    if (stroke := resolved(own, "stroke", "none")) != "none":
        width = float(resolved(own, "stroke-width", "1px").removesuffix("px"))
        if own.get("vector-effect") == "non-scaling-stroke":
            width /= scale
        look |= {"stroke": stroke, "stroke-width": f"{width:.2f}".rstrip("0").rstrip(".")}
        look["stroke-opacity"] = resolved(own, "stroke-opacity", "1")
    if look["fill"] != "none":
        look["fill-opacity"] = resolved(own, "fill-opacity", "1")
    look["opacity"] = resolved(own, "opacity", "1")
    return _kept(look)


def text_look(own: Style) -> Look:
    """Return how the words of a panel are written."""
    size = float(own["font-size"].removesuffix("px"))
    family = own.get("font-family", "")
    look: Style = {
        "fill": resolved(own, "fill", "currentColor"),
        "font-size": f"{size:g}px",
        "font-weight": own.get("font-weight", "400"),
        "font-style": own.get("font-style", "normal"),
        "font-family": FAMILIES["serif"] if "Georgia" in family else "",
        "text-anchor": own.get("text-anchor", "start"),
    }
    if (stroke := resolved(own, "stroke", "none")) != "none":
        look |= {"stroke": stroke, "stroke-width": resolved(own, "stroke-width", "1px")}
        look["paint-order"] = own.get("paint-order", "normal")
    return _kept(look)


def words_look(**told: str) -> Look:
    """Return how a run of words is written."""
    return _kept({name.replace("_", "-"): value for name, value in told.items()})


def _kept(look: Style) -> Look:
    idle = {**PLAIN, "font-style": "normal", "text-anchor": "start", "font-family": ""}
    kept = {name: value for name, value in look.items() if value and value != idle.get(name)}
    return tuple(sorted(kept.items()))


def look_text(look: Look) -> str:
    """Return a look as the text of a class attribute, until the whole file is known."""
    return ";".join(f"{name}:{value}" for name, value in look)


def short(n: int) -> str:
    """Return a name for the nth thing: a, b, …, aa, ab, …"""
    letters = "abcdefghijklmnopqrstuvwxyz"
    return (short(n // 26 - 1) if n >= 26 else "") + letters[n % 26]


@dataclass
class Classes:
    """The looks of a file, each a class: a, b, … in the order in which they are first used."""

    names: dict[str, str] = field(default_factory=dict)

    def name(self, look: str) -> str:
        """Return the class of a look."""
        if look not in self.names:
            self.names[look] = short(len(self.names))
        return self.names[look]

    def css(self) -> str:
        """Return the rules: light, and what is another colour in the dark."""
        looks = {name: _read(look) for look, name in self.names.items()}
        light = "".join(f".{name}{{{_declared(look, 'light')}}}" for name, look in looks.items())
        dark = ""
        for name, look in looks.items():
            turned = tuple(
                (prop, value)
                for prop, value in look
                if _coloured(value, "light") != _coloured(value, "dark")
            )
            if turned:
                dark += f".{name}{{{_declared(turned, 'dark')}}}"
        return f"{light}@media(prefers-color-scheme:dark){{{dark}}}"


def _read(text: str) -> Look:
    parts = (part.partition(":") for part in text.split(";") if part)
    return tuple((name, value) for name, _, value in parts)


FONT = ("font-style", "font-weight", "font-size", "font-family")


def _declared(look: Look, scheme: str) -> str:
    told = dict(look)
    if all(name in told for name in FONT[2:]):  # in one: shorter
        font = " ".join(told.pop(name) for name in FONT if name in told)
        told = {**told, "font": font}
    text = ";".join(f"{name}:{_coloured(value, scheme)}" for name, value in told.items())
    text = re.sub(r"(?<=[:; ])0\.", ".", text)
    return re.sub(r"#(\w)\1(\w)\2(\w)\3\b", r"#\1\2\3", text)


def _coloured(value: str, scheme: str) -> str:
    return TOKEN.sub(lambda found: colour(found[1], scheme), value)


def colour(name: str, scheme: str) -> str:
    """Return a token's colour; KeyError for no token."""
    row = {token.name: token for token in tokens.TOKENS}[name]
    return str(getattr(row, scheme))
