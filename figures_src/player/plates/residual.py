"""Residual: the row keeps what it was and adds what it has read."""

from figures_src.kit.elements import tag
from figures_src.kit.strips import marked
from figures_src.player.bound import Bound, on_one_line, phrase
from figures_src.player.panels import rises
from figures_src.player.registry import plate


@plate(
    "residual",
    shows=("Y",),
    alt="{{ teaching.channels.word = Twelve }} columns, one a channel: what is added to as a "
    "bar from zero, what attention adds on top of it, and a line where the sum ends; the "
    "three numbers stand below.",
)
def draw(row: Bound) -> str:
    say = (
        f"The row of {row.text('query')} {row.text('base.keeps', 'span')} "
        f"{phrase('before', row.text('base.what', 'span'))} and adds "
        f"{on_one_line(phrase('read', row.text('words.read', 'span')), '.')} {row.text('base.note', 'span')}"
    )
    legend = (
        tag(
            "span",
            tag("i", class_="va-chip is-before"),
            row.text("base.letter", "span"),
            **marked("before"),
        ),
        tag(
            "span",
            tag("i", class_="va-chip is-read"),
            " + M, what attention adds",
            **marked("read"),
        ),
        tag("span", tag("i", class_="va-chip is-end"), " = y, the row now"),
    )
    return "".join(
        (
            tag("p", say, class_="va-say"),
            tag("p", *legend, class_="va-sums"),
            rises(row),
            tag("p", "From here on this row works alone.", class_="va-aside"),
        )
    )
