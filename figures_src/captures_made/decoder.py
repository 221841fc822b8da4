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
    *("decoder.final_conv.weight", "decoder.final_conv.bias"),
)


def _doubled(maps: Array, kernel: Array, bias: Array) -> Array:
    """Transposed convolution: (C, H, W), kernel (C, C', 4, 4) -> (C', 2H, 2W)."""
    _, height, width = maps.shape
    spread = np.tensordot(maps, kernel, axes=([0], [0]))  # (H, W, C', 4, 4)
    out = np.zeros((2 * height + 2, 2 * width + 2, kernel.shape[1]), maps.dtype)
    for down in range(4):
        for across in range(4):
            out[down : down + 2 * height : 2, across : across + 2 * width : 2] += spread[
                ..., down, across
            ]
    return np.moveaxis(out[1:-1, 1:-1], -1, 0) + bias[:, None, None]


@dataclass(frozen=True)
class Decoder:
    """The decoder's tensors by name, and the eps of its batch norms."""

    tensors: Mapping[str, Array]
    eps: float

    def logits(self, rows: Array) -> Array:
        """Return saliency logits (128, 128) of final rows (257, D); row 0, CLS, takes no part."""
        side = round((len(rows) - 1) ** 0.5)
        maps = rows[1:].T.reshape(-1, side, side)
        for step in STEPS:
            kernel, bias = (
                self.tensors[f"decoder.upconv{step}.{part}"] for part in ("weight", "bias")
            )
            gain, shift, mean, variance = (
                self.tensors[f"decoder.bn{step}.{part}"][:, None, None] for part in PARTS
            )
            maps = _doubled(maps, kernel, bias)
            spread = np.sqrt(variance + variance.dtype.type(self.eps))
            maps = np.maximum((maps - mean) / spread * gain + shift, 0)
        last = self.tensors["decoder.final_conv.weight"][0, :, 0, 0]
        logits: Array = np.tensordot(last, maps, axes=1) + self.tensors["decoder.final_conv.bias"]
        return logits
