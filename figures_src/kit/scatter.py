"""A field of dots with two axes: as wide as its place, its words never shrink. Both axes linear or log.

x is laid out in per cent of the width, y in pixels; dots lie in an inner drawing that is stretched.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from figures_src.kit.strips import svg

from .elements import tag
from .numbers import ascii_number

FOOT = 18  # pixels under the field, for the numbers of the x axis


@dataclass(frozen=True)
class Axis:
    """From `low` to `high`; with `log` equal factors are equal steps. Numbers stand at `ticks`."""

    low: float
    high: float
    ticks: tuple[tuple[float, str], ...]
    log: bool = False

    def share(self, value: float) -> float:
        """Return where a value stands, 0 to 1; ValueError outside the axis."""
        bend = math.log10 if self.log else float
        share = (bend(value) - bend(self.low)) / (bend(self.high) - bend(self.low))
        if not -1e-9 <= share <= 1 + 1e-9:
            raise ValueError(f"plot: got {value}, takes {self.low} to {self.high}")
        return share


@dataclass(frozen=True)
class Plot:
    """The field: its axes, and its height in pixels."""

    x: Axis
    y: Axis
    height: int = 210

    def at(self, x: float, y: float) -> tuple[float, float]:
        """Return a place in per cent of the field, from the upper left."""
        return 100 * self.x.share(x), 100 * (1 - self.y.share(y))

    def down(self, y: float) -> float:
        """Return a place in pixels from the top."""
        return self.height * (1 - self.y.share(y))

    def dots(self, places: Iterable[tuple[float, float]], kind: str = "") -> str:
        """Return dots as one path, for `draw`."""
        points = (self.at(*place) for place in places)
        d = "".join(f"M{ascii_number(x, 1)} {ascii_number(y, 1)}h0" for x, y in points)
        return tag("path", d=d, class_=f"va-dots {kind}".strip())

    def threads(self, lines: Iterable[Sequence[tuple[float, float]]], kind: str = "") -> str:
        """Return lines through places as one path, for `draw`."""
        d = []
        for line in lines:
            ends = (
                f"{ascii_number(x, 1)} {ascii_number(y, 1)}"
                for x, y in (self.at(*place) for place in line)
            )
            d.append("M" + "L".join(ends))
        return tag("path", d="".join(d), class_=f"va-thread {kind}".strip())

    def ring(self, x: float, y: float) -> str:
        """Return a ring around a place, for the words of `draw`."""
        across, _ = self.at(x, y)
        return tag("circle", cx=f"{across:.1f}%", cy=f"{self.down(y):.1f}", r=8, class_="va-ring")

    def level(self, y: float, words: str, above: int = 4) -> str:
        """Return a dashed line across the field with words `above` pixels over its right end."""
        at = f"{self.down(y):.1f}"
        line = tag("line", x1=0, x2="100%", y1=at, y2=at, class_="va-even")
        text = tag("text", words, x="99.5%", y=f"{self.down(y) - above:.1f}", class_="at-4")
        return line + text

    def draw(self, marks: Sequence[str], over: Sequence[str] = ()) -> str:
        """Return the panel: rules, `marks` of the stretched field, and `over`, which keeps its size."""
        field = tag(
            "svg",
            *marks,
            viewBox="0 0 100 100",
            preserveAspectRatio="none",
            width="100%",
            height=self.height,
            overflow="visible",
        )
        return svg(self.height + FOOT, *self._rules(), field, *over, cls="va-scatter")

    def _rules(self) -> Iterable[str]:
        for y, words in self.y.ticks:
            at = f"{self.down(y):.1f}"
            yield tag("line", x1=0, x2="100%", y1=at, y2=at, class_="va-grid-rule")
            yield tag("text", words, x=2, y=f"{self.down(y) - 4:.1f}", class_="at-0")
        for x, words in self.x.ticks:
            share = self.x.share(x)
            kind = "at-0" if share < 0.02 else "at-4" if share > 0.98 else "at-2"
            yield tag("text", words, x=f"{100 * share:.1f}%", y=self.height + 14, class_=kind)
