"""What the page on bugs shows: the picked patch's row as it should be, and as each mistake makes it.

Wrong rows are those of `core_with`: the core with the mistake's one line. The photograph is chelsea.
"""

from functools import cache

import numpy as np

from figures_src.inputs import photographs
from figures_src.inputs.models import BASE
from figures_src.kit.geometry import Floats
from figures_src.pages.examples import padding
from vitattn_core import (
    MISTAKES,
    Grid,
    Trace,
    core_with,
    cost,
    delete_key,
    key_mask,
    rollout,
    stack,
    teaching_pass,
    teaching_weights,
)
from vitattn_core.teaching import GRID

PLACE = (5, 4)
QUERY = GRID.token(*PLACE)
LIKE_ME, NEAR_ME = 0, 1
READING = "reading"  # error 6, which is no line of code
ORDER = (*list(MISTAKES)[:5], READING, *list(MISTAKES)[5:])  # the numbers of the list of errors
LEDGER = Grid(1024, 1024, BASE.patch)
DEPTH, DISCARD = 3, 0.9  # blocks of the rollout, and the share of small weights it drops first


def number(id: str) -> int:
    """Return the error's number in the list of errors."""
    return 1 + ORDER.index(id)


@cache
def wrong(id: str) -> Trace:
    """Return the teaching pass of the cat with a mistake."""
    trace: Trace = core_with(id).teaching_pass(photographs.image("chelsea"))
    return trace


def two_rows(id: str, head: int) -> tuple[Floats, Floats]:
    """Return the picked row of a head as it should be, and with a mistake, (197,) each."""
    return photographs.trace("chelsea").A[head, QUERY], wrong(id).A[head, QUERY]


def masked_rows() -> tuple[Floats, Floats]:
    """Return the picked row of head 1 under a padding mask, right and with its meaning turned round."""
    mask, image = key_mask(padding()), photographs.image("chelsea")
    right = teaching_pass(image, mask=mask)
    turned = core_with("mask").teaching_pass(image, mask=mask)
    return right.A[LIKE_ME, QUERY], turned.A[LIKE_ME, QUERY]


def pictures() -> tuple[Floats, Floats]:
    """Return the picked row of head 1 on the grid, right and with CLS left in, (14, 14) each."""
    row = photographs.trace("chelsea").A[LIKE_ME, QUERY]
    slipped = core_with("offset").Grid(GRID.height, GRID.width, GRID.patch).field(row)
    return GRID.field(row), slipped


@cache
def rollouts() -> tuple[Floats, Floats]:
    """Return the rollout of three teaching blocks on the cat, right and wrong, (197, 197) each."""
    layers = stack(photographs.trace("chelsea").X, [teaching_weights().block] * DEPTH)
    weights = [trace.A for trace in layers]
    faulty: Floats = core_with("rollout").rollout(weights, discard=DISCARD)
    return rollout(weights, discard=DISCARD), faulty


def ledgers() -> tuple[dict[str, int], dict[str, int]]:
    """Return the MACs of a block of ViT-B/16 at 1024 px by term, right and with N for N²."""
    faulty: dict[str, int] = core_with("one-row").cost.block_terms(LEDGER.tokens, BASE.width)
    return cost.block_terms(LEDGER.tokens, BASE.width), faulty


def pair_share(terms: dict[str, int]) -> float:
    """Return the share of scores and mixture in a block's MACs."""
    return (terms["scores"] + terms["mix"]) / sum(terms.values())


@cache
def effects() -> Floats:
    """Return how far the picked row's output of head 1 moves, as a share, without each key (197,)."""
    trace = photographs.trace("chelsea")
    row, values = trace.A[LIKE_ME, QUERY : QUERY + 1], trace.V[LIKE_ME]
    output = row @ values
    moved = [np.linalg.norm(delete_key(row, key) @ values - output) for key in range(GRID.tokens)]
    shares: Floats = np.array(moved) / np.linalg.norm(output)
    return shares
