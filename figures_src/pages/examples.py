"""What more than one page shows: a padded photograph, and two bugs at work on the cat."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from figures_src.inputs import photographs
from figures_src.kit.geometry import Floats
from vitattn_core import core_with
from vitattn_core.teaching import GRID

PLACE = (5, 4)
QUERY = GRID.token(*PLACE)
KEPT_LINES = 10  # of the grid's 14; the others are padding


def padding() -> NDArray[np.bool_]:
    """Return which rows of the sequence are real when the image fills ten lines of patches (197,)."""
    keep = np.ones(GRID.tokens, dtype=np.bool_)
    keep[GRID.token(KEPT_LINES, 0) :] = False
    return keep


@cache
def merged_sources() -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return whose numbers the eye's row gets when heads are merged by a reshape alone: heads, rows.

    Heads count from 1, rows of the sequence from 0.
    """
    h, n, d = photographs.trace("chelsea").O.shape
    named = np.arange(float(h * n * d)).reshape(h, n, d)
    got = core_with("merge").merge_heads(named)[QUERY].astype(int)
    heads, places = np.unique(got // (n * d)), np.unique(got // d % n)
    return tuple(int(x) + 1 for x in heads), tuple(int(x) for x in places)


@cache
def merged_wrong() -> Floats:
    """Return what attention adds (197, 12) on the cat when heads are merged by a reshape alone."""
    wrong: Floats = core_with("merge").teaching_pass(photographs.image("chelsea")).M
    return wrong


def merge_damage() -> Floats:
    """Return how far each row of M is from the right one (197,)."""
    return np.linalg.norm(merged_wrong() - photographs.trace("chelsea").M, axis=1)


@cache
def scrambled_rows() -> NDArray[np.uint8]:
    """Return the rows (196, 768) that the scrambling patchify makes of the cat's photograph."""
    image = photographs.image("chelsea").astype(np.float64)
    return core_with("patchify").patchify(image, GRID.patch).astype(np.uint8)


def image_lines() -> tuple[int, int, int]:
    """Return where the scrambled row of patch (5,4) comes from: channel, first and last image line."""
    row = GRID.token(*PLACE) - GRID.prefix
    length = scrambled_rows().shape[1]
    first, last = row * length, (row + 1) * length - 1
    channel, start = divmod(first, GRID.height * GRID.width)
    assert last // (GRID.height * GRID.width) == channel
    return channel, start // GRID.width, last % (GRID.height * GRID.width) // GRID.width
