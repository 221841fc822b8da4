"""Page Learned heads, in numbers: how far the 72 heads look and how many keys they use."""

import numpy as np

from figures_src.inputs import captures
from figures_src.inputs.captures import HEADS, LAYERS, PHOTOS, finding
from figures_src.kit.elements import tag
from figures_src.kit.geometry import Floats
from figures_src.kit.numbers import fixed
from figures_src.kit.scatter import Axis, Plot
from figures_src.pages.claims import listed
from figures_src.pages.registry import figure

from . import facts

APART = 0.24  # of a layer's width, between the photographs of one head
LAYER_TICKS = tuple((layer, str(layer)) for layer in (1, 3, 5, 7, 9, 11))
LAYER_AXIS = Axis(-0.4, LAYERS + 0.6, LAYER_TICKS)
FAR = Plot(LAYER_AXIS, Axis(0, 140, tuple((n, str(n)) for n in (0, 40, 80))), height=260)
KEYS = Plot(
    LAYER_AXIS, Axis(0.9, 300, tuple((n, str(n)) for n in (1, 4, 16, 64)), log=True), height=260
)
SHIFTS = [(int(key[0]), int(key[2])) for key in facts.WORDS]  # layer, head


def threads(values: Floats) -> dict[tuple[int, int], list[tuple[float, float]]]:
    """Return three places a head, one for each photograph, from values (3, 12, 6)."""
    return {
        (layer, head): [
            (layer + APART * (n - 1), float(values[n, layer - 1, head - 1]))
            for n in range(len(PHOTOS))
        ]
        for layer in range(1, LAYERS + 1)
        for head in range(1, HEADS + 1)
    }


def chart(plot: Plot, values: Floats, even: float, words: str, title: str, above: int = 4) -> str:
    """Return one field: a thread a head, the shift heads in ink, a dashed line for even weights."""
    lines = threads(values)
    others = [line for head, line in lines.items() if head not in SHIFTS]
    strong = [lines[head] for head in SHIFTS]
    drawn = plot.draw(
        [
            plot.threads(others),
            plot.dots(place for line in others for place in line),
            plot.threads(strong, "is-row"),
            plot.dots((place for line in strong for place in line), "is-row"),
        ],
        [plot.level(even, words, above)],
    )
    x_name = tag("small", "layer", class_="va-x-name")
    return tag("div", tag("b", title), drawn, x_name, class_="va-cloud")


@figure(
    "learned-heads-distance",
    caption="{{ effect.heads = 72 }} heads, {{ model.photographs.word = three }} dots each: cat, cup, "
    "rocket, from left to right, joined by a line. How far patch queries look on average, and "
    "how many keys of equal weight their rows are as spread as (on a scale that goes up by "
    "factors). In the colour of the text: the {{ learned.shift.heads.word = six }} shift "
    "heads.",
    alt="First chart: in layer 1 all heads lie high, {{ learned.distance.1 = 79–117 }} pixels; in "
    "layers 2 to 5 they spread over {{ learned.distance.2_5 = 16–121 }}; in layer 11 all lie "
    "above 70. The {{ learned.shift.heads.word = six }} shift heads lie at the bottom. Second "
    "chart: shift heads use {{ learned.keys.shift = 2–9 }} keys, most others twenty to two "
    "hundred.",
)
def distance() -> str:
    even = float(finding("heads.uniform_distance"))
    tokens = captures.TOKENS
    far, keys = facts.stack("heads.distance"), facts.stack("heads.keys")
    panels = (
        chart(FAR, far, even, f"even weights: {fixed(even, 0)} px", "mean distance, pixels", 18),
        chart(KEYS, keys, tokens, f"even weights: {tokens}", "keys in use"),
    )
    assert far[:, 0].min() > 79 and far[:, 0].max() < 117  # said for those who listen
    assert far[:, 1:5].min() > 16 and far[:, 1:5].max() < 122 and far[:, 10].min() > 70
    shift = np.array([keys[:, layer - 1, head - 1] for layer, head in SHIFTS])
    assert shift.min() > 2 and shift.max() < 9.5
    return tag("div", *panels, class_="va-clouds is-two")


@figure(
    "learned-heads-entries",
    caption="Findings stand in figures_src/inputs/captures/manifest.json, queries and keys beside it.",
    alt="A list of names, folded.",
)
def entries() -> str:
    return listed(facts.claims())
