"""From an image to the rows that attention works on.

Source: Dosovitskiy et al. 2020, section 3.1, eq. 1.
Shapes: image (C, H, W); P patch size; rows (patches, C·P·P); N rows, D width.
"""

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array, as_floats, as_rows, same_dtype
from .counts import whole
from .grid import patches_along


def patchify(image: ArrayLike, patch: int) -> Array:
    """Cut an image (C, H, W), or a batch (B, C, H, W), into flat patches (…, patches, C·P·P).

    Inside a patch the order is channel, y, x: the order of a Conv2d weight (D, C, P, P) flattened
    to (D, C·P·P). Patches go row by row.
    Raises ValueError where H or W is not a multiple of P.

    A row of the result holds one square, line by line, and not a line of the image:

    >>> patchify(np.arange(16).reshape(1, 4, 4), 2).astype(int).tolist()[0]
    [0, 1, 4, 5]
    """
    pixels = as_floats("patchify: image", image)
    if pixels.ndim not in (3, 4):
        raise ValueError(
            f"patchify: image: got shape {pixels.shape}, takes (C, H, W) or (B, C, H, W)"
        )
    *batch, channels, height, width = pixels.shape
    rows = patches_along("patchify: height", height, patch)
    columns = patches_along("patchify: width", width, patch)
    patch = whole("patchify: patch", patch)
    cut = pixels.reshape(*batch, channels, rows, patch, columns, patch)
    cut = np.moveaxis(cut, (-4, -2), (-5, -4))  # (…, C, r, P, c, P) -> (…, r, c, C, P, P)
    return cut.reshape(*batch, rows * columns, channels * patch * patch)


def unpatchify(rows: ArrayLike, *, channels: int, height: int, width: int, patch: int) -> Array:
    """Put flat patches (…, patches, C·P·P) back together, (…, C, H, W): the inverse of `patchify`.

    Cutting loses nothing:

    >>> image = np.arange(48).reshape(3, 4, 4)
    >>> back = unpatchify(patchify(image, 2), channels=3, height=4, width=4, patch=2)
    >>> bool((back == image).all())
    True
    """
    down = patches_along("unpatchify: height", height, patch)
    across = patches_along("unpatchify: width", width, patch)
    channels = whole("unpatchify: channels", channels, 1)
    height, width, patch = (whole("unpatchify", size) for size in (height, width, patch))
    cut = as_rows("unpatchify: rows", rows, channels * patch * patch)
    if cut.shape[-2] != down * across:
        raise ValueError(f"unpatchify: rows: got {cut.shape[-2]} patches, takes {down} × {across}")
    cut = cut.reshape(*cut.shape[:-2], down, across, channels, patch, patch)
    cut = np.moveaxis(cut, (-5, -4), (-4, -2))  # (…, r, c, C, P, P) -> (…, C, r, P, c, P)
    return cut.reshape(*cut.shape[:-5], channels, height, width)


def embed(rows: ArrayLike, weight: ArrayLike, bias: ArrayLike | None = None) -> Array:
    """Map flat patches (…, patches, C·P·P) to (…, patches, D) by `weight` (C·P·P, D), `bias` (D,).

    It is the convolution with stride P: here the weight adds up a patch, and the bias is 1.

    >>> embed(patchify(np.arange(16).reshape(1, 4, 4), 2), np.ones((4, 1)), [1.0]).ravel().tolist()
    [11.0, 19.0, 43.0, 51.0]
    """
    matrix = as_rows("embed: weight", weight)
    flat = as_rows("embed: rows", rows, matrix.shape[0])
    same_dtype("embed", rows=flat, weight=matrix)
    embedded = flat @ matrix  # (…, patches, C·P·P) @ (C·P·P, D) -> (…, patches, D)
    if bias is None:
        return embedded
    offset = as_floats("embed: bias", bias)
    same_dtype("embed", rows=flat, bias=offset)
    if offset.shape != matrix.shape[1:]:
        raise ValueError(f"embed: bias: got shape {offset.shape}, takes {matrix.shape[1:]}")
    return embedded + offset


def sequence(
    patch_rows: ArrayLike, *, cls: ArrayLike | None = None, registers: ArrayLike | None = None
) -> Array:
    """Put CLS (D,) and registers (R, D) in front of patch rows (…, patches, D): (…, N, D).

    Four patches become seven rows, and CLS is row 0 whatever the registers:

    >>> rows = sequence(np.ones((4, 3)), cls=[5, 0, 0], registers=np.zeros((2, 3)))
    >>> rows.shape, rows[0].tolist()
    ((7, 3), [5.0, 0.0, 0.0])
    """
    rows = as_rows("sequence: patch_rows", patch_rows)
    front = []
    if cls is not None:
        front.append(as_floats("sequence: cls", cls).reshape(1, -1))
    if registers is not None:
        front.append(as_rows("sequence: registers", registers))
    for part in front:
        same_dtype("sequence", patch_rows=rows, front=part)
        if part.shape[-1] != rows.shape[-1]:
            raise ValueError(
                f"sequence: got a front row of {part.shape[-1]}, takes {rows.shape[-1]}"
            )
    spread = [np.broadcast_to(part, (*rows.shape[:-2], *part.shape[-2:])) for part in front]
    return np.concatenate([*spread, rows], axis=-2)


def add_position(rows: ArrayLike, table: ArrayLike) -> Array:
    """Add a position table (N, D), one row of its own for each row (…, N, D) of the sequence.

    Two equal patches can be told apart only by what is added:

    >>> add_position([[1.0, 1.0], [1.0, 1.0]], [[0.0, 0.5], [0.5, 0.0]]).tolist()
    [[1.0, 1.5], [1.5, 1.0]]
    """
    content = as_rows("add_position: rows", rows)
    position = as_rows("add_position: table", table)
    same_dtype("add_position", rows=content, table=position)
    if position.shape != content.shape[-2:]:
        raise ValueError(
            f"add_position: table: got shape {position.shape}, takes {content.shape[-2:]}: "
            "one row for every row of the sequence"
        )
    return content + position
