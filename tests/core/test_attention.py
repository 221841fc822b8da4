"""Attention, step by step: what each step must do, without another library as a witness."""

import math
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.strategies import (
    attention_weights,
    dtypes,
    leading,
    masks,
    numbers,
    plain_block,
    small,
    tolerance,
)
from vitattn_core import (
    AttentionWeights,
    attention,
    merge_heads,
    mix,
    multi_head_attention,
    products,
    scale,
    softmax,
    split_heads,
)

ROW_SUM = {np.float32: 1e-6, np.float64: 1e-12}


def by_hand(q, k, v, mask=None):
    """One head in plain Python numbers: outputs and weights, row by row."""
    outputs, weights = [], []
    for i, query in enumerate(q.tolist()):
        kept = [j for j in range(len(k)) if mask is None or mask[i][j]]
        scores = {
            j: sum(map(float.__mul__, query, k[j].tolist())) / len(query) ** 0.5 for j in kept
        }
        top = max(scores.values(), default=0.0)
        e = {j: math.exp(s - top) for j, s in scores.items()}
        weights.append([e.get(j, 0.0) / (sum(e.values()) or 1.0) for j in range(len(k))])
        outputs.append(weights[-1] @ v.astype(np.float64))
    return np.array(outputs), np.array(weights)


@given(st.data(), small, small, small, small)
def test_attention_is_the_formula_row_by_row(data, queries, keys, head_width, value_width):
    q = data.draw(numbers((queries, head_width), np.float64, 10))
    k = data.draw(numbers((keys, head_width), np.float64, 10))
    v = data.draw(numbers((keys, value_width), np.float64))
    mask = data.draw(st.none() | masks((queries, keys)))
    output, weights = attention(q, k, v, mask)
    spread = None if mask is None else np.broadcast_to(mask, (queries, keys))
    right_output, right_weights = by_hand(q, k, v, spread)
    np.testing.assert_allclose(weights, right_weights, rtol=0, atol=1e-10)
    np.testing.assert_allclose(output, right_output, rtol=0, atol=1e-8)


@given(st.data(), dtypes, leading, small, small)
def test_every_row_with_a_key_sums_to_one(data, dtype, lead, queries, keys):
    scores = data.draw(numbers((*lead, queries, keys), dtype, 1e4))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        weights = softmax(scores)
    assert weights.dtype == dtype
    assert (weights >= 0).all()
    np.testing.assert_allclose(weights.sum(-1), 1, rtol=0, atol=ROW_SUM[dtype])
    np.testing.assert_allclose(softmax(scores, axis=-2).sum(-2), 1, rtol=0, atol=ROW_SUM[dtype])


@given(st.data(), dtypes)
def test_a_long_row_sums_to_one(data, dtype):
    """197 keys, as in ViT-B/16: rounding adds up, and stays within the tolerance of the dtype."""
    scores = data.draw(numbers((1, 197), dtype, 20))
    assert abs(float(softmax(scores).sum()) - 1) <= ROW_SUM[dtype]


@given(st.data(), small, small)
def test_the_largest_score_cancels(data, queries, keys):
    """Weights are those of e^s over its sum, whatever is added to a whole row."""
    scores = data.draw(numbers((queries, keys), np.float64, 20))
    e = np.exp(scores)
    np.testing.assert_allclose(softmax(scores), e / e.sum(-1, keepdims=True), rtol=1e-12)
    np.testing.assert_allclose(softmax(scores + 1000), softmax(scores), rtol=1e-10)


def test_where_float32_underflows_to_exactly_zero():
    """About 104 below the largest score e^s is 0; divided by 196 equal tops, from 98.7 on."""
    gap = np.array([[0, -103, -104]], np.float32)
    assert list(softmax(gap)[0] > 0) == [True, True, False]
    for below, positive in ((98.6, True), (98.8, False)):
        crowd = np.append(np.zeros(196, np.float32), np.float32(-below))
        assert (softmax(crowd)[-1] > 0) == positive


@given(st.data(), dtypes, small, st.integers(1, 16))
def test_scale_divides_by_the_root_and_keeps_the_order(data, dtype, n, head_width):
    p = data.draw(numbers((n, n), dtype))
    s = scale(p, head_width)
    assert s.dtype == dtype
    np.testing.assert_allclose(s * math.sqrt(head_width), p, rtol=1e-6)
    assert ((p[:, :, None] < p[:, None, :]) >= (s[:, :, None] < s[:, None, :])).all()


@given(st.data(), dtypes, leading, small, small, small)
def test_products_and_mixtures_are_sums(data, dtype, lead, queries, keys, width):
    q = data.draw(numbers((*lead, queries, width), dtype))
    k = data.draw(numbers((*lead, keys, width), dtype))
    p = products(q, k)
    assert (p.shape, p.dtype) == ((*lead, queries, keys), dtype)
    sums = (q[..., :, None, :].astype(float) * k[..., None, :, :]).sum(-1)
    np.testing.assert_allclose(p, sums, rtol=0, atol=tolerance(dtype, p))
    o = mix(p, k)
    sums = (p[..., :, :, None].astype(float) * k[..., None, :, :]).sum(-2)
    np.testing.assert_allclose(o, sums, rtol=0, atol=tolerance(dtype, p, k))


@given(st.sampled_from([(), (2,)]), small, small, small, dtypes)
def test_heads_own_neighbouring_channels(batch, tokens, heads, head_width, dtype):
    rows = np.arange(np.prod((*batch, tokens, heads * head_width)), dtype=dtype)
    rows = rows.reshape(*batch, tokens, heads * head_width)
    split = split_heads(rows, heads)
    assert (split.shape, split.dtype) == ((*batch, heads, tokens, head_width), dtype)
    for h in range(heads):
        own = slice(h * head_width, (h + 1) * head_width)
        np.testing.assert_array_equal(split[..., h, :, :], rows[..., own])
    np.testing.assert_array_equal(merge_heads(split), rows)


@given(st.data(), small, st.integers(1, 3), st.integers(1, 3), st.booleans())
def test_heads_work_alone_and_are_joined_by_w_o(data, tokens, heads, head_width, biases):
    """Each head sees its own columns only; the joined outputs go through one matrix."""
    width = 4
    u = data.draw(numbers((tokens, width), np.float64, 3))
    w = data.draw(attention_weights(width=width, heads=heads, head_width=head_width, biases=biases))
    steps = multi_head_attention(u, w)
    outputs = []
    for h in range(heads):
        own = slice(h * head_width, (h + 1) * head_width)
        q, k, v = (
            u @ matrix[:, own] + (0 if bias is None else bias[own])
            for matrix, bias in ((w.w_q, w.b_q), (w.w_k, w.b_k), (w.w_v, w.b_v))
        )
        output, weights = by_hand(q, k, v)
        np.testing.assert_allclose(steps["P"][h], q @ k.T, rtol=0, atol=1e-10)
        np.testing.assert_allclose(steps["S"][h], q @ k.T / head_width**0.5, rtol=0, atol=1e-10)
        np.testing.assert_allclose(steps["A"][h], weights, rtol=0, atol=1e-10)
        np.testing.assert_allclose(steps["O"][h], output, rtol=0, atol=1e-10)
        outputs.append(output)
    joined = np.hstack(outputs)
    np.testing.assert_allclose(steps["joined"], joined, rtol=0, atol=1e-10)
    right = joined @ w.w_o + (0 if w.b_o is None else w.b_o)
    np.testing.assert_allclose(steps["M"], right, rtol=0, atol=1e-10)


def test_the_steps_come_in_order():
    w = plain_block(2, heads=1).attention
    names = ["Q", "K", "V", "P", "S", "masked", "A", "O", "joined", "M"]
    assert list(multi_head_attention(np.eye(2), w)) == names


@given(st.data(), st.integers(2, 6), small)
def test_bare_attention_moves_its_rows_with_its_input(data, n, width):
    """Permuting the rows permutes the output rows in the same way: equivariant, not invariant."""
    x = data.draw(numbers((n, width), np.float64, 5))
    w = data.draw(attention_weights(width=width, heads=2, head_width=2))
    order = np.array(data.draw(st.permutations(range(n))))
    there = multi_head_attention(x[order], w)["M"]
    np.testing.assert_allclose(there, multi_head_attention(x, w)["M"][order], rtol=0, atol=1e-9)


def test_bare_attention_is_not_invariant():
    x = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    w = AttentionWeights(np.eye(2), 2 * np.eye(2), np.array([[0.0, 1.0], [3.0, 0.0]]), np.eye(2), 1)
    order = [2, 0, 1]
    moved, still = (multi_head_attention(rows, w)["M"] for rows in (x[order], x))
    assert np.abs(moved - still).max() > 0.1


@given(st.data(), dtypes, st.integers(1, 3), small, small)
def test_a_batch_is_a_loop(data, dtype, images, tokens, width):
    u = data.draw(numbers((images, tokens, width), dtype, 3))
    w = data.draw(attention_weights(width=width, heads=2, head_width=2, dtype=dtype))
    whole = multi_head_attention(u, w)
    for name, array in whole.items():
        assert array.dtype == dtype
        for one, image in zip(array, u, strict=True):
            alone = multi_head_attention(image, w)[name]
            atol = tolerance(dtype, whole["S"], whole["V"])
            np.testing.assert_allclose(one, alone, rtol=0, atol=atol)


@pytest.mark.parametrize("given_as", [list, np.array, lambda x: np.array(x, np.int32)])
def test_lists_and_integers_become_float64(given_as):
    output, weights = attention(given_as([[1, 2]]), given_as([[3, 4]]), given_as([[5, 6]]))
    assert output.dtype == weights.dtype == np.float64
    np.testing.assert_array_equal(output, [[5, 6]])
