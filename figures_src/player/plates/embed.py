"""Embed and place: channels from the pixels, plus channels from the place."""

from figures_src.kit.elements import tag
from figures_src.player.bound import Bound, phrase
from figures_src.player.panels import channels
from figures_src.player.registry import plate


@plate(
    "embed",
    shows=("content", "position", "X"),
    alt="Three rows of {{ teaching.channels.word = twelve }} channels: what a patch has from its pixels, or "
    "CLS of its own; what is added for the place; and their sum, the row that enters the block.",
)
def draw(row: Bound) -> str:
    say = (
        f"{row.text('query.named')} becomes twelve numbers: "
        f"{phrase('from-pixels', row.text('words.channels', 'span'))}"
        f"{row.text('words.constant', 'span')}, "
        f"{phrase('from-place', row.text('place.words', 'span'))}, "
        f"{row.text('words.still', 'span')}; "
        f"{phrase('sum', 'their sum')} enters the block."
    )
    return "".join(
        (
            tag("p", say, class_="va-say"),
            channels(
                row, "pE + b", row.text("words.content", "span"), "content", mark="from-pixels"
            ),
            channels(
                row,
                "+ t",
                row.text("words.position", "span"),
                "position",
                named=False,
                mark="from-place",
            ),
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
