"""Questions of the page of questions: they mix in the pages before."""

import numpy as np

from figures_src.kit.numbers import fixed
from figures_src.pages.exercises import Exercise
from vitattn_core import AttentionWeights, Grid, core_with, multi_head_attention, softmax

from .figures import WEIGHTS

PAGE = "questions.md"


def entries() -> list[Exercise]:
    """Return the page's questions."""
    return [_row(), _column(), _heads()]


def _row() -> Exercise:
    grid = Grid(48, 80, 16, registers=4)
    place = (1, 3)
    forgotten = Grid(48, 80, 16).token(*place)
    no_prefix = Grid(48, 80, 16, cls=False).token(*place)
    right = grid.token(*place)
    turned = grid.prefix + place[1] * grid.rows + place[0]

    def solve() -> str:
        """Write the rows out in order and look the patch up."""
        rows: list[object] = ["CLS", *(f"register {n}" for n in range(4))]
        rows += [(y, x) for y in range(grid.rows) for x in range(grid.columns)]
        return f"row {rows.index(place)}"

    return Exercise(
        id="questions-row",
        page=PAGE,
        question=f"An image of {grid.height} × {grid.width} pixels (height first), $P = {grid.patch}$, with "
        f"CLS and four registers. Which row of the sequence is patch ({place[0]},{place[1]})?",
        choices=(
            (f"row {forgotten}", "The registers stand in front too: [error 10](index.md#errors)."),
            (f"row {no_prefix}", "That counts patches only, as if nothing stood in front."),
            (
                f"row {right}",
                f"Five rows in front, one line of {grid.columns} patches, and three more.",
            ),
            (
                f"row {turned}",
                "That goes down the columns: height and width are mixed up, which a square grid hides.",
            ),
        ),
        right=2,
        solve=solve,
    )


def _column() -> Exercise:
    scores = np.log(WEIGHTS)
    right = softmax(scores)[:, 2].sum()
    wrong = softmax(scores, axis=0)[:, 2].sum()

    def solve() -> str:
        """Add the last number of each row."""
        return fixed(sum(row[2] for row in WEIGHTS.tolist()), 2)

    return Exercise(
        id="questions-column",
        page=PAGE,
        question="In the figure at the top, to what does the column of key 2 sum?",
        choices=(
            (
                fixed(right, 2),
                "Key 2 is read less than the others. Columns that all sum to 1 mean, almost always, "
                "that the softmax ran over the queries: [error 2](index.md#errors).",
            ),
            (
                fixed(wrong, 2),
                "That is the column after a softmax over the wrong axis: [error 2](index.md#errors).",
            ),
            (
                fixed(WEIGHTS[:, 1].sum(), 2),
                "That is the column of key 1. Rows, queries and keys count from 0; off by one is the slip "
                "behind [error 10](index.md#errors).",
            ),
        ),
        right=0,
        solve=solve,
    )


def _heads() -> Exercise:
    rows = np.array([[1.0, 0.0, 2.0, 1.0], [0.0, 3.0, 1.0, -1.0], [2.0, 1.0, 0.0, 1.0]])
    eye = np.eye(4)
    weights = AttentionWeights(w_q=eye, w_k=eye[::-1], w_v=2 * eye, w_o=eye, heads=2)
    texts = {
        "sqrt-model": "dividing by the root of the model width",
        "merge": "merging the heads by a reshape alone",
        "keys-mixed": "mixing keys instead of values",
    }
    whys = {
        "sqrt-model": "With one head $d_h = D$, so both roots are the same there. With two, every map is "
        "flatter: the maps give it away. [Error 1](index.md#errors).",
        "merge": "One head has nothing to merge, and with two the maps are formed before the merge: "
        "both tests are blind. [Error 7](index.md#errors).",
        "keys-mixed": "The maps are right here too, but the output of one head is wrong already: the "
        "first test sees it. [Error 3](index.md#errors).",
    }

    def solve() -> str:
        """Make each mistake, and see which passes both tests."""
        passed = []
        single = AttentionWeights(w_q=eye, w_k=eye[::-1], w_v=2 * eye, w_o=eye, heads=1)
        for mistake, text in texts.items():
            right, wrong = multi_head_attention, core_with(mistake).multi_head_attention
            one = np.allclose(right(rows, single)["M"], wrong(rows, single)["M"])
            if one and np.allclose(right(rows, weights)["A"], wrong(rows, weights)["A"]):
                passed.append(text)
        return " or ".join(passed)

    return Exercise(
        id="questions-heads",
        page=PAGE,
        question="Your tests compare the output of a layer with *one* head, and the *maps* of a layer "
        "with two heads. Both pass. Which of these faults may still be in the code?",
        choices=tuple((texts[mistake], whys[mistake]) for mistake in texts),
        right=1,
        solve=solve,
    )
