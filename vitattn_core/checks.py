"""CHECKS: seven questions to ask a core, as a test of attention would ask them.

A check takes a core (this package, or a copy of it with a mistake) and says whether what it asks
holds. The scene is small and has no random numbers: 2 × 3 patches and CLS, N = 7 rows, D = 6,
h = 2 heads of d_h = 3; every matrix is a closed formula, and K differs from V.
"""

from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType
from typing import Any

import numpy as np

from . import loops
from .arrays import Array, Mask

PATCH, ROWS, COLUMNS, CHANNELS = 2, 2, 3, 2
TOKENS, WIDTH, HEADS, HIDDEN = ROWS * COLUMNS + 1, 6, 2, 8
DISCARD = 0.25  # of the weights that the rollout drops first, so that its rows need dividing
ORDER = np.array([0, 3, 6, 2, 1, 5, 4])  # another order of the rows; CLS stays in front
CLOSE = 1e-9


def _numbers(*shape: int, turn: float = 1.0) -> Array:
    """Return numbers from −1 to 1 of a shape: the sines of a sequence, another one for each turn."""
    return np.sin(turn * (1 + np.arange(float(np.prod(shape))))).reshape(shape)


def _image(turn: float = 2.3) -> Array:
    return _numbers(CHANNELS, PATCH * ROWS, PATCH * COLUMNS, turn=turn)


def _keep(hidden: int = TOKENS - 1) -> Mask:
    """Return which rows are kept as keys (N,): all but one, as if it were padding."""
    return np.arange(TOKENS) != hidden


def _block(core: ModuleType, size: float = 1.0) -> Any:
    w_q, w_k, w_v, w_o = (size * _numbers(WIDTH, WIDTH, turn=t) for t in (1.3, 1.7, 0.9, 2.9))
    return core.BlockWeights(
        attention=core.AttentionWeights(w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, heads=HEADS),
        w_1=size * _numbers(WIDTH, HIDDEN, turn=1.1),
        w_2=size * _numbers(HIDDEN, WIDTH, turn=2.1),
        eps=1e-6,
    )


def _embedding() -> Array:
    return _numbers(CHANNELS * PATCH**2, WIDTH, turn=0.7)


def _position() -> Array:
    return _numbers(TOKENS, WIDTH, turn=3.7)


def _run(core: ModuleType, image: Array, position: Array, keep: Mask) -> Any:
    """Return the trace of a pass from pixels to Z; image (…, C, H, W), keep (…, N)."""
    rows = core.sequence(
        core.embed(core.patchify(image, PATCH), _embedding()), cls=_numbers(WIDTH, turn=1.9)
    )
    return core.block(core.add_position(rows, position), _block(core), core.key_mask(keep))


def _maps() -> list[Array]:
    """Return the weights of two layers (N, N), rows of sum 1, made without a core."""
    e = [np.exp(2 * _numbers(TOKENS, TOKENS, turn=t)) for t in (1.3, 2.7)]
    return [x / x.sum(axis=1, keepdims=True) for x in e]


def _grid(core: ModuleType) -> Any:
    return core.Grid(PATCH * ROWS, PATCH * COLUMNS, PATCH)


def _near(one: Any, other: Any) -> bool:
    return np.shape(one) == np.shape(other) and bool(np.allclose(one, other, rtol=0, atol=CLOSE))


def shapes(core: ModuleType) -> bool:
    """Every array has the shape that the text says."""
    trace = _run(core, _image(), _position(), _keep())
    pixels, each = core.patchify(_image(), PATCH), (HEADS, TOKENS, WIDTH // HEADS)
    pairs = (HEADS, TOKENS, TOKENS)
    wanted: dict[str, tuple[int, ...]] = dict.fromkeys("QKVO", each)
    wanted |= dict.fromkeys("PSA", pairs)
    wanted |= dict.fromkeys(("X", "U", "joined", "M", "Y", "Z"), (TOKENS, WIDTH))
    return (
        pixels.shape == (ROWS * COLUMNS, CHANNELS * PATCH**2)
        and all(getattr(trace, name).shape == shape for name, shape in wanted.items())
        and _grid(core).field(_maps()[0]).shape == (TOKENS, ROWS, COLUMNS)
        and core.rollout(_maps(), discard=DISCARD).shape == (TOKENS, TOKENS)
    )


def row_sums(core: ModuleType) -> bool:
    """Each row of weights sums to 1: in a block, on the grid with what is off it, in a rollout."""
    weights = _run(core, _image(), _position(), _keep()).A
    grid, row = _grid(core), _maps()[0][1]
    return (
        _near(weights.sum(axis=-1), np.ones((HEADS, TOKENS)))
        and _near(grid.field(row).sum() + grid.off_grid(row).sum(), 1.0)
        and _near(core.rollout(_maps(), discard=DISCARD).sum(axis=-1), np.ones(TOKENS))
    )


def equivariance(core: ModuleType) -> bool:
    """Squares of the image that change places take their rows along; with positions they do not."""
    cut = _image().reshape(CHANNELS, ROWS, PATCH, COLUMNS, PATCH)
    moved = np.empty_like(cut)
    for place, patch in enumerate(ORDER[1:] - 1):
        (r, c), (from_r, from_c) = divmod(place, COLUMNS), divmod(int(patch), COLUMNS)
        moved[:, r, :, c] = cut[:, from_r, :, from_c]
    moved, keep = moved.reshape(_image().shape), _keep()

    def along(position: Array) -> bool:
        still = _run(core, _image(), position, keep).Z
        return _near(_run(core, moved, position, keep[ORDER]).Z, still[ORDER])

    maps = _maps()
    there = core.rollout([a[ORDER][:, ORDER] for a in maps], discard=DISCARD)
    here = core.rollout(maps, discard=DISCARD)[ORDER][:, ORDER]
    return along(np.zeros((TOKENS, WIDTH))) and not along(_position()) and _near(there, here)


def batch(core: ModuleType) -> bool:
    """A batch gives what its images give one by one, each with a mask of its own."""
    images = np.stack([_image(turn) for turn in (2.3, 0.8, 1.4)])
    keeps = np.stack([_keep(hidden) for hidden in (6, 3, 5)])
    whole = _run(core, images, _position(), keeps).Z
    alone = [_run(core, *one[:1], _position(), one[1]).Z for one in zip(images, keeps, strict=True)]
    grid, rows = _grid(core), _maps()[0]
    return _near(whole, np.stack(alone)) and _near(
        grid.field(rows), np.stack([grid.field(row) for row in rows])
    )


def masked_key(core: ModuleType) -> bool:
    """No other row moves when the pixels of a hidden patch change."""
    changed = _image()
    changed[:, -PATCH:, -PATCH:] += 3.0  # the last patch, whose row is hidden as a key
    rows = [_run(core, image, _position(), _keep()).Z[:-1] for image in (_image(), changed)]
    return _near(*rows)


def zero_weights(core: ModuleType) -> bool:
    """A block whose weights are all 0 returns its input as it is."""
    rows = 5 * _numbers(TOKENS, WIDTH, turn=2.2)
    return bool(np.array_equal(core.block(rows, _block(core, size=0.0)).Z, rows))


def parity(core: ModuleType) -> bool:
    """Everything equals what a second implementation gives, `loops`, which shares no line."""
    image, keep, maps = _image(), _keep(), _maps()
    trace = _run(core, image, _position(), keep)
    rows = loops.times(loops.cut(image, PATCH), _embedding())
    rows = loops.plus([list(_numbers(WIDTH, turn=1.9)), *rows], _position())
    last, weights = loops.one_block(rows, _block(core), list(keep))
    picture = [[maps[0][1][1 + COLUMNS * r + c] for c in range(COLUMNS)] for r in range(ROWS)]
    dropped = int(DISCARD * TOKENS**2)
    return (
        _near(trace.A, weights)
        and _near(trace.Z, last)
        and _near(_grid(core).field(maps[0][1]), picture)
        and _near(core.rollout(maps, discard=DISCARD), loops.rolled_out(maps, dropped))
        and core.score_slots(TOKENS, HEADS) == sum(len(row) for head in weights for row in head)
    )


@dataclass(frozen=True)
class Check:
    """One check: its id and title, and `holds(core)`, whether a core passes.

    The check of shapes holds for a core that mixes keys in place of values; that of parity does not:

    >>> broken = core_with("keys-mixed")
    >>> CHECKS["shape"].holds(broken), CHECKS["parity"].holds(broken)
    (True, False)
    """

    id: str
    title: str
    holds: Callable[[ModuleType], bool]


CHECKS = {
    check.id: check
    for check in (
        Check("shape", "shape", shapes),
        Check("row-sum", "row sum", row_sums),
        Check("equivariance", "equivariance", equivariance),
        Check("batch", "batch invariance", batch),
        Check("masked-key", "masked-key invariance", masked_key),
        Check("zero-weights", "zero-weight block", zero_weights),
        Check("parity", "parity", parity),
    )
}
