"""Embed and place: channels from the pixels, plus channels from the place."""

from figures_src.kit.elements import tag
from figures_src.player.bound import Bound, phrase
from figures_src.player.panels import channels
from figures_src.player.registry import plate


@plate(
    "embed",
    shows=("content", "position", "X"),
    alt="Three rows of {{ teaching.channels.word = twelve }} channels: what comes from the "
    "pixels, what comes from the place, and their sum, the row that enters the block.",
)
def draw(row: Bound) -> str:
    say = (
        f"{row.text('query.named')} becomes twelve numbers: "
        f"{phrase('from-pixels', 'four from its pixels')} and a constant, "
        f"{phrase('from-place', row.text('place.words', 'span'))}, three that are still 0; "
        f"{phrase('sum', 'their sum')} enters the block."
    )
    return "".join(
        (
            tag("p", say, class_="va-say"),
            channels(row, "pE + b", "from the pixels", "content", mark="from-pixels"),
            channels(row, "+ t", "from the place", "position", named=False, mark="from-place"),
            channels(
                row, "= x", "the row that enters the block", "X", "query", named=False, mark="sum"
            ),
            tag(
                "p",
                "spot compares the centre of the patch with its rim; keel is the same in every patch; "
                "cls marks the CLS row; diff and out are written later.",
                class_="va-aside",
            ),
        )
    )
