"""Page Maps: weight against effect, for every pair of a small scene and three interventions."""

import math

from figures_src.kit.elements import tag
from figures_src.kit.geometry import Floats
from figures_src.kit.numbers import fixed
from figures_src.kit.strips import svg
from figures_src.pages.registry import figure
from vitattn_core.reading import rank_correlation

from . import examples

LEFT, RIGHT, BOTTOM, TOP = -4.6, 0.0, -4.0, 1.0  # of the plot, as powers of ten
HEIGHT = 210


@figure(
    "maps-scatter",
    caption="Every pair of query and key of a small scene: the 16 patches around the left eye, run "
    "through head 1 by themselves (swapping takes two, so the third cloud leaves out i = j). Both "
    "axes count in powers of ten. Strong dots: the row of patch (6,2). Its brightest key has the ring, "
    "and only one other key of the row matters less when it is deleted.",
    alt="Three clouds of points, weight to the right and movement of the output upwards. Deleting: a "
    "broad rising band. Zeroing: a narrow rising band. Swapping with the query’s own value: falling.",
)
def scatter() -> str:
    scene = examples.small_scene()
    off = examples.off_diagonal
    row = _marked_row(scene)
    panels = (
        ("delete key j", scene.weights, scene.deleted, row),
        ("zero value j", scene.weights, scene.zeroed, None),
        ("swap value j with value i", off(scene.weights), off(scene.swapped), None),
    )
    drawn = [
        tag(
            "div",
            tag("small", "how far the output moves"),
            _cloud(x.ravel(), y.ravel(), marked),
            tag("small", "weight", class_="va-x-name"),
            tag("b", title),
            tag("small", f"rank correlation {fixed(rank_correlation(x.ravel(), y.ravel()), 2)}"),
            class_="va-cloud",
        )
        for title, x, y, marked in panels
    ]
    return tag("div", *drawn, class_="va-clouds")


def _marked_row(scene: examples.Scene) -> tuple[Floats, Floats]:
    """Return weights and effects of the row named in the caption, brightest key first."""
    row, column = 6 - examples.CORNER[0], 2 - examples.CORNER[1]
    query = row * examples.SIDE + column
    order = scene.weights[query].argsort()[::-1]
    return scene.weights[query, order], scene.deleted[query, order]


def _at(x: float, y: float) -> tuple[float, float]:
    """Return a place in per cent of the plot, from the upper left."""
    across = (math.log10(x) - LEFT) / (RIGHT - LEFT)
    down = (TOP - math.log10(y)) / (TOP - BOTTOM)
    return 100 * across, 100 * min(max(down, 0.0), 1.0)


def _cloud(xs: Floats, ys: Floats, row: tuple[Floats, Floats] | None) -> str:
    marks = []
    for power in range(math.ceil(BOTTOM), int(TOP) + 1):
        y = HEIGHT * (TOP - power) / (TOP - BOTTOM)
        marks.append(tag("line", x1=0, x2="100%", y1=f"{y:g}", y2=f"{y:g}", class_="va-grid-rule"))
        if BOTTOM < power < TOP:
            marks.append(tag("text", _power(power), x=2, y=f"{y - 4:g}", class_="at-0"))
    for power in range(math.ceil(LEFT), int(RIGHT) + 1):
        x = f"{100 * (power - LEFT) / (RIGHT - LEFT):.1f}%"
        kind = "at-4" if power == RIGHT else "at-2"
        marks.append(tag("line", x1=x, x2=x, y1=0, y2=HEIGHT, class_="va-grid-rule"))
        marks.append(tag("text", _power(power), x=x, y=HEIGHT + 14, class_=kind))
    plot = tag(
        "svg",
        tag("path", d=_dots(xs, ys), class_="va-dots"),
        *([tag("path", d=_dots(*row), class_="va-dots is-row")] if row else []),
        viewBox="0 0 100 100",
        preserveAspectRatio="none",
        width="100%",
        height=HEIGHT,
    )
    if row:
        across, down = _at(float(row[0][0]), float(row[1][0]))
        circle = {"cx": f"{across:.1f}%", "cy": f"{HEIGHT * down / 100:.1f}", "r": 8}
        marks.append(tag("circle", class_="va-ring", **circle))
    return svg(HEIGHT + 18, plot, *marks, cls="va-scatter")


def _dots(xs: Floats, ys: Floats) -> str:
    places = (_at(float(x), float(y)) for x, y in zip(xs, ys, strict=True))
    return "".join(f"M{x:.1f} {y:.1f}h0" for x, y in places)


def _power(power: int) -> str:
    return "1" if power == 0 else fixed(10.0**power, -power)
