"""Q, K and V as whole numbers of one byte: a step for each channel, so that the largest is ±123."""

import numpy as np

from figures_src.inputs.captures import LEVELS, RECORD, VALUES, decode
from vitattn_core.arrays import Array

from .passes import HEADS


def steps_of(numbers: Array) -> tuple[np.ndarray, np.ndarray]:
    """Return whole numbers and float16 steps of (…, N, d_h): number = whole · step of its channel."""
    largest = np.abs(numbers).max(axis=-2)
    steps = (largest / LEVELS).astype(np.float16)
    too_small = steps.astype(np.float64) * LEVELS < largest
    steps = np.where(too_small, np.nextafter(steps, np.float16(np.inf)), steps)
    whole = np.rint(numbers / steps.astype(np.float64)[..., None, :])
    if np.abs(whole).max() > LEVELS:
        raise ValueError(f"steps_of: got {np.abs(whole).max()}, takes up to {LEVELS}")
    return whole.astype(np.int8), steps


def layer_record(Q: Array, K: Array) -> np.ndarray:
    """Return the six records of a layer: Q, K (6, 257, 64), the mean key taken off and kept."""
    record = np.zeros(HEADS, RECORD)
    mean = K.astype(np.float64).mean(axis=-2).astype(np.float16)
    record["Q"], record["q"] = steps_of(Q.astype(np.float64))
    record["K"], record["k"] = steps_of(K.astype(np.float64) - mean.astype(np.float64)[:, None])
    record["mean"] = mean
    return record


def values_record(V: Array) -> np.ndarray:
    """Return the six records of a layer's values (6, 257, 64)."""
    record = np.zeros(HEADS, VALUES)
    record["V"], record["v"] = steps_of(V.astype(np.float64))
    return record


def lost(record: np.ndarray, A: Array) -> dict[str, float]:
    """Return what the steps cost: largest and total error of rows of weights, same top keys."""
    back = decode(record).weights
    error = np.abs(back - A)
    half = error.sum(axis=-1) / 2  # total variation, 0 to 1
    same = back.argmax(axis=-1) == A.argmax(axis=-1)
    return {
        "weight": float(error.max()),
        "row": float(half.max()),
        "row_mean": float(half.mean()),
        "same_top": float(same.mean()),
    }
