"""Test yourself, part 1: rows, places and costs, at sizes the pages do not use."""

import numpy as np

from figures_src.kit.numbers import with_commas
from figures_src.pages.exercises import Exercise
from vitattn_core import (
    Grid,
    core_with,
    pair_macs,
    pairs,
    patchify,
    score_slots,
)

PAGE = "test-yourself.md"


def entries() -> list[Exercise]:
    """Return the questions on counting."""
    return [_rows(), _place(), _side(), _heads()]


def _rows() -> Exercise:
    grid = Grid(96, 160, 16, registers=4)
    counts = [grid.patches, Grid(96, 160, 16).tokens, grid.tokens]
    whys = [
        "These are the patches alone. CLS and the registers are rows as well, with queries, keys and "
        "values of their own ([error 10](index.md#errors)).",
        "The registers are missing: they belong to no patch, but they are rows ([how many](cls.md#rows)).",
        f"{grid.rows} · {grid.columns} patches, CLS and four registers ([inputs](index.md#inputs)).",
    ]

    def solve() -> str:
        """Cut a real array and count."""
        return with_commas(len(patchify(np.zeros((3, 96, 160)), 16)) + len(["CLS"]) + 4)

    return Exercise(
        id="test-yourself-rows",
        page=PAGE,
        question=f"An image is {grid.height} pixels high and {grid.width} wide, $P = {grid.patch}$; CLS "
        "and four registers are added. How many rows has the sequence?",
        choices=tuple(zip(map(with_commas, counts), whys, strict=True)),
        right=2,
        solve=solve,
    )


def _place() -> Exercise:
    grid, row = Grid(224, 224, 16), 50
    right = grid.place(row)
    late = divmod(row, grid.columns)
    assert right is not None
    texts = [f"({right[0]},{right[1]})", f"({late[0]},{late[1]})", f"({right[1]},{right[0]})"]
    whys = [
        f"One row less for CLS, then {grid.columns} patches a line ([counting](notation.md#counting)).",
        "Row 0 is CLS, not the first patch. With a picture made like this, everything is one patch "
        "off ([error 10](index.md#errors)).",
        "Row and column are exchanged: a patch is (row, column), and patches count line by line.",
    ]

    def solve() -> str:
        every = [(r, c) for r in range(grid.rows) for c in range(grid.columns)]
        (found,) = [place for place in every if grid.token(*place) == row]
        return f"({found[0]},{found[1]})"

    return Exercise(
        id="test-yourself-place",
        page=PAGE,
        question=f"A grid of {grid.rows} × {grid.columns} patches, with CLS. Which patch is row {row} of "
        "the sequence, all counted from 0?",
        choices=tuple(zip(texts, whys, strict=True)),
        right=0,
        solve=solve,
    )


def _side() -> Exercise:
    small, large = (Grid(side, side, 16, cls=False).tokens for side in (160, 320))
    width = 192
    factors = [
        core_with("one-row").pair_macs(large, width)
        // core_with("one-row").pair_macs(small, width),
        pair_macs(large, width) // pair_macs(small, width),
        large // small // 2,
    ]
    whys = [
        "So many times as many patches, and so much more work for *one* row. Every row is a query "
        "([error 5](index.md#errors)).",
        "Four times the rows, and each meets four times the keys ([cost](index.md#cost)).",
        "That is the side. The patches grow with the area, and the pairs with their square.",
    ]

    def solve() -> str:
        """Count query-key pairs one by one."""
        counts = [sum(1 for _ in range(n) for _ in range(n)) for n in (small, large)]
        return f"{counts[1] // counts[0]} times"

    return Exercise(
        id="test-yourself-side",
        page=PAGE,
        question="Both sides of an image are doubled, $P$ and $D$ stay; there is no CLS. By what factor "
        "do the MACs of the pair term grow, the scores and the mixture?",
        choices=tuple((f"{n} times", why) for n, why in zip(factors, whys, strict=True)),
        right=1,
        solve=solve,
    )


def _heads() -> Exercise:
    n, width, few, many = 17, 48, 4, 8
    texts = {
        (True, True): "both double",
        (False, True): "the MACs stay, the entries double",
        (False, False): "both stay",
    }
    whys = {
        (
            True,
            True,
        ): "There are twice as many heads, but each is half as wide: its products take half the MACs.",
        (
            False,
            True,
        ): "Twice the heads at half the width: the same MACs, but each head has a score "
        "matrix of its own ([the ledger](cost.md#ledger)).",
        (
            False,
            False,
        ): "The MACs do. But there are twice as many score matrices, each of them still $N \\times N$.",
    }

    def solve() -> str:
        products = [h * pairs(n) * (width // h) for h in (few, many)]
        slots = [score_slots(n, h) for h in (few, many)]
        return texts[products[1] == 2 * products[0], slots[1] == 2 * slots[0]]

    return Exercise(
        id="test-yourself-heads",
        page=PAGE,
        question=f"$D$ stays, the number of heads goes from {few} to {many}. What becomes of the MACs of "
        "the scores, and of the entries of all score matrices together?",
        choices=tuple((texts[key], whys[key]) for key in texts),
        right=1,
        solve=solve,
    )
