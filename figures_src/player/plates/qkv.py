"""Query, key, value: the normed row is mapped three times."""

from collections.abc import Sequence

from figures_src.kit.elements import tag
from figures_src.kit.strips import strip
from figures_src.player.bound import Bound, phrase
from figures_src.player.panels import names, numbers, side_by_side
from figures_src.player.registry import plate
from vitattn_core.teaching import HEADS, KEY_CHANNELS, VALUE_CHANNELS


@plate(
    "qkv",
    shows=("Q", "K", "V"),
    alt="Three rows of {{ teaching.head_channels.word = four }} numbers made from one row: the "
    "query it asks with, the key it shows and the value it gives away.",
    mean_alt="For each head, rows of numbers made from one row: its query, key and value.",
)
def draw(row: Bound) -> str:
    say = (
        f"One row, three roles: {phrase('query', 'the query')} {row.text('query')} asks with, "
        f"{phrase('key', 'the key')} it shows to be matched, "
        f"{phrase('value', 'the value')} it gives to whoever weighs it. Every row makes its own three."
    )
    single_head = "".join(
        (
            tag("p", say, class_="va-say"),
            names(row, "channel"),
            strip("q", "query", "u W<sub>Q</sub>, asks", numbers(row, "q", "query"), mark="query"),
            strip("k", "key", "u W<sub>K</sub>, shows", numbers(row, "own.k", "key"), mark="key"),
            _named(VALUE_CHANNELS),
            strip(
                "v", "value", "u W<sub>V</sub>, gives", numbers(row, "own.v", "value"), mark="value"
            ),
            tag(
                "p",
                "Each head has its own three matrices of 12 × 4, set by hand here; "
                "the values are the same in all three heads. out came in as 0, so light − out "
                "is free of the mean that the norm took away.",
                class_="va-aside",
            ),
        )
    )
    lines = []
    for h, head in enumerate(HEADS):
        above = {"q": _named(KEY_CHANNELS[h]), "k": "", "v": _named(VALUE_CHANNELS)}
        for name, role in (("q", "query"), ("k", "key"), ("v", "value")):
            words = f"head {h + 1}, {head}"
            lines.append(above[name] + strip(name, role, words, numbers(row, f"h{h}.{name}", role)))
    return tag("div", single_head, class_="va-one-head") + side_by_side(*lines)


def _named(channels: Sequence[str]) -> str:
    """Return the line of channel names above rows of numbers that always have these."""
    cells = tag("div", *(tag("span", name) for name in channels), class_="va-names")
    return strip("", "none", "", cells, cls="va-head")
