"""Questions of the page on several heads."""

import numpy as np

from figures_src.inputs import photographs
from figures_src.kit.numbers import fixed
from figures_src.pages.exercises import Exercise
from vitattn_core import core_with, merge_heads, teaching_weights
from vitattn_core.arrays import Array
from vitattn_core.teaching import CHANNELS, HEADS

from .figures import QUERY, parts

PAGE = "heads.md"


def entries() -> list[Exercise]:
    """Return the page's questions."""
    return [_mean(), _merge(), _silent()]


def _mean() -> Exercise:
    two = np.array([[0.60, 0.10, 0.30], [0.05, 0.55, 0.40]])
    favourites = [int(row.argmax()) for row in two]
    mean = two.mean(axis=0)
    written = " and ".join(f"({', '.join(fixed(x, 2) for x in row)})" for row in two)
    whys = {
        favourites[
            0
        ]: "The favourite of head 1. It is not the mean’s: head 2 gives it next to nothing.",
        favourites[1]: "The favourite of head 2; head 1 gives it little.",
        int(mean.argmax()): "It has the largest mean, "
        f"{fixed(mean.max(), 2)}, and is no head’s favourite. A map of the mean would show a key "
        "that neither head prefers.",
    }
    return Exercise(
        id="heads-mean",
        page=PAGE,
        question=f"Two heads give three keys the weights {written}. Keys count from 0. Which one is the "
        "brightest in the mean of the two?",
        choices=tuple((f"key {key}", whys[key]) for key in sorted(whys)),
        right=sorted(whys).index(int(mean.argmax())),
        solve=lambda: f"key {max(range(3), key=lambda j: two[0, j] + two[1, j])}",
    )


def _merge() -> Exercise:
    outputs = np.arange(1.0, 9.0).reshape(2, 2, 2)  # heads, rows, head width

    def written(rows: Array) -> str:
        return " ".join(str(int(number)) for number in rows[0])

    interleaved = np.moveaxis(outputs, 0, -1).reshape(2, 4)
    return Exercise(
        id="heads-merge",
        page=PAGE,
        question="Two heads have the outputs $O^{1}$ with rows (1, 2) and (3, 4), and $O^{2}$ with rows "
        "(5, 6) and (7, 8). They are merged, head after head. What does row 0 hold?",
        choices=(
            (
                written(core_with("merge").merge_heads(outputs)),
                "This is a [reshape without the exchange](#merge): both rows of head 1, "
                "and nothing of head 2.",
            ),
            (written(merge_heads(outputs)), "Row 0 of head 1, then row 0 of head 2."),
            (
                written(interleaved),
                "The right numbers in another order, channel by channel: $W_O$ has its lines head by "
                "head, so each number would meet the wrong line.",
            ),
        ),
        right=1,
        solve=lambda: " ".join(str(int(n)) for head in outputs for n in head[0]),
    )


def _silent() -> Exercise:
    diff = CHANNELS.index("diff")
    each = parts()[:, diff]
    return Exercise(
        id="heads-silent",
        page=PAGE,
        question="In the [figure of the sum](#figure-heads-sum), head 2 is silenced: its lines of $W_O$ "
        "become 0. What does attention then write to `diff` for the left eye?",
        choices=(
            (
                fixed(each.sum(), 2),
                "This is the sum with head 2. Its map stays the same when it is silenced, "
                "what it adds does not.",
            ),
            (
                fixed(each[[0, 2]].sum(), 2),
                "The parts of the other heads are left, and head 3 writes nothing to this channel.",
            ),
            (
                fixed(each[[0, 2]].sum() / len(HEADS), 2),
                "The heads’ parts are added up; the model forms no mean of them.",
            ),
        ),
        right=1,
        solve=lambda: _without_head_2(diff),
    )


def _without_head_2(channel: int) -> str:
    """Return the channel after W_O, with the joined outputs multiplied by a W_O whose lines 4–7 are 0."""
    w_o = teaching_weights().block.attention.w_o.copy()
    w_o[4:8] = 0
    return fixed((photographs.trace("chelsea").joined[QUERY] @ w_o)[channel], 2)
