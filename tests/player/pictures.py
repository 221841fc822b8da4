"""What a picture of a row of weights has to paint: the level of each patch, from NumPy alone."""

import math
import re
from dataclasses import dataclass

import numpy as np


def level(weight: float, end: float) -> int:
    """The level of paint of a weight on the range 0 to `end`: 1 to 63, or 0 where nothing is painted."""
    if end <= 0 or weight < 0.004 * end:
        return 0
    return max(1, min(63, math.floor(63 * weight / end + 0.5)))


@dataclass(frozen=True)
class Picture:
    """Patches as squares, a path for each level of paint: these weights on the range 0 to `end`."""

    weights: np.ndarray
    end: float
    columns: int = 14

    def levels(self) -> dict[tuple[int, int], int]:
        found = {
            divmod(n, self.columns): level(float(w), self.end) for n, w in enumerate(self.weights)
        }
        return {where: n for where, n in found.items() if n}

    def fault(self, text: str) -> str | None:
        shown, expected = picture(text), self.levels()
        off = [w for w in {*shown, *expected} if shown.get(w, 0) != expected.get(w, 0)]
        return f"{len(off)} patches: {off[:3]} have other levels" if off else None


def picture(markup: str) -> dict[tuple[int, int], int]:
    """The level of each painted patch (row, column) of a small map; each is painted once."""
    found: dict[tuple[int, int], int] = {}
    paths = re.findall(r'<path d="([^"]+)" class="w(\d+)">', markup)
    assert len(paths) == markup.count("<path"), markup[:80]
    assert len({kind for _, kind in paths}) == len(paths), "a level has one path"
    for d, kind in paths:
        squares_ = re.fullmatch(r"(?:M\d+ \d+h1v1h-1z)+", d)
        assert squares_, d
        for column, line in re.findall(r"M(\d+) (\d+)h", d):
            where = int(line), int(column)
            assert where not in found, f"{where} is painted twice"
            found[where] = int(kind)
    return found
