"""Questions of the page on the CLS row and pooling."""

import numpy as np

from figures_src.kit.numbers import fixed
from figures_src.pages.exercises import Exercise
from vitattn_core import Grid, attention, block, core_with, teaching_weights

PAGE = "cls.md"


def entries() -> list[Exercise]:
    """Return the page's questions."""
    return [_count(), _picture(), _last_block()]


def _count() -> Exercise:
    side, patch, registers = 518, 14, 4
    grid = Grid(side, side, patch, registers=registers)
    return Exercise(
        id="cls-count",
        page=PAGE,
        question=f"A model has CLS and {registers} registers; the image is {side} × {side} pixels, "
        f"$P = {patch}$. Which row of the sequence, counted from 0, is the last patch?",
        choices=(
            (
                f"{Grid(side, side, patch).tokens - 1:,}",
                "The registers were forgotten: four more rows stand in front.",
            ),
            (
                f"{grid.tokens:,}",
                "That is the number of rows. They count from 0, so the last is one less.",
            ),
            (
                f"{grid.token(grid.rows - 1, grid.columns - 1):,}",
                f"{grid.rows} × {grid.columns} patches and {grid.prefix} rows in front make "
                f"{grid.tokens:,} rows; the last patch is the last of them.",
            ),
        ),
        right=2,
        solve=lambda: f"{1 + registers + (side // patch) ** 2 - 1:,}",
    )


def _picture() -> Exercise:
    grid, row = Grid(32, 32, 16), np.array([0.6, 0.1, 0.1, 0.0, 0.2])
    slipped = core_with("offset").Grid(32, 32, 16).field(row)
    right = grid.field(row)

    def written(field: np.ndarray) -> str:
        return " / ".join(" ".join(fixed(x, 2) for x in line) for line in field)

    return Exercise(
        id="cls-picture",
        page=PAGE,
        question="A row of weights on 2 × 2 patches, with CLS in front, is "
        f"{', '.join(fixed(x, 1) for x in row)}. What does its picture show, line by line?",
        choices=(
            (
                written(right),
                f"And the picture should say that {fixed(row[0], 1)} of the row is on no patch.",
            ),
            (
                written(slipped),
                "CLS was left in: the brightest cell is no patch’s weight at all.",
            ),
            (
                written(right / right.sum()),
                "The places are right, but the row was divided by what is left: it now claims that "
                "nothing went to CLS.",
            ),
        ),
        right=0,
        solve=lambda: written(
            np.array([[row[grid.token(r, c)] for c in range(2)] for r in range(2)])
        ),
    )


def _last_block() -> Exercise:
    choices = {
        "their queries": "A query only serves its own row’s output, and no one reads that any more.",
        "their keys": "Without a key there is nothing to score: the row cannot be found by CLS.",
        "their values": "The values are what CLS is given.",
    }
    whole = block(
        np.stack([np.sin(2 * np.arange(6) + c) for c in range(12)], axis=1),
        teaching_weights().block,
    )

    def moved(what: str) -> float:
        """Return how far the mixture of CLS moves when the patch rows lose one of their roles."""
        q, k, v = whole.Q.copy(), whole.K.copy(), whole.V.copy()
        {"their queries": q, "their keys": k, "their values": v}[what][:, 1:] = 0
        return float(np.abs(attention(q, k, v)[0][:, 0] - whole.O[:, 0]).max())

    return Exercise(
        id="cls-last-block",
        page=PAGE,
        question="A classifier reads CLS after the last block. Which of these could be left out for "
        "the patch rows *in that block*, with no change in what it reads?",
        choices=tuple(choices.items()),
        right=0,
        solve=lambda: next(what for what in choices if moved(what) < 1e-12),
    )
