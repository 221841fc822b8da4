"""What attention says a patch is worth, by seven scores; to be held against what moves."""

from collections.abc import Mapping

import numpy as np

from figures_src.by_hand.captures.findings import Finding, Findings
from figures_src.by_hand.captures.passes import HEADS, Model, Seen
from vitattn_core import patchify, rollout
from vitattn_core.arrays import Array
from vitattn_core.reading import rank_correlation

from .interventions import MEASURES

EFFECTS = (
    "hide_last.cls",
    *(f"hide_all.{measure}" for measure in MEASURES),
    *(f"pixels.{measure}" for measure in MEASURES),
)
SAYS = {
    "cls_last": "weight in the row of CLS, layer 12, mean of heads",
    "cls_last_lengths": "the same, each head's weight times the length of the value",
    "one_layer": "length of the change of CLS by a/(1 − a) · (O − V) · W_O, layer 12, summed over heads",
    "cls_all": "weight in the row of CLS, mean of heads and layers",
    "rollout": "rollout, row of CLS",
    "received": "weight received from all other patches, mean of heads and layers",
    "contrast": "spread of the patch's pixels: no attention at all",
}


def scores(model: Model, seen: Seen) -> dict[str, Array]:
    """Return a number a patch, (256,) each, by score."""
    A = seen.weights.astype(np.float64)
    last, weights = seen.traces[-1], model.vit.blocks[-1]
    row = A[-1, :, 0]  # (6, 257): CLS asks
    values, mixture = last.V.astype(np.float64), last.O[:, 0].astype(np.float64)
    lengths = np.linalg.norm(values, axis=-1)
    w_o = weights.attention.w_o.reshape(HEADS, -1, model.vit.architecture.width)
    away = mixture[:, None] - values  # (6, 257, 64)
    step = np.einsum("hj,hjd,hde->je", row / (1 - row), away, w_o, optimize=True)
    if weights.scale_1 is not None:
        step = step * weights.scale_1
    between = A * (1 - np.eye(A.shape[-1]))
    found = {
        "cls_last": row.mean(axis=0),
        "cls_last_lengths": (row * lengths).mean(axis=0),
        "one_layer": np.linalg.norm(step, axis=-1),
        "cls_all": A[:, :, 0].mean(axis=(0, 1)),
        "rollout": rollout(list(A))[0],
        "received": between.mean(axis=(0, 1))[1:].sum(axis=0),
    }
    pixels = patchify(seen.image, 14)
    return {name: score[1:] for name, score in found.items()} | {"contrast": pixels.std(axis=-1)}


def found(
    model: Model, photos: Mapping[str, Seen], effects: Mapping[str, Mapping[str, Array]]
) -> Findings:
    """Return scores, effects and their rank correlations."""
    entries: Findings = {}
    for name, seen in photos.items():
        said = scores(model, seen)
        for score, value in said.items():
            tolerance = 1e-4 * float(value.max())
            entries[f"score.{score}.{name}"] = Finding(value, tolerance, f"{SAYS[score]}; patch")
        for effect in EFFECTS:
            value = effects[name][effect]
            entries[f"effect.{effect}.{name}"] = Finding(
                value, 1e-3 * float(value.max()), "intervention.measure of each patch"
            )
        entries[f"rho.{name}"] = Finding(
            {
                score: {
                    effect: rank_correlation(value.ravel(), effects[name][effect].ravel())
                    for effect in EFFECTS
                }
                for score, value in said.items()
            },
            0.01,
            "rank correlation of score and effect over 256 patches",
        )
    return entries
