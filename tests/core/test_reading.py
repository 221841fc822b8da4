"""Measures of rows of weights: closed formulas, and the same numbers once more in plain Python."""

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.strategies import dtypes, leading, numbers, small
from vitattn_core import effective_keys, entropy, rank_correlation, softmax, total_variation


@pytest.mark.parametrize("keys", [1, 2, 7, 197])
def test_an_even_row_counts_all_its_keys_and_a_single_one_counts_one(keys: int) -> None:
    even, one = np.full(keys, 1 / keys), np.eye(keys)[0]
    assert entropy(even) == pytest.approx(math.log(keys), abs=1e-12)
    assert effective_keys(even) == pytest.approx(keys)
    assert (entropy(one), effective_keys(one)) == (0, 1)
    assert math.copysign(1, entropy(one)) == 1  # no minus before zero
    assert total_variation(even, one) == pytest.approx(1 - 1 / keys)
    assert total_variation(one, one) == 0


def test_half_on_one_key_and_half_on_n_others_counts_twice_the_root_of_n() -> None:
    for n in (1, 4, 9, 100):
        row = [0.5, *[0.5 / n] * n]
        assert effective_keys(row) == pytest.approx(2 * math.sqrt(n))
        assert entropy(row) == pytest.approx(math.log(2) + math.log(n) / 2)


def test_a_row_without_weight_counts_no_key() -> None:
    assert (entropy([0.0, 0.0]), effective_keys([0.0, 0.0])) == (0, 0)
    rows = np.array([[0.0, 0.0], [0.5, 0.5]], np.float32)
    assert effective_keys(rows).tolist() == pytest.approx([0, 2])


@given(st.data(), dtypes, leading, small, small)
def test_rows_as_plain_python_counts_them(
    data: Any, dtype: Any, lead: tuple[int, ...], queries: int, keys: int
) -> None:
    a, b = (softmax(data.draw(numbers((*lead, queries, keys), dtype, 5))) for _ in range(2))
    size = data.draw(st.sampled_from([1e-3, 1.0, 1e3]))
    ours = {"entropy": entropy(dtype(size) * a), "keys": effective_keys(a)}
    ours["apart"] = total_variation(a, b)
    for array in ours.values():
        assert array.shape == (*lead, queries) and array.dtype == dtype
    close: dict[str, Any] = {"rtol": 1e-5 if dtype == np.float32 else 1e-12, "atol": 1e-6}
    for at in np.ndindex(*lead, queries):
        row, other = a[at].tolist(), b[at].tolist()
        total = sum(row)
        right = -sum(x / total * math.log(x / total) for x in row if x)
        np.testing.assert_allclose(ours["entropy"][at], right, **close)
        np.testing.assert_allclose(ours["keys"][at], math.exp(right), **close)
        moved = sum(abs(x - y) for x, y in zip(row, other, strict=True)) / 2
        np.testing.assert_allclose(ours["apart"][at], moved, **close)
        assert 1 - 1e-5 <= ours["keys"][at] <= keys * (1 + 1e-5)


def spearman(one: list[float], other: list[float]) -> float:
    """Pearson's correlation of ranks, each the mean over all places that equal numbers could take."""

    def ranks(values: list[float]) -> list[float]:
        return [sum(x < y for x in values) + (values.count(y) + 1) / 2 for y in values]

    a, b = ranks(one), ranks(other)
    mean = (len(a) + 1) / 2
    both = sum((x - mean) * (y - mean) for x, y in zip(a, b, strict=True))
    each = [sum((x - mean) ** 2 for x in part) for part in (a, b)]
    return both / math.sqrt(each[0] * each[1]) if each[0] * each[1] else math.nan


@given(st.data(), st.integers(1, 8))
def test_rank_correlation_with_ties(data: Any, n: int) -> None:
    """Of few whole numbers, so that many are equal."""
    lists = st.lists(st.integers(-2, 2), min_size=n, max_size=n)
    one, other = data.draw(lists), data.draw(lists)
    ours = rank_correlation(one, other)
    np.testing.assert_allclose(ours, spearman(one, other), rtol=0, atol=1e-12)
    turned = rank_correlation(one, [-x for x in other])
    np.testing.assert_allclose(turned, -ours, rtol=0, atol=1e-12)


def test_without_ties_it_is_the_formula_of_squared_differences() -> None:
    order = np.array([3, 1, 4, 2, 5.0])
    apart = ((order - np.arange(1, 6)) ** 2).sum()
    right = 1 - 6 * apart / (5 * 24)
    assert rank_correlation(np.exp(np.arange(5.0)), order**3) == pytest.approx(right)
    both = rank_correlation([[1, 2, 3], [3, 2, 1]], [1, 2, 3])  # one list, spread over two rows
    assert both.tolist() == pytest.approx([1, -1])


def test_what_has_no_order_has_no_rank_correlation() -> None:
    for one, other in (([1, 1, 1], [1, 2, 3]), ([1], [2]), ([1, np.nan, 2], [1, 2, 3])):
        assert np.isnan(rank_correlation(one, other))
    assert np.isnan(entropy([0.5, np.nan])) and np.isnan(effective_keys([0.5, np.nan]))


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: entropy([0.5, -0.25]), ValueError, "entropy: weights: got -0.25, takes 0 or more"),
        (lambda: effective_keys([-1.0]), ValueError, "effective_keys: weights: got -1, takes 0 or"),
        (lambda: entropy(1.0), ValueError, r"entropy: weights: got shape \(\), takes \(…, N_k\)"),
        (
            lambda: total_variation([1.0], [0.5, 0.5]),
            ValueError,
            r"total_variation: got \(1,\) and \(2,\), takes rows of one length",
        ),
        (
            lambda: rank_correlation(np.ones((2, 3)), np.ones((3, 3))),
            ValueError,
            r"rank_correlation: got \(2, 3\) and \(3, 3\), .* the same axes in front, or 1",
        ),
        (lambda: entropy([True, False]), TypeError, "entropy: weights: got bool"),
    ],
)
def test_errors_name_the_request_the_input_and_the_limit(
    call: Any, error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=f"^{words}"):
        call()
