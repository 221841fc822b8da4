"""Numbers at the edge of what floats hold, where a right formula gives a wrong result or none."""

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.strategies import numbers
from vitattn_core import (
    attention,
    blocked_attention,
    flattest_weights,
    layer_norm,
    rollout,
    softmax,
)


@pytest.fixture(autouse=True)
def no_warnings() -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        yield


# --- a maximum that runs ----------------------------------------------------------------------------


def test_the_running_maximum_is_one_of_the_scores() -> None:
    """Where scores are large, adding the rise to the maximum is a rounding off, which e does not bear."""
    for dtype, large in ((np.float32, 1e10), (np.float64, 1e20)):
        k = (np.array([[-1.0], [0.123456789]]) * large).astype(dtype)
        one, v = np.ones((1, 1), dtype), np.array([[1], [2]], dtype)
        assert attention(one, k, v)[0].tolist() == [[2]]
        assert blocked_attention(one, k, v, key_block=1).tolist() == [[2]]


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize("large", [1e9, 1e12, 1e18, 1e30])
def test_large_scores_in_blocks_of_any_size(dtype: Any, large: float) -> None:
    """Scores so far apart that one key has all the weight: no rounding of the others can tell."""
    random = np.random.default_rng(0)
    for _ in range(30):
        k = (random.standard_normal((9, 1)) * large).astype(dtype)
        v = np.arange(9, dtype=dtype)[:, None]
        whole = attention(np.ones((1, 1), dtype), k, v)[0]
        assert whole.item() == k.argmax()
        for key_block in (1, 2, 4):
            ours = blocked_attention(np.ones((1, 1), dtype), k, v, key_block=key_block)
            assert ours.tolist() == whole.tolist()


def test_scores_from_one_end_of_the_floats_to_the_other() -> None:
    top = np.finfo(np.float32).max
    assert softmax(np.array([[-top, top]], np.float32)).tolist() == [[0, 1]]
    assert np.isnan(softmax([[np.inf, 0.0]])).all()  # no number says how the row is shared
    assert np.isnan(softmax([[np.nan, 0.0]])).all()


# --- a mixture on the edge of its values ------------------------------------------------------------

CORNERS = np.array([[0.0, 0], [1, 0], [0, 1], [1, 1]])


def test_an_output_on_an_edge_has_its_row() -> None:
    np.testing.assert_allclose(flattest_weights(CORNERS[:3], [0.3, 0]), [0.7, 0.3, 0], atol=1e-12)
    weights = softmax(np.array([0, 0.5, -800, -900]))  # the last two are 0 in floats
    np.testing.assert_allclose(flattest_weights(CORNERS, weights @ CORNERS), weights, atol=1e-12)
    for corner, row in zip(CORNERS, np.eye(4), strict=True):
        np.testing.assert_allclose(flattest_weights(CORNERS, corner), row, atol=1e-12)


@given(st.data(), st.integers(1, 3), st.integers(1, 6), st.sampled_from([1e-3, 1.0, 1e3]))
def test_every_output_of_some_keys_has_a_row_as_flat_or_flatter(
    data: Any, channels: int, keys: int, size: float
) -> None:
    """From a mixture of any of the keys: inside the values, on a face of theirs, or at a corner."""
    v = size * data.draw(numbers((keys, channels), np.float64, 3))
    used = data.draw(st.lists(st.booleans(), min_size=keys, max_size=keys).filter(any))
    scores = np.where(used, data.draw(numbers((keys,), np.float64, 9)), -np.inf)
    for dtype, close in ((np.float64, 1e-13), (np.float32, 1e-6)):
        values = v.astype(dtype)
        a = softmax(scores.astype(dtype))
        row = flattest_weights(values, a @ values)
        assert (row >= 0).all()
        assert row.sum() == pytest.approx(1, abs=1e-12)
        np.testing.assert_allclose(
            row @ values, a @ values, rtol=0, atol=2 * close * max(abs(values).max(), 1e-300)
        )
        spread = [-(w[w > 0] * np.log(w[w > 0])).sum(dtype=np.float64) for w in (row, a)]
        assert spread[0] >= spread[1] - 1e-9 - 100 * close * (dtype == np.float32)


@pytest.mark.parametrize("size", [1e-9, 1.0, 1e9])
@pytest.mark.parametrize("outside", [1e-6, 1e-9, 1e-12])
def test_what_lies_outside_has_no_row(outside: float, size: float) -> None:
    """At any scale of the values: an output is judged by their size and not by 1."""
    for output in ([-outside, 0.5], [0.5, 1 + outside], [1 + outside, 1 + outside]):
        with pytest.raises(ValueError, match="no row of weights on the kept keys"):
            flattest_weights(size * CORNERS, size * np.array(output))


# --- rows of equal numbers, and layers in one array ---------------------------------------------------


def test_a_row_of_equal_numbers_becomes_zero_with_any_eps() -> None:
    for dtype in (np.float32, np.float64):
        for number in (7, 0.1, 1 / 3, -2.7e30, 0):  # the mean of three 0.1 is one rounding off
            for width in (1, 3, 4, 7):
                row = np.full((1, width), number, dtype)
                for eps in (0, 1e-300, 1e-12, 1e-6):
                    assert layer_norm(row, eps=eps).tolist() == [[0] * width]
    np.testing.assert_allclose(layer_norm([[7, 7, 7, 8]], eps=0).std(), 1)
    assert layer_norm([[7, 7, 7, 7]], [2, 2, 2, 2], [1, 2, 3, 4], eps=0).tolist() == [[1, 2, 3, 4]]


def test_layers_may_come_as_a_list_an_array_or_one_by_one() -> None:
    layers = softmax(np.sin(np.arange(24.0)).reshape(2, 3, 2, 2))  # two layers of three heads
    right = rollout(list(layers))
    for given_as in (layers, tuple(layers), iter(layers)):
        np.testing.assert_array_equal(rollout(given_as), right)
    none: list[Any] = [[], np.zeros((0, 2, 2)), iter(())]
    for nothing in none:
        with pytest.raises(ValueError, match=r"^rollout: got no layers, takes one or more$"):
            rollout(nothing)
    with pytest.raises(ValueError, match=r"rollout: weights: got shape \(0, 2, 2\), takes"):
        rollout([np.zeros((0, 2, 2))])  # a layer without heads


# --- what a docstring promises about masked values ----------------------------------------------------


def test_a_hidden_value_keeps_numbers_out_and_nan_in_as_the_docstring_says() -> None:
    """The page on masks says the same; a hidden key may hold anything."""
    q, k, v = np.ones((1, 2)), np.ones((3, 2)), np.arange(6.0).reshape(3, 2)
    keep = np.array([[True, True, False]])
    right = attention(q, k, v, keep)[0]
    for what, seen in ((1e300, False), (np.nan, True), (np.inf, True)):
        hidden_value, hidden_key = v.copy(), k.copy()
        hidden_value[2] = hidden_key[2] = what
        for call in (
            lambda k, v: attention(q, k, v, keep)[0],
            lambda k, v: blocked_attention(q, k, v, keep),
        ):
            with np.errstate(invalid="ignore"):
                np.testing.assert_array_equal(call(hidden_key, v), right)
                assert np.isnan(call(k, hidden_value)).all() == seen
    words = " ".join((attention.__doc__ or "").split())
    assert "neither NaN nor infinity: 0 · NaN is NaN" in words
