"""Page Weight and effect, in numbers: clouds of patches and heads, and the table of rank correlations."""

import numpy as np

from figures_src.inputs.captures import PHOTOS, measured
from figures_src.inputs.photographs import PHOTOGRAPHS
from figures_src.kit.elements import tag
from figures_src.kit.numbers import ascii_number, fixed, percent
from figures_src.kit.scatter import Axis, Plot
from figures_src.kit.strips import svg
from figures_src.pages.registry import figure

from . import facts
from .figures import mean_top, removed

NAMES = {one.name: one.noun for one in PHOTOGRAPHS}
WEIGHT = Axis(1e-4, 0.1, ((1e-3, "0.001"), (1e-2, "0.01"), (0.1, "0.1")), log=True)
MOVED = Axis(1e-4, 0.2, ((1e-3, "0.1%"), (1e-2, "1%"), (0.1, "10%")), log=True)
CLOUD = Plot(WEIGHT, MOVED, height=190)
WAYS = (("hide_last.cls", "hidden in this layer"), ("pixels.cls", "pixels painted over"))


@figure(
    "weight-and-effect-clouds",
    caption="All {{ effect.patches = 256 }} patches of each photograph: weight of CLS in the last "
    "layer to the right, how far CLS moves upwards. Above, the patch is hidden from CLS in "
    "this layer; below, its pixels are painted over. Both axes count in powers of ten.",
    alt="Three narrow rising clouds above, one for each photograph; below, three clouds without a "
    "common direction: those of the cup and the rocket rise a little, that of the cat does not.",
)
def clouds() -> str:
    panels = []
    for effect, words in WAYS:
        for photo in PHOTOS:
            x, y = measured(f"score.cls_last.{photo}"), measured(f"effect.{effect}.{photo}")
            pairs = zip(x.tolist(), y.tolist(), strict=True)
            panels.append(
                tag(
                    "div",
                    tag("small", "CLS moves"),
                    CLOUD.draw([CLOUD.dots(pairs)]),
                    tag("small", "weight", class_="va-x-name"),
                    tag("b", f"{NAMES[photo]}: {words}"),
                    tag(
                        "small",
                        f"rank correlation {fixed(facts.rho(photo, 'cls_last', effect), 2)}",
                    ),
                    class_="va-cloud",
                )
            )
    return tag("div", *panels, class_="va-clouds is-three")


TOP = Axis(-0.16, 1, ((0, "0"), (0.25, "0.25"), (0.5, "0.5"), (0.75, "0.75"), (1, "1")))
CHANGE = Axis(0.01, 2, ((0.03, "0.03"), (0.1, "0.1"), (0.3, "0.3"), (1, "1")), log=True)
HEADS_PLOT = Plot(TOP, CHANGE, height=230)


@figure(
    "weight-and-effect-heads",
    caption="The {{ effect.heads = 72 }} heads: the largest weight of a row, on average over all "
    "rows, to the right; how far the saliency output moves when the head is taken out, "
    "upwards (mean change of a logit, in powers of ten). The ring is layer 1, head 6: the "
    "lowest dot on all {{ model.photographs.word = three }} photographs.",
    alt="Three clouds of {{ effect.heads = 72 }} dots without a rising direction. The ringed dot "
    "is at the right and lowest.",
)
def heads() -> str:
    panels = []
    for photo in PHOTOS:
        x, y = mean_top(photo), removed(photo)
        assert facts.least(photo) == (1, 6)
        least = int(np.argmin(y))
        panels.append(
            tag(
                "div",
                tag("small", "output moves"),
                HEADS_PLOT.draw(
                    [HEADS_PLOT.dots(zip(x.tolist(), y.tolist(), strict=True))],
                    [HEADS_PLOT.ring(float(x[least]), float(y[least]))],
                ),
                tag("small", "a row’s largest weight, mean", class_="va-x-name"),
                tag("b", NAMES[photo]),
                tag(
                    "small",
                    f"layer 1, head 6: a row’s largest weight {fixed(float(x[least]), 2)} on average, "
                    f"output moves {fixed(float(y[least]), 3)}",
                ),
                class_="va-cloud",
            )
        )
    return tag("div", *panels, class_="va-clouds is-three")


SCORES = {
    "cls_last": "CLS, layer 12",
    "cls_last_lengths": "the same, times ‖v‖",
    "one_layer": "one-layer formula",
    "cls_all": "CLS, mean of layers",
    "rollout": "rollout, row of CLS",
    "received": "received from all patches",
    "contrast": "no attention: contrast",
}
EFFECTS = {
    "hide_last.cls": ("hidden from CLS in layer 12", "CLS"),
    "hide_all.cls": ("hidden everywhere", "CLS"),
    "pixels.cls": ("pixels painted over", "CLS"),
    "pixels.rows": ("pixels painted over", "other patches"),
    "pixels.saliency": ("pixels painted over", "output"),
}
assert tuple(EFFECTS) == facts.TABLE
LOW, HIGH = -0.3, 1.0


@figure(
    "weight-and-effect-rho",
    caption="Rank correlation over {{ effect.patches = 256 }} patches of what attention says (lines) "
    "with what moves (columns; on a narrow screen one below the other). Three ticks and three "
    "numbers a field: cat, cup, rocket. A tick at the right end means the same order, one at "
    "the thin line no common order. Head means, where a score has heads.",
    alt="A table of seven scores by five effects. In the first column the first three scores lie furthest "
    "to the right. In the other columns weight received, and the mean over layers, lie highest.",
)
def rhos() -> str:
    head = tag(
        "div",
        tag("span", ""),
        *(tag("span", words, tag("small", f"moves: {what}")) for words, what in EFFECTS.values()),
        class_="va-rho-head",
    )
    lines = []
    for score, name in SCORES.items():
        fields = []
        for effect, (words, what) in EFFECTS.items():
            values = [facts.rho(photo, score, effect) for photo in PHOTOS]
            numbers = (tag("i", fixed(value, 2)) for value in values)
            label = tag("small", f"{words}: {what}", class_="va-rho-label")
            fields.append(tag("div", label, _ticks(values), tag("span", *numbers)))
        lines.append(tag("div", tag("b", name), *fields, class_="va-rho-line"))
    return tag("div", head, *lines, class_="va-rhos")


def _ticks(values: list[float]) -> str:
    """Return a strip from LOW to HIGH with a thin line at 0 and a tick for each value."""

    def at(value: float) -> str:
        if not LOW <= value <= HIGH + 1e-9:
            raise ValueError(f"weight-and-effect-rho: got {value}, takes {LOW} to {HIGH}")
        return f"{ascii_number(98 * (value - LOW) / (HIGH - LOW) + 1, 1)}%"

    ticks = (tag("line", x1=at(v), x2=at(v), y1=1, y2=13, class_="va-rho-tick") for v in values)
    base = tag("line", x1="0", x2="100%", y1=13.5, y2=13.5, class_="va-zero")
    zero = tag("line", x1=at(0.0), x2=at(0.0), y1=0, y2=14, class_="va-rho-zero")
    return svg(14, base, zero, *ticks)


@figure(
    "weight-and-effect-lengths",
    caption="How often the length of the part ‖a v‖ puts another key first than the weight a does: a dot for "
    "each head and photograph, by layer.",
    alt="Dots between zero and sixty per cent, spread over all layers, highest in layers 8 and 11.",
)
def lengths() -> str:
    shares = facts.flips()
    plot = Plot(
        Axis(0.3, 12.7, tuple((n, str(n)) for n in (1, 3, 5, 7, 9, 11))),
        Axis(0, 0.75, ((0, "0%"), (0.25, "25%"), (0.5, "50%"))),
        height=230,
    )
    dots = [
        (layer + 1 + 0.24 * (n - 1), float(share))
        for n in range(len(PHOTOS))
        for layer in range(shares.shape[1])
        for share in shares[n, layer]
    ]
    drawn = plot.draw([plot.dots(dots)])
    name = tag("small", "layer", class_="va-x-name")
    note = f"mean {percent(float(shares.mean()), 0)} of the rows"
    return tag(
        "div", tag("b", "another key first"), drawn, name, tag("small", note), class_="va-cloud"
    )
