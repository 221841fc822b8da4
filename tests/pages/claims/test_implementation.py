"""What docs/implementation.md says of its code, in full: the page itself shows a part of it."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F
from torch.nn.functional import scaled_dot_product_attention
from torch.nn.functional import scaled_dot_product_attention as taken

from vitattn_core import AttentionWeights, BlockWeights, block, multi_head_attention
from vitattn_core.torch_reference import Block, recorded_weights, self_attention


def test_shapes():
    torch.manual_seed(0)
    batch, tokens, model_width, head_width = 2, 5, 12, 3  # all different
    x = torch.randn(batch, tokens, model_width)
    w_q, w_k, w_v = (torch.randn(model_width, head_width) / 3 for _ in range(3))

    q, k, v = x @ w_q, x @ w_k, x @ w_v
    assert q.shape == k.shape == v.shape == (batch, tokens, head_width)

    scores = q / math.sqrt(head_width) @ k.transpose(-2, -1)
    assert scores.shape == (batch, tokens, tokens)  # query, key
    i, j = 1, 4  # entry (i, j) belongs to query i and key j
    assert torch.allclose(scores[0, i, j], q[0, i] @ k[0, j] / math.sqrt(head_width))

    weights = scores.softmax(dim=-1)  # over the keys
    assert torch.allclose(weights.sum(dim=-1), torch.ones(batch, tokens))
    assert not torch.allclose(weights.sum(dim=-2), torch.ones(batch, tokens))
    assert not torch.allclose(weights, weights.transpose(-2, -1))  # not symmetric

    output = weights @ v
    assert output.shape == (batch, tokens, head_width)

    same_output, same_weights = self_attention(x, w_q, w_k, w_v)
    assert torch.allclose(output, same_output) and torch.allclose(weights, same_weights)

    # All rows come at once; one alone is the same row, with nothing masked.
    alone = (q[:, [i]] / math.sqrt(head_width) @ k.transpose(-2, -1)).softmax(dim=-1)
    assert torch.allclose(alone, weights[:, [i]])
    # The same parameters, another input: other weights.
    assert not torch.allclose(self_attention(x.flip(0), w_q, w_k, w_v)[1], weights)


def test_parity():
    torch.manual_seed(0)
    batch, tokens, width, heads = 2, 5, 12, 3
    layer = nn.TransformerEncoderLayer(
        *(width, heads, 4 * width),
        dropout=0.0,
        activation="gelu",  # the exact one
        layer_norm_eps=1e-6,  # the default is 1e-5
        batch_first=True,  # the default is [tokens, batch, width]
        norm_first=True,  # the default is post-norm
        dtype=torch.float64,
    )
    for parameter in layer.parameters():  # biases, gains and shifts too
        nn.init.normal_(parameter, std=0.4)
    x = torch.randn(batch, tokens, width, dtype=torch.float64)

    # 1. The kernel: one head against scaled_dot_product_attention
    attn = layer.self_attn
    w_q, w_k, w_v = (w.T for w in attn.in_proj_weight.chunk(3))  # stored (out, in)
    b_q, b_k, b_v = attn.in_proj_bias.chunk(3)
    head = slice(0, width // heads)
    output, _ = self_attention(x, w_q[:, head], w_k[:, head], w_v[:, head])
    q, k, v = (x @ w[:, head] for w in (w_q, w_k, w_v))
    assert torch.allclose(output, scaled_dot_product_attention(q, k, v))

    # 2. Heads, biases and W_O: the NumPy core against nn.MultiheadAttention
    numpy = {
        name: tensor.detach().numpy()
        for name, tensor in {
            "w_q": w_q,
            "w_k": w_k,
            "w_v": w_v,
            "w_o": attn.out_proj.weight.T,
            "b_q": b_q,
            "b_k": b_k,
            "b_v": b_v,
            "b_o": attn.out_proj.bias,
        }.items()
    }
    ours = multi_head_attention(x.numpy(), AttentionWeights(**numpy, heads=heads))
    theirs, weights = attn(x, x, x, average_attn_weights=False)
    assert torch.allclose(torch.tensor(ours["M"]), theirs)
    assert torch.allclose(torch.tensor(ours["A"]), weights)  # every head's

    # 3. The whole block, twice: NumPy and torch
    inside = {
        "w_1": layer.linear1.weight.T,
        "b_1": layer.linear1.bias,
        "w_2": layer.linear2.weight.T,
        "b_2": layer.linear2.bias,
        "gain_1": layer.norm1.weight,
        "shift_1": layer.norm1.bias,
        "gain_2": layer.norm2.weight,
        "shift_2": layer.norm2.bias,
    }
    inside = {name: tensor.detach().numpy() for name, tensor in inside.items()}
    trace = block(
        x.numpy(),
        BlockWeights(attention=AttentionWeights(**numpy, heads=heads), eps=1e-6, **inside),
    )
    assert torch.allclose(torch.tensor(trace.Z), layer(x))

    other = Block(width, heads=heads).double()
    parts = [other.query, other.key, other.value, other.output]
    pairs = [(attn.in_proj_weight.chunk(3)[n], attn.in_proj_bias.chunk(3)[n]) for n in range(3)]
    for part, (weight, bias) in zip(
        parts, [*pairs, (attn.out_proj.weight, attn.out_proj.bias)], strict=True
    ):
        part.load_state_dict({"weight": weight, "bias": bias})
    other.norm_1.load_state_dict(layer.norm1.state_dict())
    other.norm_2.load_state_dict(layer.norm2.state_dict())
    other.mlp[0].load_state_dict(layer.linear1.state_dict())
    other.mlp[2].load_state_dict(layer.linear2.state_dict())
    assert torch.allclose(other(x), layer(x))


def test_differences():
    # Matrices: a checkpoint's (out, in) against x @ W. No error either way, two results.
    stored = torch.tensor([[1.0, 2.0], [0.0, 1.0]])
    x = torch.tensor([[1.0, 10.0]])
    assert F.linear(x, stored).tolist() == (x @ stored.T).tolist() == [[21, 10]]
    assert (x @ stored).tolist() == [[1, 12]]

    # Fused Q, K, V of two heads of two channels: output channel n holds the number n.
    fused = torch.arange(12.0)
    three_blocks = fused.reshape(3, 2, 2)  # q, k, v; heads; channels
    head_by_head = fused.reshape(2, 3, 2)
    assert three_blocks[0].tolist() == [[0, 1], [2, 3]]  # queries of both heads
    assert head_by_head[:, 0].tolist() == [[0, 1], [6, 7]]  # the same shape

    # Masks: the same booleans, opposite meanings.
    q = k = torch.zeros(3, 2)
    v = torch.tensor([[1.0, 0.0], [0.0, 1.0], [4.0, 4.0]])
    mask = torch.tensor([[True, True, False]] * 3)
    assert F.scaled_dot_product_attention(q, k, v, attn_mask=mask)[0].tolist() == [0.5, 0.5]
    layer = nn.MultiheadAttention(2, 1, bias=False, batch_first=True)
    eye = torch.eye(2)
    layer.load_state_dict({"in_proj_weight": eye.repeat(3, 1), "out_proj.weight": eye})
    with torch.no_grad():
        inverted = layer(q, k, v, attn_mask=mask)[0]
        right = layer(q, k, v, attn_mask=~mask)[0]
    assert inverted[0].tolist() == [4, 4] and right[0].tolist() == [0.5, 0.5]

    # Biases: that of K adds the same number to every score of a row, and softmax drops it.
    torch.manual_seed(0)
    x, w, b = torch.randn(5, 4), torch.randn(3, 4, 4), torch.randn(3, 1, 4)
    right = F.scaled_dot_product_attention(*(x @ w + b))
    for left_out, same in (("q", False), ("k", True), ("v", False)):
        fewer = b * torch.tensor([name != left_out for name in "qkv"]).reshape(3, 1, 1)
        found = F.scaled_dot_product_attention(*(x @ w + fewer))
        assert torch.allclose(found, right, atol=1e-6) == same

    # Epsilon and GELU
    nearly_constant = torch.tensor([[1.0, 1.0, 1.0, 1.004]])
    strict, default = (F.layer_norm(nearly_constant, (4,), eps=eps) for eps in (1e-6, 1e-5))
    assert (strict - default).abs().max() > 0.3
    one = torch.tensor(1.0, dtype=torch.float64)
    assert abs(F.gelu(one) - 0.841345) < 1e-6
    assert abs(F.gelu(one, approximate="tanh") - 0.841192) < 1e-6

    # Dropout: the identity in eval mode, and only there
    drop = nn.Dropout(0.5)
    weights = torch.full((1000,), 0.001)
    assert torch.equal(drop.eval()(weights), weights)
    assert not torch.equal(drop.train()(weights), weights)


def test_differences_2():
    even = torch.full((197,), 1 / 197, dtype=torch.float64)
    for dtype, off in ((torch.float64, 1e-12), (torch.float32, 1e-6), (torch.bfloat16, 2**-8)):
        assert abs(even.to(dtype).double().sum() - 1) < off
    assert abs(even.to(torch.bfloat16).double().sum() - 1) > 1e-3  # rounded one by one


def test_weights():
    torch.manual_seed(0)
    batch, tokens, width, heads = 2, 5, 12, 4
    x = torch.randn(batch, tokens, width)
    layer = nn.MultiheadAttention(width, heads, batch_first=True)

    # The symptom, and the first way out
    output, nothing = layer(x, x, x, need_weights=False)
    assert nothing is None
    _, mean = layer(x, x, x)
    _, weights = layer(x, x, x, average_attn_weights=False)
    assert weights.shape == (batch, heads, tokens, tokens)
    assert mean.shape == (batch, tokens, tokens)  # easily taken for one head
    assert torch.allclose(weights.mean(dim=1), mean, atol=1e-6)

    # The second: values that are the identity
    q, k, v = (
        p.unflatten(-1, (heads, -1)).transpose(1, 2)
        for p in F.linear(x, layer.in_proj_weight, layer.in_proj_bias).chunk(3, -1)
    )
    eye = torch.eye(tokens).expand(batch, heads, tokens, tokens)
    assert torch.allclose(F.scaled_dot_product_attention(q, k, eye), weights, atol=1e-6)

    # The third: recorded while the model runs as it is, and checked at every call
    with recorded_weights() as maps:
        same, _ = layer(x, x, x, need_weights=False)
    assert torch.equal(same, output)
    assert len(maps) == 1 and torch.allclose(maps[0], weights, atol=1e-6)
    kernel = F.scaled_dot_product_attention(q, k, v)
    assert torch.allclose(maps[0] @ v, kernel, atol=1e-6)  # the check, once by hand

    model = nn.Sequential(Block(width, heads=4), Block(width, heads=2))
    with recorded_weights() as maps:
        model(x)
    assert [a.shape[1] for a in maps] == [4, 2]  # one entry a block, one map a head

    # The check finds a wrong scale, that of the model's width
    scores = q @ k.transpose(-2, -1)
    assert torch.allclose((scores / 3**0.5).softmax(-1) @ v, kernel, atol=1e-6)  # d_h = 3
    assert not torch.allclose((scores / 12**0.5).softmax(-1) @ v, kernel, atol=1e-3)


def test_no_weights():
    torch.manual_seed(0)
    x = torch.randn(2, 5, 12)
    layer = nn.TransformerEncoderLayer(12, 4, 48, activation="gelu", batch_first=True)
    layer.eval()
    with torch.inference_mode():
        with pytest.raises(RuntimeError) as error, recorded_weights():
            fast = layer(x)
        assert "never called" in str(error.value) and "set_fastpath_enabled" in str(error.value)

        torch.backends.mha.set_fastpath_enabled(False)
        with recorded_weights() as maps:
            slow = layer(x)
        torch.backends.mha.set_fastpath_enabled(True)
    assert maps[0].shape == (2, 4, 5, 5)
    assert torch.allclose(slow, fast, atol=1e-5)  # the same layer all the same

    # An odd number of heads does not take the fast path; a hook does not help.
    odd = nn.TransformerEncoderLayer(12, 3, 48, batch_first=True).eval()
    watched = nn.TransformerEncoderLayer(12, 4, 48, batch_first=True).eval()
    watched.self_attn.register_forward_hook(lambda *given: None)
    with torch.inference_mode():
        with recorded_weights() as maps:
            odd(x)
        assert maps[0].shape == (2, 3, 5, 5)
        with pytest.raises(RuntimeError) as error, recorded_weights():
            watched(x)
        assert "never called" in str(error.value)

    # Code that took the function by name beforehand goes past the recording, and that is said too.

    q = torch.randn(1, 3, 4)
    with pytest.raises(RuntimeError) as error, recorded_weights():
        taken(q, q, q)
    assert "never called through torch.nn.functional" in str(error.value)
