"""Softmax: the scores of one row become lengths that fill one bar."""

from figures_src.kit.elements import tag
from figures_src.kit.strips import strip
from figures_src.player.bound import Bound, on_one_line, phrase
from figures_src.player.panels import axis_labels, tick_panel, unit_bar
from figures_src.player.registry import plate

MEAN = "The mean of the three heads’ weights is a display choice: the model forms no such row."


@plate(
    "softmax",
    shows=("S", "A"),
    alt="A bar made of the {{ vit.tokens = 197 }} weights end to end, of length one where they sum to one; "
    "below, the scores as sticks as high as e to the score minus m.",
    mean_alt="A bar of length one, cut into the mean weights of the heads.",
)
def draw(row: Bound) -> str:
    say = (
        f"{phrase('scores', '197 scores')} become 197 shares of "
        f"{on_one_line(phrase('whole', row.text('whole', 'span')), '.')} "
        f"The row of {row.text('query.named')} keeps {row.text('weight.own')} for itself; "
        f"{row.text('key.named')} gets {row.text('weight')}."
    )
    sticks = tick_panel(
        row,
        marks="sticks",
        box="box.scores",
        height=140,
        own_value="exponential.own",
        key="exponential",
        behind=row.path("curve", class_="va-curve"),
        measured=True,
    )
    total = row.text("total") + row.text("total.words", "small")
    return "".join(
        (
            tag("p", say, class_="va-say"),
            strip(
                "a",
                "weight",
                "weights",
                unit_bar(row),
                row.text("row.sum") + tag("small", "sum"),
                mark="whole",
            ),
            strip(
                "e<sup>s − m</sup>",
                "none",
                f"m = {row.text('top', 'span')}, {row.text('top.words', 'span')}",
                sticks + axis_labels(row, "scores"),
                total,
                cls="va-roomy va-one-head",
                mark="scores",
            ),
            tag(
                "p",
                row.text("words.m", "span"),
                class_="va-aside va-one-head",
            ),
            tag("p", MEAN, class_="va-aside va-heads"),
        )
    )
