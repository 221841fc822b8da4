"""Section Scale: the same row with three divisors, each as one bar of length one."""

import math

from figures_src.inputs import photographs
from figures_src.kit.colours import weight_level
from figures_src.kit.elements import tag
from figures_src.kit.geometry import Floats, segments
from figures_src.kit.numbers import fixed
from figures_src.kit.strips import strip, svg
from figures_src.pages.registry import figure
from vitattn_core import softmax
from vitattn_core.reading import effective_keys
from vitattn_core.teaching import GRID, WIDTH

QUERY = GRID.token(5, 4)
DIVISORS = (
    ("÷ 1", "no divisor", 1.0),
    ("÷ √d<sub>h</sub>", "= 2", 2.0),
    ("÷ √D", "= √12", math.sqrt(WIDTH)),
)


@figure(
    "three-divisors",
    caption="The weights of the left eye, head 1, laid end to end, with three divisors: each bar is "
    "one whole, and the keys stand in the same order in all three.",
    alt="Three bars of length one. Without a divisor the largest weight fills most of the bar; with "
    "the root of the head width it fills a third; with the root of the model width an eighth.",
)
def draw() -> str:
    products = photographs.trace("chelsea").P[0, QUERY]
    lines = []
    for letter, words, divisor in DIVISORS:
        weights = softmax(products / divisor)
        result = tag("b", fixed(effective_keys(weights), 1)) + tag("small", "equal keys")
        lines.append(strip(letter, "none", words, _bar(weights), result))
    return "".join(lines)


def _bar(weights: Floats) -> str:
    parts, largest = [], float(weights.max())
    shown = segments(weights)
    for _, x, width in shown:
        level = max(1, weight_level(width, largest))
        place = {"x": f"{100 * x:.2f}%", "width": f"{100 * width:.2f}%"}
        parts.append(tag("g", tag("rect", height=34, **place), class_=f"va-segment w{level}"))
        if width > 0.09:
            parts.append(
                tag(
                    "text",
                    fixed(width, 3),
                    x=f"{100 * (x + width / 2):.2f}%",
                    y=22,
                    class_="va-on-bright",
                )
            )
    start = shown[-1][1] + shown[-1][2]
    rest = {"x": f"{100 * start:.2f}%", "width": f"{100 * (1 - start):.2f}%"}
    parts.append(tag("rect", height=34, class_="va-rest", **rest))
    if start < 0.85:
        words = f"{GRID.tokens - len(shown)} more"
        parts.append(tag("text", words, x=f"{50 * (1 + start):.2f}%", y=22, class_="va-on-dark"))
    return svg(34, *parts)
