"""Costs: every formula against a matrix product that counts its multiplications."""

from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.strategies import small
from vitattn_core import cost
from vitattn_core.grid import Grid


class Counting:
    """A matrix product that counts: one multiplication, one MAC."""

    def __init__(self):
        self.macs = 0

    def __call__(self, a, b):
        out = np.zeros((a.shape[0], b.shape[1]))
        for i, j, k in product(range(a.shape[0]), range(b.shape[1]), range(b.shape[0])):
            out[i, j] += a[i, k] * b[k, j]
            self.macs += 1
        return out

    def take(self):
        macs, self.macs = self.macs, 0
        return macs


def counted_block(tokens, heads, head_width, ratio):
    """MACs of one block by term, and its score slots, by doing the work head by head."""
    matmul, width, ones = Counting(), heads * head_width, np.ones
    x, terms = ones((tokens, width)), {}
    qkv = [[matmul(x, ones((width, head_width))) for _ in range(3)] for _ in range(heads)]
    terms["qkv"] = matmul.take()
    scores = [matmul(q, k.T) for q, k, _ in qkv]
    terms["scores"] = matmul.take()
    mixed = [matmul(s, v) for s, (_, _, v) in zip(scores, qkv, strict=True)]
    terms["mix"] = matmul.take()
    y = matmul(np.hstack(mixed), ones((width, width)))
    terms["output"] = matmul.take()
    matmul(matmul(y, ones((width, ratio * width))), ones((ratio * width, width)))
    terms["mlp"] = matmul.take()
    return terms, sum(s.size for s in scores)


def test_the_counting_product_is_a_matrix_product():
    a, b = np.arange(6.0).reshape(2, 3), np.arange(12.0).reshape(3, 4) - 5
    matmul = Counting()
    np.testing.assert_array_equal(matmul(a, b), a @ b)
    assert matmul.take() == 2 * 3 * 4


@given(small, st.integers(1, 3), st.integers(1, 3), st.integers(1, 4))
def test_block_terms_are_the_counted_ones(tokens, heads, head_width, ratio):
    terms, slots = counted_block(tokens, heads, head_width, ratio)
    width = heads * head_width
    assert cost.block_terms(tokens, width, ratio) == terms
    assert list(cost.block_terms(tokens, width, ratio)) == list(terms)  # in the order of the work
    assert cost.block_macs(tokens, width, ratio) == sum(terms.values())
    assert cost.pair_macs(tokens, width) == terms["scores"] + terms["mix"]
    assert cost.score_slots(tokens, heads) == slots


@pytest.mark.parametrize(
    "grid", [Grid(4, 6, 2), Grid(6, 4, 2, cls=False), Grid(2, 4, 2, registers=2)]
)
def test_the_whole_model_is_the_counted_one(grid):
    channels, width, depth, classes = 3, 4, 2, 5
    matmul = Counting()
    matmul(
        np.ones((grid.patches, channels * grid.patch**2)),
        np.ones((channels * grid.patch**2, width)),
    )
    matmul(np.ones((1, width)), np.ones((width, classes)))
    blocks = depth * sum(counted_block(grid.tokens, 2, width // 2, 4)[0].values())
    macs = cost.model_macs(grid, width=width, depth=depth, classes=classes, channels=channels)
    assert macs == matmul.take() + blocks


def test_vit_b_16_at_three_image_sizes():
    """The published shape: D = 768, h = 12, 12 blocks, P = 16, CLS, 1000 classes."""
    tokens = Grid(224, 224, 16).tokens
    assert tokens == 197
    assert cost.score_slots(tokens, 12) == 465_708
    assert cost.pair_macs(tokens, 768) == 59_610_624
    assert cost.qkv_macs(tokens, 768) + cost.output_macs(tokens, 768) == 464_781_312
    assert cost.mlp_macs(tokens, 768) == 929_562_624
    for side, share in ((224, "4.1 %"), (384, "11.1 %"), (1024, "47 %")):
        n = Grid(side, side, 16).tokens
        percent = 100 * cost.pair_macs(n, 768) / cost.block_macs(n, 768)
        assert share == f"{percent:.0f} %" if percent > 20 else f"{percent:.1f} %"
    vit = cost.model_macs(Grid(224, 224, 16), width=768, depth=12, classes=1000)
    assert vit == 17_563_828_224
    assert cost.flops(vit) == 35_127_656_448


def test_doubling_the_side():
    one, two = Grid(224, 224, 16), Grid(448, 448, 16)
    assert (two.patches, two.tokens) == (4 * one.patches, 785)
    assert f"{two.tokens / one.tokens:.2f}" == "3.98"
    assert f"{cost.pair_macs(two.tokens, 768) / cost.pair_macs(one.tokens, 768):.1f}" == "15.9"


def others(tokens, width, ratio):
    """The two amounts of work that the pair term is compared with."""
    projections = cost.qkv_macs(tokens, width) + cost.output_macs(tokens, width)
    return {
        "projections": projections,
        "rest": cost.block_macs(tokens, width, ratio) - cost.pair_macs(tokens, width),
    }


@pytest.mark.parametrize(("width", "patch", "prefix", "ratio"), [
    (768, 16, 1, 4), (384, 16, 0, 4), (1024, 14, 5, 4), (192, 32, 1, 3), (8, 1, 0, 1)
])  # fmt: skip
def test_crossovers_from_both_sides(width, patch, prefix, ratio):
    """One patch less a side and the pair term is smaller, one more and it is not."""
    for name, crossing in cost.crossovers(width, patch=patch, prefix=prefix, ratio=ratio).items():
        assert cost.pair_macs(crossing.tokens, width) == others(crossing.tokens, width, ratio)[name]
        assert crossing.above - crossing.below == patch
        for side, reached in ((crossing.below, False), (crossing.above, True)):
            n = Grid(side, side, patch, cls=False).tokens + prefix
            assert (cost.pair_macs(n, width) >= others(n, width, ratio)[name]) is reached


def test_crossovers_of_vit_b_16():
    assert cost.crossovers(768) == {"projections": (1536, 624, 640), "rest": (4608, 1072, 1088)}


@pytest.mark.parametrize(("tokens", "prefix", "sides"), [
    (197, 1, (13, 14)), (198, 1, (14, 15)), (196, 1, (13, 14)), (196, 0, (13, 14)), (3, 1, (1, 2))
])  # fmt: skip
def test_the_sides_around_a_sequence_length(tokens, prefix, sides):
    """The sequence of `above` has reached the length, that of `below` has not."""
    assert cost.sides_around(tokens, patch=1, prefix=prefix)[1:] == sides


def test_counts_stay_exact_where_int64_and_floats_would_not():
    tokens: Any = np.int32(100_000)  # its square does not fit in 32 bits
    assert cost.pairs(tokens) == 10_000_000_000
    assert cost.score_slots(2**40, 3) == 3 * 2**80
    assert cost.flops(2**70 + 1) == 2**71 + 2
    assert all(type(macs) is int for macs in cost.block_terms(tokens, 8).values())


COUNTS = [
    (cost.pairs, ("tokens",)),
    (cost.score_slots, ("tokens", "heads")),
    (cost.qkv_macs, ("tokens", "width")),
    (cost.scores_macs, ("tokens", "width")),
    (cost.mix_macs, ("tokens", "width")),
    (cost.output_macs, ("tokens", "width")),
    (cost.mlp_macs, ("tokens", "width", "ratio")),
    (cost.flops, ("macs",)),
    (cost.crossovers, ("width", "ratio")),
    (cost.sides_around, ("tokens", "patch")),
]


@pytest.mark.parametrize(
    ("function", "names", "broken"), [(f, names, name) for f, names in COUNTS for name in names]
)
def test_what_is_no_count_is_refused(function, names, broken):
    keywords = {**dict.fromkeys(names, 4), "prefix": 1}
    if function not in (cost.crossovers, cost.sides_around):
        del keywords["prefix"]
    for bad, error, takes in (
        (0, ValueError, "got 0, takes 1 or more"),
        (-3, ValueError, "got -3, takes 1 or more"),
        (2.0, TypeError, "got 2.0, takes a whole number"),
        ("7", TypeError, "got '7', takes a whole number"),
        (True, TypeError, "got True, takes a whole number"),
    ):
        with pytest.raises(error) as caught:
            function(**{**keywords, broken: bad})
        assert str(caught.value) == f"{function.__name__}: {broken}: {takes}"


def test_no_image_is_smaller_than_one_patch():
    with pytest.raises(
        ValueError, match="tokens: got 2, takes 3 or more: an image of one patch has 2"
    ):
        cost.sides_around(2)
