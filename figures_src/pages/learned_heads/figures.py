"""Page Learned heads, on the photograph: both eyes, needles of shift heads, and their mean."""

import math

from figures_src.inputs import captures
from figures_src.inputs.captures import GRID, finding
from figures_src.kit.elements import tag
from figures_src.kit.geometry import Floats
from figures_src.kit.numbers import ascii_number, fixed, percent
from figures_src.kit.photographs import frame, in_front, paint, panel, photograph, side_by_side
from figures_src.pages.registry import figure

from . import examples

FOUND = ((7, 6), (9, 4), (11, 1), (12, 3))  # layer and head of the first figure
NEEDLE = 9.0  # pixels of the photograph; a patch has 14
NEIGHBOURS = {2: "below", 5: "above", 6: "to the left"}


def painted_row(weights: Floats, *, largest: float | None = None) -> str:
    """Return a row of the patch below the eye on the cat, with its frame."""
    return photograph(
        paint(weights, GRID, largest=largest), frame(*examples.PLACE, cell=GRID.patch)
    )


@figure(
    "learned-heads-eyes",
    caption="One row of weights in {{ learned.eyes.panels.word = four }} heads of a trained network. "
    "The framed patch, (7,5) on a grid of 16 × 16, asks; it lies at the lower rim of the left "
    "eye. Each scale ends at the row’s own largest weight, which is printed.",
    alt="The cat four times. In each panel the weight lies on the left eye around the framed patch, "
    "and on the right eye, and hardly anywhere else.",
)
def eyes() -> str:
    panels = []
    for layer, head in FOUND:
        weights = captures.row(examples.PHOTO, layer, head, examples.QUERY)
        share = examples.on_eyes(layer, head)
        largest = float(weights.max())
        panels.append(
            panel(
                f"layer {layer}, head {head}",
                painted_row(weights),
                f"left eye {percent(share.left, 0)}",
                f"right eye {percent(share.right, 0)}",
                f"largest {fixed(largest, 2)}",
                above=in_front(("CLS", float(weights[0])), largest=largest),
            )
        )
    return side_by_side(*panels)


def needle_field(weights: Floats) -> str:
    """Return a needle of one length for each patch, from its middle (the dot) towards its top patch key."""
    shafts, dots = [], []
    for query, key in examples.needles(weights):
        x, y = (GRID.patch * (place + 0.5) for place in (query[1], query[0]))
        dots.append(f"M{ascii_number(x, 1)} {ascii_number(y, 1)}h0")
        across, down = key[1] - query[1], key[0] - query[0]
        if far := math.hypot(across, down):
            tip = (ascii_number(NEEDLE * part / far, 1) for part in (across, down))
            shafts.append(f"M{ascii_number(x, 1)} {ascii_number(y, 1)}l{' '.join(tip)}")
    return (
        tag("path", d="".join(shafts), class_="va-needle is-halo")
        + tag("path", d="".join(shafts), class_="va-needle")
        + tag("path", d="".join(dots), class_="va-needle-foot")
    )


@figure(
    "learned-heads-shifts",
    caption="Layer 4. From each patch (dot) a needle points to the patch key that gets most of its "
    "weight, near or far. {{ learned.shift.heads_of_4.word = Three }} heads point one patch "
    "down, up and left, nearly everywhere. The mean of all {{ model.heads.word = six }} heads "
    "of the layer points down here and up there.",
    alt="The cat four times under a field of needles. Head 2: all needles point down. Head 5: up. "
    "Head 6: left. Mean of {{ model.heads.word = six }} heads: about half point down, most "
    "others up.",
)
def shifts() -> str:
    A = captures.load(examples.PHOTO, examples.SHIFT_LAYER).weights
    panels = []
    for head in examples.SHIFT_HEADS:
        share = finding(f"shift.{examples.PHOTO}")[f"{examples.SHIFT_LAYER}.{head}"][0]
        panels.append(
            panel(
                f"head {head}",
                photograph(needle_field(A[head - 1])),
                f"{percent(share, 0)} to the patch {NEIGHBOURS[head]}",
            )
        )
    mean = A.mean(axis=0)
    shares = (
        percent(examples.share_of_steps(mean, step), 0) for step in ((1, 0), (-1, 0), (0, -1))
    )
    words = "{} below, {} above, {} to the left".format(*shares)
    return side_by_side(*panels, panel("mean of six", photograph(needle_field(mean)), words))


@figure(
    "learned-heads-mean",
    caption="The same patch, layer 4: its row in the {{ learned.shift.heads_of_4.word = three }} "
    "heads, and in the mean of all {{ model.heads.word = six }}. One scale for all four.",
    alt="The cat four times. One bright patch below, one above, one left of the framed patch; in the "
    "mean the three are left as faint spots.",
)
def mean() -> str:
    rows, average = examples.shift_rows()
    largest = float(rows.max())
    drawn = [
        panel(
            f"head {head}",
            painted_row(row, largest=largest),
            f"largest {fixed(float(row.max()), 2)}",
            above=in_front(("CLS", float(row[0])), largest=largest),
        )
        for head, row in zip(examples.SHIFT_HEADS, rows, strict=True)
    ]
    last = panel(
        "mean of six",
        painted_row(average, largest=largest),
        f"largest {fixed(float(average.max()), 2)}",
        above=in_front(("CLS", float(average[0])), largest=largest),
    )
    return side_by_side(*drawn, last)
