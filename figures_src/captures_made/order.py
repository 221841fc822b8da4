"""Rank correlation, ties sharing their mean rank; and the rank of one among many."""

import numpy as np

from vitattn_core.arrays import Array


def ranks(values: Array) -> Array:
    """Return the rank of each value from 1, smallest first; equal values share their mean rank."""
    flat = np.asarray(values, dtype=np.float64).ravel()
    ordered = np.sort(flat)
    first, last = np.searchsorted(ordered, flat), np.searchsorted(ordered, flat, side="right")
    mean: Array = (first + last + 1) / 2
    return mean


def rank_correlation(one: Array, other: Array) -> float:
    """Return Spearman's rank correlation: 1 same order, −1 reversed."""
    return float(np.corrcoef(ranks(one), ranks(other))[0, 1])


def rank_from_top(values: Array, place: int) -> int:
    """Return the rank of one value from 1, largest first."""
    return int((values > values[place]).sum()) + 1
