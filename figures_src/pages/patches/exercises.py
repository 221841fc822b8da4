"""Questions of the page on patches and position."""

import numpy as np

from figures_src.pages.exercises import Exercise
from vitattn_core import Grid, attention, core_with, patchify
from vitattn_core.arrays import Array

PAGE = "patches.md"


def entries() -> list[Exercise]:
    """Return the page's questions."""
    return [_cut(), _wide(), _tables()]


def _written(numbers: Array) -> str:
    return " ".join(str(int(number)) for number in numbers)


def _cut() -> Exercise:
    image = np.arange(16.0).reshape(1, 4, 4)
    right = patchify(image, 2)[1]
    scrambled = core_with("patchify").patchify(image, 2)[1]
    by_column = patchify(image, 2).reshape(2, 2, 4).swapaxes(0, 1).reshape(4, 4)[1]

    def solve() -> str:
        """Patch (0, 1) begins at line 0, column 2."""
        return " ".join(str(4 * y + x) for y in (0, 1) for x in (2, 3))

    return Exercise(
        id="patches-cut",
        page=PAGE,
        question="An image with one channel and four lines holds the numbers 0 to 15, line by line. "
        "It is cut with $P = 2$. Patches count from 0: what does row 1 hold?",
        choices=(
            (
                _written(scrambled),
                "The [scrambled cut](#scrambled): the axes were not moved, so the row is a "
                "whole line of the image, no square. The shape is right.",
            ),
            (
                _written(by_column),
                "Patches go line by line: this is patch (1,0), which is row 2. Whoever goes "
                "by columns first has height and width mixed up.",
            ),
            (_written(right), "Patch (0,1): two numbers of line 0, then the two below them."),
        ),
        right=2,
        solve=solve,
    )


def _wide() -> Exercise:
    wide = Grid(224, 384, 16)
    right = wide.token(5, 4)
    return Exercise(
        id="patches-wide",
        page=PAGE,
        question=f"An image is {wide.height} pixels high and {wide.width} wide, $P = {wide.patch}$, "
        "with CLS in front. Which row of the sequence is patch (5,4), the rows counted from 0?",
        choices=(
            (
                str(wide.prefix + wide.rows * 5 + 4),
                f"That would be right on a square: {wide.rows} is the number of lines of the grid, "
                f"and a line has {wide.columns} patches.",
            ),
            (
                str(right),
                f"CLS, then five whole lines of {wide.columns} patches, then four patches.",
            ),
            (
                str(Grid(224, 384, 16, cls=False).token(5, 4)),
                "Here [CLS was forgotten](cls.md#rows): patch (0,0) is row 1.",
            ),
        ),
        right=1,
        solve=lambda: str([*[None] * wide.prefix, *wide.places()].index((5, 4))),
    )


def _tables() -> Exercise:
    tables = {
        "(0, 0), (0, 0), (0, 0)": "No position at all: [equivariant](#order).",
        "(3, 1), (3, 1), (3, 1)": "One row for all: the outputs change, but no row learns where it is.",
        "(3, 1), (3, 1), (0, 2)": "The third row is told apart from the others. The first two "
        "still share theirs: exchange only them, and their outputs change places.",
    }
    x, order = np.array([[0.3, 1.0], [1.0, -0.5], [-0.8, 0.4]]), [2, 0, 1]

    def gap(text: str) -> float:
        table = np.array(
            [[float(n) for n in pair.split(", ")] for pair in text[1:-1].split("), (")]
        )
        straight, shuffled = x + table, x[order] + table
        moved = attention(shuffled, shuffled, 1 - shuffled)[0]
        return float(np.abs(moved - attention(straight, straight, 1 - straight)[0][order]).max())

    return Exercise(
        id="patches-tables",
        page=PAGE,
        question="Three position tables for three rows of width 2. With which one does attention stop "
        "being permutation-equivariant?",
        choices=tuple(tables.items()),
        right=2,
        solve=lambda: next(text for text in tables if gap(text) > 1e-9),
    )
