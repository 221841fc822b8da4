"""A small map of one row of weights, empty: photograph, CLS above it, levels of paint, a mark.

`vitattn.paintMap` of docs/javascripts/player.js fills it, in the units of the photograph's panel.
"""

from vitattn_core.teaching import GRID

from .alone import MAP_LEVELS
from .marks import tag
from .painted import frame
from .shapes import CELL, CLS_TOP
from .tokens import WEIGHT_LEVELS


def small_map(name: str, title: str, words: str) -> str:
    """Return a map with a title and words under it; the script finds it as `[data-map=name]`."""
    levels = (
        tag("path", class_=f"w{round((WEIGHT_LEVELS - 1) * level / MAP_LEVELS)}", data_step=level)
        for level in range(1, MAP_LEVELS + 1)
    )
    drawing = tag(
        "svg",
        tag("use", href="#va-photograph", class_="va-dim"),
        tag("rect", y=CLS_TOP, width=CELL, height=CELL, class_="va-cls"),
        tag("rect", y=CLS_TOP, width=CELL, height=CELL, class_="va-square", data_cls=""),
        tag("g", *levels, transform=f"scale({CELL})", class_="va-map-paint"),
        tag("path", class_="va-taken", data_taken=""),
        frame(0, 0),
        viewBox=f"0 {CLS_TOP} {GRID.width} {GRID.height - CLS_TOP}",
        class_="va-small-map",
        aria_hidden="true",
    )
    said = tag("figcaption", tag("b", title), tag("span", words))
    return tag("figure", drawing, said, class_="va-map-figure", data_map=name)
