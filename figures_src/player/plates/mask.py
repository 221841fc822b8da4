"""Mask: a key that may not take part is taken out before the weights are formed."""

from figures_src.kit.elements import tag
from figures_src.kit.strips import strip
from figures_src.player.bound import Bound, phrase
from figures_src.player.panels import axis_labels, heads, tick_panel
from figures_src.player.registry import plate


@plate(
    "mask",
    shows=("masked",),
    alt="The scores that take part in the softmax as ticks on an axis; keys that are taken out have "
    "no tick.",
    mean_alt="For each head an axis of its own with the scores that take part in the softmax as ticks.",
)
def draw(row: Bound) -> str:
    say = (
        f"{row.text('kept.count')} {row.text('words.kept', 'span')} "
        f"{phrase('kept', row.text('words.part', 'span'))}, {row.text('taken.count')} "
        f"{row.text('words.are', 'span')} {phrase('taken', 'taken out')}. "
        "A score of −∞ becomes a weight of exactly 0. An encoder on one image usually has no mask."
    )
    ticks = tick_panel(
        row,
        marks="ticks.masked",
        box="box.products",
        height=112,
        own_value="masked.own",
        key="masked",
        measured=True,
    )
    button = tag(
        "button",
        f"Take {row.text('key', 'span')} out, or put it back",
        type="button",
        class_="va-button",
        data_action="drop-key",
    )
    single_head = "".join(
        (
            tag("p", say, class_="va-say"),
            strip(
                "s",
                "none",
                "scores that stay",
                ticks + axis_labels(row, "products"),
                row.text("kept.count") + row.text("words.kept", "small"),
                mark="kept",
            ),
            strip(
                "−∞",
                "none",
                "taken out",
                tag(
                    "p",
                    "their weight together, without a mask: ",
                    row.text("taken.share"),
                    class_="va-sums",
                ),
                row.text("taken.count") + row.text("words.taken", "small"),
                mark="taken",
            ),
            tag(
                "p",
                f"{row.text('words.ends', 'span')}{row.text('kept.least')}"
                f"{row.text('words.and', 'span')}{row.text('kept.largest')}.",
                class_="va-aside",
            ),
            tag("p", button, class_="va-aside"),
        )
    )
    return tag("div", single_head, class_="va-one-head") + heads(row, "masked", "masked")
