"""Figures of the page on masks."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from figures_src.inputs import photographs
from figures_src.kit.elements import tag
from figures_src.kit.geometry import Floats
from figures_src.kit.numbers import fixed
from figures_src.kit.photographs import (
    frame,
    in_front,
    paint,
    panel,
    photograph,
    side_by_side,
    squares,
)
from figures_src.kit.strips import strip, svg
from figures_src.pages.examples import padding
from figures_src.pages.registry import figure
from vitattn_core import causal_mask, hide, key_mask, softmax, window_mask
from vitattn_core.teaching import GRID

PLACE, TWIN = (5, 4), (6, 11)
QUERY = GRID.token(*PLACE)
WINDOW = 7


@cache
def kinds() -> dict[str, NDArray[np.bool_]]:
    """Return the row of each mask for the left eye (197,): True = keep."""
    return {
        "no mask": np.ones(GRID.tokens, dtype=np.bool_),
        "padding": key_mask(padding())[0],
        "causal": causal_mask(GRID.tokens)[QUERY],
        "window": window_mask(GRID, WINDOW)[QUERY],
    }


def masked(kind: str) -> Floats:
    """Return the weights of the left eye in head 1 under one of the masks (197,)."""
    scores = photographs.trace("chelsea").S[0, QUERY]
    weights: Floats = softmax(hide(scores[None], kinds()[kind][None]))[0]
    return weights


@figure(
    "masks-kinds",
    caption="The row of the left eye in head 1, free and under {{ masks.kinds.word = three }} masks. "
    "Dark patches are hidden: their weight is exactly 0, and the others share out what is "
    "freed, in proportion. One scale for all four.",
    alt="Four maps on the cat. No mask: both eyes and a nostril. Padding: the lower "
    "{{ masks.padded_lines.word = four }} lines are hidden. Causal: everything after the eye "
    "is hidden. Window: only the upper left quarter is kept.",
)
def draw_kinds() -> str:
    rows = {kind: masked(kind) for kind in kinds()}
    largest = max(float(row.max()) for row in rows.values())
    panels = []
    for kind, weights in rows.items():
        keep = kinds()[kind]
        hidden = [GRID.place(int(t)) for t in np.flatnonzero(~keep)]
        drawing = photograph(
            squares(hidden, "va-hidden") if hidden else "",
            paint(weights, largest=largest),
            frame(*PLACE),
        )
        panels.append(
            panel(
                kind,
                drawing,
                f"{int(keep.sum())} keys kept",
                f"itself {fixed(weights[QUERY], 3)}",
                f"other eye {_or_hidden(weights[GRID.token(*TWIN)])}",
                above=in_front(("CLS", float(weights[0])), largest=largest),
            )
        )
    return side_by_side(*panels)


def _or_hidden(weight: float) -> str:
    return fixed(weight, 3) if weight else "hidden: 0"


# --- where the mask goes ---------------------------------------------------------------------------

SCORES = np.log([[1.0, 3.0, 4.0]])
KEEP = np.array([[True, True, False]])


def places() -> dict[str, Floats]:
    """Return the weights (3,) without a mask, and when it is put in four places."""
    after = softmax(SCORES)[0] * KEEP[0]
    return {
        "no mask": softmax(SCORES)[0],
        "scores to −∞": softmax(hide(SCORES, KEEP))[0],
        "scores × 0": softmax(SCORES * KEEP)[0],
        "weights × 0": after,
        "weights × 0, ÷ their sum": after / after.sum(),
    }


@figure(
    "masks-where",
    caption="Scores ln 1, ln 3 and ln 4; the third key is to be hidden. Each bar shows the weights "
    "end to end; the frame is 1, and dashed is what the third key gets.",
    alt="Five bars. No mask: {{ masks.where.none.1 = 0.125 }}, {{ masks.where.none.2 = 0.375 }}, "
    "{{ masks.where.none.3 = 0.5 }}. Minus infinity before the softmax: "
    "{{ masks.where.minus.1 = 0.25 }} and {{ masks.where.minus.2 = 0.75 }}, a whole bar. "
    "Scores times 0: the hidden key still has {{ masks.where.times.3 = 0.2 }}. Weights times "
    "0: the bar is half empty. Divided by the sum afterwards: as with minus infinity.",
)
def draw_where() -> str:
    lines = []
    for words, weights in places().items():
        total = float(weights.sum())
        result = tag("b", fixed(total, 2)) + tag("small", "sum")
        lines.append(strip("", "none", words, _bar(weights), result))
    return tag("div", *lines, class_="va-lines-below")


def share(weight: float) -> str:
    """Return a weight as it stands in a bar."""
    return fixed(weight, 3).rstrip("0")


def _bar(weights: Floats) -> str:
    """Return weights laid end to end as parts of a bar of length one; the last is the hidden key's."""
    parts, start = [tag("rect", width="100%", height=30, class_="va-empty-bar")], 0.0
    for weight, kept in zip(weights, KEEP[0], strict=True):
        if not weight:
            continue
        place = {"x": f"{100 * start:.2f}%", "width": f"{100 * weight:.2f}%"}
        kind = "va-part" if kept else "va-part is-hidden"
        middle = f"{100 * (start + weight / 2):.2f}%"
        written = share(float(weight))
        parts.append(tag("rect", height=30, class_=kind, **place))
        parts.append(tag("text", written, x=middle, y=20, class_="va-middle"))
        start += float(weight)
    return svg(30, *parts)


# --- which axis ------------------------------------------------------------------------------------

ROWS, PADDED = 6, 2


@figure(
    "masks-axis",
    caption="{{ masks.axis.rows.word = Six }} rows, the last two are padding; filled is kept. A line "
    "of the matrix is a query. On the key axis the padding is hidden from every query. On the "
    "query axis the padded queries get nothing, and everybody goes on reading the padding.",
    alt="Two matrices of {{ masks.axis.rows.word = six }} by {{ masks.axis.rows.word = six }}. "
    "Key axis: the last two columns are empty. Query axis: the last two lines are empty.",
)
def draw_axis() -> str:
    real = np.arange(ROWS) < ROWS - PADDED
    by_key = np.broadcast_to(real[None, :], (ROWS, ROWS))
    by_query = np.broadcast_to(real[:, None], (ROWS, ROWS))
    return side_by_side(
        panel("(B, 1, 1, N): keys", _matrix(by_key), "right"),
        panel("(B, 1, N, 1): queries", _matrix(by_query), "wrong, and it broadcasts"),
        size=200,
    )


def _matrix(keep: NDArray[np.bool_]) -> str:
    cells = [
        tag(
            "rect",
            x=j + 0.06,
            y=i + 0.06,
            width=0.88,
            height=0.88,
            class_="va-kept" if kept else "va-unreached",
        )
        for (i, j), kept in np.ndenumerate(keep)
    ]
    box = f"-0.1 -0.1 {ROWS + 0.2} {ROWS + 0.2}"
    return tag("svg", *cells, viewBox=box, class_="va-show-field", aria_hidden="true")
