"""Figures of the page on the CLS row and pooling."""

from functools import cache

import numpy as np

from figures_src.inputs import photographs
from figures_src.kit.elements import tag
from figures_src.kit.geometry import Floats
from figures_src.kit.number_row import names, numbers
from figures_src.kit.numbers import fixed
from figures_src.kit.photographs import (
    cells_painted,
    frame,
    in_front,
    paint,
    panel,
    photograph,
    side_by_side,
)
from figures_src.kit.strips import strip, svg
from figures_src.pages.registry import figure
from figures_src.player.panels import CHANNEL_WORDS
from vitattn_core import Grid, core_with
from vitattn_core.reading import effective_keys
from vitattn_core.teaching import GRID, HEADS

PLACE = (5, 4)
QUERY = GRID.token(*PLACE)
REGISTERS = 4
WITH_REGISTERS = Grid(GRID.height, GRID.width, GRID.patch, registers=REGISTERS)
NO_CLS = Grid(GRID.height, GRID.width, GRID.patch, cls=False)


def row() -> Floats:
    """Return the weights (197,) of the cat's left eye in head 1."""
    return photographs.trace("chelsea").A[0, QUERY]


@cache
def slipped() -> Floats:
    """Return the same row on the grid with CLS not left out: the first 196 weights (14, 14)."""
    wrong = core_with("offset").Grid(GRID.height, GRID.width, GRID.patch)
    field: Floats = wrong.field(row())
    return field


def slipped_by_registers() -> Floats:
    """Return the picture when one row is left out of five: registers of weight 0 in front (14, 14)."""
    weights = np.concatenate([row()[:1], np.zeros(REGISTERS), row()[1:]])
    return weights[1 : 1 + GRID.patches].reshape(GRID.rows, GRID.columns)


@figure(
    "cls-offset",
    caption="The row of the left eye in head 1, laid on the photograph three times. With CLS left in, "
    "every weight stands one patch too far on, and the share of CLS lands in the corner. With "
    "{{ cls.registers.word = four }} register rows of weight 0, and only CLS left out, it is "
    "{{ cls.registers.word = four }} patches.",
    alt="Three maps on the cat. CLS left out: the brightest cell is the framed eye. CLS left in: "
    "the brightest cell is the one to the right of it. Registers left in: "
    "{{ cls.registers.word = four }} cells to the right.",
)
def draw_offset() -> str:
    weights, largest = row(), float(row().max())
    panels = [
        panel(
            "CLS left out, as it must be",
            photograph(paint(weights), frame(*PLACE)),
            _strongest(GRID.field(weights)),
            above=in_front(("CLS", float(weights[0])), largest=largest),
        )
    ]
    for title, field, corner in (
        ("CLS left in", slipped(), "CLS is painted on (0,0)"),
        ("registers left in", slipped_by_registers(), "registers on (0,0) to (0,3)"),
    ):
        drawing = photograph(cells_painted(field, largest), frame(*PLACE))
        painted_on = tag("p", corner, class_="va-show-front")
        panels.append(panel(title, drawing, _strongest(field), above=painted_on))
    return side_by_side(*panels)


def _strongest(field: Floats) -> str:
    down, across = np.unravel_index(int(field.argmax()), field.shape)
    return f"brightest: ({down},{across})"


@figure(
    "cls-rows",
    caption="The start of the sequence, and where patch (5,4) stands, for three kinds of model with "
    "the same 14 × 14 patches.",
    alt="Three lines of cells. Patches only: {{ vit.patches = 196 }} rows, patch (5,4) is row "
    "{{ cls.token.patches = 74 }}. CLS in front: {{ vit.tokens = 197 }} rows, row "
    "{{ eye.token = 75 }}. CLS and {{ cls.registers.word = four }} registers: "
    "{{ vit.tokens_registers = 201 }} rows, row {{ cls.token.registers = 79 }}.",
)
def draw_rows() -> str:
    lines = []
    for words, grid in (
        ("patches only", NO_CLS),
        ("with CLS", GRID),
        ("with CLS and registers", WITH_REGISTERS),
    ):
        number = tag("b", str(grid.tokens)) + tag("small", "rows")
        lines.append(strip("", "none", words, _start(grid), number))
    return tag("div", *lines, class_="va-lines-below va-sequences")


def _start(grid: Grid) -> str:
    """Return the first eight rows as cells, a gap, and the cell of patch (5,4) with its number."""
    shown, marks = 8, []
    width = 100 / (shown + 3)
    for token in range(shown):
        front = token < grid.prefix
        name = "C" if front and token == 0 else "R" if front else "{},{}".format(*grid.place(token))
        marks += _cell(token * width, width, str(token), name, "is-front" if front else "")
    gap = f"{(shown + 0.5) * width:.2f}%"
    marks.append(tag("text", "…", x=gap, y=21, class_="va-middle"))
    token = grid.token(*PLACE)
    marks += _cell((shown + 1) * width, 1.6 * width, str(token), "5,4", "is-here")
    return svg(46, *marks, cls="va-row-cells")


def _cell(x: float, width: float, number: str, name: str, kind: str) -> list[str]:
    middle = f"{x + width / 2:.2f}%"
    return [
        tag("rect", x=f"{x:.2f}%", width=f"{width - 0.6:.2f}%", height=30, class_=kind),
        tag("text", name, x=middle, y=20, class_="va-middle"),
        tag("text", number, x=middle, y=44, class_="va-middle va-index"),
    ]


def shares(head: int, photo: str = "chelsea") -> Floats:
    """Return the weight of CLS in the row of each patch (196,), one head; heads from 0."""
    return photographs.trace(photo).A[head, GRID.prefix :, 0]


@figure(
    "cls-share",
    caption="How much of its row each patch puts on CLS: no picture of a row shows this weight. One "
    "scale for the {{ teaching.heads.word = three }} heads.",
    alt="Three maps on the cat, one for each head. Like me: a broad, mottled share over the fur. Near "
    "me: a spot in the middle of the photograph. Opposite: an even, small share.",
)
def draw_share() -> str:
    every = np.array([shares(head) for head in range(len(HEADS))])
    panels = []
    for head, name in enumerate(HEADS):
        drawing = photograph(cells_painted(NO_CLS.field(every[head]), float(every.max())))
        numbers = (
            f"median {fixed(float(np.median(every[head])), 3)}",
            f"largest {fixed(float(every[head].max()), 3)}",
        )
        panels.append(panel(f"head {head + 1}, {name}", drawing, *numbers))
    return side_by_side(*panels)


@figure(
    "cls-pooling",
    caption="What CLS reads from, in each head. In head 1 it asks nothing: its query is zero, all "
    "weights are the same, and the mixture is the mean of the values. The other two heads pool with "
    "weights. Each scale ends at the panel’s largest weight, so in head 1 all are as bright as can be.",
    alt="Three maps on the cat. Head 1: every patch alike. Head 2: a spot in the middle. Head 3: the "
    "bright parts of the photograph.",
)
def draw_pooling() -> str:
    trace = photographs.trace("chelsea")
    panels = []
    for head, name in enumerate(HEADS):
        weights = trace.A[head, 0]
        own = float(weights[0])
        red, green, blue = (fixed(float(x), 2) for x in trace.O[head, 0, :3])
        panels.append(
            panel(
                f"head {head + 1}, {name}",
                photograph(paint(weights)),
                f"as spread as {fixed(effective_keys(weights), 1)} equal weights",
                f"o = ({red}, {green}, {blue}, …)",
                above=in_front(("CLS", own), largest=float(weights.max())),
            )
        )
    return side_by_side(*panels)


def summaries() -> dict[str, Floats]:
    """Return the two rows that a classifier may read of the cat: Z of CLS, and the mean of Z (12,)."""
    trace = photographs.trace("chelsea")
    return {"CLS": trace.Z[0], "mean": trace.Z[GRID.prefix :].mean(axis=0)}


@figure(
    "cls-summaries",
    caption="Two rows that a classifier could read of the same pass. The mean holds what the patches "
    "bring themselves, keel included, and what they have read. CLS has no pixels of its own: beside "
    "its mark it holds only what the block has written.",
    alt="Twelve numbers for CLS and twelve for the mean of the patches. The mean is large in light and "
    "keel, CLS in the channel cls; the others are small.",
)
def draw_summaries() -> str:
    groups = []
    for start in range(0, len(CHANNEL_WORDS), 4):
        group = slice(start, start + 4)
        lines = (
            strip("", "none", words, numbers(summaries()[name][group].tolist(), reach=4.0))
            for name, words in (("CLS", "CLS"), ("mean", "mean of the patches"))
        )
        head = strip("", "none", "", names(CHANNEL_WORDS[group]))
        groups.append(tag("div", head, *lines, class_="va-lines-below"))
    return tag("div", *groups, class_="va-summaries")
