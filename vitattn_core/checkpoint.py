"""A trained ViT as the core runs it: from an image to every intermediate of every layer.

`loading.load_checkpoint` makes one from a plain dict of arrays.
Shapes: C channels, P patch, D width, R registers, N rows.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from .architecture import Architecture
from .arrays import Array, as_floats, same_dtype
from .block import BlockWeights, block, layer_norm
from .grid import Grid
from .patches import add_position, embed, patchify, sequence
from .positions import resize_positions
from .trace import Trace


@dataclass(frozen=True)
class Pass:
    """One image through a checkpoint: a Trace a layer, and the rows (N, D) after the final norm.

    A trace a layer, from the pixels of the first to the rows behind the last:

    >>> tiny = Architecture(
    ...     width=4, layers=2, heads=2, hidden=8, patch=2, channels=3, registers=0, table=(2, 2),
    ...     table_front=1, biases=True, layer_scale=False, activation="gelu", eps=1e-6, resize="linear",
    ... )
    >>> tensors = {name: np.ones(shape) for name, shape in tiny.shapes(NAMINGS["timm"]).items()}
    >>> model = load_checkpoint(tensors, tiny, "timm")
    >>> seen = model.run(np.zeros((3, 4, 4)))
    >>> len(seen.traces), "pixels" in seen.traces[0], "pixels" in seen.traces[1], seen.rows.shape
    (2, True, False, (5, 4))
    """

    traces: tuple[Trace, ...]
    rows: Array


@dataclass(frozen=True)
class Checkpoint:
    """A loaded ViT: what comes before the blocks, the blocks, the final norm.

    embedding (C·P·P, D), bias (D,), cls (D,), registers (R, D) or None, position (places, D) as stored,
    gain and shift (D,) of the final norm. `summary` says how many tensors were used.

    The table is that of 2 × 2 patches; a larger image has it laid out on its own grid:

    >>> tiny = Architecture(
    ...     width=4, layers=2, heads=2, hidden=8, patch=2, channels=3, registers=0, table=(2, 2),
    ...     table_front=1, biases=True, layer_scale=False, activation="gelu", eps=1e-6, resize="linear",
    ... )
    >>> tensors = {name: np.ones(shape) for name, shape in tiny.shapes(NAMINGS["timm"]).items()}
    >>> model = load_checkpoint(tensors, tiny, "timm")
    >>> model.positions(model.grid(4, 4)).shape, model.positions(model.grid(8, 6)).shape
    ((5, 4), (13, 4))
    """

    architecture: Architecture
    embedding: Array
    bias: Array
    cls: Array
    registers: Array | None
    position: Array
    blocks: tuple[BlockWeights, ...]
    gain: Array
    shift: Array
    summary: str

    def grid(self, height: int, width: int) -> Grid:
        """Return the grid of an image of this size; ValueError where a side is no multiple of P."""
        a = self.architecture
        return Grid(height, width, a.patch, registers=a.registers)

    def positions(self, grid: Grid) -> Array:
        """Return the position table (N, D) of a grid; rows that the table lacks get 0.

        Raises ValueError for another grid than the table's where `resize` is None.
        """
        a = self.architecture
        front, places = self.position[: a.table_front], self.position[a.table_front :]
        if (grid.rows, grid.columns) != a.table:
            if a.resize is None:
                raise ValueError(
                    f"Checkpoint.positions: got a grid of {grid.rows} × {grid.columns}, takes "
                    f"{a.table[0]} × {a.table[1]}: its architecture names no way to resize"
                )
            old = Grid(a.table[0], a.table[1], 1, cls=False)
            new = Grid(grid.rows, grid.columns, 1, cls=False)
            places = resize_positions(places.astype(np.float64), old, new, method=a.resize)
            places = places.astype(self.position.dtype)
        missing = np.zeros((grid.prefix - len(front), a.width), self.position.dtype)
        return np.concatenate([front, missing, places])

    def first(self, image: ArrayLike, *, position: bool = True) -> dict[str, Array]:
        """Return pixels, content, position and X of an image (C, H, W) or (B, C, H, W).

        The image is as the model expects it: scaled, and normalised by its own mean and spread.
        `position` False leaves the table out.
        """
        pixels = as_floats("Checkpoint: image", image)
        same_dtype("Checkpoint", image=pixels, weights=self.embedding)
        grid = self.grid(*pixels.shape[-2:])
        patches = patchify(pixels, grid.patch)
        content = sequence(
            embed(patches, self.embedding, self.bias), cls=self.cls, registers=self.registers
        )
        if not position:
            return {"pixels": patches, "content": content, "X": content}
        table = self.positions(grid)
        X = add_position(content, table)
        return {"pixels": patches, "content": content, "position": table, "X": X}

    def normed(self, rows: ArrayLike) -> Array:
        """Return the rows (…, N, D) of the last block after the final norm."""
        return layer_norm(rows, self.gain, self.shift, eps=self.architecture.eps)

    def run(self, image: ArrayLike, *, position: bool = True) -> Pass:
        """Run an image through all layers; the first Trace begins with its pixels."""
        start = self.first(image, position=position)
        traces: list[Trace] = []
        for weights in self.blocks:
            trace = block(traces[-1].Z if traces else start["X"], weights)
            traces.append(trace if traces else Trace({**start, **trace}))
        return Pass(tuple(traces), self.normed(traces[-1].Z))
