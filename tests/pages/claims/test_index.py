"""What docs/index.md says of its code, in full: the page itself shows a part of it."""

import itertools
import re
from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn
from torch.nn.functional import scaled_dot_product_attention

from vitattn_core import (
    AttentionWeights,
    BlockWeights,
    Grid,
    attention,
    block,
    cost,
    hide,
    layer_norm,
    merge_heads,
    patchify,
    products,
    scale,
    softmax,
    split_heads,
)
from vitattn_core.torch_reference import self_attention


def test_inputs():
    grid = Grid(224, 224, 16)  # height, width and patch in pixels; CLS stands in front
    assert (grid.rows, grid.columns) == (14, 14)
    assert (grid.patches, grid.tokens) == (196, 197)
    assert Grid(224, 224, 16, registers=4).tokens == 201
    assert grid.token(5, 4) == 75  # row 0 is CLS, row 1 is patch (0, 0)

    image = np.zeros((3, 224, 224))  # channels first
    assert patchify(image, 16).shape == (196, 3 * 16 * 16)

    with pytest.raises(ValueError, match="multiple of 16"):
        patchify(np.zeros((3, 225, 224)), 16)  # one pixel row too many


def test_qkv():
    X = np.array([[2.0, 0.0, 1.0, 1.0], [0.0, 3.0, 1.0, 0.0], [1.0, 1.0, 4.0, 2.0]])
    assert X.shape == (3, 4)  # N = 3, D = 4
    U = layer_norm(X, eps=1e-6)
    assert np.allclose(U.mean(axis=1), 0)
    assert np.allclose(U.var(axis=1, ddof=0), 1, atol=1e-5)  # biased: divided by D
    assert np.allclose(layer_norm([[1, 0, 0, 0]], eps=0)[0, 0], 3**0.5)  # with D - 1: 1.5

    W_Q = np.array([[1.0, 0.0], [0.0, 1.0], [0.5, 0.0], [0.0, 0.0]])  # D x d_h = 4 x 2
    W_K = np.array([[0.0, 1.0], [1.0, 0.0], [0.0, 0.0], [0.0, 0.5]])
    W_V = np.array([[1.0, 0.0], [0.0, 0.0], [0.0, 1.0], [1.0, 1.0]])
    Q, K, V = U @ W_Q, U @ W_K, U @ W_V
    assert Q.shape == K.shape == V.shape == (3, 2)

    P = products(Q, K)  # row i asks, column j is asked
    assert P.shape == (3, 3)
    assert not np.allclose(P, P.T)  # what i finds in j is not what j finds in i


def test_scale():
    for d_h in (4, 9):
        keys = list(itertools.product([-1.0, 1.0], repeat=d_h))  # all rows of signs
        unscaled = products(np.ones((1, d_h)), keys)
        assert np.isclose(unscaled.var(), d_h)  # grows with the width of the head
        assert np.isclose(scale(unscaled, d_h).var(), 1)  # does not

    P = products([[2.0, 2.0, 2.0, 2.0]], [[0, 0, 0, 0], [1, 0, 0, 0], [1, 1, 0, 0]])
    assert P.tolist() == [[0, 2, 4]]  # divided by 1, by the root of d_h = 4, by that of D = 8:
    sharp, right, flat = softmax(P), softmax(scale(P, 4)), softmax(P / np.sqrt(8))
    assert np.allclose(right, [[0.0900, 0.2447, 0.6652]], atol=5e-5)
    assert sharp.max() > right.max() > flat.max()
    for other in (sharp, flat):
        assert np.array_equal(other.argsort(), right.argsort())  # the order stays


def test_masks():
    scores = np.log([[1.0, 2.0, 5.0], [1.0, 1.0, 2.0]])
    A = softmax(scores)
    assert np.allclose(A, [[1 / 8, 2 / 8, 5 / 8], [1 / 4, 1 / 4, 2 / 4]])
    assert np.allclose(A.sum(axis=1), 1)  # every row
    assert not np.allclose(A.sum(axis=0), 1)  # no such rule for columns

    keep = np.array([[True, True, False], [False, False, False]])  # True = keep
    masked = softmax(hide(scores, keep))
    assert np.allclose(masked[0], [1 / 3, 2 / 3, 0])
    assert masked[0, 2] == 0  # exactly
    assert masked[1].tolist() == [0, 0, 0]  # no key left: zeros, not NaN
    assert np.allclose(softmax(np.full((1, 3), -1e9)), 1 / 3)  # one large negative number

    far = softmax(np.array([[0, -80, -110]], dtype=np.float32))
    assert far[0, 1] > 0 and far[0, 2] == 0  # float32 underflows


def test_mixture():
    Q = np.zeros((2, 2))  # a query of zeros prefers nothing: all scores are 0
    K = np.array([[1.0, 0.0], [0.0, 1.0]])
    V = np.array([[10.0, 0.0], [20.0, 6.0]])
    O, A = attention(Q, K, V)
    assert A.tolist() == [[0.5, 0.5], [0.5, 0.5]]
    assert O.tolist() == [[15, 3], [15, 3]]
    assert (A @ K).tolist() == [[0.5, 0.5], [0.5, 0.5]]  # keys mixed: wrong content


def test_heads():
    joined = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]])  # N = 2, h * d_h = 4
    heads = split_heads(joined, 2)  # (N, h * d_h) -> (h, N, d_h)
    assert heads[0].tolist() == [[1, 2], [5, 6]]  # head 1: two channels of every row
    assert heads[1].tolist() == [[3, 4], [7, 8]]
    assert np.array_equal(merge_heads(heads), joined)  # side by side again


def test_residual():
    rows = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]])  # N = 2, D = 4
    other = rows + np.array([[0.0, 0.0, 0.0, 0.0], [0.0, 0.0, 0.0, 9.0]])  # row 0 is the same
    zero, one = np.zeros((4, 4)), np.eye(4)
    deaf = AttentionWeights(w_q=zero, w_k=zero, w_v=one, w_o=zero, heads=2)
    hears = AttentionWeights(w_q=zero, w_k=zero, w_v=one, w_o=one, heads=2)
    mlp = {"w_1": np.eye(4, 16), "w_2": np.eye(16, 4), "eps": 1e-6}

    # Nothing read and nothing added: the block returns raw X, not LN(X).
    mlp_0 = {"w_1": np.zeros((4, 16)), "w_2": np.zeros((16, 4)), "eps": 1e-6}
    trace = block(rows, BlockWeights(attention=deaf, **mlp_0))
    assert np.array_equal(trace.Z, rows) and not np.allclose(trace.U, rows)

    # Norms and MLP work on each row alone; only attention lets row 1 change row 0.
    alone = BlockWeights(attention=deaf, **mlp)
    assert np.array_equal(block(rows, alone).Z[0], block(other, alone).Z[0])
    assert not np.allclose(block(rows, alone).Z[1], block(other, alone).Z[1])
    together = BlockWeights(attention=hears, **mlp)
    assert not np.allclose(block(rows, together).Z[0], block(other, together).Z[0])


def test_maps():
    Q = np.array([[2.0, 0.0]])  # one query, three keys
    K = np.array([[2.0, 0.0], [0.0, 0.0], [0.0, 1.0]])
    V = np.array([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0]])
    output, weights = attention(Q, K, V)
    output_2, weights_2 = attention(Q, K, -V)

    assert np.array_equal(weights, weights_2)  # the same map
    assert np.array_equal(output, -output_2) and output.any()  # opposite outputs
    assert weights[0].argmax() == 0 and weights[0, 0] > 0.85  # the brightest key
    assert (weights[0, 0] * V[0]).tolist() == [0, 0]  # its part of the mixture

    heads = np.array([[0.50, 0.45, 0.05], [0.05, 0.45, 0.50]])  # two heads, one query
    assert heads.argmax(axis=1).tolist() == [0, 2]
    assert heads.mean(axis=0).argmax() == 1  # the mean's favourite is no head's favourite


def test_maps_2():
    grid = Grid(32, 32, 16)  # 2 x 2 patches and CLS
    row = [0.5, 0.05, 0.1, 0.15, 0.2]
    assert grid.field(row).tolist() == [[0.05, 0.1], [0.15, 0.2]]
    assert grid.off_grid(row).tolist() == [0.5]  # half of this row is on no patch


def test_global_local():
    def convolution(x):  # kernel (1, 2, -1) over six rows, zeros beyond the border
        padded = np.pad(x, ((1, 1), (0, 0)))
        return padded[:-2] + 2 * padded[1:-1] - padded[2:]

    def attend(x):  # global attention
        return attention(1.5 * x, x, 1 - x)[0]

    def windows(x):  # two windows of three rows
        return np.concatenate([attend(x[:3]), attend(x[3:])])

    def influence(operator, x):
        """Entry (i, j) is True where output row i moves when input row j does."""
        moved = np.zeros((len(x), len(x)), dtype=bool)
        for j in range(len(x)):
            changed = x.copy()
            changed[j] += 0.5
            moved[:, j] = np.any(operator(changed) != operator(x), axis=1)
        return moved

    x = np.array([[0.3], [1.0], [-0.5], [0.8], [0.1], [-1.2]])
    i, j = np.indices((6, 6))
    assert np.array_equal(influence(convolution, x), abs(i - j) <= 1)
    assert np.array_equal(influence(windows, x), i // 3 == j // 3)
    assert influence(attend, x).all()

    order = [4, 0, 5, 2, 1, 3]
    assert np.allclose(attend(x[order]), attend(x)[order])  # equivariant
    assert not np.allclose(attend(x[order]), attend(x))  # not invariant
    assert not np.allclose(convolution(x[order]), convolution(x)[order])
    assert not np.allclose(windows(x[order]), windows(x)[order])
    for inside_or_whole in ([2, 0, 1, 4, 3, 5], [3, 4, 5, 0, 1, 2]):
        assert np.allclose(windows(x[inside_or_whole]), windows(x)[inside_or_whole])

    shifted = np.roll(x, 1, axis=0)
    assert np.array_equal(convolution(shifted)[2:5], convolution(x)[1:4])  # equivariant
    assert not np.array_equal(convolution(shifted)[5], convolution(x)[4])  # the border

    place = np.linspace(-1, 1, 6)[:, None]  # position: another number for every row
    assert not np.allclose(attend(x[order] + place), attend(x + place)[order])
    assert np.allclose(attend(x[order] + 1), attend(x + 1)[order])  # one for all


def test_cost():
    vit = Grid(224, 224, 16)  # ViT-B/16: D = 768, h = 12, 12 blocks
    assert cost.block_terms(vit.tokens, 768) == {
        "qkv": 348_585_984,
        "scores": 29_805_312,
        "mix": 29_805_312,
        "output": 116_195_328,
        "mlp": 929_562_624,
    }
    assert cost.pair_macs(vit.tokens, 768) == 2 * vit.tokens**2 * 768 == 59_610_624
    assert cost.score_slots(vit.tokens, heads=12) == 465_708
    assert cost.score_slots(vit.tokens, heads=12) == 197 * (12 * 197)  # all rows, not one

    double = Grid(448, 448, 16)
    assert double.patches == 4 * vit.patches and double.tokens == 785
    assert cost.flops(cost.pair_macs(197, 768)) == 119_221_248  # two FLOPs a MAC
    assert cost.model_macs(vit, width=768, depth=12, classes=1000) == 17_563_828_224


def test_implementation():
    torch.manual_seed(0)
    batch, tokens, width, heads = 2, 5, 6, 3
    x = torch.randn(batch, tokens, width, dtype=torch.float64)
    keep = torch.rand(batch, tokens, tokens) > 0.4  # True = keep
    keep[:, torch.arange(tokens), torch.arange(tokens)] = True  # every row keeps itself

    layer = nn.MultiheadAttention(width, heads, bias=False, batch_first=True).double()
    w_q, w_k, w_v = (w.T for w in layer.in_proj_weight.chunk(3))  # stored (out, in)
    w_o = layer.out_proj.weight.T

    parts = []
    for q, k, v in zip(
        w_q.chunk(heads, -1), w_k.chunk(heads, -1), w_v.chunk(heads, -1), strict=True
    ):
        output, weights = self_attention(x, q, k, v, keep)
        same = scaled_dot_product_attention(x @ q, x @ k, x @ v, attn_mask=keep)
        assert torch.allclose(output, same)
        assert torch.allclose(weights.sum(-1), torch.ones_like(x[..., 0]))
        parts.append(output)
    joined = torch.cat(parts, dim=-1) @ w_o
    leave_out = (~keep).repeat_interleave(heads, dim=0)  # the other meaning; one a head
    assert torch.allclose(joined, layer(x, x, x, attn_mask=leave_out)[0])

    keep[0, 2] = False  # a row with every key masked: zeros from both
    output, weights = self_attention(x, q, k, v, keep)
    same = scaled_dot_product_attention(x @ q, x @ k, x @ v, attn_mask=keep)
    for zeros in (weights[0, 2], output[0, 2], same[0, 2]):
        assert zeros.eq(0).all()


def test_errors():
    rows = np.array([[1.0, 2.0, 3.0, 4.0], [5.0, 6.0, 7.0, 8.0]])  # N = 2, D = 4
    heads = split_heads(rows, 2)  # [heads, rows, head width]
    wrong = heads.reshape(2, 4)  # no transpose first

    assert wrong.shape == merge_heads(heads).shape == rows.shape
    assert np.array_equal(split_heads(rows, 1).reshape(2, 4), rows)  # one head: no harm
    assert np.array_equal(merge_heads(heads), rows)
    assert wrong.tolist() == [[1, 2, 5, 6], [3, 4, 7, 8]]  # row 0 holds numbers of row 1


def test_implementation_3():
    """The five lines of the page give what the core gives."""
    text = (Path(__file__).resolve().parents[3] / "docs/index.md").read_text(encoding="utf-8")
    (block,) = re.findall(
        r"```python\n((?:(?!```).*\n)*def self_attention(?:(?!```).*\n)*)```", text
    )
    names = {}
    exec(block, names)
    U, *W = (np.random.default_rng(0).standard_normal(shape) for shape in [(5, 6), *[(6, 2)] * 3])
    output, weights = attention(*(U @ w for w in W))
    assert np.allclose(names["self_attention"](U, *W)[0], output)
    assert np.allclose(names["self_attention"](U, *W)[1], weights)
