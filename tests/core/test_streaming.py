"""Attention in blocks: the numbers of the explicit pass, and no more memory than a block of scores."""
# ruff: noqa: E501 - a message stands on one line, as it is printed

import re
import tracemalloc
import warnings
from functools import partial

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.strategies import dtypes, leading, masks, numbers, small, tolerance
from vitattn_core import attention, blocked_attention, products, scale, streaming

blocks = st.integers(1, 7)  # of rows of up to six: most do not divide them, some hold them all


def close(ours, theirs, scores, values):
    """The project's tolerance: by dtype, by the largest score and by the largest value."""
    limit = tolerance(theirs.dtype, scores, values)
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=limit)


@given(st.data(), dtypes, leading, small, small, small, small, blocks, blocks)
def test_blocks_give_what_the_explicit_pass_gives(
    data, dtype, lead, queries, keys, head_width, value_width, query_block, key_block
):
    largest = data.draw(st.sampled_from([1.0, 100.0]))  # flat rows, and rows with one winner
    q = data.draw(numbers((*lead, queries, head_width), dtype, largest))
    k = data.draw(numbers((*lead, keys, head_width), dtype, largest))
    v = data.draw(numbers((*lead, keys, value_width), dtype))
    mask = data.draw(st.none() | masks((*lead, queries, keys)))
    explicit, weights = attention(q, k, v, mask)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours = blocked_attention(q, k, v, mask, query_block=query_block, key_block=key_block)
    close(ours, explicit, scale(products(q, k), head_width), v)
    nothing_kept = weights.sum(-1) == 0
    assert not ours[nothing_kept].any()


@given(st.data(), dtypes, st.integers(1, 40), blocks)
def test_whatever_the_order_in_which_scores_rise_and_fall(data, dtype, keys, key_block):
    """Scores to 1,000, one a key: the shift has to move up, and at the start down, and far."""
    q = np.ones((2, 1), dtype)
    k = data.draw(numbers((keys, 1), dtype, 1000))
    v = data.draw(numbers((keys, 2), dtype))
    explicit, _ = attention(q, k, v)
    close(blocked_attention(q, k, v, key_block=key_block), explicit, k, v)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("offset", [0, -2000, 2000])
def test_a_whole_row_far_from_zero(dtype, offset):
    """e^2000 overflows and e^−2000 is 0 in both dtypes: neither may be what is summed."""
    scores = np.array([[0, 3, -40, 5, 9, -9, 30, 1]], dtype).T + offset
    v = np.arange(8, dtype=dtype)[:, None] ** 2
    for key_block in (1, 3, 8):
        explicit, _ = attention(np.ones((1, 1), dtype), scores, v)
        ours = blocked_attention(np.ones((1, 1), dtype), scores, v, key_block=key_block)
        close(ours, explicit, scores, v)


@pytest.mark.parametrize(
    ("dtype", "large"),
    [
        (np.float32, 1.0),
        (np.float32, 1e18),
        (np.float32, 1e30),
        (np.float64, 1e30),
        (np.float64, 1e300),
    ],
)
def test_rows_whose_squares_overflow_or_vanish(dtype, large):
    """Products of −1, 1, 5 and 1,800 from a long query and short keys, whose lengths no longer tell that."""
    q = np.array([[large, large]], dtype)
    k = (np.array([[1, -2], [3, -2], [2, 3], [900, 900]]) / large).astype(dtype)
    v = np.arange(8, dtype=dtype).reshape(4, 2)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        ours = blocked_attention(q, k, v, key_block=2)
    close(ours, attention(q, k, v)[0], products(q, k), v)


def near_or_far(q, k, query_block):
    """For each block of queries: is the largest score not looked for, and how far from 0 is one."""
    seen = []

    def mixture(queries, keys, values, keep, near, key_block, room):
        seen.append((near, np.abs(queries @ keys.T).max()))
        return np.zeros((len(queries), 1), q.dtype)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(streaming, "_mixture", mixture)
        blocked_attention(q, k, np.ones((len(k), 1), q.dtype), query_block=query_block)
    return seen


@given(st.data(), dtypes, st.integers(1, 5), st.sampled_from([0.25, 1.0, 4.0, 30.0]), blocks)
def test_where_the_largest_score_is_not_looked_for_none_is_far(
    data, dtype, width, largest, query_block
):
    q, k = (data.draw(numbers((6, width), dtype, largest)) for _ in range(2))
    seen = near_or_far(q, k, query_block)
    assert len(seen) == -(-6 // query_block)
    assert all(most <= streaming.SLACK * (1 + 1e-5) for near, most in seen if near)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("share", "near"), [(0.01, True), (0.99, True), (1.01, False)])
def test_rows_of_one_direction_are_near_up_to_the_slack(dtype, share, near):
    """There the bound is reached, at either sign: not looked for as long as it may be, and no longer."""
    q, k = np.array([[3.0, 4.0]], dtype), np.array([[-3.0, -4.0], [1.5, 2.0]], dtype)
    q *= share * streaming.SLACK * np.sqrt(dtype(2)) / 25
    ((told, most),) = near_or_far(q, k, 1)
    assert told == near and np.isclose(most, share * streaming.SLACK)


def test_leading_axes_of_1_are_spread_and_views_are_taken_as_they_are():
    random = np.random.default_rng(0)
    rows = random.standard_normal((5, 3, 2)).swapaxes(0, 1)  # (3, 5, 2), as split_heads gives it
    k, v = random.standard_normal((1, 7, 2)), random.standard_normal((2, 1, 7, 4))
    keep = random.random((1, 5, 7)) > 0.3
    explicit, _ = attention(rows, k, v, keep)
    assert explicit.shape == (2, 3, 5, 4)
    ours = blocked_attention(rows, k, v, keep, query_block=2, key_block=3)
    np.testing.assert_allclose(ours, explicit, rtol=0, atol=1e-12)
    assert blocked_attention(rows[:, :0], k, v).shape == (2, 3, 0, 4)
    assert not blocked_attention(rows, k[:, :0], v[:, :, :0]).any()  # no key at all


def test_lists_and_whole_numbers_become_float64():
    assert blocked_attention([[1]], [[2], [2]], [[3], [5]]).tolist() == [[4]]
    assert blocked_attention([[1]], [[2]], [[3]]).dtype == np.float64


# --- memory ------------------------------------------------------------------------------------------


def peak(call):
    """Bytes that a call holds at most, beyond what was there, its result included."""
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        result = call()
        return tracemalloc.get_traced_memory()[1] - before, result
    finally:
        tracemalloc.stop()


def rows_of(tokens, width=64):
    random = np.random.default_rng(0)
    return (random.standard_normal((tokens, width), np.float32) for _ in range(3))


def bound(tokens, block, width=64):
    """The outputs, one block of scores, a few blocks of rows of `width`; 64 kB for Python itself."""
    return 4 * (tokens * width + block * block + 6 * block * (width + 4)) + 2**16


def in_row_blocks(q, k, v, block):
    """What does not count: a block of queries with all keys at once."""
    return np.vstack([attention(q[i : i + block], k, v)[0] for i in range(0, len(q), block)])


def test_the_largest_temporary_is_one_block_of_scores():
    tokens, block = 3000, 100
    q, k, v = rows_of(tokens)
    used, ours = peak(lambda: blocked_attention(q, k, v, query_block=block, key_block=block))
    assert used <= bound(tokens, block)
    by_rows, theirs = peak(lambda: in_row_blocks(q, k, v, block))
    np.testing.assert_allclose(ours, theirs, rtol=0, atol=1e-5)
    assert by_rows > bound(tokens, block)  # the bound can fail, for blocks of whole rows too
    assert by_rows > 3 * used
    keep = np.tri(tokens, dtype=bool)
    masked, _ = peak(lambda: blocked_attention(q, k, v, keep, query_block=block, key_block=block))
    assert masked <= bound(tokens, block) + block * block  # a block of the mask, turned round


@pytest.mark.parametrize("block", [50, 100, 200])
def test_memory_grows_with_the_rows_and_not_with_their_square(block):
    used = {}
    for tokens in (1000, 4000):
        q, k, v = rows_of(tokens)
        blocked = partial(blocked_attention, query_block=block, key_block=block)
        used[tokens] = peak(partial(blocked, q, k, v))[0] - q.nbytes  # less the outputs
    assert used[4000] <= 1.1 * used[1000] + 2**14


def test_a_sequence_of_12545_rows():
    """An image of 1792 pixels at P = 16: the matrix alone would take 630 MB a head in float32."""
    tokens = (1792 // 16) ** 2 + 1
    assert tokens == 12_545
    q, k, v = rows_of(tokens)
    used, ours = peak(lambda: blocked_attention(q, k, v))
    assert used <= bound(tokens, streaming.BLOCK) < tokens**2 * 4 / 90
    some = [0, 1, 6_000, 12_544]
    explicit, _ = attention(q[some], k, v)
    np.testing.assert_allclose(ours[some], explicit, rtol=0, atol=1e-5)


def test_scores_are_made_once_for_each_pair(monkeypatch):
    """No pass is repeated: block by block, N_q · N_k scores are exponentiated, and no more."""
    seen = []

    def matmul(a, b, out):
        seen.append(out.shape)
        return np.dot(a, b, out)

    monkeypatch.setattr(streaming.np, "matmul", matmul)
    q, k, v = rows_of(50)
    blocked_attention(q, k, v, query_block=20, key_block=13)
    assert max(n for n, _ in seen) <= 20 and max(m for _, m in seen) <= 13
    assert sum(n * m for n, m in seen) == 50 * 50


# --- errors ------------------------------------------------------------------------------------------

ones = np.ones
WORDING = [
    (ValueError, (ones(4), ones((3, 4)), ones((3, 4))), {}, "blocked_attention: q: got shape (4,), takes (…, rows, channels)"),
    (ValueError, (ones((3, 4)), ones((3, 5)), ones((3, 4))), {}, "blocked_attention: k: got shape (3, 5), takes (…, rows, 4)"),
    (ValueError, (ones((2, 3)), ones((2, 3)), ones((4, 3))), {}, "blocked_attention: got 2 keys for 4 values, takes as many"),
    (ValueError, (ones((2, 3, 4)), ones((3, 3, 4)), ones((3, 3, 4))), {}, "blocked_attention: got q (2, 3, 4), k (3, 3, 4), v (3, 3, 4); takes the same axes in front, or 1"),
    (TypeError, (ones((2, 2), np.float32), ones((2, 2)), ones((2, 2))), {}, "blocked_attention: got q float32, k float64, v float64; takes one dtype for all"),
    (TypeError, (ones((2, 2), bool), ones((2, 2)), ones((2, 2))), {}, "blocked_attention: q: got bool of shape (2, 2), takes float32 or float64"),
    (ValueError, (ones((2, 0)), ones((2, 0)), ones((2, 2))), {}, "scale: head_width: got 0, takes a positive number"),
    (TypeError, (ones((2, 2)), ones((2, 2)), ones((2, 2)), ones((2, 2))), {}, "mask: got float64, takes booleans (True = keep this key)"),
    (ValueError, (ones((3, 3)), ones((3, 3)), ones((3, 3)), ones(3, bool)), {}, "mask: got shape (3,) for scores (3, 3), takes 2 axes, each 1 or full, or two: (query, key)"),
    (ValueError, (ones((2, 2)), ones((2, 2)), ones((2, 2))), {"query_block": 0}, "blocked_attention: query_block: got 0, takes 1 or more"),
    (ValueError, (ones((2, 2)), ones((2, 2)), ones((2, 2))), {"key_block": -1}, "blocked_attention: key_block: got -1, takes 1 or more"),
]  # fmt: skip


@pytest.mark.parametrize(("error", "arguments", "sizes", "message"), WORDING)
def test_wording(error, arguments, sizes, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        blocked_attention(*arguments, **sizes)
