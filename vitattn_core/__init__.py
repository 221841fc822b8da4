"""Attention in a Vision Transformer, one named step at a time (NumPy, float64 or float32).

The names are those of the site's notation page. `vitattn_core.torch_reference` needs torch and is
imported by itself.
"""

from .attention import (
    AttentionWeights,
    attention,
    merge_heads,
    mix,
    multi_head_attention,
    products,
    scale,
    softmax,
    split_heads,
)
from .block import BlockWeights, block, gelu, layer_norm, stack
from .grid import Grid
from .masks import check_mask, hide, key_mask
from .patches import add_position, embed, patchify, sequence, unpatchify
from .stages import STAGES, Stage, stage
from .teaching import TeachingWeights, teaching_pass
from .teaching import weights as teaching_weights
from .trace import Trace

__all__ = [
    "STAGES",
    "AttentionWeights",
    "BlockWeights",
    "Grid",
    "Stage",
    "TeachingWeights",
    "Trace",
    "add_position",
    "attention",
    "block",
    "check_mask",
    "embed",
    "gelu",
    "hide",
    "key_mask",
    "layer_norm",
    "merge_heads",
    "mix",
    "multi_head_attention",
    "patchify",
    "products",
    "scale",
    "sequence",
    "softmax",
    "split_heads",
    "stack",
    "stage",
    "teaching_pass",
    "teaching_weights",
    "unpatchify",
]
