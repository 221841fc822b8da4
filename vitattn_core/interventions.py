"""Interventions on one attention step, and rollout: what weights alone say, against what moves.

Deleting a key, zeroing a value and swapping two values change one thing and leave the rest; the
distance that the output moves is the effect. Sources: rollout, Abnar & Zuidema 2020; rows of weights
that the output cannot tell apart, Brunner et al. 2020.
Shapes: N_q queries, N_k keys, d_v channels of a value; leading axes (heads, batch) go along.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array, as_floats, as_rows, same_dtype

STEPS = 100


def _place(request: str, key: int, keys: int) -> int:
    if not 0 <= key < keys:
        raise IndexError(f"{request}: got key {key}, takes 0 to {keys - 1}")
    return key


def delete_key(weights: ArrayLike, key: int) -> Array:
    """Return weights (…, N_q, N_k) without one key: its column 0, each row rescaled to sum to 1.

    The same as hiding the key before the softmax. A row that had nothing else becomes all 0.
    """
    kept = as_rows("delete_key: weights", weights).copy()
    kept[..., _place("delete_key", key, kept.shape[-1])] = 0
    total = kept.sum(axis=-1, keepdims=True)
    return kept / np.where(total == 0, 1, total).astype(kept.dtype)


def zero_value(values: ArrayLike, key: int) -> Array:
    """Return values (…, N_k, d_v) with one row 0: its key keeps its weight and brings nothing."""
    changed = as_rows("zero_value: values", values).copy()
    changed[..., _place("zero_value", key, changed.shape[-2]), :] = 0
    return changed


def swap_values(values: ArrayLike, one: int, other: int) -> Array:
    """Return values (…, N_k, d_v) with two rows exchanged; keys, and so weights, stay."""
    changed = as_rows("swap_values: values", values).copy()
    pair = [_place("swap_values", key, changed.shape[-2]) for key in (one, other)]
    changed[..., pair, :] = changed[..., pair[::-1], :]
    return changed


def part_lengths(weights: ArrayLike, values: ArrayLike) -> Array:
    """Return the length of each part a_ij·v_j of the mixture: (…, N_q, N_k), (…, N_k, d_v).

    Source: Kobayashi et al. 2020, without W_O.
    """
    a = as_rows("part_lengths: weights", weights)
    v = as_rows("part_lengths: values", values)
    same_dtype("part_lengths", weights=a, values=v)
    if a.shape[-1] != v.shape[-2]:
        raise ValueError(
            f"part_lengths: got {a.shape[-1]} weights a row for {v.shape[-2]} values, takes as many"
        )
    return a * np.linalg.norm(v, axis=-1)[..., None, :]


def flattest_weights(values: ArrayLike, output: ArrayLike, keep: ArrayLike | None = None) -> Array:
    """Return the most even row of weights (N_k,) on the kept keys that mixes to `output` (d_v,).

    values (N_k, d_v); keep (N_k,) boolean, True = may have weight. The row is a softmax of scores
    that are linear in the values (the maximum of entropy under these conditions), found by Newton's
    method. Raises ValueError where no row of weights on these keys gives the output.
    """
    v = as_rows("flattest_weights: values", values).astype(np.float64)
    target = as_floats("flattest_weights: output", output).astype(np.float64)
    if v.ndim != 2 or target.shape != v.shape[1:]:
        raise ValueError(
            f"flattest_weights: got values {v.shape} and output {target.shape}, "
            "takes (N_k, d_v) and (d_v,)"
        )
    kept = np.ones(len(v), dtype=bool) if keep is None else np.asarray(keep)
    if kept.dtype != np.bool_ or kept.shape != v.shape[:1]:
        error = TypeError if kept.dtype != np.bool_ else ValueError
        raise error(
            f"flattest_weights: keep: got {kept.dtype} of shape {kept.shape}, "
            f"takes booleans of shape {v.shape[:1]}"
        )
    away = v[kept] - target  # the row sought mixes these to 0
    tilt = np.zeros(v.shape[1])
    row, height = _tilted(away, tilt)
    for _ in range(STEPS if kept.any() else 0):
        slope = row @ away
        if np.abs(slope).max(initial=0) <= 1e-13 * max(1, np.abs(away).max(initial=0)):
            weights = np.zeros(len(v))
            weights[kept] = row
            return weights
        bend = (away.T * row) @ away - np.outer(slope, slope)
        step = np.linalg.lstsq(bend, slope, rcond=1e-12)[0]
        length = 1.0
        while _tilted(away, tilt - length * step)[1] > height + 1e-12 and length > 1e-9:
            length /= 2
        tilt = tilt - length * step
        row, height = _tilted(away, tilt)
    raise ValueError("flattest_weights: no row of weights on the kept keys gives this output")


def _tilted(away: Array, tilt: Array) -> tuple[Array, float]:
    """Return softmax(away · tilt) and the logarithm of its sum, which is least at the row sought."""
    scores = away @ tilt
    top = float(scores.max(initial=-np.inf))
    e = np.exp(scores - top)
    total = e.sum()
    return e / max(total, 1.0), top + float(np.log(max(total, 1.0)))


def rollout(layers: Sequence[ArrayLike], *, discard: float = 0.0) -> Array:
    """Return (N, N): row i says which input rows the last layer's row i is traced back to.

    layers: the weights of each block, first block first, (N, N) or (h, N, N), whose heads are
    averaged. To each the identity is added for the skip connection, rows are brought to sum 1, and
    the matrices are multiplied, last block at the left. `discard` (0 to below 1) is the share of
    each layer's smallest weights that is set to 0 first. Values, W_O, norms and MLPs take no part.
    """
    if not layers:
        raise ValueError("rollout: got no layers, takes one or more")
    if not 0 <= discard < 1:
        raise ValueError(f"rollout: discard: got {discard}, takes 0 to below 1")
    through: Array | None = None
    for weights in layers:
        a = as_rows("rollout: weights", weights)
        tokens = a.shape[-1]
        if a.shape[-2] != tokens or a.ndim > 3:
            raise ValueError(f"rollout: weights: got shape {a.shape}, takes (N, N) or (h, N, N)")
        mean = a if a.ndim == 2 else a.mean(axis=0)
        if through is not None:
            same_dtype("rollout: weights", before=through, next=a)
        if through is not None and len(through) != tokens:
            raise ValueError(
                f"rollout: got layers of {len(through)} and {tokens} rows, takes one N"
            )
        flat = mean.ravel().copy()
        flat[np.argsort(flat, kind="stable")[: int(discard * flat.size)]] = 0
        mixed = flat.reshape(tokens, tokens) + np.eye(tokens, dtype=a.dtype)
        total = mixed.sum(axis=-1, keepdims=True)
        mixed = mixed / total
        through = mixed if through is None else mixed @ through
    assert through is not None
    return through
