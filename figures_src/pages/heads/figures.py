"""Figures of the page on several heads."""

from dataclasses import dataclass
from functools import cache

import numpy as np

from figures_src.inputs import photographs
from figures_src.kit.elements import tag
from figures_src.kit.geometry import Floats
from figures_src.kit.number_row import names, numbers
from figures_src.kit.numbers import fixed
from figures_src.kit.photographs import (
    frame,
    in_front,
    paint,
    panel,
    photograph,
    side_by_side,
    sizes,
)
from figures_src.kit.strips import strip
from figures_src.pages.examples import merge_damage, merged_sources
from figures_src.pages.registry import figure
from figures_src.player.panels import CHANNEL_WORDS
from vitattn_core import Grid, attention, teaching_weights
from vitattn_core.reading import effective_keys
from vitattn_core.teaching import CHANNELS, GRID, HEADS

PLACE = (5, 4)
QUERY = GRID.token(*PLACE)
PATCHES = Grid(GRID.height, GRID.width, GRID.patch, cls=False)
WRITTEN = tuple(CHANNELS.index(name) for name in ("light", "redgreen", "blueyellow", "diff"))


@dataclass(frozen=True)
class Opposite:
    """Two heads that read opposite halves: weights (2, 196) of any query, outputs (2,)."""

    weights: Floats
    outputs: Floats

    @property
    def mean(self) -> Floats:
        """The mean of the two rows, (196,)."""
        mean: Floats = self.weights.mean(axis=0)
        return mean


@cache
def opposite() -> Opposite:
    """Return two heads with opposite queries, on the cup; the values are the patches' brightness, 0 to 1.

    A key is −1 in the upper half and +1 in the lower half; the queries are −2 and +2, d_h = 1.
    """
    row = np.array([place[0] for place in PATCHES.places()])
    keys = np.where(row < GRID.rows // 2, -1.0, 1.0)[:, None]
    bright = (photographs.trace("coffee").pixels.mean(axis=1, keepdims=True) + 1) / 2
    queries = np.array([[[-2.0]], [[2.0]]])
    outputs, weights = attention(queries, keys[None], bright[None])
    return Opposite(weights[:, 0], outputs[:, 0, 0])


@figure(
    "heads-opposite",
    caption="Two heads set by hand: one reads the upper half of the photograph, the other the lower "
    "half. Their mean gives every patch the same weight and says nothing. One scale for all three.",
    alt="Three maps on a cup of coffee. Head 1: the upper half lit. Head 2: the lower half lit. Mean: "
    "all patches evenly lit.",
)
def draw_opposite() -> str:
    two = opposite()
    largest = float(two.weights.max())

    def map_of(weights: Floats) -> str:
        return photograph(paint(weights, PATCHES, largest=largest), photo="coffee")

    panels = [
        panel(f"head {n + 1}", map_of(two.weights[n]), f"brightness {fixed(two.outputs[n], 2)}")
        for n in (0, 1)
    ]
    even = f"every weight 1/{PATCHES.tokens}"
    return side_by_side(*panels, panel("their mean", map_of(two.mean), even))


def rows() -> dict[str, Floats]:
    """Return the eye's row of weights (197,) in each head, and their mean."""
    a = photographs.trace("chelsea").A[:, QUERY]
    each = {f"head {h + 1}, {name}": a[h] for h, name in enumerate(HEADS)}
    return each | {"mean of the three": a.mean(axis=0)}


@figure(
    "heads-photograph",
    caption="One patch, one block, {{ teaching.heads.word = three }} heads, and their mean. Each "
    "scale ends at the panel’s own largest weight, which is printed. In the mean, the twin "
    "eye has faded into the neighbourhood.",
    alt="Four maps on the cat for the framed left eye. Head 1: dark spots, both eyes and a nostril. "
    "Head 2: a round spot around the eye. Head 3: the light parts. Mean: a mixture, brightest at "
    "the eye itself.",
)
def draw_photograph() -> str:
    panels = []
    for title, weights in rows().items():
        largest = float(weights.max())
        panels.append(
            panel(
                title,
                photograph(paint(weights), frame(*PLACE)),
                f"largest {fixed(largest, 3)}",
                f"as spread as {fixed(effective_keys(weights), 1)} keys",
                above=in_front(("CLS", float(weights[0])), largest=largest),
            )
        )
    return side_by_side(*panels)


# --- merging ---------------------------------------------------------------------------------------


@figure(
    "heads-merge",
    caption="Where the {{ teaching.channels.word = twelve }} numbers come from that W<sub>O</sub> "
    "reads for the left eye. With the axes exchanged: from its own row, "
    "{{ teaching.head_channels.word = four }} from each head. By a reshape alone: from "
    "{{ teaching.heads.word = three }} other patches, all from one head. The damage: how far "
    "what attention adds to each row is from what it should be (the length of the "
    "difference); area is size.",
    alt="Three pictures of the cat. A frame on the left eye; {{ teaching.heads.word = three }} "
    "more frames near the upper rim; and squares of all sizes on nearly all patches.",
)
def draw_merge() -> str:
    heads, tokens = merged_sources()
    others = [GRID.place(token) for token in tokens]
    listed = ", ".join(f"({r},{c})" for r, c in others)
    wrong = merge_damage()
    return side_by_side(
        panel("exchanged, then reshaped", photograph(frame(*PLACE)), "heads 1, 2, 3 of (5,4)"),
        panel(
            "reshaped only",
            photograph(*(frame(*place, role="key") for place in others), frame(*PLACE)),
            f"head {', '.join(map(str, heads))} of {listed}",
        ),
        panel(
            "the damage",
            photograph(sizes(GRID.field(wrong), float(wrong.max())), frame(*PLACE)),
            f"at the eye {fixed(wrong[QUERY], 2)}, largest {fixed(wrong.max(), 2)}",
        ),
    )


# --- W_O -------------------------------------------------------------------------------------------


def parts() -> Floats:
    """Return what each head writes through its own lines of W_O for the eye's row (h, D)."""
    o = photographs.trace("chelsea").O[:, QUERY]
    blocks = teaching_weights().block.attention.w_o.reshape(len(HEADS), -1, len(CHANNELS))
    return np.einsum("hc,hcd->hd", o, blocks)


@figure(
    "heads-sum",
    caption="What each head writes for the left eye, through its own "
    "{{ teaching.head_channels.word = four }} lines of W<sub>O</sub>, in the "
    "{{ heads.written.word = four }} channels that W<sub>O</sub> writes to. The sum is what "
    "attention adds to the row.",
    alt="Four lines of {{ heads.written.word = four }} numbers. Head 1 writes to light and most "
    "of diff, head 2 to diff alone, head 3 to light; the last line is their sum.",
)
def draw_sum() -> str:
    written = parts()[:, WRITTEN]
    head = strip("", "none", "", names([CHANNEL_WORDS[c] for c in WRITTEN]))
    lines = [
        strip("", "none", f"head {h + 1}, {name}", numbers(written[h].tolist(), reach=2.0))
        for h, name in enumerate(HEADS)
    ]
    total = photographs.trace("chelsea").M[QUERY, list(WRITTEN)].tolist()
    last = strip("", "none", "sum", numbers(total, reach=2.0, role="output"), cls="va-sum")
    return tag("div", head, *lines, last, class_="va-lines-below")
