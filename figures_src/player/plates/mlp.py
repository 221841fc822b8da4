"""MLP: the row alone goes through a small network, which is added to it."""

from figures_src.kit.elements import tag
from figures_src.kit.strips import strip, svg
from figures_src.player.bound import Bound, phrase
from figures_src.player.panels import axis_labels, axis_plot, channels, upright
from figures_src.player.registry import plate
from figures_src.player.styles.mark_sizes import WORKING

HEIGHT = 98  # of the plot of GELU, in pixels, and where it ends
FOOT = 114


@plate(
    "mlp",
    shows=("W", "H", "G", "Z"),
    alt="Two working units of 48: what goes into each, the GELU curve, what comes out and is "
    "written to one channel; below, the {{ teaching.channels.word = twelve }} channels that "
    "leave the block.",
)
def draw(row: Bound) -> str:
    say = (
        f"{phrase('units', 'Two of 48 units')} work here: they ask whether diff lies more than "
        f"half a spread above out, or below it. Together they write {row.text('mlp.written')} to "
        f"{phrase('leaving', 'out')}; 46 are zero."
    )
    normed = tag("p", "diff ", row.text("mlp.diff"), ", out ", row.text("mlp.out"))
    return "".join(
        (
            tag("p", say, class_="va-say"),
            strip(
                "LN<sub>2</sub>(y)",
                "none",
                "",
                normed + row.text("mlp.why", "p", class_="va-aside"),
            ),
            strip("GELU", "none", "", _gelu(row), cls="va-roomy", mark="units"),
            strip(
                "",
                "none",
                "",
                tag(
                    "p",
                    _unit(row, 0, "4·(diff − out) − 2"),
                    _unit(row, 1, "−4·(diff − out) − 2"),
                    class_="va-sums",
                ),
            ),
            channels(
                row,
                "z",
                "= y, and in out what was written: it leaves the block",
                "Z",
                "query",
                mark="leaving",
            ),
        )
    )


def _unit(row: Bound, unit: int, formula: str) -> str:
    return tag(
        "span",
        f"unit {unit + 1}: {formula} = ",
        row.text(f"mlp.before.{unit}", "span"),
        " → ",
        row.text(f"mlp.after.{unit}"),
    )


def _gelu(row: Bound) -> str:
    """Return the curve of GELU, and the two units on it: what goes in along, what comes out up."""
    zero = FOOT - HEIGHT / 7  # a seventh of the plot lies below 0
    curve = axis_plot(
        row,
        "box.gelu",
        row.path("mlp.curve", class_="va-curve is-plain"),
        y=FOOT - HEIGHT,
        height=HEIGHT,
    )
    foot = tag("line", x1="0", x2="100%", y1=zero, y2=zero, class_="va-zero")
    units = "".join(
        row.at(
            f"x.mlp.before.{unit}",
            "svg",
            tag("line", class_="va-lead-line", y1=15, y2=zero),
            upright(row, f"height.mlp.{unit}", zero, HEIGHT - HEIGHT / 7),
            tag("text", f"unit {unit + 1}", y=11),
            class_="va-over role-none",
        )
        for unit in WORKING
    )
    return svg(FOOT, curve, foot, units) + axis_labels(row, "mlp")
