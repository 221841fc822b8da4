"""Layer norm: the row alone is moved to mean 0 and stretched to spread 1."""

from figures_src.kit.elements import tag
from figures_src.kit.strips import strip, svg
from figures_src.player.bound import Bound, phrase
from figures_src.player.panels import axis_labels, axis_plot, channels
from figures_src.player.registry import plate


@plate(
    "norm",
    shows=("X", "U"),
    alt="{{ teaching.channels.word = Twelve }} ticks, the channels of the row, on an axis: as "
    "they were, moved to mean 0, and stretched to spread 1; below, the "
    "{{ teaching.channels.word = twelve }} normed numbers.",
)
def draw(row: Bound) -> str:
    say = (
        f"This row alone: {phrase('mean', 'its mean')} {row.text('norm.mean')} is taken away, "
        f"then it is divided by {phrase('spread', 'its spread')} {row.text('norm.spread')}. "
        "No other row has a say."
    )
    return "".join(
        (
            tag("p", say, class_="va-say"),
            strip(
                "x",
                "none",
                "twelve channels",
                _ticks(row, "x"),
                row.text("norm.mean") + tag("small", "mean"),
                mark="mean",
            ),
            strip(
                "x − mean",
                "none",
                "mean 0",
                _ticks(row, "centred"),
                row.text("norm.spread") + tag("small", "spread"),
                mark="spread",
            ),
            strip(
                "u",
                "none",
                "spread 1",
                _ticks(row, "u") + axis_labels(row, "norm"),
                "<b>1</b>" + tag("small", "spread"),
            ),
            channels(row, "u", "the normed row", "U", "query"),
        )
    )


def _ticks(row: Bound, which: str) -> str:
    plot = axis_plot(
        row, "box.norm", row.path(f"norm.ticks.{which}", class_="va-tick va-thick"), y=0, height=26
    )
    zero = tag("line", x1="50%", x2="50%", y1=0, y2=26, class_="va-zero va-origin")
    foot = tag("line", x1="0", x2="100%", y1=25.5, y2=25.5, class_="va-zero")
    return svg(26, plot, zero, foot)
