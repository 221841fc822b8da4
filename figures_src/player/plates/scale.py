"""Scale: all products are divided by one number, on the same axis as before."""

from figures_src.kit.elements import tag
from figures_src.kit.strips import strip
from figures_src.player.bound import Bound, phrase
from figures_src.player.panels import axis_labels, heads, tick_panel
from figures_src.player.registry import plate


@plate(
    "scale",
    shows=("P", "S"),
    alt="The {{ vit.tokens = 197 }} products as ticks, and below them on the same axis the "
    "{{ vit.tokens = 197 }} scores, each product divided by one number: in the same order.",
    mean_alt="For each head an axis of scores of its own, with one tick for each of "
    "{{ vit.tokens = 197 }} keys.",
)
def draw(row: Bound) -> str:
    say = (
        f"Each product is {phrase('divisor', 'divided')} by {row.text('divisor')}. "
        f"{phrase('scores', 'The spread')} of the row goes from {row.text('products.spread')} to "
        f"{row.text('scores.spread')}; the order of the keys stays as it was."
    )
    spread = tag("small", "spread")
    single_head = "".join(
        (
            tag("p", say, class_="va-say"),
            strip(
                "q·k",
                "none",
                "products",
                tick_panel(
                    row,
                    marks="ticks.products",
                    box="box.products",
                    height=104,
                    own_value="product.own",
                    key="product",
                ),
                row.text("products.spread") + spread,
            ),
            strip(
                "÷",
                "none",
                "one number",
                tag("p", _sum(row, "query", "own"), _sum(row, "key", ""), class_="va-sums"),
                row.text("divisor.value") + tag("small", row.text("divisor", "span")),
                mark="divisor",
            ),
            strip(
                "s",
                "none",
                "scores",
                tick_panel(
                    row,
                    marks="ticks.scores",
                    box="box.products",
                    height=104,
                    own_value="scaled.own",
                    key="scaled",
                )
                + axis_labels(row, "products"),
                row.text("scores.spread") + spread,
                mark="scores",
            ),
            tag(
                "p",
                "Smallest and largest: "
                f"{row.text('product.least')} and {row.text('product.largest')} before, "
                f"{row.text('score.least')} and {row.text('score.largest')} after.",
                class_="va-aside",
            ),
        )
    )
    return tag("div", single_head, class_="va-one-head") + heads(row, "scores", "scaled")


def _sum(row: Bound, role: str, which: str) -> str:
    end = f".{which}" if which else ""
    who = row.text("query" if which else "key", "span")
    return tag(
        "span",
        f"{who}: {row.text(f'product{end}', 'span')} ÷ {row.text('divisor.value', 'span')} = ",
        row.text(f"scaled{end}"),
        class_=f"role-{role}",
    )
