"""Page Maps: two maps with one output, keys by three measures, and a rollout."""

from collections.abc import Sequence

import numpy as np

from figures_src.inputs import photographs
from figures_src.kit.colours import weight_level
from figures_src.kit.elements import tag
from figures_src.kit.geometry import CELL, Floats
from figures_src.kit.numbers import fixed, percent
from figures_src.kit.photographs import frame, paint, panel, photograph, side_by_side
from figures_src.kit.strips import strip, svg
from figures_src.pages.registry import figure
from vitattn_core.constructed import STACK_GRID
from vitattn_core.teaching import GRID, VALUE_CHANNELS

from . import examples


@figure(
    "maps-two-maps",
    caption="Two rows of weights for the picked patch in head 2. Left, as computed; right, a row that "
    "avoids the whole square on purpose. Below, the output of each: they differ by rounding only.",
    alt="The same photograph twice. Left, weights lie in a cluster around the left eye; right, they "
    "are spread over the other patches and none lies near the eye. Under both the same four numbers.",
)
def two_maps() -> str:
    maps = examples.two_maps()
    near = examples.near()
    top = max(float(row[GRID.prefix :].max()) for row in maps)
    titles = ("head 2, as computed", "another row, same output")
    drawn = [
        panel(
            title,
            photograph(paint(row, largest=top), _near_square(), frame(*GRID.place(examples.QUERY))),
            f"{percent(float(row[near].sum()))} of the weight inside the square",
        )
        for row, title in zip(maps, titles, strict=True)
    ]
    values = photographs.trace("chelsea").V[examples.NEAR]
    lines = [_output(words, row @ values) for words, row in zip("←→", maps, strict=True)]
    return side_by_side(*drawn, size=368) + tag("div", *lines, class_="va-outputs")


def _near_square() -> str:
    row, column = GRID.place(examples.QUERY)
    first = [max(0, at - examples.REACH) for at in (column, row)]
    last = [
        min(end, at + examples.REACH + 1) for at, end in ((column, GRID.columns), (row, GRID.rows))
    ]
    x, y, right, bottom = (CELL * at for at in (*first, *last))
    return tag("rect", x=x, y=y, width=right - x, height=bottom - y, class_="va-limit")


def _output(sign: str, output: Floats) -> str:
    numbers = zip(VALUE_CHANNELS, output, strict=True)
    cells = (tag("span", f"{name} ", tag("b", fixed(value, 6))) for name, value in numbers)
    return tag("div", tag("small", f"output {sign}"), *cells)


@figure(
    "maps-worth",
    caption="{{ maps.worth.word = Six }} keys of the picked row of head 1, in order by three "
    "measures. The patch itself leads in all three and is left out. CLS, the dimmest of the "
    "{{ maps.worth.word = six }}, moves the output most: more than any other key of the row "
    "but the patch itself.",
    alt="Three lists of the same {{ maps.worth.word = six }} keys with lines between them that "
    "cross. By weight (6,11) is first and CLS last; by the length of weight times value (4,4) "
    "is first; by effect CLS is first.",
)
def worth() -> str:
    keys = [key for key in examples.worth() if key.key != examples.QUERY]
    measures: tuple[tuple[str, str, list[float], str], ...] = (
        ("weight", "weight", [k.weight for k in keys], "3"),
        ("weight × value, length", "value", [k.part for k in keys], "3"),
        ("output moves when deleted", "output", [k.effect for k in keys], "%"),
    )
    places = [_order(values) for _, _, values, _ in measures]
    at = ("16%", "50%", "84%")
    marks = []
    for n in range(len(keys)):
        for left in range(2):
            ends = {"x1": f"{(28, 62)[left]}%", "x2": f"{(38, 72)[left]}%"}
            y1, y2 = (30 * places[left + side][n] + 11 for side in (0, 1))
            kind = "va-slope is-cls" if keys[n].key == 0 else "va-slope"
            marks.append(tag("line", y1=y1, y2=y2, class_=kind, **ends))
    for column, (_, role, values, form) in enumerate(measures):
        for n, key in enumerate(keys):
            number = percent(values[n]) if form == "%" else fixed(values[n], 3)
            name = "CLS" if key.key == 0 else "({},{})".format(*GRID.place(key.key))
            y = 30 * places[column][n] + 16
            text = (f"{name} ", tag("tspan", number, class_=f"role-{role}"))
            marks.append(tag("text", *text, x=at[column], y=y, class_="at-2"))
    heads = (tag("span", words, class_=f"role-{role}") for words, role, _, _ in measures)
    drawn = tag("div", *heads, class_="va-worth-head") + svg(30 * len(keys), *marks, cls="va-worth")
    return tag("div", tag("div", drawn), class_="va-sideways")


def _order(values: Sequence[float]) -> list[int]:
    """Return the place of each value, the largest first."""
    return [int(place) for place in np.argsort(np.argsort(-np.array(values)))]


WORDS = {
    "plain": "value passed on",
    "unread": "in no value",
    "twice": "added, taken away",
    "faint": "raised by the MLP",
}


@figure(
    "maps-rollout",
    caption="A constructed stack: the weights of its three blocks and their rollout. Row i reads "
    "column j; both stand in the order CLS, (0,0), (0,1), (1,0), (1,1). Below, for each patch: the "
    "share that the rollout gives it in CLS, and how far CLS really moves, as a share of its length, "
    "when the patch tells the opposite. The order is reversed.",
    alt="Four 5 by 5 grids of weights. Below, four pairs of bars. Rollout: patch (0,1) has most, then "
    "(1,0), (0,0), (1,1). Effect: (1,1) has most, then (0,0), (1,0), and (0,1) has none at all.",
)
def rollout() -> str:
    run = examples.rolled()
    names = [f"block {n}" for n in range(1, len(run.traces) + 1)]
    grids = [_matrix(name, t.A[0]) for name, t in zip(names, run.traces, strict=True)]
    lines = []
    for patch, (story, words) in enumerate(WORDS.items()):
        share = float(run.rollout[0, STACK_GRID.prefix + patch])
        effect = run.effect[patch]
        place = STACK_GRID.place(STACK_GRID.prefix + patch)
        bars = svg(32, *_bar(share, 0, "weight"), *_bar(effect, 16, "output"), cls="va-pair")
        assert story == examples.STORIES[patch]
        lines.append(strip("({},{})".format(*place), "none", words, bars, cls="va-story"))
    say = tag(
        "p",
        tag("span", "rollout", class_="role-weight"),
        " and ",
        tag("span", "effect", class_="role-output"),
        " on the last row of CLS",
        class_="va-pair-key",
    )
    matrices = tag("div", *grids, _matrix("rollout", run.rollout), class_="va-matrices")
    return matrices + say + tag("div", *lines, class_="va-lines-below")


def _matrix(name: str, weights: Floats) -> str:
    side = len(weights)
    cells = []
    for i, row in enumerate(weights):
        for j, weight in enumerate(row):
            level = weight_level(float(weight), 1.0)
            place = {"x": j, "y": i, "width": 0.94, "height": 0.94}
            cells.append(tag("rect", class_=f"w{level}" if level else "va-square", **place))
    box = f"0 0 {side} {side}"
    drawing = tag("svg", *cells, viewBox=box, aria_hidden="true")
    return tag("div", drawing, tag("small", name))


def _bar(value: float, y: int, role: str) -> list[str]:
    width = 86 * value
    return [
        tag("rect", x=0, y=y, width=f"{width:.2f}%", height=13, class_=f"va-fill role-{role}"),
        tag("text", fixed(value, 3), x=f"{width + 1:.2f}%", y=y + 11, class_="at-0"),
    ]
