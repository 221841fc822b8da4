"""Measures of rows of weights: how spread out one is, how far two differ, whether two lists agree in order.

Sources: entropy: Shannon 1948, in nats; effective keys: exp of the entropy (Hill 1973, order 1);
total variation: half the sum of the absolute differences; rank correlation: Spearman 1904.
Shapes: the last axis is the keys, or the things that are ranked; axes in front (heads, batch) go
along, and are spread where one of two arrays has 1. One row gives one number.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array, as_floats

# An array of one number a row, (…,); for a single row NumPy's own float, which is a Python float in float64.
Numbers: TypeAlias = Any


def entropy(weights: ArrayLike) -> Numbers:
    """Return −Σ a ln a in nats, (…, N_k) -> (…): 0 for one key alone, ln N_k for an even row.

    Rows are brought to sum 1 first, so that a part of a row can be read too; a row of zeros, which
    has no key left, has entropy 0. Raises ValueError for weights below 0.

    An even row of n keys has ln n, and to scale a row changes nothing:

    >>> row = np.array([[0.25, 0.25, 0.25, 0.25], [3.0, 0.0, 3.0, 0.0]])
    >>> (entropy(row) / np.log(2)).round(12).tolist()  # in bits
    [2.0, 1.0]
    """
    a = _weights("entropy", weights)
    total = a.sum(axis=-1, keepdims=True)
    share = a / np.where(total == 0, 1, total).astype(a.dtype)
    logs = np.log(np.where(share == 0, 1, share).astype(a.dtype))  # 0 · ln 0 counts as 0
    return -(share * logs).sum(axis=-1) + 0  # + 0: no minus before zero


def effective_keys(weights: ArrayLike) -> Numbers:
    """Return over how many equal weights a row would be as spread, exp of its entropy: (…, N_k) -> (…).

    From 1, one key alone, to N_k, an even row; 0 for a row of zeros. Raises as `entropy` does.

    Half on one key and the rest even on four counts as four keys, not as five:

    >>> round(float(effective_keys([1/2, 1/8, 1/8, 1/8, 1/8])), 12)
    4.0
    """
    a = _weights("effective_keys", weights)
    some = (a != 0).any(axis=-1)
    return np.where(some, np.exp(entropy(a)), 0).astype(a.dtype)[()]


def total_variation(one: ArrayLike, other: ArrayLike) -> Numbers:
    """Return the share of weight to be moved to turn one row into the other, (…, N_k) twice -> (…).

    0 for the same row and 1 for rows that share no key, where both sum to 1. Raises ValueError for
    rows of different lengths and for axes in front that do not fit.

    What two heads differ by is not seen in the difference of their largest weights:

    >>> float(total_variation([0.5, 0.5, 0, 0], [0, 0, 0.5, 0.5]))
    1.0
    """
    a, b = _two("total_variation", one, other)
    return np.abs(a - b).sum(axis=-1) / 2


def rank_correlation(one: ArrayLike, other: ArrayLike) -> Numbers:
    """Return Spearman's rank correlation of two lists, (…, n) twice -> (…), in float64.

    1: the same order, −1: reversed. Equal numbers share their mean rank. NaN where a list has no
    order (all numbers equal, or fewer than two) or holds NaN. Raises as `total_variation` does.

    Only the order counts, not by how much one is larger:

    >>> float(rank_correlation([1, 2, 3, 4], [0.1, 0.2, 0.3, 1000]))
    1.0
    >>> float(rank_correlation([4, 3, 2, 1], [9, 1, 0.5, 2]))
    0.4
    """
    ranks = [_ranks(rows) for rows in _two("rank_correlation", one, other)]
    a, b = (rank - rank.mean(axis=-1, keepdims=True) for rank in ranks)
    size = np.sqrt((a * a).sum(axis=-1) * (b * b).sum(axis=-1))
    return ((a * b).sum(axis=-1) / np.where(size == 0, np.nan, size))[()]


def _ranks(rows: Array) -> Array:
    """Return the rank of each number of a row from 1, smallest first; equal numbers share the mean."""
    ranks = np.empty(rows.shape)
    for row in np.ndindex(rows.shape[:-1]):
        ordered = np.sort(rows[row])
        first = np.searchsorted(ordered, rows[row])
        last = np.searchsorted(ordered, rows[row], side="right")
        ranks[row] = (first + last + 1) / 2
    ranks[np.isnan(rows).any(axis=-1)] = np.nan
    return ranks


def _weights(request: str, weights: ArrayLike) -> Array:
    a = as_floats(f"{request}: weights", weights)
    if a.ndim == 0:
        raise ValueError(f"{request}: weights: got shape (), takes (…, N_k)")
    if (a < 0).any():
        raise ValueError(f"{request}: weights: got {a.min():g}, takes 0 or more")
    return a


def _two(request: str, one: ArrayLike, other: ArrayLike) -> tuple[Array, Array]:
    a, b = as_floats(f"{request}: one", one), as_floats(f"{request}: other", other)
    fits = a.ndim > 0 and b.ndim > 0 and a.shape[-1] == b.shape[-1]
    try:
        in_front = np.broadcast_shapes(a.shape[:-1], b.shape[:-1])
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"{request}: got {a.shape} and {b.shape}, takes rows of one length, and the same axes in "
            "front, or 1"
        )
    shape = (*in_front, a.shape[-1])
    return np.broadcast_to(a, shape), np.broadcast_to(b, shape)
