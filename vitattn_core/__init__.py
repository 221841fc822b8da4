"""Attention in a Vision Transformer, one named step at a time (NumPy, float64 or float32).

The names are those of the site's notation page. `vitattn_core.torch_reference` needs torch and is
imported by itself.
"""

from .architecture import Architecture
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
from .checkpoint import Checkpoint, Pass
from .checks import CHECKS, Check
from .cost import (
    Crossover,
    block_macs,
    block_terms,
    crossovers,
    flops,
    mix_macs,
    mlp_macs,
    model_macs,
    output_macs,
    pair_macs,
    pairs,
    qkv_macs,
    score_slots,
    scores_macs,
    sides_around,
)
from .detection import outcome, outcomes
from .flattest import flattest_weights
from .grid import Grid
from .interventions import (
    delete_key,
    part_lengths,
    rollout,
    swap_values,
    zero_value,
)
from .loading import load_checkpoint
from .masks import causal_mask, check_mask, hide, key_mask, window_mask
from .mistakes import MISTAKES, Mistake, core_with
from .namings import NAMINGS, Naming
from .patches import add_position, embed, patchify, sequence, unpatchify
from .positions import relative_bias, resize_positions, sine_positions
from .reading import effective_keys, entropy, rank_correlation, total_variation
from .stages import STAGES, Stage, stage
from .streaming import blocked_attention
from .teaching import TeachingWeights, teaching_pass
from .teaching import weights as teaching_weights
from .trace import Trace

__all__ = [
    "CHECKS",
    "MISTAKES",
    "NAMINGS",
    "STAGES",
    "Architecture",
    "AttentionWeights",
    "BlockWeights",
    "Checkpoint",
    "Check",
    "Crossover",
    "Grid",
    "Mistake",
    "Naming",
    "Pass",
    "Stage",
    "TeachingWeights",
    "Trace",
    "add_position",
    "attention",
    "block",
    "block_macs",
    "block_terms",
    "blocked_attention",
    "causal_mask",
    "check_mask",
    "core_with",
    "crossovers",
    "delete_key",
    "effective_keys",
    "embed",
    "entropy",
    "flattest_weights",
    "flops",
    "gelu",
    "hide",
    "key_mask",
    "layer_norm",
    "load_checkpoint",
    "merge_heads",
    "mix",
    "mix_macs",
    "mlp_macs",
    "model_macs",
    "multi_head_attention",
    "outcome",
    "outcomes",
    "output_macs",
    "pair_macs",
    "pairs",
    "part_lengths",
    "patchify",
    "products",
    "qkv_macs",
    "rank_correlation",
    "relative_bias",
    "resize_positions",
    "rollout",
    "scale",
    "score_slots",
    "scores_macs",
    "sequence",
    "sides_around",
    "sine_positions",
    "softmax",
    "split_heads",
    "stack",
    "stage",
    "swap_values",
    "teaching_pass",
    "teaching_weights",
    "total_variation",
    "unpatchify",
    "window_mask",
    "zero_value",
]
