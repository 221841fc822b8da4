"""One picture out of two: the same marks saved in the light and in the dark scheme become one SVG.

What a mark looks like becomes a class; where the dark file differs, a media query says so.
"""

from xml.etree import ElementTree
from xml.etree.ElementTree import Element

SVG = "http://www.w3.org/2000/svg"
# The attributes that say how a mark looks. Each is a property of style sheets too.
LOOKS = (
    "fill",
    "fill-opacity",
    "stroke",
    "stroke-opacity",
    "stroke-width",
    "stroke-dasharray",
    "stroke-dashoffset",
    "stop-color",
    "opacity",
    "paint-order",
    "vector-effect",
    "font-family",
    "font-size",
    "font-weight",
    "font-style",
    "text-anchor",
)
LENGTHS = {"font-size"}  # a style sheet wants their unit


def light_and_dark(light: str, dark: str, name: str) -> str:
    """Return one SVG that shows `light`, or `dark` where the reader's system is dark.

    Raises ValueError, naming the picture, where the two do not hold the same marks.
    """
    ElementTree.register_namespace("", SVG)
    day, night = ElementTree.fromstring(light), ElementTree.fromstring(dark)
    pairs = list(zip(day.iter(), night.iter(), strict=False))
    classes: dict[tuple[str, str], str] = {}
    for one, other in pairs:
        _compare(one, other, name)
        look = (_look(one), _look(other))
        for key in LOOKS:
            one.attrib.pop(key, None)
        if look != ("", ""):
            one.set("class", classes.setdefault(look, f"c{len(classes)}"))
    if len(pairs) != sum(1 for _ in day.iter()) or len(pairs) != sum(1 for _ in night.iter()):
        raise ValueError(f"{name}: got more marks in one scheme than in the other")
    style = Element(f"{{{SVG}}}style")
    style.text = _rules(classes)
    day.insert(0, style)
    return ElementTree.tostring(day, encoding="unicode", short_empty_elements=True) + "\n"


def _compare(one: Element, other: Element, name: str) -> None:
    """Raise ValueError where two marks differ in more than their look."""
    rest = [{k: v for k, v in mark.attrib.items() if k not in LOOKS} for mark in (one, other)]
    if one.tag != other.tag or (one.text or "") != (other.text or "") or rest[0] != rest[1]:
        kind = one.tag.rpartition("}")[2]
        raise ValueError(f"{name}: got another {kind} in the dark scheme: {rest[1]}, not {rest[0]}")


def _look(mark: Element) -> str:
    return ";".join(
        f"{key}:{mark.get(key)}{'px' if key in LENGTHS else ''}"
        for key in LOOKS
        if key in mark.attrib
    )


def _rules(classes: dict[tuple[str, str], str]) -> str:
    by_day = "".join(f".{name}{{{day}}}" for (day, _), name in classes.items() if day)
    at_night = "".join(
        f".{name}{{{_changed(day, night)}}}"
        for (day, night), name in classes.items()
        if day != night
    )
    return f"{by_day}@media(prefers-color-scheme:dark){{{at_night}}}"


def _changed(day: str, night: str) -> str:
    """Return what the dark look says that the light one does not; what it leaves out is unset."""
    said = dict(part.split(":", 1) for part in day.split(";") if part)
    says = dict(part.split(":", 1) for part in night.split(";") if part)
    gone = dict.fromkeys(said.keys() - says.keys(), "initial")
    changed = {key: value for key, value in says.items() if said.get(key) != value}
    return ";".join(f"{key}:{value}" for key, value in sorted({**gone, **changed}.items()))
