"""Heads that look one patch to a side: on photographs, on flat grey, on noise, without positions."""

from collections.abc import Mapping

import numpy as np

from figures_src.by_hand.captures.findings import Finding, Findings
from figures_src.by_hand.captures.passes import SIDE, Model, Seen, prepared
from vitattn_core import block
from vitattn_core.arrays import Array

from .heads import PLACES

# layer and head from 1: rows down, columns to the right
SHIFTS = {
    (2, 2): (0, 1),
    (3, 4): (0, -1),
    (4, 2): (1, 0),
    (4, 5): (-1, 0),
    (4, 6): (0, -1),
    (5, 6): (0, 1),
}
SEED = 0  # of the noise, by NumPy's default generator


def share(A: Array, step: tuple[int, int]) -> tuple[float, float]:
    """Return, of patch queries with a neighbour there: whose top patch key it is, and its weight."""
    there = PLACES + step
    inside = ((there >= 0) & (there < SIDE)).all(axis=1)
    key = there[inside] @ (SIDE, 1)
    rows = A[1:, 1:][inside]
    return (
        float((rows.argmax(axis=-1) == key).mean()),
        float(rows[np.arange(len(key)), key].mean()),
    )


def weights_of(model: Model, image: Array, *, position: bool = True) -> list[Array]:
    """Return A of the first layers, as many as hold shift heads."""
    rows, found = model.start(image, position=position), []
    for weights in model.vit.blocks[: max(layer for layer, _ in SHIFTS)]:
        trace = block(rows, weights)
        found.append(trace.A)
        rows = trace.Z
    return found


def found(model: Model, photos: Mapping[str, Seen]) -> Findings:
    """Return the findings on shift heads."""
    noise = np.random.default_rng(SEED).integers(0, 256, (224, 224, 3)).astype(np.uint8)
    inputs = {name: [trace.A for trace in seen.traces] for name, seen in photos.items()}
    inputs["grey"] = weights_of(model, prepared(np.full((3, 224, 224), 128, np.uint8)))
    inputs["noise"] = weights_of(model, prepared(noise.transpose(2, 0, 1)))
    inputs["no_position"] = weights_of(model, photos["chelsea"].image, position=False)
    entries: Findings = {}
    for name, A in inputs.items():
        shares = {f"{l}.{h}": share(A[l - 1][h - 1], step) for (l, h), step in SHIFTS.items()}
        entries[f"shift.{name}"] = Finding(
            shares,
            0.01,
            "layer.head: share of queries whose top patch key is the neighbour, its mean weight",
        )
    entries["shift.steps"] = Finding(
        {f"{l}.{h}": list(step) for (l, h), step in SHIFTS.items()},
        0,
        "layer.head: the neighbour, in rows down and columns to the right",
    )
    return entries
