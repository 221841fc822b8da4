"""Signed numbers side by side, each over a bar that grows from the middle of its cell."""

from collections.abc import Sequence

from figures_src.kit.strips import svg

from .elements import tag
from .geometry import bar
from .numbers import fixed

HEIGHT = 36


def numbers(values: Sequence[float], *, reach: float, role: str = "none", digits: int = 2) -> str:
    """Return one panel for a row of numbers; a bar fills its half of the cell at `reach`."""
    width = 100 / len(values)
    marks = []
    for place, value in enumerate(values):
        left = place * width
        middle = left + width / 2
        at = f"{middle:.2f}%"
        marks += [
            tag(
                "rect",
                class_="va-cell",
                x=f"{left:.2f}%",
                width=f"{width - 0.6:.2f}%",
                height=HEIGHT,
            ),
            tag("line", class_="va-zero", x1=at, x2=at, y1=24, y2=HEIGHT),
            tag(
                "rect",
                class_="va-bar",
                x=at,
                width=f"{width / 2 - 1:.2f}%",
                y=27,
                height=7,
                style=f"--v:{bar(float(value), reach)}",
            ),
            tag("text", fixed(float(value), digits), x=at, y=18),
        ]
    return svg(HEIGHT, *marks, cls=f"va-numbers role-{role}")


def names(words: Sequence[str]) -> str:
    """Return the line of names above numbers; as many columns as there are names."""
    cells = (tag("span", word) for word in words)
    return tag("div", *cells, class_="va-names", style=f"--n:{len(words)}")
