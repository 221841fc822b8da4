"""What the model's output makes of the last rows: a saliency map, from the patch rows alone.

Three transposed convolutions (4 × 4, stride 2, padding 1) with batch norm and ReLU, then one number
a place. The row of CLS is dropped before the first.
"""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from vitattn_core.arrays import Array

STEPS = (1, 2, 3)
PARTS = ("weight", "bias", "running_mean", "running_var")
NAMES = (
    *(f"decoder.upconv{step}.{part}" for step in STEPS for part in ("weight", "bias")),
    *(f"decoder.bn{step}.{part}" for step in STEPS for part in PARTS),
    "decoder.final_conv.weight",
    "decoder.final_conv.bias",
)


def _doubled(maps: Array, kernel: Array, bias: Array) -> Array:
    """Transposed convolution: (H, W, C), kernel (C, 16·C') place by place -> (2H, 2W, C')."""
    height, width, _ = maps.shape
    spread = (maps.reshape(height * width, -1) @ kernel).reshape(height, width, 4, 4, len(bias))
    out = np.zeros((2 * height + 2, 2 * width + 2, len(bias)), maps.dtype)
    for down in range(4):
        for across in range(4):
            place = (slice(down, down + 2 * height, 2), slice(across, across + 2 * width, 2))
            out[place] += spread[:, :, down, across]
    return out[1:-1, 1:-1] + bias


@dataclass(frozen=True)
class Step:
    """One doubling: the kernel (C, 16·C'), its bias (C',), and batch norm as factor and offset (C',)."""

    kernel: Array
    bias: Array
    factor: Array
    offset: Array


@dataclass(frozen=True)
class Decoder:
    """Three doublings, then one number a place: `last` (C,) and its bias."""

    steps: tuple[Step, ...]
    last: Array
    bias: Array

    @classmethod
    def of(cls, tensors: Mapping[str, Array], eps: float) -> "Decoder":
        """Return the decoder of the file's tensors by name, and the eps of its batch norms."""
        steps = []
        for step in STEPS:
            kernel = tensors[f"decoder.upconv{step}.weight"]  # (C, C', 4, 4)
            gain, shift, mean, variance = (tensors[f"decoder.bn{step}.{part}"] for part in PARTS)
            factor = gain / np.sqrt(variance + variance.dtype.type(eps))
            by_place = np.moveaxis(kernel, 1, -1).reshape(len(kernel), -1)
            bias = tensors[f"decoder.upconv{step}.bias"]
            steps.append(Step(np.ascontiguousarray(by_place), bias, factor, shift - mean * factor))
        last = tensors["decoder.final_conv.weight"][0, :, 0, 0]
        return cls(tuple(steps), last, tensors["decoder.final_conv.bias"])

    def logits(self, rows: Array) -> Array:
        """Return saliency logits (128, 128) of final rows (257, D); row 0, CLS, takes no part."""
        side = round((len(rows) - 1) ** 0.5)
        maps = rows[1:].reshape(side, side, -1)
        for step in self.steps:
            doubled = _doubled(maps, step.kernel, step.bias)
            maps = np.maximum(doubled * step.factor + step.offset, 0)
        return maps @ self.last + self.bias
