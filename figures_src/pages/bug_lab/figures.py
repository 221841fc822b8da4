"""Page Bug lab, mistakes that a row of weights shows: right row first, wrong row beside it."""

from figures_src.inputs import photographs
from figures_src.kit.elements import tag
from figures_src.kit.number_row import names, numbers
from figures_src.kit.numbers import fixed, percent
from figures_src.kit.photographs import (
    cells_painted,
    frame,
    panel,
    photograph,
    side_by_side,
    squares,
)
from figures_src.kit.strips import strip
from figures_src.pages.examples import padding
from figures_src.pages.registry import figure
from vitattn_core.teaching import GRID, VALUE_CHANNELS

from . import examples
from .panels import RIGHT, WRONG, both, two, under


@figure(
    "bug-lab-sqrt-model",
    caption="Head 1, one scale for both. With the model’s width under the root the row loses its peak: "
    "flatter, not sharper, and the keys are still in the same order.",
    alt="The cat twice. Right: the left eye is bright and the other eye stands out. With the bug: a "
    "faint glow on all dark patches.",
)
def sqrt_model() -> str:
    rows = examples.two_rows("sqrt-model", examples.LIKE_ME)
    words = (both(rows, "largest"), both(rows, "as spread as", " keys", 1))
    return two(rows, *words) + under("sqrt-model")


@figure(
    "bug-lab-axis",
    caption="Head 1, one scale for both. Each weight was divided by the sum of its column, so the row "
    "is no longer a set of shares: what it sums to depends on how well the other rows fit.",
    alt="The cat twice. Right: the row sums to 1. With the bug: other patches shine, and the sum is "
    "above 1.",
)
def axis() -> str:
    rows = examples.two_rows("axis", examples.LIKE_ME)
    return two(rows, both(rows, "largest"), both(rows, "sum")) + under("axis")


@figure(
    "bug-lab-keys-mixed",
    caption="Head 1. The two maps are the same to the last bit; what they mix is not. Below, the four "
    "numbers that go on to W<sub>O</sub>, which takes them for a colour in either case.",
    alt="The cat twice with the same weights. Below, four numbers each: the right ones are a dark "
    "colour, the wrong ones have another size.",
)
def keys_mixed() -> str:
    rows = examples.two_rows("keys-mixed", examples.LIKE_ME)
    outputs = [
        trace.O[examples.LIKE_ME, examples.QUERY]
        for trace in (photographs.trace("chelsea"), examples.wrong("keys-mixed"))
    ]
    head = strip("", "none", "", names(VALUE_CHANNELS))
    lines = (
        strip("", "none", words, numbers(o.tolist(), reach=4.0, role="output"))
        for words, o in zip((RIGHT, WRONG), outputs, strict=True)
    )
    below = tag("div", head, *lines, class_="va-lines-below")
    return two(rows, both(rows, "largest")) + below + under("keys-mixed")


@figure(
    "bug-lab-no-position",
    caption="Head 2, near me, one scale for both. Without position all patches answer its question in "
    "the same way.",
    alt="The cat twice. Right: a round spot around the left eye. With the bug: an even veil over all "
    "patches.",
)
def no_position() -> str:
    rows = examples.two_rows("no-position", examples.NEAR_ME)
    words = (both(rows, "largest"), both(rows, "as spread as", " keys", 1))
    return two(rows, *words) + under("no-position")


@figure(
    "bug-lab-mask",
    caption="Head 1, the lower {{ masks.padded_lines.word = four }} lines of patches are padding and "
    "dark. Turned round, the mask hides the picture and keeps the padding. Each row sums to "
    "1.",
    alt="The cat twice, its lower {{ masks.padded_lines.word = four }} lines of patches dark. "
    "Right: weights on the eyes, less on forehead and nose, none on the dark lines. With the bug: "
    "weights on the dark lines only.",
)
def mask() -> str:
    hidden = [place for place in GRID.places() if not padding()[GRID.token(*place)]]
    rows = examples.masked_rows()
    shares = tuple(f"on padding {percent(float(r[~padding()].sum()))}" for r in rows)
    drawn = two(
        rows, (shares[0], shares[1]), both(rows, "sum"), hidden=squares(hidden, "va-hidden")
    )
    return drawn + under("mask")


@figure(
    "bug-lab-offset",
    caption="Head 1, one scale for both. The numbers are the same, and every one of them has slipped "
    "by a patch; the weight of CLS is painted in the corner.",
    alt="The cat twice with the same spots of light; with the bug each lies one patch further to the "
    "right.",
)
def offset() -> str:
    drawn = []
    fields = examples.pictures()
    largest = float(fields[0].max())
    for title, field in zip((RIGHT, WRONG), fields, strict=True):
        row, column = divmod(int(field.argmax()), GRID.columns)
        drawing = photograph(cells_painted(field, largest), frame(*examples.PLACE))
        corner = f"on (0,0) {fixed(float(field[0, 0]), 3)}"
        drawn.append(panel(title, drawing, f"brightest: ({row},{column})", corner))
    return side_by_side(*drawn, size=368) + under("offset")
