"""What docs/cost.md says of its code, in full: the page itself shows a part of it."""

import tracemalloc
from fractions import Fraction

import numpy as np
import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention
from torch.utils.flop_counter import FlopCounterMode

from vitattn_core import Grid, attention, blocked_attention, core_with, cost, window_mask


def test_law():
    for width in (192, 384, 768, 1024, 1280):
        for n in (197, 577, 4097):
            share = Fraction(cost.pair_macs(n, width), cost.block_macs(n, width))
            assert share == Fraction(n, 6 * width + n)
        assert cost.pair_macs(2 * width, width) == 4 * (2 * width) * width**2
        rest = cost.block_macs(6 * width, width) - cost.pair_macs(6 * width, width)
        assert cost.pair_macs(6 * width, width) == rest

    crossing = cost.crossovers(768)["projections"]  # ViT-B/16
    assert Grid(crossing.below, crossing.below, 16).tokens < 2 * 768
    assert Grid(crossing.above, crossing.above, 16).tokens >= 2 * 768

    reached = [cost.crossovers(width)["rest"].above for width in (192, 384, 768, 1024)]
    assert reached == sorted(reached)  # P = 16: the narrower, the sooner
    assert cost.crossovers(1280, patch=14)["rest"].above < reached[-1]  # ViT-H/14 before ViT-L/16


def test_ledger():
    small = Grid(384, 384, 16)  # ViT-S/16: D = 384, h = 6, 12 blocks
    terms = cost.block_terms(small.tokens, 384)
    assert terms["scores"] + terms["mix"] == cost.pair_macs(small.tokens, 384) == 255_689_472
    assert cost.score_slots(small.tokens, heads=6) == 6 * 577 * 577 == 1_997_574
    whole = 12 * sum(terms.values()) + small.patches * 768 * 384 + 384 * 1000
    assert cost.model_macs(small, width=384, depth=12, classes=1000) == whole

    one_row = core_with("one-row").cost  # the error, as a line of the core
    assert cost.pair_macs(577, 384) == 577 * one_row.pair_macs(577, 384)


def test_memory():
    scores = np.array([1.0, 3.0, 2.0, 9.0, -4.0, 0.5])
    values = np.array([5.0, -1.0, 2.0, 0.5, 7.0, 3.0])
    m, total, mixed = -np.inf, 0.0, 0.0
    for block in (slice(0, 2), slice(2, 4), slice(4, 6)):
        new = max(m, scores[block].max())
        kept = np.exp(m - new)  # 0 at first: nothing has been summed
        e = np.exp(scores[block] - new)
        total, mixed, m = total * kept + e.sum(), mixed * kept + e @ values[block], new
    weights = np.exp(scores - 9) / np.exp(scores - 9).sum()
    assert np.isclose(mixed / total, weights @ values)
    assert m == scores.max()
    near = np.exp(scores)  # m = 0 will do here: e^9 is no large number
    assert np.isclose((near @ values) / near.sum(), weights @ values)


def test_memory_2():
    n = np.arange(900)[:, None]
    Q, K = np.sin(n * [0.7, 1.1, 1.3]) * 5, np.cos(n * [0.9, 1.7, 0.4]) * 5
    V = np.sin(n * [0.3, 2.1])
    for mask in (None, window_mask(Grid(480, 480, 16, cls=False), 5), n > n.T):
        explicit, weights = attention(Q, K, V, mask)
        assert np.allclose(blocked_attention(Q, K, V, mask, query_block=64, key_block=50), explicit)
    assert not weights[0].any() and not explicit[0].any()  # the last mask leaves row 0 no key

    def peak(call):
        tracemalloc.start()
        call()
        most = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return most

    one_block = 64 * 50 * 8  # bytes
    blocked = peak(lambda: blocked_attention(Q, K, V, query_block=64, key_block=50))
    assert blocked < V.nbytes + 3 * one_block
    assert peak(lambda: attention(Q, K, V)) > 900 * 900 * 8  # the matrix, at least


def test_counters():
    def counted(call):
        with FlopCounterMode(display=False) as counter:
            call()
        return counter.get_total_flops()

    pair = cost.flops(cost.pair_macs(64, 768))  # two FLOPs a MAC
    q = torch.randn(1, 12, 64, 64)
    assert counted(lambda: scaled_dot_product_attention(q, q, q)) == 0
    with sdpa_kernel(SDPBackend.MATH):  # the explicit path of the same function
        assert counted(lambda: scaled_dot_product_attention(q, q, q)) == pair
    assert counted(lambda: (q @ q.mT).softmax(-1) @ q) == pair
    shape_only = q.to("meta")
    assert counted(lambda: scaled_dot_product_attention(shape_only, shape_only, shape_only)) == pair

    layer = torch.nn.MultiheadAttention(768, 12, batch_first=True).eval()
    x = torch.randn(1, 64, 768)
    projections = cost.flops(cost.qkv_macs(64, 768) + cost.output_macs(64, 768))
    assert counted(lambda: layer(x, x, x, need_weights=False)) == projections
    assert counted(lambda: layer(x, x, x, need_weights=True)) == projections + pair
