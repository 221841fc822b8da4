"""Questions of the page on global and local operators."""

import numpy as np

from figures_src.pages.exercises import Exercise
from vitattn_core import Grid, window_mask

from . import examples

PAGE = "global-local.md"


def entries() -> list[Exercise]:
    """Return the page's questions."""
    return [_layers(), _windows(), _swap(), _cost()]


def _layers() -> Exercise:
    side, kernel = 20, 5
    right = -(-(side - 1) // (kernel // 2))

    def solve() -> str:
        """Spread from a corner over the grid, one kernel a layer, until the other corner is reached."""
        row, column = np.divmod(np.arange(side**2), side)
        near = (abs(row[:, None] - row) <= kernel // 2) & (
            abs(column[:, None] - column) <= kernel // 2
        )
        found, count = np.arange(side**2) == 0, 0
        while not found[-1]:
            found, count = near[found].any(axis=0), count + 1
        return str(count)

    return Exercise(
        id="global-local-layers",
        page=PAGE,
        question=f"A grid of {side} × {side} rows, convolutions of {kernel} × {kernel} with stride 1. After "
        "how many layers can one corner have reached the opposite one?",
        choices=(
            (
                str(side // kernel),
                f"A layer does not move {kernel} rows on, only {kernel // 2}: the kernel reaches to both "
                "sides.",
            ),
            (
                str(right),
                f"There are {side - 1} steps to go, {kernel // 2} a layer, in both directions at once; the "
                "last layer has less to do.",
            ),
            (
                str(side - 1),
                f"That would be a kernel of 3 × 3, which goes one step a layer. This one goes "
                f"{kernel // 2}.",
            ),
        ),
        right=1,
        solve=solve,
    )


def _windows() -> Exercise:
    layers, inside = 12, examples.SIDE**2

    def solve() -> str:
        """Apply the windows' matrix twelve times."""
        keep = window_mask(examples.PATCHES, examples.SIDE)
        found = np.arange(examples.PATCHES.tokens) == examples.QUERY
        for _ in range(layers):
            found = keep[found].any(axis=0)
        return str(int(found.sum()))

    return Exercise(
        id="global-local-windows",
        page=PAGE,
        question=f"Attention in windows of {examples.SIDE} × {examples.SIDE}, never shifted, on 14 × 14 "
        f"rows, {layers} layers. How many input rows can have reached an output row?",
        choices=(
            (
                str(examples.PATCHES.tokens),
                "So it would be with global attention, or if the windows were shifted in between.",
            ),
            (
                str(inside),
                "A window’s rows meet each other again and again and nobody else. Depth does not help; "
                "moving the windows does.",
            ),
            (
                str(inside * layers),
                "The same rows counted once a layer: there are not that many rows in the grid.",
            ),
        ),
        right=1,
        solve=solve,
    )


def _swap() -> Exercise:
    whys = {
        "the convolution": "Its kernel has an entry of its own for each relative place; unless two of them "
        "happen to be equal, it matters who stands where.",
        "attention, both kinds": "Attention adds up over a set of keys. A set has no order: "
        "[error 4](bug-lab.md#no-position).",
        "all three": "Both kinds of attention add up over the same set of keys as before.",
    }

    def solve() -> str:
        """Swap two neighbours of the eye and look at its output."""
        moved = {name: examples.tells_neighbours_apart(name) for name in examples.TABLE}
        assert moved["conv3"] == moved["conv7"] and moved["windows"] == moved["everywhere"]
        texts = {
            (True, False): "the convolution",
            (False, True): "attention, both kinds",
            (True, True): "all three",
        }
        return texts[moved["conv7"], moved["everywhere"]]

    return Exercise(
        id="global-local-swap",
        page=PAGE,
        question="No position is added. The left and the right neighbour of a patch, both in its window, "
        "change places. A convolution, attention in windows, global attention: with which of them does "
        "the output of the patch between them change?",
        choices=tuple(whys.items()),
        right=0,
        solve=solve,
    )


def _cost() -> Exercise:
    small, large = (Grid(16 * side, 16 * side, 16, cls=False) for side in (14, 28))

    def solve() -> str:
        """Count the scores that each window mask keeps."""
        counts = [int(window_mask(grid, examples.SIDE).sum()) for grid in (small, large)]
        return f"{counts[1] // counts[0]} times as many"

    windows = large.tokens // small.tokens
    return Exercise(
        id="global-local-cost",
        page=PAGE,
        question="The side of the image is doubled; patches and windows keep their size. How many scores "
        "are there in a layer of attention in windows?",
        choices=(
            (
                f"{windows**2} times as many",
                "That is global attention: four times the rows, each with four times the keys.",
            ),
            (
                f"{windows} times as many",
                "Four times the windows, each with as many scores as before: linear in the number of rows.",
            ),
            (
                "as many as before",
                "That is so for a single row, which still has the keys of its window. But there are "
                "four times as many rows: "
                "[error 5](bug-lab.md#one-row).",
            ),
        ),
        right=1,
        solve=solve,
    )
