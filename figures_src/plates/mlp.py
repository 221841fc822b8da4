"""MLP: the row alone goes through a small network, which is added to it."""

import math

import numpy as np

from ..marks import Bound, phrase, tag
from ..panels import channels, strip, svg
from ..registry import plate

REACH = 12  # of the axis of what goes into GELU


@plate(
    "mlp",
    shows=("W", "H", "G", "Z"),
    alt="Two working units of 48: what goes into each, the GELU curve, what comes out and is "
    "written to one channel; below, the twelve channels that leave the block.",
)
def draw(row: Bound) -> str:
    say = (
        f"{phrase('units', 'Two of 48 units')} work here: they ask whether this row "
        "differs from its surroundings by more than "
        f"half a spread, either way. Together they write {row.text('mlp.written')} to "
        f"{phrase('leaving', 'out')}; 46 are zero."
    )
    normed = tag("p", "diff ", row.text("mlp.diff"), ", out ", row.text("mlp.out"))
    return "".join(
        (
            tag("p", say, class_="va-say"),
            strip("LN<sub>2</sub>(y)", "none", "", normed),
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
            channels(row, "= z", "the row that leaves the block", "Z", "query", mark="leaving"),
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
    """Return the curve of GELU over −12 to 12, and where the two units stand on it."""
    points = np.linspace(-REACH, REACH, 97)
    values = [s * 0.5 * (1 + math.erf(s / math.sqrt(2))) for s in points]
    path = "M" + "L".join(f"{x:.2f} {-y:.2f}" for x, y in zip(points, values, strict=True))
    curve = tag("path", d=path, class_="va-curve")
    zero = tag("path", d=f"M{-REACH} 0H{REACH}", class_="va-zero")
    inner = tag(
        "svg",
        zero,
        curve,
        viewBox=f"{-REACH} {-REACH} {2 * REACH} {REACH + 2}",
        preserveAspectRatio="none",
        width="100%",
        height=80,
        y=16,
    )
    units = "".join(
        row.at(
            f"x.mlp.before.{unit}",
            "svg",
            tag("line", class_="va-marked", y1=16, y2=96),
            tag("text", f"unit {unit + 1}", y=11),
            class_="va-over role-query",
        )
        for unit in (0, 1)
    )
    return svg(98, inner, units)
