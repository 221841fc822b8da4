"""What the pass in the page reads: the teaching weights and four whole numbers a patch, as scripts.

Everything here is computed from the core. The texts are classic scripts that add to one global,
`window.vitattn`, so they work from disk too; `docs/javascripts/attention.js` reads them.
"""

import json
import math
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from figures_src.inputs import photographs
from vitattn_core import TeachingWeights, patchify, teaching

from . import state

GRID = teaching.GRID
DEFAULT_PHOTO = next(
    iter(photographs.TITLES)
)  # its sums come with the weights, the others when asked
# The central quarter of a patch's area, pixels [from, to) down and across: 4 to 12 of 16.
CENTRE = (GRID.patch // 4, GRID.patch - GRID.patch // 4)

Floats: TypeAlias = NDArray[np.floating]


def _inside() -> NDArray[np.bool_]:
    """Return which of a patch's pixels (P, P) lie in its centre."""
    along = np.zeros(GRID.patch, dtype=bool)
    along[slice(*CENTRE)] = True
    return np.logical_and.outer(along, along)


def photo_sums(image: NDArray[np.uint8]) -> list[list[int]]:
    """Return four sums for each patch of an image (3, 224, 224): (196, 4), whole numbers.

    Red, green and blue over the patch, and all three together over its central 8 × 8 pixels.
    Raises TypeError for anything but uint8, ValueError for another shape.
    """
    if image.dtype != np.uint8:
        raise TypeError(f"photo_sums: image: got {image.dtype}, takes uint8")
    shape = (3, GRID.height, GRID.width)
    if image.shape != shape:
        raise ValueError(f"photo_sums: image: got shape {image.shape}, takes {shape}")
    return _sums(patchify(image.astype(np.int64), GRID.patch).astype(np.int64))


def sums_of_pixels(pixels: Floats) -> list[list[int]]:
    """Return the sums of `photo_sums` from the pixels of a pass (196, 768), which are from −1 to 1."""
    return _sums(np.rint((pixels + 1) * (255 / 2)).astype(np.int64))


def _sums(patches: NDArray[np.int64]) -> list[list[int]]:
    pixels = patches.reshape(-1, 3, GRID.patch, GRID.patch)
    colours = pixels.sum(axis=(2, 3))  # (196, 3)
    centre = pixels[..., _inside()].sum(axis=(1, 2))  # (196,)
    return [[int(number) for number in row] for row in np.column_stack([colours, centre])]


def from_sums(weights: TeachingWeights) -> tuple[Floats, Floats]:
    """Return matrix (12, 4) and offset (12,): channels of a patch = matrix · sums + offset.

    Raises ValueError unless the patch embedding is a function of the four sums: within one colour
    a weight may differ only between centre and rim, and by the same step in all colours.
    """
    side, width = GRID.patch, teaching.WIDTH
    per_pixel = weights.embedding.reshape(3, side, side, width)
    rim = per_pixel[:, 0, 0]  # (3, D): what a pixel counts outside the centre
    step = per_pixel[0, side // 2, side // 2] - rim[0]  # (D,): what the centre adds to that
    rebuilt = rim[:, None, None, :] + _inside()[None, :, :, None] * step
    off = float(abs(rebuilt - per_pixel).max())
    if off > 1e-12 * float(abs(per_pixel).max()):
        raise ValueError(
            f"from_sums: embedding: got weights up to {off:g} away from those of the four sums, "
            "takes an embedding that is a function of the sums"
        )
    # The core reads pixels as 2 · value / 255 − 1.
    matrix = np.vstack([rim, step]).T * (2 / 255)
    offset = np.array(
        [
            math.fsum([*-column, bias])
            for column, bias in zip(weights.embedding.T, weights.bias, strict=True)
        ]
    )
    return matrix, offset


def _position_parts(table: Floats) -> dict[str, Any]:
    """Return the position table (197, 12) as CLS's row, a part a grid row, a part a grid column.

    Raises ValueError unless each channel depends on the grid row alone or the grid column alone.
    """
    places = table[GRID.prefix :].reshape(GRID.rows, GRID.columns, teaching.WIDTH)
    by_row = (places == places[:, :1]).all(axis=(0, 1))  # (D,): the same along a grid row
    by_column = (places == places[:1]).all(axis=(0, 1))
    if not (by_row | by_column).all():
        raise ValueError(
            "position: got a table that is not a part for the row plus one for the column"
        )
    return {
        "cls": _as_json(table[0]),
        "rows": _as_json(np.where(by_row, places[:, 0], 0)),
        "columns": _as_json(np.where(by_row, 0, places[0])),
    }


def _mlp(weights: TeachingWeights) -> dict[str, Any]:
    """Return the units of the MLP that are not zero throughout, and how many there are in all."""
    block = weights.block
    if block.b_1 is None:
        raise ValueError("mlp: got no b_1, takes a bias for every unit")
    in_use = block.w_1.any(axis=0) | (block.b_1 != 0) | block.w_2.any(axis=1)
    working = np.flatnonzero(in_use)
    return {
        "units": len(in_use),
        "working": working.tolist(),
        "w_1": _as_json(block.w_1[:, working]),
        "b_1": _as_json(block.b_1[working]),
        "w_2": _as_json(block.w_2[working]),
    }


def _per_head(matrix: Floats) -> Any:
    """Return W_Q, W_K or W_V (D, h·d_h) as [head][channel][column]."""
    return _as_json(np.moveaxis(matrix.reshape(teaching.WIDTH, len(teaching.HEADS), -1), 1, 0))


def _as_json(array: Floats) -> Any:
    """Return nested lists; whole numbers as int, so that 3.0 is written 3 and −0.0 is written 0."""

    def number(value: Any) -> Any:
        if isinstance(value, list):
            return [number(entry) for entry in value]
        return int(value) if value.is_integer() else value

    return number(array.tolist())


def teaching_data(weights: TeachingWeights | None = None) -> dict[str, Any]:
    """Return all that the pass in the page needs of the teaching weights, in full precision.

    W_Q, W_K, W_V [head][channel][column]; W_O [joined][channel]; from_sums.matrix [channel][sum];
    cls [channel]; position.cls [channel], .rows and .columns [place][channel]; of the MLP only the
    units that are not zero: w_1 [channel][unit], w_2 [unit][channel].
    Raises ValueError for weights that have what the page does not compute.
    """
    w = teaching.weights() if weights is None else weights
    attention = w.block.attention
    left_out = (
        *((attention, name) for name in ("b_q", "b_k", "b_v", "b_o")),
        *((w.block, name) for name in ("gain_1", "shift_1", "gain_2", "shift_2", "b_2")),
    )
    if unsupported := [name for owner, name in left_out if getattr(owner, name) is not None]:
        raise ValueError(f"teaching_data: got {', '.join(unsupported)}, takes weights without them")
    matrix, offset = from_sums(w)
    return {
        "grid": {
            "height": GRID.height,
            "width": GRID.width,
            "patch": GRID.patch,
            "rows": GRID.rows,
            "columns": GRID.columns,
            "patches": GRID.patches,
            "prefix": GRID.prefix,
            "tokens": GRID.tokens,
            "centre": list(CENTRE),
        },
        "channels": list(teaching.CHANNELS),
        "value_channels": list(teaching.VALUE_CHANNELS),
        "key_channels": [list(names) for names in teaching.KEY_CHANNELS],
        "heads": list(teaching.HEADS),
        "head_width": teaching.HEAD_WIDTH,
        "eps": w.block.eps,
        "from_sums": {"matrix": _as_json(matrix), "offset": _as_json(offset)},
        "cls": _as_json(w.cls),
        "position": _position_parts(w.position),
        "W_Q": _per_head(attention.w_q),
        "W_K": _per_head(attention.w_k),
        "W_V": _per_head(attention.w_v),
        "W_O": _as_json(attention.w_o),
        "mlp": _mlp(w),
    }


def teaching_script() -> str:
    """Return the script of the weights: `window.vitattn.teaching`, one entry a line."""
    entries = ",\n".join(f"  {key}: {_json(value)}" for key, value in teaching_data().items())
    return (
        "// The teaching weights as vitattn_core/teaching.py makes them; attention.js uses them.\n"
        f"(window.vitattn ??= {{}}).teaching = {{\n{entries}\n}};\n"
    )


def photo_script(name: str) -> str:
    """Return the script of a photograph: `window.vitattn.photos[name].sums`, (196, 4)."""
    sums = _json(photo_sums(photographs.image(name)))
    return (
        f"// {photographs.TITLES[name]}: red, green, blue summed over each patch; all over its centre.\n"
        f"((window.vitattn ??= {{}}).photos ??= {{}}).{name} = {{ sums: {sums} }};\n"
    )


def scripts() -> dict[str, str]:
    """Return every script the player loads, by its place in the site."""
    other_photos = (name for name in photographs.TITLES if name != DEFAULT_PHOTO)
    return {
        "assets/teaching.js": teaching_script() + state.script() + photo_script(DEFAULT_PHOTO),
        **{f"assets/photo-{name}.js": photo_script(name) for name in other_photos},
    }


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"), allow_nan=False)
