"""Scores: the query meets every key; one meeting is shown term by term."""

from figures_src.kit.elements import tag
from figures_src.kit.strips import strip
from figures_src.player.bound import Bound, phrase
from figures_src.player.panels import axis_labels, heads, names, numbers, tick_panel
from figures_src.player.registry import plate


@plate(
    "scores",
    shows=("Q", "K", "P"),
    alt="{{ teaching.head_channels.word = Four }} numbers of the query over "
    "{{ teaching.head_channels.word = four }} of the pointed key, their products and the sum; "
    "below, one tick for each of {{ vit.tokens = 197 }} keys on an axis of products.",
    mean_alt="For each head an axis of products of its own, with one tick for each of "
    "{{ vit.tokens = 197 }} keys.",
)
def draw(row: Bound) -> str:
    say = (
        f"{phrase('query', 'The query')} of {row.text('query')} "
        f"meets {phrase('keys', 'the key of every row')}. "
        f"{row.text('products.above')} {row.text('words.lie', 'span')} above zero (filled squares), "
        f"{row.text('products.below')} below (hollow){row.text('words.zero', 'span')}. "
        f"{row.text('words.products', 'span')}"
    )
    single_head = "".join(
        (
            tag("p", say, class_="va-say"),
            names(row, "channel"),
            strip(
                "q",
                "query",
                f"of {row.text('query', 'span')}",
                numbers(row, "q", "query", text_prefix="line.q"),
                mark="query",
            ),
            strip(
                "k",
                "key",
                f"of {row.text('key', 'span')}",
                numbers(row, "k", "key", text_prefix="line.k"),
            ),
            strip(
                "q·k",
                "none",
                "products",
                numbers(row, "qk", "none"),
                row.text("product") + tag("small", "sum"),
                cls="va-sum",
            ),
            strip(
                "q·k",
                "none",
                "all 197 keys",
                tick_panel(
                    row,
                    marks="ticks.products",
                    box="box.products",
                    height=112,
                    own_value="product.own",
                    key="product",
                )
                + axis_labels(row, "products"),
                cls="va-roomy",
                mark="keys",
            ),
        )
    )
    return tag("div", single_head, class_="va-one-head") + heads(row, "products", "product")
