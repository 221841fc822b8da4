"""Mix: under the unit bar, values as high as they are and as wide as their weight, and their level."""

from vitattn_core.teaching import HEADS, VALUE_CHANNELS

from ..marks import Bound, marked, phrase, tag
from ..panels import numbers, side_by_side, strip, svg, unit_bar
from ..registry import plate

REACH = 4.5  # of the strips' height scale, the same for all channels
HEIGHT = 68


@plate(
    "mix",
    shows=("A", "V", "O"),
    alt="The bar of weights, and under it four strips of values, as wide as their weight; in each a "
    "thick line at the level of the weighted mean, which is the output.",
)
def draw(row: Bound) -> str:
    say = (
        f"Values flow in by weight: {phrase('weights', 'width is weight')}, "
        f"{phrase('values', 'height is value')}. The thick line is the level at which they settle, "
        f"the output of {row.text('query')}."
    )
    total = row.text("row.sum") + tag("small", "sum")
    bar = strip("a", "weight", "weights", unit_bar(row), total, mark="weights")
    one = "".join(
        (
            tag("p", say, class_="va-say"),
            bar,
            tag("div", *(_channel(row, c) for c in range(4)), **marked("values")),
        )
    )
    outputs = (
        strip("o", "output", f"head {h + 1}, {name}", numbers(row, f"h{h}.o", "output"))
        for h, name in enumerate(HEADS)
    )
    return tag("div", one, class_="va-one-head") + side_by_side(*outputs)


def _channel(row: Bound, c: int) -> str:
    values = tag(
        "svg",
        row.path(f"strip.{c}", class_="va-values"),
        tag("line", x1=0, x2=1, y1=0, y2=0, class_="va-zero"),
        row.level(f"level.{c}"),
        **{"viewBox": f"0 {-REACH} 1 {2 * REACH}", "preserveAspectRatio": "none"},
        width="100%",
        height=HEIGHT,
    )
    letter = f"v<sub>{c + 1}</sub>"
    result = row.text(f"o.{c}") + tag("small", f"o<sub>{c + 1}</sub>")
    return strip(
        letter,
        "value",
        VALUE_CHANNELS[c],
        svg(HEIGHT, values, cls="va-strips"),
        result,
        cls="va-output",
    )
