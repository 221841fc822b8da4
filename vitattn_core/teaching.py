"""Teaching weights: one pre-norm block whose every number was set by hand, for a reason.

They are not learned. No random generator, photograph or patch is behind them: closed formulas, one
set for every photograph. 224 × 224 pixels, P = 16, N = 197 rows, D = 12, h = 3 heads of d_h = 4, MLP 48.

Two ideas hold it together. The keel: a constant channel keeps the divisor of layer norm nearly
the same in all rows. The out rule: layer norm subtracts one number from all channels; `out` is 0
before it and so holds minus that number after it. A column of W_Q, W_K or W_V whose entries sum to
0 cancels it, so the entry of `out` is always minus the sum of the others.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array, as_floats
from .attention import AttentionWeights
from .block import BlockWeights, block
from .grid import Grid
from .patches import add_position, embed, patchify, sequence
from .trace import Trace

GRID = Grid(height=224, width=224, patch=16)
CHANNELS = (
    "light",
    "redgreen",
    "blueyellow",
    "spot",  # what the patch looks like
    "cos_row",
    "sin_row",
    "cos_col",
    "sin_col",  # where it is
    "keel",
    "cls",
    "diff",
    "out",  # a constant, the mark of CLS, two that are written to
)
VALUE_CHANNELS = ("red", "green", "blue", "cls")
HEADS = ("like me", "near me", "opposite")
KEY_CHANNELS = (  # what the four numbers of q and k speak of, head by head
    ("light", "warm", "spot", "CLS"),
    ("row cos", "row sin", "col cos", "col sin"),
    ("light", "warm", "spot", "unused"),
)
HEAD_WIDTH = 4
WIDTH = len(CHANNELS)
EPS = 1e-6

# An ordinary patch of a photograph: a little darker than mid grey, a little warm.
ORDINARY = {"light": -0.25, "redgreen": 0.25, "blueyellow": -0.25}
# Channel <- red, green, blue; pixels run from −1 to 1. Gains make the way back whole numbers.
FROM_RGB = {
    "light": (8 / 3, 8 / 3, 8 / 3),
    "redgreen": (4, -4, 0),
    "blueyellow": (-4 / 3, -4 / 3, 8 / 3),
}
GAIN = {"light": 8.0, "redgreen": 4.0, "blueyellow": 8 / 3}
# Red, green, blue <- channel (times 8): the colour that a value carries.
TO_RGB = {"light": (1, 1, 1), "redgreen": (1, -1, 0), "blueyellow": (-1, -1, 2)}
KEEL, CLS_MARK, TURN = 4.0, 4.0, 20.0  # TURN: degrees a patch; 18 patches make a full turn


@dataclass(frozen=True)
class TeachingWeights:
    """Patch embedding (768, 12) and bias (12,), CLS row (12,), positions (197, 12), and the block.

    768 numbers of a patch become 12, and 197 rows each have a place:

    >>> teaching_weights().embedding.shape, teaching_weights().position.shape
    ((768, 12), (197, 12))
    """

    embedding: Array
    bias: Array
    cls: Array
    position: Array
    block: BlockWeights


def _channel(name: str) -> int:
    return CHANNELS.index(name)


def _columns(*columns: dict[str, float]) -> Array:
    """Return (D, d_h) from a column each: {channel: number}; `out` is minus the sum of the rest."""
    matrix = np.zeros((WIDTH, HEAD_WIDTH))
    for index, column in enumerate(columns):
        for name, number in column.items():
            matrix[_channel(name), index] = number
    matrix[_channel("out")] = -matrix.sum(axis=0)
    return matrix


def _patch_embedding() -> tuple[Array, Array]:
    """Return E (768, 12) and b (12,): mean light and colours, and how much a bright spot sits inside."""
    side = GRID.patch
    y, x = np.mgrid[0:side, 0:side] - (side - 1) / 2
    inside = (abs(x) < side / 4) & (abs(y) < side / 4)  # the central 8 × 8 pixels
    mean = np.full((side, side), 1 / side**2)
    spot = np.where(inside, 1 / inside.sum(), -1 / (~inside).sum())
    weight = np.zeros((3, side, side, WIDTH))
    for name, colours in FROM_RGB.items():
        weight[..., _channel(name)] = np.multiply.outer(colours, mean)
    weight[..., _channel("spot")] = np.multiply.outer((8 / 3, 8 / 3, 8 / 3), spot)
    bias = np.zeros(WIDTH)
    for name, usual in ORDINARY.items():
        bias[_channel(name)] = -GAIN[name] * usual
    bias[_channel("keel")] = KEEL
    return weight.reshape(-1, WIDTH), bias


def _position_table() -> Array:
    """Return (197, 12): angles of row and column as cosine and sine; CLS has none."""
    row, column = np.array(list(GRID.places())).T
    theta = np.deg2rad(TURN) * (row - (GRID.rows - 1) / 2)
    phi = np.deg2rad(TURN) * (column - (GRID.columns - 1) / 2)
    table = np.zeros((GRID.tokens, WIDTH))
    first = _channel("cos_row")
    table[GRID.prefix :, first : first + 4] = np.stack(
        [np.cos(theta), np.sin(theta), np.cos(phi), np.sin(phi)], axis=1
    )
    return table


def _queries() -> Array:
    """Return W_Q (D, 3·4): each head asks its own question."""
    like_me = _columns(
        {"light": 1.5},  # as bright as I am?
        {"redgreen": 2, "blueyellow": -2},  # as warm as I am? One question from two channels.
        {"spot": 2},  # a spot in the middle, as I have?
        {"keel": 1},  # a door to CLS: every patch knocks about equally hard, only CLS answers
    )
    near_me = _columns(  # the product with the keys' 3 sets the bump's width, about 1.4 patches
        {"cos_row": 4, "cls": 0.4},  # CLS asks from the centre, where the cosine is 1
        {"sin_row": 4},
        {"cos_col": 4, "cls": 0.4},
        {"sin_col": 4},
    )
    opposite = _columns(  # the first head's question with its sign turned
        {"light": -1.5, "cls": 1},  # CLS asks for light
        {"redgreen": -1.5, "blueyellow": 1.5},
        {"spot": -1.5},
        {},
    )
    return np.hstack([like_me, near_me, opposite])


def _keys() -> Array:
    """Return W_K (D, 3·4): what a row shows to each head."""
    looks = ({"light": 1.0}, {"redgreen": 1.0, "blueyellow": -1.0}, {"spot": 1.0})
    like_me = _columns(*looks, {"cls": 0.5})
    near_me = _columns(
        {"cos_row": 3, "cls": 0.7}, {"sin_row": 3}, {"cos_col": 3, "cls": 0.7}, {"sin_col": 3}
    )
    opposite = _columns(*looks, {})
    return np.hstack([like_me, near_me, opposite])


def _values() -> Array:
    """Return W_V (D, 3·4), the same in all heads: red, green, blue of the row, and the CLS mark."""
    columns = [{name: float(rgb[index]) for name, rgb in TO_RGB.items()} for index in range(3)]
    return np.hstack([_columns(*columns, {"cls": 1})] * len(HEADS))


def _joining() -> Array:
    """Return W_O (3·4, D): drift towards my kind, away from the opposite; diff = kind − surroundings.

    `diff` needs two heads, so nothing before W_O could make it. The CLS columns are reported, not used.
    """
    w_o = np.zeros((len(HEADS), HEAD_WIDTH, WIDTH))
    back = {"light": (0.2, 0.2, 0.2), "redgreen": (0.3, -0.3, 0.0), "blueyellow": (-0.1, -0.1, 0.2)}
    for name, rgb in back.items():
        w_o[0, :3, _channel(name)] = rgb
        w_o[2, :3, _channel(name)] = np.multiply(rgb, -0.5)
    w_o[0, :3, _channel("diff")] = 0.3
    w_o[1, :3, _channel("diff")] = -0.3
    return w_o.reshape(-1, WIDTH)


def _mlp() -> tuple[Array, Array, Array]:
    """Return w_1 (12, 48), b_1 (48,), w_2 (48, 12): two of 48 units work, the rest are zero.

    They fire where `diff`, free of what layer norm subtracted, is beyond half a spread either way.
    """
    w_1, b_1, w_2 = np.zeros((WIDTH, 4 * WIDTH)), np.zeros(4 * WIDTH), np.zeros((4 * WIDTH, WIDTH))
    for unit, sign in ((0, 1), (1, -1)):
        w_1[_channel("diff"), unit], w_1[_channel("out"), unit] = 4 * sign, -4 * sign
        b_1[unit] = -2
        w_2[unit, _channel("out")] = 1
    return w_1, b_1, w_2


def weights() -> TeachingWeights:
    """Return the one set of teaching weights, in float64.

    No random generator is behind them: two calls give the same bytes.

    >>> bool((teaching_weights().embedding == teaching_weights().embedding).all())
    True
    """
    embedding, bias = _patch_embedding()
    cls = np.zeros(WIDTH)
    cls[_channel("cls")] = CLS_MARK
    w_1, b_1, w_2 = _mlp()
    attention = AttentionWeights(
        w_q=_queries(), w_k=_keys(), w_v=_values(), w_o=_joining(), heads=len(HEADS)
    )
    inside = BlockWeights(attention=attention, w_1=w_1, b_1=b_1, w_2=w_2, eps=EPS)
    return TeachingWeights(
        embedding=embedding, bias=bias, cls=cls, position=_position_table(), block=inside
    )


def teaching_pass(photograph: ArrayLike, *, mask: ArrayLike | None = None) -> Trace:
    """Run a photograph through the teaching block; the Trace holds every step from pixels to Z.

    `photograph` (3, 224, 224): red, green, blue from 0 to 255. `mask`: see `masks.check_mask`.
    Raises ValueError for another shape or for values outside 0 to 255.

    An even picture has no patch that looks like another one less, and still the rows are not even: CLS and
    places differ.

    >>> trace = teaching_pass(np.full((3, 224, 224), 128))
    >>> trace.A.shape, bool(np.allclose(trace.A.sum(axis=-1), 1)), bool(np.ptp(trace.A[1, 1]) > 0.01)
    ((3, 197, 197), True, True)
    """
    image = as_floats("teaching_pass: photograph", photograph)
    shape = (3, GRID.height, GRID.width)
    if image.shape != shape:
        raise ValueError(f"teaching_pass: photograph: got shape {image.shape}, takes {shape}")
    if not (image.min() >= 0 and image.max() <= 255):
        raise ValueError(
            f"teaching_pass: photograph: got values from {image.min():g} to {image.max():g}, takes 0 to 255"
        )
    w = weights()
    pixels = patchify(
        2 * image.astype(np.float64) / 255 - 1, GRID.patch
    )  # (196, 768), from −1 to 1
    content = sequence(embed(pixels, w.embedding, w.bias), cls=w.cls)  # (197, 12)
    X = add_position(content, w.position)
    inside = block(X, w.block, mask)
    return Trace({"pixels": pixels, "content": content, "position": w.position, **inside})
