"""Interventions and rollout: each against what its words say, computed another way."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.strategies import dtypes, leading, numbers, small, tolerance
from vitattn_core import (
    attention,
    delete_key,
    flattest_weights,
    part_lengths,
    rollout,
    softmax,
    swap_values,
    zero_value,
)


@given(st.data(), dtypes, leading, small, small)
def test_deleting_a_key_is_hiding_it_before_the_softmax(data, dtype, lead, queries, keys):
    q = data.draw(numbers((*lead, queries, 2), dtype, 3))
    k = data.draw(numbers((*lead, keys, 2), dtype, 3))
    v = data.draw(numbers((*lead, keys, 3), dtype, 3))
    key = data.draw(st.integers(0, keys - 1))
    output, weights = attention(q, k, v)
    keep = np.arange(keys)[None] != key
    mask = keep.reshape(*(1 for _ in lead), *keep.shape)
    hidden_output, hidden = attention(q, k, v, mask)
    deleted = delete_key(weights, key)
    assert deleted.dtype == dtype
    close = {"rtol": 0, "atol": 1e3 * tolerance(dtype, 18.0, v)}
    np.testing.assert_allclose(deleted, hidden, **close)
    np.testing.assert_allclose(deleted @ v, hidden_output, **close)
    # How far the output moves: a / (1 − a) times the distance of the value from the mixture
    a = weights[..., key]
    if keys > 1:
        away = np.linalg.norm(output - v[..., key, None, :], axis=-1)
        moved = np.linalg.norm(deleted @ v - output, axis=-1)
        np.testing.assert_allclose((1 - a) * moved, a * away, **close)


def test_what_is_left_is_shared_out_where_the_weights_still_tell_how():
    """The others may be as light as floats go; once they are 0, only the scores know their shares."""
    light = np.array([[0.0, -600, -601]])
    np.testing.assert_allclose(
        delete_key(softmax(light), 0), softmax([[-np.inf, -600, -601]]), rtol=1e-12
    )
    gone = r"delete_key: weights: got row \(0\) with all its weight on key 0, .*softmax\(hide\("
    for scores in ([[0, -800, -801]], [[0, -710, -741]]):  # vanished, and nearly so
        with pytest.raises(ValueError, match=gone):
            delete_key(softmax(scores), 0)
    with pytest.raises(ValueError, match=r"got row \(1, 0\) with all its weight on key 1"):
        delete_key([[[0.5, 0.5]], [[0.0, 1.0]]], 1)


def test_a_row_without_weights_stays_so_and_the_only_key_leaves_nothing():
    assert delete_key([[0.0, 0.0], [0.25, 0.75]], 1).tolist() == [[0, 0], [1, 0]]
    assert delete_key([[1.0], [0.0]], 0).tolist() == [[0], [0]]


@given(st.data(), dtypes, leading, small)
def test_zeroing_and_swapping_change_values_and_nothing_else(data, dtype, lead, keys):
    v = data.draw(numbers((*lead, keys, 3), dtype, 3))
    a = softmax(data.draw(numbers((*lead, 2, keys), dtype, 3)))
    one, other = data.draw(st.tuples(*[st.integers(0, keys - 1)] * 2))
    before = v.copy()
    zeroed, swapped = zero_value(v, one), swap_values(v, one, other)
    np.testing.assert_array_equal(v, before)
    close = {"rtol": 0, "atol": tolerance(dtype, 1.0, v)}
    part = a[..., one, None] * v[..., None, one, :]
    np.testing.assert_allclose(a @ v - a @ zeroed, part, **close)
    np.testing.assert_allclose(part_lengths(a, v)[..., one], np.linalg.norm(part, axis=-1), **close)
    between = (a[..., one] - a[..., other])[..., None] * (v[..., other, :] - v[..., one, :])[
        ..., None, :
    ]
    np.testing.assert_allclose(a @ swapped - a @ v, between, **close)
    np.testing.assert_array_equal(swap_values(swapped, one, other), v)
    assert zeroed.dtype == swapped.dtype == dtype


@given(st.data(), st.integers(1, 3), st.integers(2, 8))
def test_the_flattest_row_gives_the_output_and_is_flatter(data, channels, keys):
    """From a mixture that exists."""
    v = data.draw(numbers((keys, channels), np.float64, 3))
    a = softmax(data.draw(numbers((keys,), np.float64, 2)))
    row = flattest_weights(v, a @ v)
    assert np.all(row >= 0)
    np.testing.assert_allclose(row.sum(), 1, rtol=0, atol=1e-12)
    np.testing.assert_allclose(row @ v, a @ v, rtol=0, atol=1e-11)
    entropy = [-np.sum(w * np.log(np.maximum(w, 1e-300))) for w in (row, a)]
    assert entropy[0] >= entropy[1] - 1e-9


def test_the_flattest_row_keeps_to_its_keys():
    v = np.array([[0.0], [1.0], [2.0], [4.0]])
    keep = np.array([True, False, False, True])
    np.testing.assert_allclose(flattest_weights(v, [1.0], keep), [0.75, 0, 0, 0.25], atol=1e-12)
    np.testing.assert_allclose(flattest_weights(v[:3], [1.0]), [1 / 3] * 3, atol=1e-12)
    with pytest.raises(ValueError, match="no row of weights on the kept keys gives this output"):
        flattest_weights(v, [5.0])
    with pytest.raises(ValueError, match="no row of weights on the kept keys gives this output"):
        flattest_weights(v, [1.0], keep=np.zeros(4, dtype=bool))


def rolled_out(layers):
    """Rollout in plain Python numbers: paths from the last row to an input row, summed."""
    n = len(layers[0])
    through = [[float(i == j) for j in range(n)] for i in range(n)]
    for a in layers:
        step = [[a[i][j] + (i == j) for j in range(n)] for i in range(n)]
        step = [[x / sum(row) for x in row] for row in step]
        through = [
            [sum(step[i][l] * through[l][j] for l in range(n)) for j in range(n)] for i in range(n)
        ]
    return through


@given(st.data(), dtypes, st.integers(1, 4), st.integers(1, 3))
def test_rollout_is_the_sum_over_paths(data, dtype, n, depth):
    """Rows need not sum to 1: here they are any weights, as after discarding."""
    layers = [abs(data.draw(numbers((n, n), dtype, 3))) for _ in range(depth)]
    out = rollout(layers)
    assert out.dtype == dtype
    np.testing.assert_allclose(out.sum(axis=-1), 1, rtol=0, atol=tolerance(dtype, 1.0))
    right = rolled_out([a.astype(np.float64).tolist() for a in layers])
    np.testing.assert_allclose(out, right, rtol=0, atol=tolerance(dtype, 1.0))


def test_rollout_by_hand():
    """Two layers in order; the last one stands at the left."""
    first, last = [[0.0, 1.0], [0.5, 0.5]], [[1.0, 0.0], [1.0, 0.0]]
    assert rollout([first]).tolist() == [[0.5, 0.5], [0.25, 0.75]]
    assert rollout([first, last]).tolist() == [[0.5, 0.5], [0.375, 0.625]]
    assert rollout([last, first]).tolist() == [[0.75, 0.25], [0.625, 0.375]]


def test_rollout_averages_heads_and_discards_the_smallest():
    heads = np.array([[[1.0, 0.0], [0.5, 0.5]], [[0.5, 0.5], [0.0, 1.0]]])
    np.testing.assert_array_equal(rollout([heads]), rollout([heads.mean(axis=0)]))
    # mean: .75 .25 / .25 .75; half of the four is dropped: 1.75 0 / 0 1.75, then rows to sum 1
    assert rollout([heads], discard=0.5).tolist() == [[1, 0], [0, 1]]
    quarter = rollout([[[0.6, 0.4], [0.1, 0.9]]], discard=0.25)
    np.testing.assert_allclose(quarter, [[0.8, 0.2], [0.0, 1.0]], rtol=1e-15)


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: rollout([]), ValueError, "rollout: got no layers, takes one or more"),
        (
            lambda: rollout([np.eye(2)], discard=1),
            ValueError,
            "rollout: discard: got 1, takes 0 to below 1",
        ),
        (
            lambda: rollout([np.ones((2, 3))]),
            ValueError,
            r"rollout: weights: got shape \(2, 3\), takes \(N, N\) or \(h, N, N\)",
        ),
        (
            lambda: rollout([np.eye(2), np.eye(2, dtype=np.float32)]),
            TypeError,
            "rollout: weights: got before float64, next float32; takes one dtype for all",
        ),
        (
            lambda: rollout([np.eye(2), np.eye(3)]),
            ValueError,
            "rollout: got layers of 2 and 3 rows, takes one N",
        ),
        (lambda: delete_key(np.eye(2), 2), IndexError, "delete_key: got key 2, takes 0 to 1"),
        (lambda: zero_value(np.eye(2), -1), IndexError, "zero_value: got key -1, takes 0 to 1"),
        (
            lambda: part_lengths(np.eye(2), np.ones((3, 2))),
            ValueError,
            "part_lengths: got 2 weights a row for 3 values, takes as many",
        ),
        (
            lambda: flattest_weights(np.eye(2), [1.0]),
            ValueError,
            r"flattest_weights: got values \(2, 2\) and output \(1,\), takes \(N_k, d_v\) and \(d_v,\)",
        ),
        (
            lambda: flattest_weights(np.eye(2), [1.0, 0.0], [1, 0]),
            TypeError,
            "flattest_weights: keep: got int64 of shape .2,., takes booleans of shape",
        ),
        (
            lambda: flattest_weights(np.eye(2), [1.0, 0.0], [True]),
            ValueError,
            "flattest_weights: keep: got bool of shape .1,., takes booleans of shape .2,.",
        ),
    ],
)
def test_errors_name_the_request_the_input_and_the_limit(call, error, words):
    with pytest.raises(error, match=words):
        call()
