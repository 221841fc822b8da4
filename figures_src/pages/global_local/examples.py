"""The operators of the page on global and local, and every number that its table holds.

Rows are the 196 normed patch rows of the teaching block on a photograph, without CLS; attention is the
teaching block's, with all three heads, and a convolution has kernels of the same width, D = 12.
"""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from figures_src.inputs import photographs
from figures_src.inputs.models import BASE
from figures_src.kit.geometry import Floats
from vitattn_core import Grid, cost, teaching_weights
from vitattn_core.teaching import GRID, WIDTH

from . import operators
from .operators import Moved, Operator

PATCHES = Grid(GRID.height, GRID.width, GRID.patch, cls=False)
PLACE = (5, 4)
QUERY = PATCHES.token(*PLACE)
SIDE, SHIFT = 7, 3  # of a window, and how far Swin shifts it
KERNELS = {"conv3": 3, "conv7": 7}
NAMES = {
    "conv3": "convolution 3 × 3",
    "conv7": "convolution 7 × 7",
    "windows": "attention in windows",
    "shifted": "shifted windows",
    "everywhere": "global attention",
}
TABLE = ("conv3", "conv7", "windows", "everywhere")
# One layer after another: which operators take turns, the last layer first.
STACKS = {
    "conv3": ("conv3",),
    "conv7": ("conv7",),
    "windows": ("windows",),
    "shifted": ("windows", "shifted"),
    "everywhere": ("everywhere",),
}


def rows(photo: str = "chelsea") -> Floats:
    """Return the rows (196, 12) that the operators work on."""
    return photographs.trace(photo).U[GRID.prefix :]


def build(name: str) -> Operator:
    """Return an operator by name."""
    if name in KERNELS:
        return operators.convolution(PATCHES, operators.kernel(KERNELS[name], WIDTH))
    weights = teaching_weights().block.attention
    shift = {"windows": 0, "shifted": SHIFT}.get(name)
    keep = None if shift is None else operators.windows(PATCHES, SIDE, shift)
    return operators.attending(weights, keep)


@cache
def influence(name: str, photo: str = "chelsea") -> Floats:
    """Return how far each output row moves with each input row, (196, 196), measured."""
    return operators.influence(build(name), rows(photo))


def moves(name: str) -> Moved:
    """Return where there is an influence, (196, 196); a rounding of the processor's is none."""
    return influence(name) > 1e-12


@cache
def layers(name: str, start: int = QUERY) -> list[Moved]:
    """Return which rows can have reached one after one layer, two, and so on, until no more come."""
    return operators.reach([moves(part) for part in STACKS[name]], start)


@cache
def depth(name: str) -> int | None:
    """Return after how many layers every row can have reached every other; None: never."""
    every = [layers(name, start) for start in range(PATCHES.tokens)]
    return max(map(len, every)) if all(found[-1].all() for found in every) else None


def orders() -> dict[str, NDArray[np.int_]]:
    """Return three ways to put the patches in another order: two shifts that wrap, and a shuffle."""
    places = np.arange(PATCHES.tokens).reshape(PATCHES.rows, PATCHES.columns)
    shuffle = np.array([pow(2, k, PATCHES.tokens + 1) - 1 for k in range(PATCHES.tokens)])
    return {
        "one": np.roll(places, 1, axis=1).ravel(),
        "seven": np.roll(places, SIDE, axis=1).ravel(),
        "any": shuffle,
    }


@cache
def follows(name: str, order: str) -> Moved:
    """Return which output rows follow when the input rows change places, (196,)."""
    return operators.follows(build(name), rows(), orders()[order])


def by_content(name: str) -> float:
    """Return how far the influence on the cat and on the cup are apart, as a share of the largest."""
    one, other = influence(name), influence(name, "coffee")
    return float(np.abs(one - other).max() / max(one.max(), other.max()))


def tells_neighbours_apart(name: str) -> bool:
    """Return whether the picked row's output moves when two of its neighbours change places."""
    order = np.arange(PATCHES.tokens)
    pair = [PATCHES.token(PLACE[0], PLACE[1] + side) for side in (-1, 1)]
    order[pair] = order[pair[::-1]]
    run = build(name)
    apart = np.abs(run(rows()[order])[QUERY] - run(rows())[QUERY]).max()
    return bool(apart > 1e-9)


def parameters(name: str, width: int = BASE.width) -> int:
    """Return the learned numbers of an operator as wide as ViT-B/16, without biases."""
    matrices = KERNELS[name] ** 2 if name in KERNELS else 4
    return matrices * width**2


def macs(name: str, side: int, width: int = BASE.width) -> int:
    """Return the MACs of an operator on side × side rows, zeros beyond the border counted."""
    tokens = side**2
    if name in KERNELS:
        return tokens * parameters(name, width)
    matrices = cost.qkv_macs(tokens, width) + cost.output_macs(tokens, width)
    if name == "everywhere":
        return matrices + cost.pair_macs(tokens, width)
    return matrices + tokens // SIDE**2 * cost.pair_macs(SIDE**2, width)
