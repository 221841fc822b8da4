"""Test yourself, part 6: a convolution beside attention, another library's mask, a fused kernel."""

import numpy as np

from figures_src.pages.exercises import Exercise
from vitattn_core import attention, blocked_attention, key_mask

PAGE = "test-yourself.md"


def entries() -> list[Exercise]:
    """Return the questions on operators and libraries."""
    return [_corner(), _polarity(), _fused()]


def _corner() -> Exercise:
    side, kernel = 14, 5
    reach = kernel // 2
    right, inside, line = (reach + 1) ** 2, kernel**2, kernel * (reach + 1)
    whys = {
        str(
            right
        ): f"The kernel reaches {reach} places to each side. From a corner only two of the four "
        "directions lie on the grid ([one layer](global-local.md#one-layer)).",
        str(
            inside
        ): "So many for a patch in the middle: at the corner most of them lie beyond the border.",
        str(line): "So many for a patch at the middle of an edge; a corner has two edges.",
    }

    def solve() -> str:
        before = np.cos(np.arange(side * side, dtype=float)).reshape(side, side)
        after = before.copy()
        after[0, 0] += 1.0
        moved = np.zeros((side, side), dtype=bool)
        for down in range(-reach, reach + 1):
            for across in range(-reach, reach + 1):
                one, other = (np.pad(image, reach) for image in (before, after))
                rows = slice(reach + down, reach + down + side)
                columns = slice(reach + across, reach + across + side)
                moved |= one[rows, columns] != other[rows, columns]
        return str(int(moved.sum()))

    return Exercise(
        id="test-yourself-corner",
        page=PAGE,
        question=f"One convolution with a kernel of {kernel} × {kernel}, zeros beyond the border, runs "
        f"over {side} × {side} patches. The patch in a corner is changed. How many outputs can change?",
        choices=tuple(whys.items()),
        right=0,
        solve=solve,
    )


def _polarity() -> Exercise:
    texts = {
        "all": "all keys, as if there were no mask",
        "hidden": "only those that should have been left out",
        "none": "no key at all",
    }
    whys = {
        "all": "So it would be if every key were to be left out: then False stands everywhere.",
        "hidden": "Each key changes sides. Nothing fails, and every row still sums to 1 "
        "([error 8](bug-lab.md#mask), [three libraries](masks.md#polarity)).",
        "none": "So it would be if no key were to be left out: then True stands everywhere.",
    }

    def solve() -> str:
        keep = np.array([True, True, True, False, False])
        q = np.sin(np.arange(10.0)).reshape(5, 2)
        # What the other library does: it leaves out where the mask is True.
        _, weights = attention(q, q[::-1], q, mask=key_mask(~keep))
        takes_part = (weights > 0).any(axis=0)
        kinds = {"all": np.ones(5, dtype=bool), "hidden": ~keep, "none": np.zeros(5, dtype=bool)}
        return next(texts[name] for name, kind in kinds.items() if (takes_part == kind).all())

    return Exercise(
        id="test-yourself-polarity",
        page=PAGE,
        question="In your mask True means *keep*. You hand it to a layer for which True means *leave out*. "
        "Which keys take part?",
        choices=tuple((texts[key], why) for key, why in whys.items()),
        right=1,
        solve=solve,
    )


def _fused() -> Exercise:
    texts = {
        "mean": "the mean weight of the keys on the eye",
        "sum": "the weight that each query gives to the eye as a whole",
        "yes": "1 for the queries that read the eye most, 0 for the others",
    }
    whys = {
        "mean": "A mixture adds up what comes from each key and divides by no number of keys: the weights "
        "themselves sum to 1.",
        "sum": "Each key brings its weight times 1 or times 0. With a channel for each key, values that are "
        "the identity, all weights come out one by one ([from a fused kernel](implementation.md#weights)).",
        "yes": "Nothing in attention picks a winner: shares stay shares.",
    }

    def solve() -> str:
        q = np.cos(np.arange(24.0)).reshape(8, 3) * 2
        eye = np.array([0, 0, 1, 1, 0, 0, 0, 1.0])
        output = blocked_attention(q, q[::-1], eye[:, None])[:, 0]
        _, weights = attention(q, q[::-1], q)  # the explicit pass, which has weights
        on_eye = weights[:, eye == 1]
        could_be = {
            "mean": on_eye.mean(axis=1),
            "sum": on_eye.sum(axis=1),
            "yes": on_eye.max(axis=1) == weights.max(axis=1),
        }
        return next(texts[name] for name, row in could_be.items() if np.allclose(output, row))

    return Exercise(
        id="test-yourself-fused",
        page=PAGE,
        question="A fused kernel hands out no weights. You call it again, queries and keys as before, "
        "with values of a single channel: 1 for the keys on an eye, 0 for all others. What comes out?",
        choices=tuple((texts[key], why) for key, why in whys.items()),
        right=list(whys).index("sum"),
        solve=solve,
    )
