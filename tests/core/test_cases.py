"""Faults that people really hit, one test each, on the smallest input that shows the fault.

The numbers O01 to O26 are names only; each test says what went wrong elsewhere and what is right.
The cases of the site (O28 to O30) are in test_site_colours.py, test_site_motion.py and test_site_code.py.
"""

import random
import warnings

import numpy as np
import pytest
import torch

from tests.core.strategies import plain_block
from vitattn_core import (
    AttentionWeights,
    Grid,
    attention,
    block,
    cost,
    hide,
    key_mask,
    layer_norm,
    merge_heads,
    multi_head_attention,
    patchify,
    scale,
    softmax,
    split_heads,
    teaching_pass,
)

sdpa = torch.nn.functional.scaled_dot_product_attention
LOG = np.log


def near(actual, desired, atol=1e-6):
    np.testing.assert_allclose(actual, desired, rtol=0, atol=atol)


def test_o01_mask_polarity():
    """True = keep, as in torch's SDPA; `nn.MultiheadAttention` means the opposite."""
    zeros, v = np.zeros((3, 2)), np.array([[1.0, 0], [0, 1], [4, 4]])
    mask = np.array([[True, True, False]] * 3)
    output, weights = attention(zeros, zeros, v, mask)
    near(weights, [[0.5, 0.5, 0]] * 3)
    near(output, [[0.5, 0.5]] * 3)
    near(attention(zeros, zeros, v, ~mask)[0], [[4, 4]] * 3)  # what the other reading gives
    tensors = [torch.from_numpy(array) for array in (zeros, zeros, v)]
    near(sdpa(*tensors, attn_mask=torch.from_numpy(mask)), output)
    theirs = torch.nn.MultiheadAttention(2, 1, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        theirs.in_proj_weight.copy_(torch.eye(2).repeat(3, 1))
        theirs.out_proj.weight.copy_(torch.eye(2))
        near(theirs(*tensors, attn_mask=torch.from_numpy(~mask))[0], output)


def test_o02_a_row_with_every_key_masked():
    """Zeros, others untouched; not NaN, not the even row that a large negative number gives."""
    zeros, v = np.zeros((3, 2)), np.array([[1.0, 0], [0, 1], [4, 4]])
    mask = np.array([[True, True, True], [False] * 3, [True, False, True]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        output, weights = attention(zeros, zeros, v, mask)
    near(weights, [[1 / 3] * 3, [0, 0, 0], [0.5, 0, 0.5]])
    near(output, [[5 / 3, 5 / 3], [0, 0], [2.5, 2]])
    tensors = [torch.from_numpy(array) for array in (zeros, zeros, v)]
    near(sdpa(*tensors, attn_mask=torch.from_numpy(mask)), output)


def test_o03_the_mask_belongs_before_the_softmax():
    """Score times mask gives [.25, .5, .25]; weight times mask [.125, .25, 0], sum .375."""
    scores = LOG([[1.0, 2, 5]])
    keep = np.array([[True, True, False]])
    near(softmax(hide(scores, keep)), [[1 / 3, 2 / 3, 0]])
    near(softmax(scores * keep), [[0.25, 0.5, 0.25]])
    near(softmax(scores) * keep, [[0.125, 0.25, 0]])


def test_o04_key_mask_along_the_wrong_axis():
    """A padded token is hidden as a key in every row, its own too; its row is not blanked."""
    scores = np.zeros((2, 1, 3, 3))
    keep = np.array([[True, True, False], [True, True, True]])
    weights = softmax(hide(scores, keep[:, None, None, :]))
    near(weights[0, 0], [[0.5, 0.5, 0]] * 3)
    near(weights[1, 0], [[1 / 3] * 3] * 3)
    np.testing.assert_array_equal(key_mask(keep), keep[:, None, None, :])


def test_o05_scale_by_head_width():
    """The root of the head's width, 4; that of the model's, 8, makes rows flatter, not sharper."""
    w = AttentionWeights(w_q=np.eye(8), w_k=np.eye(8), w_v=np.eye(8), w_o=np.eye(8), heads=2)
    u = np.array([[0.0] * 8, [1.0] + [0] * 7, [1.0, 1] + [0] * 6, [2.0] * 8])
    steps = multi_head_attention(u, w)
    near(steps["S"][0, 3, :3], [0, 1, 2])
    near(softmax(steps["S"][0, 3, :3]), [0.090031, 0.244728, 0.665241])
    near(softmax(scale([[0.0, 2, 4]], 8)), [[0.140029, 0.283995, 0.575975]])
    near(softmax([[0.0, 2, 4]]), [[0.015876, 0.117310, 0.866813]])


def test_o06_softmax_axis():
    """Over the keys of one query: rows sum to 1. Column sums, .75 and 1.25, mean nothing."""
    scores, v = LOG([[1.0, 3.0], [1.0, 1.0]]), np.array([[4.0], [8]])
    weights = softmax(scores)
    near(weights, [[0.25, 0.75], [0.5, 0.5]])
    near(weights @ v, [[7], [6]])
    near(weights.sum(0), [0.75, 1.25])
    # with scale 1 (one channel a head), attention itself must choose that axis
    output, weights = attention(np.array([[0.0], [1]]), LOG([[1.0], [3.0]]), v)
    near(weights, [[0.5, 0.5], [0.25, 0.75]])
    near(output, [[6], [7]])


def test_o07_softmax_subtracts_the_row_maximum():
    """In float32 exp overflows above 88.72; the naive form is NaN for both rows."""
    scores = np.array([[1000, 1001, 998], [-1000, -1001, -998]], np.float32)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        weights = softmax(scores)
    assert weights.dtype == np.float32
    near(weights, [[0.259496, 0.705385, 0.035119], [0.114195, 0.042010, 0.843795]])


def test_o08_values_are_mixed_not_keys():
    """Keys and values differ, so that a mixture of keys, [.5, .5], could not pass."""
    output, _ = attention(np.zeros((2, 2)), np.eye(2), np.array([[10.0, 0], [20, 6]]))
    near(output, [[15, 3]] * 2)
    w = AttentionWeights(
        w_q=np.zeros((2, 2)),
        w_k=np.eye(2),
        w_v=np.array([[10.0, 0], [20, 6]]),
        w_o=np.eye(2),
        heads=1,
    )
    near(multi_head_attention(np.eye(2), w)["M"], [[15, 3]] * 2)


def test_o09_splitting_and_merging_heads():
    """A plain view to (heads, tokens, channels) gives head 0 = [[1, 2], [3, 4]]: rows get mixed."""
    x = np.array([[1.0, 2, 3, 4], [5, 6, 7, 8]])
    heads = split_heads(x, 2)
    near(heads, [[[1, 2], [5, 6]], [[3, 4], [7, 8]]])
    near(merge_heads(heads), x)
    with pytest.raises(ValueError, match="got width 10 for 3 heads"):
        split_heads(np.zeros((2, 10)), 3)


def test_o12_layer_norm_formula():
    """The biased deviation, and epsilon inside the root."""
    near(layer_norm([1.0, 0, 0, 0], eps=0), [1.7320508, -0.5773503, -0.5773503, -0.5773503])
    near(layer_norm([0.0, 2], eps=1), [-0.7071068, 0.7071068])


def test_o13_the_residual_adds_the_raw_row():
    """A block of zeros returns its input; with LN(X) on the skip it returns [[-1, 1], [1, -1]]."""
    x = np.array([[0.0, 2], [4, 0]])
    near(block(x, plain_block(2, heads=1, matrix=np.zeros((2, 2)))).Z, x, atol=0)


def test_o14_order_of_values_inside_a_patch():
    """(channel, row, column), as a Conv2d weight flattens; the other order gives [234, 290]."""
    image = np.arange(16.0).reshape(2, 2, 4)
    patches = patchify(image, 2)
    near(patches, [[0, 1, 4, 5, 8, 9, 12, 13], [2, 3, 6, 7, 10, 11, 14, 15]], atol=0)
    kernel = np.arange(8.0)
    near(patches @ kernel, [264, 320], atol=0)
    weight = torch.from_numpy(kernel.reshape(1, 2, 2, 2))
    theirs = torch.nn.functional.conv2d(torch.from_numpy(image)[None], weight, stride=2)
    near(theirs.flatten(), [264, 320], atol=0)


def test_o15_row_major_grid_height_first():
    """32 high, 64 wide: no side is the root of the patch count; a swap would leave the image."""
    grid = Grid(32, 64, 16, cls=False)
    assert (grid.rows, grid.columns) == (2, 4)
    assert grid.place(5) == (1, 1)
    assert grid.pixels(5) == (slice(16, 32), slice(16, 32))
    image = np.zeros((1, 32, 64))
    image[0, 16:32, 16:32] = 1
    full = [bool(patch.all()) for patch in patchify(image, 16)]
    assert full == [token == 5 for token in range(8)]


def test_o16_sizes_that_do_not_divide():
    """A strided convolution drops the last row of pixels without a word; ours names both sizes."""
    for height, width in ((225, 224), (224, 225)):
        with pytest.raises(
            ValueError, match=r"225 pixels for patches of 16.*1 pixels would be lost"
        ):
            patchify(np.zeros((3, height, width)), 16)
        with pytest.raises(ValueError, match=r"225 pixels for patches of 16"):
            Grid(height, width, 16)


def test_o17_equivariance_and_position():
    """Permuted input gives permuted rows, not the same; one position for all changes nothing."""
    x = np.array([[1.0, 0], [0, 1], [1, 1]])
    right = np.array([[0.802224, 0.598888], [0.598888, 0.802224], [0.751745, 0.751745]])
    order = [2, 0, 1]
    near(attention(x, x, x)[0], right)
    near(attention(x[order], x[order], x[order])[0], right[order])
    for table, moves_along in (([[0, 0], [2, 1], [4, 0]], False), ([[2, 1]] * 3, True)):
        there, here = x[order] + table, x + table
        moved, still = attention(there, there, there)[0], attention(here, here, here)[0][order]
        assert np.allclose(moved, still) is moves_along


def test_o18_cls_offset():
    """Column 0 of the row is CLS: it is no cell of the picture, and it is reported beside it."""
    grid, row = Grid(32, 32, 16), [0.5, 0.05, 0.1, 0.15, 0.2]
    near(grid.field(row), [[0.05, 0.1], [0.15, 0.2]], atol=0)
    near(grid.off_grid(row), [0.5], atol=0)
    near(grid.field(row).sum() + grid.off_grid(row).sum(), 1)
    assert grid.token(1, 0) == 3


def test_o19_query_row_not_key_column():
    """Row i holds what query i reads; column i, what others read from i, does not sum to 1."""
    right = np.array([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.25, 0.25, 0.5]])
    _, weights = attention(LOG(right) * 3**0.5, np.eye(3), np.eye(3))
    near(weights[1], [0.1, 0.6, 0.3])
    near(weights[1].sum(), 1)
    near(weights[:, 1].sum(), 1.05)
    grid = Grid(16, 32, 16)  # one row of two patches, and CLS
    picked = weights[grid.token(0, 0)]
    near(grid.off_grid(picked), [0.1])
    near(grid.field(picked), [[0.6, 0.3]])


def test_o20_each_cell_covers_exactly_its_patch():
    """No resampling: bilinear enlargement would move weight into the neighbours."""
    grid = Grid(4, 4, 2, cls=False)
    field, painted = grid.field([0.0, 1, 2, 4]), np.full((4, 4), np.nan)
    for token in range(grid.tokens):
        painted[grid.pixels(token)] = field[grid.place(token)]
    near(painted, [[0, 0, 1, 1], [0, 0, 1, 1], [2, 2, 4, 4], [2, 2, 4, 4]], atol=0)


def test_o21_averaging_heads():
    """The mean of two heads can prefer a key that neither prefers; the model forms no such mean."""
    rows = np.array([[[0.5, 0.45, 0.05]], [[0.05, 0.45, 0.5]]])  # heads, one query, keys
    values = np.array([np.diag([1.0, 2, 3]), np.diag([6.0, 5, 4])])
    outputs, weights = attention(LOG(rows) * 3**0.5, np.broadcast_to(np.eye(3), (2, 3, 3)), values)
    near(weights, rows)  # a map for each head
    assert list(weights[:, 0].argmax(-1)) == [0, 2]
    near(weights.mean(0)[0], [0.275, 0.45, 0.275])
    assert weights.mean(0)[0].argmax() == 1
    assert np.abs(outputs.mean(0) - weights.mean(0) @ values.mean(0)).max() > 0.5


def test_o23_logical_score_slots():
    """Heads times all pairs of rows, CLS included: not 28,812, not 2,500, not 600."""
    tokens = Grid(224, 224, 32).tokens
    assert tokens == 50
    assert cost.score_slots(tokens, 12) == 30_000
    assert cost.score_slots(Grid(224, 224, 16).tokens, 12) == 465_708


def test_o24_macs_against_flops():
    """One MAC is two FLOPs; the unit is in every name."""
    assert cost.block_terms(5, 8) == {
        "qkv": 960, "scores": 200, "mix": 200, "output": 320, "mlp": 2560
    }  # fmt: skip
    assert sum(list(cost.block_terms(5, 8).values())[:4]) == 1_680
    assert cost.block_macs(5, 8) == 4_240
    assert cost.flops(cost.block_macs(5, 8)) == 8_480
    assert cost.score_slots(5, 2) == 50


def test_o25_counters_that_do_not_see_attention():
    """torch's counter prints 0 for the fused call; the explicit products agree with the formula."""
    from torch.utils.flop_counter import FlopCounterMode

    q, k, v = torch.zeros(3, 1, 12, 64, 64)
    with FlopCounterMode(display=False) as fused:
        sdpa(q, k, v)
    with FlopCounterMode(display=False) as explicit:
        (q @ k.transpose(-2, -1)).softmax(-1) @ v
    assert fused.get_total_flops() == 0
    assert cost.pair_macs(64, 12 * 64) == 6_291_456
    assert explicit.get_total_flops() == cost.flops(cost.pair_macs(64, 12 * 64)) == 12_582_912


def generators():
    """The state of the global generators of NumPy, torch and Python."""
    ours = np.random.get_state(legacy=False)["state"]  # noqa: NPY002
    return ours["key"].tobytes(), ours["pos"], torch.get_rng_state().tolist(), random.getstate()


def test_o26_teaching_numbers_do_not_depend_on_a_generator():
    """Same bytes whatever the seeds, and nobody else's generator is read or moved."""
    y, x = np.mgrid[0:224, 0:224]
    image = np.stack([y, x, (x * y) % 256]).astype(np.uint8)
    passes = []
    for seed in (1, 2):
        np.random.seed(seed)  # noqa: NPY002
        torch.manual_seed(seed)
        before = generators()
        passes.append({name: array.tobytes() for name, array in teaching_pass(image).items()})
        assert generators() == before
    assert passes[0] == passes[1]
