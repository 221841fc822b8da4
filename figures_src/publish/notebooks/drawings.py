"""A drawing that a notebook's cell displayed, as the page shows it.

A notebook is also opened without the site, so its drawings name plain colours. Here every mark has
a class, and the style sheet paints it: the page keeps the classes and drops those colours.
"""

import base64
from xml.etree import ElementTree

SPACE = "http://www.w3.org/2000/svg"
ADDRESS = "data:image/svg+xml;base64,"
MARKS = {
    "svg": {"viewBox", "width", "height", "role", "aria-label", "font-size", "fill"},
    "g": {"transform", "class", "fill", "opacity"},
    "text": {"x", "y"},
    "rect": {"x", "y", "width", "height", "class", "fill", "fill-opacity", "stroke"},
    "path": {"d", "transform", "class", "fill", "fill-opacity", "stroke"},
}
PAINT = ("fill", "stroke")


def inline(address: str) -> str:
    """The drawing behind the address of a converted image, as an element of the page.

    Raises ValueError at what it does not know: other marks, other attributes, a mark without a
    class, a drawing without a name.
    """
    if not address.startswith(ADDRESS):
        raise ValueError(f"has an image at {address[:40]}: only SVG has a place on the page")
    svg = ElementTree.fromstring(base64.b64decode(address.removeprefix(ADDRESS)))
    _clean(svg, painted=False)
    if svg.tag != "svg" or svg.get("role") != "img" or not svg.get("aria-label"):
        raise ValueError('draws without a name: takes <svg role="img" aria-label="…">')
    svg.set("class", "va-drawing")
    return ElementTree.tostring(svg, encoding="unicode")


def _clean(element: ElementTree.Element, *, painted: bool) -> None:
    """Check an element and all in it; `painted`: something around it has a class."""
    tag = element.tag.removeprefix(f"{{{SPACE}}}")
    foreign = [tag] if tag not in MARKS else sorted(set(element.attrib) - MARKS[tag])
    if foreign:
        raise ValueError(f"draws what has no place on the page: <{tag}>, {foreign[0]}")
    painted = painted or "class" in element.attrib
    if tag in ("rect", "path") and not painted:
        raise ValueError(f"draws a <{tag}> without a class: nothing paints it on the page")
    for name in PAINT:
        element.attrib.pop(name, None)
    element.tag = tag
    for part in element:
        _clean(part, painted=painted)
