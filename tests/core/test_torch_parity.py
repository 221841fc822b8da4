"""NumPy is the truth, torch is the witness: the core against torch's own attention and layers.

Allowed differences: `strategies.tolerance`. Only the core is held to "no NaN, dtype kept".
"""

import numpy as np
import torch
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from tests.core.strategies import (
    attention_weights,
    block_weights,
    dtypes,
    leading,
    masks,
    numbers,
    small,
    tolerance,
)
from vitattn_core import (
    attention,
    block,
    embed,
    gelu,
    hide,
    layer_norm,
    multi_head_attention,
    patchify,
    products,
    scale,
    softmax,
)

F = torch.nn.functional

batches = st.sampled_from([(), (1,), (3,)])
largest = st.sampled_from([1.0, 10.0, 100.0])  # small numbers too: large ones allow large errors


def tensor(array):
    return torch.from_numpy(np.array(array))


def close(ours, theirs, dtype, atol):
    """Ours has the dtype it was given and no NaN, and is within `atol` of torch's."""
    assert ours.dtype == dtype
    assert not np.isnan(ours).any()
    np.testing.assert_allclose(ours, theirs.detach().numpy(), rtol=0, atol=atol)


@given(st.data(), dtypes, leading, small, small, small, small, largest)
def test_attention_is_scaled_dot_product_attention(data, dtype, lead, n, keys, width, out, top):
    """Same mask, same meaning; rows that keep no key are zeros in both."""
    q = data.draw(numbers((*lead, n, width), dtype, top))
    k = data.draw(numbers((*lead, keys, width), dtype, top))
    v = data.draw(numbers((*lead, keys, out), dtype, top))
    mask = data.draw(st.none() | masks((*lead, n, keys)))
    output, weights = attention(q, k, v, mask)
    scores = scale(products(q, k), width)
    attn_mask = None if mask is None else tensor(np.broadcast_to(mask, scores.shape))
    theirs = F.scaled_dot_product_attention(tensor(q), tensor(k), tensor(v), attn_mask=attn_mask)
    close(output, theirs, dtype, tolerance(dtype, scores, v))
    # Its weights, by handing it the identity as values
    eye = np.broadcast_to(np.eye(keys, dtype=dtype), (*lead, keys, keys))
    theirs = F.scaled_dot_product_attention(tensor(q), tensor(k), tensor(eye), attn_mask=attn_mask)
    close(weights, theirs, dtype, tolerance(dtype, scores))


def torch_attention(w, width, dtype):
    """The core's weights in `nn.MultiheadAttention`, which stores (out, in) and fuses Q, K, V."""
    theirs = torch.nn.MultiheadAttention(
        width,
        w.heads,
        bias=w.b_q is not None,
        batch_first=True,
        dtype=tensor(np.zeros(1, dtype)).dtype,
    )
    with torch.no_grad():
        theirs.in_proj_weight.copy_(tensor(np.hstack([w.w_q, w.w_k, w.w_v]).T))
        theirs.out_proj.weight.copy_(tensor(w.w_o.T))
        if w.b_q is not None:
            theirs.in_proj_bias.copy_(tensor(np.hstack([w.b_q, w.b_k, w.b_v])))
            theirs.out_proj.bias.copy_(tensor(w.b_o))
    return theirs


@given(
    st.data(), dtypes, batches, small, st.integers(1, 3), st.integers(1, 3), st.booleans(), largest
)
def test_heads_and_w_o_are_multihead_attention(
    data, dtype, batch, n, heads, head_width, biases, top
):
    """Its mask means the opposite, True = leave out; rows that keep no key are NaN there."""
    width = heads * head_width
    u = data.draw(numbers((*batch, n, width), dtype, top))
    w = data.draw(
        attention_weights(
            width=width, heads=heads, head_width=head_width, dtype=dtype, biases=biases
        )
    )
    mask = data.draw(st.none() | masks((n, n)))
    kept = mask is None or np.broadcast_to(mask, (n, n)).any(-1)
    assume(np.all(kept))
    whole = None if mask is None else np.broadcast_to(mask, (*(1 for _ in batch), 1, n, n))
    ours = multi_head_attention(u, w, whole)
    attn_mask = None if mask is None else tensor(~np.broadcast_to(mask, (n, n)))
    output, weights = torch_attention(w, width, dtype)(
        *[tensor(u)] * 3, attn_mask=attn_mask, average_attn_weights=False
    )
    close(ours["A"], weights, dtype, tolerance(dtype, ours["S"]))
    close(ours["M"], output, dtype, tolerance(dtype, ours["S"], ours["V"]))


@given(st.data(), dtypes, st.integers(1, 3), st.integers(2, 5))
def test_a_padding_mask_is_its_key_padding_mask(data, dtype, images, n):
    u = data.draw(numbers((images, n, 4), dtype, 10))
    w = data.draw(attention_weights(width=4, heads=2, head_width=2, dtype=dtype))
    keep = data.draw(masks((images, n)))
    keep[:, 0] = True  # every image keeps a key
    keep = np.broadcast_to(keep, (images, n))
    ours = multi_head_attention(u, w, keep[:, None, None, :])
    output, _ = torch_attention(w, 4, dtype)(*[tensor(u)] * 3, key_padding_mask=tensor(~keep))
    close(ours["M"], output, dtype, tolerance(dtype, ours["S"], ours["V"]))


@given(st.data(), dtypes, st.integers(1, 8), small, st.booleans())
def test_layer_norm(data, dtype, width, n, learned):
    x = data.draw(numbers((n, width), dtype))
    gain, shift = (data.draw(numbers((width,), dtype, 2)) if learned else None for _ in range(2))
    theirs = F.layer_norm(
        tensor(x),
        (width,),
        None if gain is None else tensor(gain),
        None if shift is None else tensor(shift),
        eps=1e-2,
    )
    close(layer_norm(x, gain, shift, eps=1e-2), theirs, dtype, tolerance(dtype, x))


@given(st.data(), dtypes, small)
def test_gelu(data, dtype, n):
    """The exact form, which is torch's default; in float64 to 1e-12."""
    x = data.draw(numbers((n, 5), dtype))
    close(gelu(x), F.gelu(tensor(x)), dtype, 1e-12 if dtype == np.float64 else 1e-5)


@given(st.data(), dtypes, batches, st.integers(1, 3), small, small, st.integers(1, 3), small)
def test_patchify_times_the_flat_kernel_is_the_convolution(
    data, dtype, batch, channels, rows, columns, patch, width
):
    image = data.draw(numbers((*batch, channels, rows * patch, columns * patch), dtype, 10))
    kernel = data.draw(numbers((width, channels, patch, patch), dtype, 1))
    bias = data.draw(numbers((width,), dtype, 1))
    ours = embed(patchify(image, patch), kernel.reshape(width, -1).T, bias)
    theirs = F.conv2d(tensor(image), tensor(kernel), tensor(bias), stride=patch)
    close(ours, theirs.flatten(-2).swapaxes(-2, -1), dtype, tolerance(dtype, ours))


def fill(layer, weight, bias):
    """Copy a matrix (in, out) and its bias into an `nn.Linear`."""
    with torch.no_grad():
        layer.weight.copy_(tensor(weight.T))
        layer.bias.copy_(tensor(bias))


@settings(max_examples=20)
@given(st.data(), dtypes, batches, st.integers(1, 5))
def test_a_block_is_a_pre_norm_encoder_layer(data, dtype, batch, n):
    x = data.draw(numbers((*batch, n, 4), dtype, 10))
    w = data.draw(block_weights(width=4, heads=2, hidden=6, dtype=dtype))
    mask = data.draw(st.none() | masks((n, n)))
    assume(mask is None or np.broadcast_to(mask, (n, n)).any(-1).all())
    layer = torch.nn.TransformerEncoderLayer(
        4, 2, 6, dropout=0, activation="gelu", layer_norm_eps=w.eps, batch_first=True,
        norm_first=True, dtype=tensor(x).dtype,
    )  # fmt: skip
    layer.self_attn = torch_attention(w.attention, 4, dtype)
    fill(layer.linear1, w.w_1, w.b_1)
    fill(layer.linear2, w.w_2, w.b_2)
    fill(layer.norm1, w.gain_1, w.shift_1)
    fill(layer.norm2, w.gain_2, w.shift_2)
    whole = None if mask is None else np.broadcast_to(mask, (*(1 for _ in batch), 1, n, n))
    ours = block(x, w, whole)
    src_mask = None if mask is None else tensor(~np.broadcast_to(mask, (n, n)))
    atol = 10 * tolerance(dtype, ours.S, ours.V)  # what attention is allowed, through the MLP
    close(ours.Z, layer(tensor(x), src_mask=src_mask), dtype, atol)


@given(st.data(), small, st.integers(2, 6))
def test_softmax_with_hidden_keys(data, n, keys):
    """-inf in the scores is what torch's softmax takes too; it has NaN where a row keeps no key."""
    scores = data.draw(numbers((n, keys), np.float64))
    mask = data.draw(masks((n, keys)))
    ours, theirs = softmax(hide(scores, mask)), tensor(hide(scores, mask)).softmax(-1)
    kept = np.broadcast_to(mask, scores.shape).any(-1)
    assert theirs[~tensor(kept)].isnan().all()
    close(ours[kept], theirs[tensor(kept)], np.float64, 1e-12)
