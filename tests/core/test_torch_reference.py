"""The function that readers copy, and its block: against torch and against the core."""

import inspect

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.core.strategies import (
    attention_weights,
    block_weights,
    dtypes,
    masks,
    numbers,
    small,
    tolerance,
)
from vitattn_core import attention, block, multi_head_attention
from vitattn_core import torch_reference as reference

batches = st.sampled_from([(), (1,), (3,)])


def tensor(array):
    return torch.from_numpy(np.array(array))


def spread(mask, shape):
    """The mask at the full shape of the scores; None stays None."""
    return None if mask is None else np.broadcast_to(mask, shape)


@given(st.data(), dtypes, batches, small, small, small)
def test_one_head(data, dtype, batch, n, width, head_width):
    x = data.draw(numbers((*batch, n, width), dtype, 10))
    w = [data.draw(numbers((width, head_width), dtype, 1)) for _ in range(3)]
    mask = data.draw(st.none() | masks((*batch, n, n)))
    torch_mask = None if mask is None else tensor(mask)
    w_q, w_k, w_v = map(tensor, w)
    output, weights = reference.self_attention(tensor(x), w_q, w_k, w_v, torch_mask)
    assert output.shape == (*batch, n, head_width)
    assert weights.shape == (*batch, n, n)
    q, k, v = (x @ matrix for matrix in w)
    ours, ours_weights = attention(q, k, v, spread(mask, (*batch, n, n)))
    scores = q @ np.swapaxes(k, -1, -2)
    np.testing.assert_allclose(weights, ours_weights, rtol=0, atol=tolerance(dtype, scores))
    np.testing.assert_allclose(output, ours, rtol=0, atol=tolerance(dtype, scores, v))
    theirs = torch.nn.functional.scaled_dot_product_attention(
        *map(tensor, (q, k, v)), attn_mask=torch_mask
    )
    np.testing.assert_allclose(output, theirs, rtol=0, atol=tolerance(dtype, scores, v))


@given(st.data(), dtypes, batches, small, st.integers(1, 3), st.integers(1, 3))
def test_several_heads(data, dtype, batch, n, heads, head_width):
    width = heads * head_width
    x = data.draw(numbers((*batch, n, width), dtype, 10))
    w = data.draw(
        attention_weights(
            width=width, heads=heads, head_width=head_width, dtype=dtype, biases=False
        )
    )
    mask = data.draw(st.none() | masks((n, n)))
    output, weights = reference.multi_head_self_attention(
        *map(tensor, (x, w.w_q, w.w_k, w.w_v, w.w_o)),
        heads=heads,
        mask=None if mask is None else tensor(mask),
    )
    ours = multi_head_attention(x, w, spread(mask, (*(1 for _ in batch), 1, n, n)))
    atol = tolerance(dtype, ours["S"], ours["V"])
    np.testing.assert_allclose(weights, ours["A"], rtol=0, atol=tolerance(dtype, ours["S"]))
    np.testing.assert_allclose(output, ours["M"], rtol=0, atol=atol)


@settings(max_examples=20)
@given(st.data(), dtypes, batches, st.integers(1, 5))
def test_the_block(data, dtype, batch, n):
    x = data.draw(numbers((*batch, n, 4), dtype, 10))
    w = data.draw(block_weights(width=4, heads=2, hidden=16, dtype=dtype))
    mask = data.draw(st.none() | masks((*batch, 2, n, n)))
    theirs = reference.Block(4, heads=2, eps=w.eps).to(tensor(x).dtype)
    a = w.attention
    matrices: dict[str, torch.Tensor] = {}
    for name, weight, bias in (
        ("query", a.w_q, a.b_q), ("key", a.w_k, a.b_k), ("value", a.w_v, a.b_v),
        ("output", a.w_o, a.b_o), ("mlp.0", w.w_1, w.b_1), ("mlp.2", w.w_2, w.b_2),
        ("norm_1", w.gain_1, w.shift_1), ("norm_2", w.gain_2, w.shift_2),
    ):  # fmt: skip
        matrices |= {f"{name}.weight": tensor(weight.T), f"{name}.bias": tensor(bias)}
    theirs.load_state_dict(matrices)  # strict: every name is used
    with torch.no_grad():
        z = theirs(tensor(x), None if mask is None else tensor(mask))
    ours = block(x, w, spread(mask, (*batch, 2, n, n)))
    np.testing.assert_allclose(z, ours.Z, rtol=0, atol=10 * tolerance(dtype, ours.S, ours.V))


def test_a_row_that_keeps_no_key_is_zero_and_learning_goes_on():
    """Zeros in the output, and no NaN on the way back either."""
    x = torch.arange(12.0).reshape(1, 3, 4) / 12
    w_q, w_k, w_v = (torch.linspace(-1, 1, 8).reshape(4, 2).roll(r) for r in range(3))
    matrices = [w.requires_grad_() for w in (w_q, w_k, w_v)]
    mask = torch.tensor([[True, False, True], [False] * 3, [True] * 3])
    output, weights = reference.self_attention(x, w_q, w_k, w_v, mask)
    assert not output[0, 1].any()
    assert not weights[0, 1].any()
    (output**2).sum().backward()
    for matrix in matrices:
        assert matrix.grad.isfinite().all()
        assert matrix.grad.any()


def test_a_hidden_key_weighs_exactly_nothing():
    x, eye = torch.ones(1, 2, 2), torch.eye(2)
    weights = reference.self_attention(x, eye, eye, eye, mask=torch.tensor([[True, False]]))[1]
    assert weights.tolist() == [[[1, 0], [1, 0]]]


def test_float16_holds_what_the_fused_kernel_holds():
    """The query is divided before the product: 40 · 40 · 64 is more than float16 can hold."""
    x = torch.stack([torch.full((64,), 40.0), torch.full((64,), 39.0)]).half()[None]
    eye = torch.eye(64).half()
    output, weights = reference.self_attention(x, eye, eye, eye)
    fused = torch.nn.functional.scaled_dot_product_attention(x, x, x)
    assert weights.tolist() == [[[1, 0], [1, 0]]]
    torch.testing.assert_close(output, fused)
    with reference.recorded_weights() as maps:
        torch.nn.functional.scaled_dot_product_attention(x, x, x)
    assert maps[0].tolist() == weights.tolist()


def test_a_mask_of_three_axes_is_one_an_image_in_the_block_too():
    """With as many images as heads it could be read as one a head, and nothing would say so."""
    torch.manual_seed(5)
    heads = images = 2
    x = torch.randn(images, 3, 4)
    block = reference.Block(4, heads=heads)
    keep = torch.tensor([[[True, False, True]] * 3, [[True, True, False]] * 3])
    w = [part.weight.T for part in (block.query, block.key, block.value, block.output)]
    with reference.recorded_weights() as maps, torch.no_grad():
        block(x, keep)
    _, explicit = reference.multi_head_self_attention(block.norm_1(x), *w, heads=heads, mask=keep)
    for image in range(images):
        assert not maps[0][image][:, ~keep[image]].any()
        assert not explicit[image][:, ~keep[image]].any()
    alone = torch.stack([block(x[i], keep[i]) for i in range(images)])
    torch.testing.assert_close(block(x, keep), alone)
    for_heads = torch.stack([torch.eye(3), torch.ones(3, 3)]).bool()  # four axes: one a head
    with reference.recorded_weights() as maps, torch.no_grad():
        block(x, for_heads[None])
    torch.testing.assert_close(maps[0][:, 0], torch.eye(3).expand(images, 3, 3))


def test_masks_that_are_not_boolean_are_refused():
    x, w = torch.zeros(1, 2, 2), torch.eye(2)
    for mask in (torch.ones(2, 2), torch.ones(2, 2, dtype=torch.int64)):
        with pytest.raises((TypeError, RuntimeError)):
            reference.self_attention(x, w, w, w, mask=mask)


def test_widths_that_heads_do_not_share_are_refused():
    w = torch.zeros(10, 10)
    with pytest.raises(ValueError, match="w_q: got 10 columns for 3 heads, takes a multiple"):
        reference.multi_head_self_attention(torch.zeros(1, 2, 10), w, w, w, w, heads=3)
    with pytest.raises(ValueError, match="Block: got width 10 for 3 heads, takes a multiple"):
        reference.Block(10, heads=3)


def test_the_readers_function_is_about_a_dozen_lines():
    source = inspect.getsource(reference.self_attention)
    body = source.split('"""')[2].strip().splitlines()
    assert len(body) <= 13
    assert max(map(len, body)) <= 96
