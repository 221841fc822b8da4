"""What docs/masks.md says of its code, in full: the page itself shows a part of it."""

import math

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from vitattn_core import (
    Grid,
    attention,
    causal_mask,
    check_mask,
    hide,
    key_mask,
    softmax,
    window_mask,
)
from vitattn_core.torch_reference import self_attention


def test_kinds():
    grid = Grid(64, 64, 16)  # 4 x 4 patches and CLS
    n = np.arange(grid.tokens)
    Q, K = (np.stack([np.sin(a * n), np.cos(a * n)], axis=1) for a in (1, 2))
    V = np.stack([n, n % 3], axis=1).astype(float)
    _, free = attention(Q, K, V)

    real = n < 9  # CLS and two lines of patches; the rest is padding
    masks = {
        "padding": key_mask(real),  # (1, N): the same keys for every query
        "causal": causal_mask(grid.tokens),  # (N, N)
        "window": window_mask(grid, 2),  # 2 x 2 patches
    }
    for _name, mask in masks.items():
        _, A = attention(Q, K, V, mask)
        keep = np.broadcast_to(mask, A.shape)
        assert (A[~keep] == 0).all()  # exactly
        left = np.where(keep, free, 0)
        assert np.allclose(A, left / left.sum(axis=1, keepdims=True))  # in proportion

    output, A = attention(Q, K, V, masks["padding"])
    other_K, other_V = (np.where(real[:, None], rows, 1e6) for rows in (K, V))  # other padding ...
    same, _ = attention(Q, other_K, other_V, masks["padding"])
    assert np.array_equal(same, output)  # ... is not read
    holes = np.where(real[:, None], V, np.nan)
    assert np.isnan(attention(Q, K, holes, masks["padding"])[0]).all()  # but NaN is: 0 * NaN is NaN
    assert attention(Q, K, V, masks["causal"])[1][0].tolist() == [1] + 16 * [0]  # CLS: only itself

    window = [grid.token(r, c) for r in (0, 1) for c in (2, 3)]  # the window by itself
    alone, _ = attention(Q[window], K[window], V[window])
    no_cls = masks["window"].copy()
    no_cls[:, 0] = False
    assert np.allclose(attention(Q, K, V, no_cls)[0][window], alone)


def test_where():
    scores = np.log([[1.0, 3.0, 4.0]])
    keep = np.array([[True, True, False]])  # True = keep
    right = softmax(hide(scores, keep))
    assert np.allclose(right, [[1 / 4, 3 / 4, 0]])

    times_zero = softmax(scores * keep)
    assert np.allclose(times_zero, [[1 / 5, 3 / 5, 1 / 5]])  # the hidden key takes part
    after = softmax(scores) * keep
    assert np.allclose(after, [[1 / 8, 3 / 8, 0]]) and not np.isclose(after.sum(), 1)
    assert np.allclose(after / after.sum(axis=-1, keepdims=True), right)  # mended


def test_axis():
    keep = np.array([[True, True, False], [True, True, True]])  # two images, three rows
    scores = np.zeros((2, 1, 3, 3))  # batch, heads, queries, keys
    right = softmax(hide(scores, key_mask(keep)))
    assert key_mask(keep).shape == (2, 1, 1, 3)
    assert np.allclose(right[0, 0], [0.5, 0.5, 0])  # every query, the padded one included

    wrong = softmax(hide(scores, keep[:, None, :, None]))
    assert np.allclose(wrong[0, 0, :2], 1 / 3)  # real rows read the padding
    assert not wrong[0, 0, 2].any()  # and the padded query reads nothing

    with pytest.raises(ValueError, match="queries or images"):
        check_mask(np.ones((3, 3), bool), (3, 1, 3, 3))  # three images or three queries?


def test_polarity():
    torch.manual_seed(0)
    x = torch.randn(1, 4, 6, dtype=torch.float64)
    keep = torch.tensor([True, True, True, False])  # the last row is padding
    layer = nn.MultiheadAttention(6, 1, bias=False, batch_first=True, dtype=torch.float64)
    w_q, w_k, w_v = (w.T for w in layer.in_proj_weight.chunk(3))
    w_o = layer.out_proj.weight.T
    qkv = x @ w_q, x @ w_k, x @ w_v

    def fused(mask):
        return scaled_dot_product_attention(*qkv, attn_mask=mask) @ w_o

    def multi(mask):
        return layer(x, x, x, key_padding_mask=mask)[0]

    right = fused(keep.expand(4, 4))  # True = keep
    added = torch.zeros(4, 4, dtype=torch.float64).masked_fill(~keep, -math.inf)
    assert torch.allclose(fused(added), right)  # a float mask is added: 0 keeps
    assert torch.allclose(multi(added[:1]), right)  # here too
    assert torch.allclose(multi(~keep[None]), right)  # True = leave out
    assert torch.allclose(layer(x, x, x, attn_mask=(~keep).expand(4, 4))[0], right)

    assert not torch.allclose(multi(keep[None]), right)  # inverted: only the padding is read
    assert torch.allclose(multi(keep[None]), (qkv[2][:, 3:] @ w_o).expand(1, 4, 6))
    ones = keep.double().expand(4, 4)  # 1.0 and 0.0: a bias, and no mask
    assert not torch.allclose(fused(ones), right)
    eye = torch.eye(4, dtype=torch.float64)  # as values: the weights come out
    free, biased = (scaled_dot_product_attention(*qkv[:2], eye, attn_mask=m) for m in (None, ones))
    change = biased / free
    assert torch.allclose(change[..., :3] / change[..., 3:], torch.full((), math.e).double())


def test_empty():
    scores = np.array([[0.0, 1.0, 2.0]])
    V = np.array([[1.0, 0.0], [0.0, 1.0], [5.0, 5.0]])
    nothing = np.array([[False, False, False]])
    assert softmax(hide(scores, nothing)).tolist() == [[0, 0, 0]]  # zeros
    assert attention(np.ones((1, 2)), np.eye(3, 2), V, nothing)[0].tolist() == [[0, 0]]

    plain = torch.tensor(hide(scores, nothing)).softmax(-1)
    assert plain.isnan().all()  # NaN
    large = torch.tensor(scores).masked_fill(torch.tensor(~nothing), -1e9).softmax(-1)
    assert torch.allclose(large, torch.full_like(large, 1 / 3))  # even
    assert torch.allclose(large @ torch.tensor(V), torch.tensor(V.mean(axis=0)))

    torch.manual_seed(0)
    x = torch.randn(1, 3, 4, dtype=torch.float64)
    leave_out = torch.tensor([[False, False, False], [True, True, True], [False, True, False]])
    layer = nn.MultiheadAttention(4, 1, batch_first=True, bias=False, dtype=torch.float64)
    asked = layer(x, x, x, attn_mask=leave_out, need_weights=True)[0]
    unasked = layer(x, x, x, attn_mask=leave_out, need_weights=False)[0]
    assert asked[0, 1].isnan().all() and unasked[0, 1].eq(0).all()  # two policies
    assert torch.allclose(asked[0, 0], unasked[0, 0])  # other rows are untouched


def test_gradient():
    torch.manual_seed(0)
    x = torch.randn(1, 3, 4, dtype=torch.float64, requires_grad=True)
    w = [torch.randn(4, 2, dtype=torch.float64, requires_grad=True) for _ in range(3)]
    keep = torch.tensor([[True, True, True], [False, False, False], [True, False, True]])

    def gradients(output):
        """Whether the gradients of x, W_Q, W_K, W_V are finite, when the outputs are summed."""
        return [g.isfinite().all().item() for g in torch.autograd.grad(output.sum(), [x, *w])]

    def by_hand(add=0.0, fill=None, clean=False):
        q, k, v = (x @ matrix for matrix in w)
        scores = q @ k.transpose(-2, -1) / math.sqrt(2) + add
        if fill is not None:
            scores = scores.masked_fill(~keep, fill)
        weights = scores.softmax(dim=-1)
        return (weights.masked_fill(~keep, 0.0) if clean else weights) @ v

    fused = scaled_dot_product_attention(*(x @ matrix for matrix in w), attn_mask=keep)
    ours, _ = self_attention(x, *w, keep)
    assert torch.allclose(ours, fused) and ours[0, 1].eq(0).all()
    assert gradients(ours) == gradients(fused) == [True, True, True, True]

    plain = by_hand(fill=-math.inf)  # NaN forward, and in the gradients of x and W_V
    assert plain[0, 1].isnan().all()
    assert gradients(plain) == [False, True, True, False]
    painted_over = by_hand(fill=-math.inf).nan_to_num()  # zeros forward ...
    assert torch.allclose(painted_over, ours)
    assert gradients(painted_over) == [False, True, True, False]  # ... and nothing mended

    minus_infinity = torch.zeros(3, 3, dtype=torch.float64).masked_fill(~keep, -math.inf)
    added = by_hand(add=minus_infinity, clean=True)
    assert torch.allclose(added, ours)  # the same outputs
    assert gradients(added) == [False, False, False, True]  # x, W_Q, W_K: NaN

    even = by_hand(fill=-1e9)
    assert all(gradients(even)) and not torch.allclose(even[0, 1], ours[0, 1])
