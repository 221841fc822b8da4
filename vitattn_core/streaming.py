"""Exact attention in blocks: the same outputs as `attention`, and no more than one block of scores.

Source: Milakov and Gimelshein 2018 (softmax in one pass, with a running maximum and a running sum);
Rabe and Staats 2021 and Dao et al. 2022 (attention by blocks of keys).

One block of queries meets one block of keys after the other. Beside the outputs it keeps two numbers
a query: `shift`, which is 0 or one of the scores so far, near the largest, and `total`, the sum of
e^(score − shift) so far. When the shift moves, what has been summed is multiplied by e^−(the move):
that is all, since (Σ e^(s − a) v) · e^(a − b) = Σ e^(s − b) v. Nothing is approximated; only rounding
differs.

Often the largest score need not be looked for: |q · k| ≤ |q| |k| (Cauchy and Schwarz), so where the
longest query and the longest key are short enough, no score is far from 0, and the shift stays there.
"""

import math
from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array, Mask, as_rows, same_dtype, spread_in_front
from .attention import scale
from .counts import whole
from .masks import check_mask

# At most so many queries, and so many keys, in a block: 400 · 400 float32 scores are 640 kB, which a
# core keeps in its own cache.
BLOCK = 400
# The shift stays where it is while the largest score is no further away than this: e^24, 3 · 10^10,
# is far from overflow, and e^−24 from underflow. Moving it costs a pass over the block.
SLACK = 24.0


def blocked_attention(
    q: ArrayLike,
    k: ArrayLike,
    v: ArrayLike,
    mask: ArrayLike | None = None,
    *,
    query_block: int = BLOCK,
    key_block: int = BLOCK,
) -> Array:
    """Return the outputs of `attention`, (…, N_q, d_v), without ever forming a row of weights.

    q (…, N_q, d_h), k (…, N_k, d_h), v (…, N_k, d_v), `mask` as in `attention`; a row that keeps no
    key gives zeros. Beside the outputs the memory is that of one block of scores, query_block ·
    key_block, of a few blocks of rows, and a number a key. There are no weights to return.
    Raises as `attention` does, ValueError for blocks below 1, TypeError for what is no whole number.

    Nothing is approximated: keys one by one give what all at once give.

    >>> q, k, v = np.array([[1.0]]), np.array([[3.0], [900.0], [-5.0]]), np.array([[1.0], [2.0], [7.0]])
    >>> blocked_attention(q, k, v, key_block=1).tolist(), attention(q, k, v)[0].tolist()
    ([[2.0]], [[2.0]])
    """
    request = "blocked_attention"
    queries = as_rows(f"{request}: q", q)
    keys = as_rows(f"{request}: k", k, queries.shape[-1])
    values = as_rows(f"{request}: v", v)
    same_dtype(request, q=queries, k=keys, v=values)
    if len({keys.shape[-2], values.shape[-2]}) > 1:
        raise ValueError(
            f"{request}: got {keys.shape[-2]} keys for {values.shape[-2]} values, takes as many"
        )
    spread_in_front(request, q=queries, k=keys, v=values)
    query_block = whole(f"{request}: query_block", query_block, 1)
    key_block = whole(f"{request}: key_block", key_block, 1)
    factor = scale(np.ones(1, queries.dtype), queries.shape[-1])  # 1 / √d_h
    in_front = np.broadcast_shapes(queries.shape[:-2], keys.shape[:-2])
    sizes = queries.shape[-2], keys.shape[-2]  # N_q, N_k
    keep = None if mask is None else check_mask(mask, (*in_front, *sizes))

    in_front = np.broadcast_shapes(in_front, values.shape[:-2])
    output = np.empty((*in_front, sizes[0], values.shape[-1]), queries.dtype)
    # Views, not copies: what is spread takes no memory.
    queries, keys, values = (
        np.broadcast_to(rows, (*in_front, *rows.shape[-2:])) for rows in (queries, keys, values)
    )
    keep = None if keep is None else np.broadcast_to(keep, (*in_front, *sizes))
    room = np.empty(min(query_block, sizes[0]) * min(key_block, sizes[1]), queries.dtype)
    for one in np.ndindex(in_front):  # an image, a head
        longest_key = _longest(keys[one])
        for rows in _parts(sizes[0], query_block):
            scaled = queries[one][rows] * factor
            near = _longest(scaled) * longest_key <= SLACK  # then so is each score, either way
            output[one][rows] = _mixture(
                scaled,
                keys[one],
                values[one],
                None if keep is None else keep[one][rows],
                near,
                key_block,
                room,
            )
    return output


def _longest(rows: Array) -> float:
    """Return the length of the longest of the rows, 0 without any; inf where its square is too large."""
    return math.sqrt(np.einsum("nc,nc->n", rows, rows).max(initial=0))


def _mixture(
    queries: Array,
    keys: Array,
    values: Array,
    keep: Mask | None,
    near: bool,
    key_block: int,
    room: Array,
) -> Array:
    """Return the outputs (n, d_v) of one block of scaled queries (n, d_h).

    `near`: no score is further from 0 than SLACK. `room` is for the scores of a block.
    """
    count = len(queries)
    mixed = np.zeros((count, values.shape[-1]), queries.dtype)  # Σ e^(s − shift) v so far
    total = np.zeros(count, queries.dtype)  # Σ e^(s − shift) so far
    shift = np.zeros(count, queries.dtype)
    ones = np.ones(min(key_block, len(keys)), queries.dtype)
    for part in _parts(len(keys), key_block):
        width = part.stop - part.start
        scores = room[: count * width].reshape(count, width)
        np.matmul(queries, keys[part].T, out=scores)  # (n, d_h) @ (d_h, m) -> (n, m)
        if keep is not None:
            np.copyto(scores, -np.inf, where=~keep[:, part])
        if not near:
            top = scores.max(axis=1)
            rise = top - shift
            # Up where a score is far above; down only before anything has been summed.
            moves = (rise > SLACK) | ((total == 0) & (rise < -SLACK) & (top > -np.inf))
            if moves.any():
                # The score itself: shift + rise would be a rounding away from it, and where scores
                # are large, a rounding is more than e can bear.
                shift = np.where(moves, top, shift)
                shrink = np.exp(-np.maximum(np.where(moves, rise, 0), 0))
                total *= shrink
                mixed *= shrink[:, None]
            if shift.any():
                scores -= shift[:, None]
        np.exp(scores, out=scores)
        total += scores @ ones[:width]
        mixed += scores @ values[part]
    mixed /= np.where(total == 0, 1, total)[:, None]  # a row that keeps no key stays zero
    return mixed


def _parts(count: int, most: int) -> Iterator[slice]:
    """Yield the fewest slices of at most `most` that cover `count`, as equal as they can be."""
    parts = -(-count // most)
    for n in range(parts):
        yield slice(count * n // parts, count * (n + 1) // parts)
