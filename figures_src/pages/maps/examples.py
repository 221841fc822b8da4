"""What the page on maps shows: the numbers that its figures draw and its sentences quote.

Rows are those of the teaching block on the photograph chelsea; the stack is `vitattn_core.constructed`.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np

from figures_src.inputs import photographs
from figures_src.kit.geometry import Floats
from vitattn_core import (
    Trace,
    delete_key,
    flattest_weights,
    multi_head_attention,
    part_lengths,
    rollout,
    stack,
    swap_values,
    teaching_weights,
    zero_value,
)
from vitattn_core.constructed import STORIES, stack_blocks, stack_rows, told
from vitattn_core.teaching import GRID

QUERY = GRID.token(5, 4)
NEAR = 1  # head 2, "near me"
REACH = 4  # patches up to this far, in rows and columns, are near
CORNER, SIDE = (3, 2), 4  # the small scene: patches around the left eye
WORTH = ((5, 4), (6, 11), (4, 4), (5, 11), (6, 5), (11, 8), None)  # None: CLS


def near() -> np.ndarray:
    """Return (197,): True for patches no further than REACH from the picked one."""
    row, column = GRID.place(QUERY)
    within = [max(abs(r - row), abs(c - column)) <= REACH for r, c in GRID.places()]
    return np.array([False] * GRID.prefix + within)


@cache
def two_maps() -> tuple[Floats, Floats]:
    """Return the picked row of head 2, and the most even row without the near patches but with
    the same output."""
    trace = photographs.trace("chelsea")
    other = flattest_weights(trace.V[NEAR], trace.O[NEAR, QUERY], ~near())
    return trace.A[NEAR, QUERY], other


@dataclass(frozen=True)
class Scene:
    """Weights (N, N), values and outputs (N, d_h) of a scene, and how far each output moves."""

    weights: Floats
    values: Floats
    outputs: Floats
    deleted: Floats
    zeroed: Floats
    swapped: Floats


@cache
def small_scene() -> Scene:
    """Return head 1 on the 16 patches around the left eye alone; `swapped` is with the query's own."""
    rows = range(CORNER[0], CORNER[0] + SIDE)
    columns = range(CORNER[1], CORNER[1] + SIDE)
    tokens = [GRID.token(r, c) for r in rows for c in columns]
    heads = multi_head_attention(
        photographs.trace("chelsea").U[tokens], teaching_weights().block.attention
    )
    a, v, o = heads["A"][0], heads["V"][0], heads["O"][0]
    keys = range(len(tokens))
    deleted = [np.linalg.norm(delete_key(a, j) @ v - o, axis=-1) for j in keys]
    zeroed = [np.linalg.norm(a @ zero_value(v, j) - o, axis=-1) for j in keys]
    swapped = [
        [float(np.linalg.norm(a[i] @ swap_values(v, i, j) - o[i])) for j in keys] for i in keys
    ]
    return Scene(a, v, o, np.stack(deleted, axis=-1), np.stack(zeroed, axis=-1), np.array(swapped))


def off_diagonal(matrix: Floats) -> Floats:
    """Return the entries of a square matrix with i ≠ j."""
    return matrix[~np.eye(len(matrix), dtype=bool)]


@dataclass(frozen=True)
class Worth:
    """One key of a row, by three measures: a, ‖a·v‖, and ‖Δo‖ on deletion as a share of ‖o‖."""

    key: int
    weight: float
    part: float
    effect: float


def worth() -> list[Worth]:
    """Return some keys of the picked row of head 1 by three measures."""
    trace = photographs.trace("chelsea")
    a, v, o = trace.A[0, QUERY], trace.V[0], trace.O[0, QUERY]
    parts = part_lengths(a[None], v)[0]
    found = []
    for place in WORTH:
        key = GRID.token(*place) if place else 0
        moved = delete_key(a[None], key)[0] @ v - o
        effect = float(np.linalg.norm(moved) / np.linalg.norm(o))
        found.append(Worth(key, float(a[key]), float(parts[key]), effect))
    return found


@dataclass(frozen=True)
class Rolled:
    """The constructed stack: its passes, its rollout (N, N), and what each patch does to CLS.

    effect: how far the last row of CLS moves, relative to its length, when a patch tells the
    opposite; bent: the largest change of any weight in the three maps meanwhile.
    """

    traces: list[Trace]
    rollout: Floats
    effect: tuple[float, ...]
    bent: float


@cache
def rolled(*, only_mixing: bool = False) -> Rolled:
    """Return the stack run once, and once for each patch with its number turned round."""
    blocks = stack_blocks(only_mixing=only_mixing)
    traces = stack(stack_rows(), blocks)
    last = traces[-1].Z[0]
    effect, bent = [], 0.0
    for patch in range(len(STORIES)):
        rows = stack_rows()
        rows[1 + patch, told(patch)] *= -1
        other = stack(rows, blocks)
        effect.append(float(np.linalg.norm(other[-1].Z[0] - last) / np.linalg.norm(last)))
        pairs = zip(traces, other, strict=True)
        bent = max(bent, *(float(np.abs(one.A - two.A).max()) for one, two in pairs))
    return Rolled(traces, rollout([t.A for t in traces]), tuple(effect), bent)
