"""Interventions on one attention step, and rollout: what weights alone say, against what moves.

Deleting a key, zeroing a value and swapping two values change one thing and leave the rest; the
distance that the output moves is the effect. Source of rollout: Abnar & Zuidema 2020.
Shapes: N_q queries, N_k keys, d_v channels of a value; leading axes (heads, batch) go along.
"""

from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array, as_rows, same_dtype
from .counts import whole


def _place(request: str, key: int, keys: int) -> int:
    key = whole(f"{request}: key", key)
    if not 0 <= key < keys:
        raise IndexError(f"{request}: got key {key}, takes 0 to {keys - 1}")
    return key


def delete_key(weights: ArrayLike, key: int) -> Array:
    """Return weights (…, N_q, N_k) without one key: its column 0, each row rescaled to sum to 1.

    The same as hiding the key before the softmax. A row without weights stays all 0, and so does
    the row of the only key. Raises ValueError where all other weights of a row have vanished beside
    the key's: how they share the row can no longer be told from them, only from the scores.

    The others keep their proportions, and so each gains by the same factor:

    >>> delete_key([[0.5, 0.3, 0.2]], 0).round(3).tolist()
    [[0.0, 0.6, 0.4]]
    """
    kept = as_rows("delete_key: weights", weights).copy()
    key = _place("delete_key", key, kept.shape[-1])
    had = kept[..., key] > 0
    kept[..., key] = 0
    total = kept.sum(axis=-1, keepdims=True)
    gone = had & (total[..., 0] < np.finfo(kept.dtype).tiny)
    if kept.shape[-1] > 1 and gone.any():
        row = ", ".join(map(str, np.argwhere(gone)[0]))
        raise ValueError(
            f"delete_key: weights: got row ({row}) with all its weight on key {key}, takes rows with "
            "weight left on another; the scores still tell: softmax(hide(scores, mask))"
        )
    return kept / np.where(total == 0, 1, total).astype(kept.dtype)


def zero_value(values: ArrayLike, key: int) -> Array:
    """Return values (…, N_k, d_v) with one row 0: its key keeps its weight and brings nothing.

    Unlike a deleted key, one that brings nothing still takes its weight, and the output shrinks:

    >>> weights, values = np.array([[0.5, 0.5]]), np.array([[4.0], [6.0]])
    >>> (weights @ zero_value(values, 0)).item(), (delete_key(weights, 0) @ values).item()
    (3.0, 6.0)
    """
    changed = as_rows("zero_value: values", values).copy()
    changed[..., _place("zero_value", key, changed.shape[-2]), :] = 0
    return changed


def swap_values(values: ArrayLike, one: int, other: int) -> Array:
    """Return values (…, N_k, d_v) with two rows exchanged; keys, and so weights, stay.

    Where two keys weigh the same, the output does not notice; a map of the weights never does.

    >>> values = np.array([[4.0], [6.0], [9.0]])
    >>> [(row @ swap_values(values, 0, 1) - row @ values).item() for row in ([0.5, 0.5, 0], [1, 0, 0])]
    [0.0, 2.0]
    """
    changed = as_rows("swap_values: values", values).copy()
    pair = [_place("swap_values", key, changed.shape[-2]) for key in (one, other)]
    changed[..., pair, :] = changed[..., pair[::-1], :]
    return changed


def part_lengths(weights: ArrayLike, values: ArrayLike) -> Array:
    """Return the length of each part a_ij·v_j of the mixture: (…, N_q, N_k), (…, N_k, d_v).

    Source: Kobayashi et al. 2020, without W_O.

    The largest weight need not bring the largest part:

    >>> part_lengths([[0.75, 0.25]], [[1.0, 0.0], [3.0, 4.0]]).tolist()
    [[0.75, 1.25]]
    """
    a = as_rows("part_lengths: weights", weights)
    v = as_rows("part_lengths: values", values)
    same_dtype("part_lengths", weights=a, values=v)
    if a.shape[-1] != v.shape[-2]:
        raise ValueError(
            f"part_lengths: got {a.shape[-1]} weights a row for {v.shape[-2]} values, takes as many"
        )
    return a * np.linalg.norm(v, axis=-1)[..., None, :]


def rollout(layers: Iterable[ArrayLike], *, discard: float = 0.0) -> Array:
    """Return (N, N): row i says which input rows the last layer's row i is traced back to.

    layers: the weights of each block, first block first, as a list or one array, (N, N) or
    (h, N, N), whose heads are averaged. To each the identity is added for the skip connection, rows
    are brought to sum 1, and the matrices are multiplied, last block at the left. `discard` (0 to
    below 1) is the share of each layer's smallest weights that is set to 0 first. Values, W_O, norms
    and MLPs take no part.

    Half of every row is the skip connection, so a row that reads only another one stays half its own:

    >>> rollout([[[0.0, 1.0], [1.0, 0.0]]]).tolist()
    [[0.5, 0.5], [0.5, 0.5]]
    """
    if not 0 <= discard < 1:
        raise ValueError(f"rollout: discard: got {discard}, takes 0 to below 1")
    through: Array | None = None
    for weights in layers:
        a = as_rows("rollout: weights", weights)
        tokens = a.shape[-1]
        if a.shape[-2] != tokens or a.ndim > 3 or 0 in a.shape:
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
    if through is None:
        raise ValueError("rollout: got no layers, takes one or more")
    return through
