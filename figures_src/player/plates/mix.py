"""Mix: under the unit bar, values as high as they are and as wide as their weight, and their level."""

from figures_src.kit.elements import tag
from figures_src.kit.strips import marked, strip, svg
from figures_src.player.bound import Bound, phrase
from figures_src.player.panels import names, numbers, side_by_side, unit_bar
from figures_src.player.registry import plate
from vitattn_core.teaching import GRID, HEADS

HEIGHT = 62


@plate(
    "mix",
    shows=("A", "V", "O"),
    alt="The bar of weights, and under it four strips, one a channel, of what is mixed, as wide as its "
    "weight; in each a thick line at the level of the weighted sum, which is the output.",
    mean_alt="The bar of the mean weights, and under it the output of each head as a row of numbers.",
)
def draw(row: Bound) -> str:
    say = (
        f"{row.text('mixed.name', 'span')} {row.text('words.flow', 'span')}"
        f"{row.text('words.own', 'span')}; arrows: {row.text('words.arrows', 'span')}. In the strips "
        f"{phrase('weights', 'width is weight')}, "
        f"{phrase('values', row.text('mixed.height', 'span'))}. "
        f"{row.text('settle', 'span')} {row.text('query')}."
    )
    total = row.text("row.sum") + tag("small", "sum")
    bar = strip("a", "weight", "weights", unit_bar(row), total, mark="weights")
    single_head = "".join(
        (
            tag("p", say, class_="va-say"),
            bar,
            tag("div", *(_channel(row, c) for c in range(4)), **marked("values")),
        )
    )
    outputs = (
        names(row, f"h{h}.mixed")
        + strip("o", "output", f"head {h + 1}, {name}", numbers(row, f"h{h}.o", "output"))
        for h, name in enumerate(HEADS)
    )
    return tag("div", single_head, class_="va-one-head") + side_by_side(*outputs)


def _channel(row: Bound, c: int) -> str:
    values = tag(
        "svg",
        row.path("band.query", class_="va-band role-query"),
        row.path("band.key", class_="va-band role-key"),
        row.path(f"strip.{c}", class_="va-values"),
        tag("line", x1=0, x2=GRID.tokens, y1=0, y2=0, class_="va-zero"),
        row.level(f"level.{c}"),
        viewBox=row.values["box.strip"],
        preserveAspectRatio="none",
        width="100%",
        height=HEIGHT,
        data_box="box.strip",
        class_="va-strip-plot",
    )
    letter = f"{row.text('mixed.letter', 'span')}<sub>{c + 1}</sub>"
    result = row.text(f"o.{c}") + tag("small", f"o<sub>{c + 1}</sub>")
    return strip(
        letter,
        "value",
        row.text(f"mixed.{c}", "span"),
        svg(HEIGHT, values, cls="va-strips"),
        result,
        cls="va-output",
    )
