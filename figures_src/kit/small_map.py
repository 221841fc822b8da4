"""A small map of one row of weights: photograph, CLS above it, levels of paint, a mark.

The player's are drawn empty; `vitattn.paintMap` fills them, those of the explorer too, in the units
of the photograph's panel (docs/javascripts/grid.js).
"""

from .colours import weight_level
from .elements import tag
from .geometry import TEACHING, Field, Floats
from .photographs import EDGE, cells_painted


def small_map(name: str, title: str, words: str) -> str:
    """Return an empty map with a title and words under it; the script finds it as `[data-map=name]`."""
    caption = tag("figcaption", tag("b", title), tag("span", words))
    return tag(
        "figure", drawing(TEACHING, "va-photograph"), caption, class_="va-map-figure", data_map=name
    )


def drawing(
    field: Field, picture: str, weights: Floats | None = None, *, query: int | None = None
) -> str:
    """Return the map of a row (N,), from 0 to its largest weight; empty without weights.

    picture: the id of the photograph on the page; query: the row that is framed.
    """
    largest = 0.0 if weights is None else float(weights.max())
    squares = "" if weights is None else cells_painted(field.grid.field(weights), largest, 1)
    side, top, width = field.cell, field.cls_top, field.grid.width
    cls_level = 0 if weights is None else weight_level(float(weights[0]), largest)
    kind = f"va-square w{cls_level}" if cls_level else "va-square"
    return tag(
        "svg",
        tag("use", href=f"#{picture}", class_="va-dim"),
        tag("rect", y=top, width=side, height=side, class_="va-cls"),
        tag("rect", y=top, width=side, height=side, class_=kind, data_cls=""),
        tag("g", squares, transform=f"scale({side})", class_="va-map-paint"),
        tag("path", class_="va-taken", data_taken=""),
        framed(field, query),
        viewBox=f"0 {top} {width} {field.grid.height - top}",
        class_="va-small-map",
        aria_hidden="true",
    )


def framed(field: Field, query: int | None = None) -> str:
    """Return the square frame around the query's cell."""
    side = field.cell + 2 * EDGE
    box = {"x": -EDGE, "y": -EDGE, "width": side, "height": side, "rx": 0}
    x, y = (0, 0) if query is None else field.corner(query)
    return tag(
        "g",
        tag("rect", class_="va-halo", **box),
        tag("rect", class_="va-frame", **box),
        class_="va-mark is-query",
        transform=f"translate({x} {y})",
    )
