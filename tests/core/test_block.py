"""The block: norm, GELU, residuals, the stack, batches, and the order of its steps."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core import strategies
from tests.core.strategies import dtypes, masks, numbers, plain_block, small, tolerance
from vitattn_core import (
    add_position,
    block,
    gelu,
    layer_norm,
    multi_head_attention,
    stack,
)

WIDTH, HEADS, HIDDEN = 4, 2, 6


def block_weights(dtype=np.float64):
    return strategies.block_weights(width=WIDTH, heads=HEADS, hidden=HIDDEN, dtype=dtype)


@given(st.data(), dtypes, small, st.integers(2, 8))
def test_layer_norm_is_the_biased_one_row_by_row(data, dtype, n, width):
    x = data.draw(numbers((n, width), dtype))
    gain, shift = (data.draw(numbers((width,), dtype, 2)) for _ in range(2))
    normed = layer_norm(x, gain, shift, eps=1e-2)
    assert normed.dtype == dtype
    for row, out in zip(x.astype(np.float64), normed, strict=True):
        mean = sum(row) / width
        spread = math.sqrt(sum((row - mean) ** 2) / width + 1e-2)
        right = (row - mean) / spread * gain + shift
        np.testing.assert_allclose(out, right, rtol=0, atol=1e-10 if dtype == np.float64 else 1e-2)


@given(st.data(), small, st.integers(2, 8))
def test_without_gain_and_shift_they_are_one_and_zero(data, n, width):
    x = data.draw(numbers((n, width), np.float64))
    with_them = layer_norm(x, np.ones(width), np.zeros(width), eps=1e-6)
    np.testing.assert_array_equal(layer_norm(x, eps=1e-6), with_them)


def test_gelu_is_the_exact_one():
    """At 1 the exact form is 0.8413447; the tanh form gives 0.8411920, QuickGELU 0.8457958."""
    assert gelu(1.0) == pytest.approx(0.8413447460685429, abs=1e-15)
    assert gelu(0.0) == 0
    np.testing.assert_allclose(gelu([-1.0, 40.0, -40.0]), [-0.15865525393145707, 40, 0], atol=1e-15)
    x = np.linspace(-6, 6, 241)
    np.testing.assert_allclose(gelu(x) - gelu(-x), x, atol=1e-14)  # Φ(x) + Φ(-x) = 1
    assert gelu(x).argmin() == 105  # the dip, near -0.75


@given(st.data(), dtypes, small)
def test_gelu_keeps_shape_and_dtype(data, dtype, n):
    x = data.draw(numbers((2, n), dtype))
    assert (gelu(x).dtype, gelu(x).shape) == (dtype, (2, n))


@given(st.data(), dtypes, small)
def test_the_block_is_its_two_formulas(data, dtype, n):
    """Y = X + MHA(LN(X)), Z = Y + MLP(LN(Y)): raw rows are added, not normed ones."""
    x = data.draw(numbers((n, WIDTH), dtype, 10))
    w = data.draw(block_weights(dtype))
    t = block(x, w)
    u = layer_norm(x, w.gain_1, w.shift_1, eps=w.eps)
    atol = 100 * tolerance(dtype, t.S, t.V)
    np.testing.assert_allclose(t.U, u, rtol=0, atol=0)
    np.testing.assert_allclose(
        t.Y, x + multi_head_attention(u, w.attention)["M"], rtol=0, atol=atol
    )
    normed = layer_norm(t.Y, w.gain_2, w.shift_2, eps=w.eps)
    np.testing.assert_allclose(t.W, normed, rtol=0, atol=0)
    np.testing.assert_allclose(t.H, normed @ w.w_1 + w.b_1, rtol=0, atol=atol)
    np.testing.assert_allclose(t.G, gelu(t.H), rtol=0, atol=0)
    np.testing.assert_allclose(t.Z, t.Y + t.G @ w.w_2 + w.b_2, rtol=0, atol=atol)
    assert {array.dtype for array in t.values()} == {np.dtype(dtype)}


@given(st.data(), st.integers(2, 5))
def test_a_block_without_position_moves_its_rows_with_its_input(data, n):
    x = data.draw(numbers((n, WIDTH), np.float64, 5))
    w = data.draw(block_weights())
    order = np.array(data.draw(st.permutations(range(n))))
    np.testing.assert_allclose(block(x[order], w).Z, block(x, w).Z[order], rtol=0, atol=1e-9)


def test_positions_of_its_own_break_the_symmetry_and_one_for_all_does_not():
    rng = np.random.default_rng(17)
    x = rng.normal(size=(3, WIDTH))
    w = plain_block(WIDTH, HEADS, rng.normal(size=(WIDTH, WIDTH)))
    order = [2, 0, 1]
    for table, moves_along in (
        (rng.normal(size=(3, WIDTH)), False),
        (np.full((3, WIDTH), 0.7), True),
    ):
        there = block(add_position(x[order], table), w).Z
        here = block(add_position(x, table), w).Z[order]
        assert np.allclose(there, here) is moves_along


@given(st.data(), dtypes, st.integers(1, 3), st.integers(1, 4), st.booleans())
def test_a_batch_is_a_loop(data, dtype, images, tokens, masked):
    x = data.draw(numbers((images, tokens, WIDTH), dtype, 3))
    w = data.draw(block_weights(dtype))
    shape = (images, HEADS, tokens, tokens)
    mask = np.broadcast_to(data.draw(masks(shape)), shape) if masked else None
    whole = block(x, w, mask)
    for image in range(images):
        alone = block(x[image], w, None if mask is None else mask[image])
        assert list(alone) == list(whole)
        for name, array in whole.items():
            atol = 100 * tolerance(dtype, whole.S, whole.V)
            np.testing.assert_allclose(array[image], alone[name], rtol=0, atol=atol)


def test_in_a_batch_a_mask_that_could_mean_two_things_is_refused():
    w = plain_block(WIDTH, HEADS)
    x, mask = np.arange(36.0).reshape(3, 3, WIDTH) % 7, np.tri(3, dtype=bool)
    with pytest.raises(ValueError, match=r"write \(1, …, N, N\) .* \(B, 1, 1, N\)"):
        block(x, w, mask)
    of_queries, of_images = block(x, w, mask[None, None]), block(x, w, mask[:, None, None])
    assert not of_queries.A[..., 0, 1].any()
    assert of_queries.A[..., 2, 1].all()
    assert not of_images.A[0, :, :, 1].any()
    assert of_images.A[2, :, :, 1].all()


def test_without_a_batch_two_axes_are_query_and_key_also_where_heads_equal_rows():
    mask = np.tri(HEADS, dtype=bool)
    t = block(np.eye(HEADS, WIDTH), plain_block(WIDTH, HEADS), mask)
    assert (t.A[:, ~mask] == 0).all()
    assert (t.A[:, mask] > 0).all()


@given(st.data(), small)
def test_a_stack_hands_z_on(data, n):
    x = data.draw(numbers((n, WIDTH), np.float64, 3))
    blocks = [data.draw(block_weights()) for _ in range(2)]
    first, second = stack(x, blocks)
    np.testing.assert_array_equal(first.Z, block(x, blocks[0]).Z)
    np.testing.assert_array_equal(second.X, first.Z)
    np.testing.assert_array_equal(second.Z, block(first.Z, blocks[1]).Z)


def test_a_stack_takes_one_mask_for_all_blocks():
    w = plain_block(WIDTH, HEADS)
    for t in stack(np.eye(3, WIDTH), [w, w], np.array([[True, True, False]])):
        assert not t.A[..., 2].any()
        assert t.A[..., :2].all()


@pytest.fixture
def drawn():
    """A block of random numbers, without biases."""
    rng = np.random.default_rng(2)
    attention = replace(
        plain_block(WIDTH, HEADS).attention,
        w_q=rng.normal(size=(4, 4)),
        w_v=rng.normal(size=(4, 4)),
    )
    return replace(
        plain_block(WIDTH, HEADS),
        attention=attention,
        w_1=rng.normal(size=(WIDTH, HIDDEN)),
        w_2=rng.normal(size=(HIDDEN, WIDTH)),
    )


def test_layer_scale_multiplies_what_is_added(drawn):
    w = drawn
    x = np.random.default_rng(0).normal(size=(3, WIDTH))
    scales = {"scale_1": np.array([0.0, 1, 2, -1]), "scale_2": np.array([3.0, 0, 1, 1])}
    trace, plain = block(x, replace(w, **scales)), block(x, w)
    np.testing.assert_array_equal(trace.M, plain.M)  # as W_O returns it
    np.testing.assert_array_equal(trace.Y, x + trace.M * scales["scale_1"])
    np.testing.assert_array_equal(trace.Z, trace.Y + trace.F * scales["scale_2"])
    ones = block(x, replace(w, scale_1=np.ones(WIDTH), scale_2=np.ones(WIDTH)))
    np.testing.assert_array_equal(ones.Z, plain.Z)


@pytest.mark.parametrize("name", ["scale_1", "scale_2"])
def test_a_layer_scale_of_another_shape_or_dtype_is_refused(drawn, name):
    w, x = drawn, np.zeros((3, WIDTH))
    with pytest.raises(ValueError, match=rf"block: {name}: got shape \(3,\), takes \(4,\)"):
        block(x, replace(w, **{name: np.ones(3)}))
    with pytest.raises(TypeError, match=f"block: got added float64, {name} float32"):
        block(x, replace(w, **{name: np.ones(WIDTH, np.float32)}))


def test_the_activation_is_the_blocks(drawn):
    x = np.random.default_rng(1).normal(size=(3, WIDTH))
    w = drawn
    np.testing.assert_array_equal(block(x, w).G, gelu(block(x, w).H))
    doubled = block(x, replace(w, activation=lambda h: 2 * h))
    np.testing.assert_array_equal(doubled.G, 2 * doubled.H)
