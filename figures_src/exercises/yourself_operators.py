"""Test yourself, part 6: a convolution beside attention, and a mask in another library's words."""

import numpy as np

from vitattn_core import attention, key_mask

from . import Exercise

PAGE = "test-yourself.md"


def entries() -> list[Exercise]:
    """Return the questions on operators and libraries."""
    return [_corner(), _polarity()]


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
        "hidden": "only the padding that should have been left out",
        "none": "no key, and all outputs are zero",
    }
    whys = {
        "all": "A mask of Booleans is never without effect: each key is on one side of it.",
        "hidden": "Each key changes sides. Nothing fails, and every row still sums to 1 "
        "([error 8](bug-lab.md#mask), [three libraries](masks.md#polarity)).",
        "none": "So it would be if every key were padding.",
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
