"""Errors name the request, the input and the limit: the wording is part of the interface."""
# ruff: noqa: E501 - a message stands on one line, as it is printed

import re
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from tests.core.strategies import plain_block
from vitattn_core import (
    AttentionWeights,
    Grid,
    add_position,
    attention,
    block,
    causal_mask,
    embed,
    gelu,
    hide,
    key_mask,
    layer_norm,
    merge_heads,
    mix,
    multi_head_attention,
    patchify,
    products,
    relative_bias,
    resize_positions,
    scale,
    sequence,
    sine_positions,
    softmax,
    split_heads,
    stack,
    stage,
    teaching_pass,
    unpatchify,
    window_mask,
)

ones = np.ones
norm = partial(layer_norm, eps=1e-6)
back = partial(unpatchify, channels=1, height=4, width=4, patch=2)
eye = np.eye(4)


def heads(**other):
    """Weights of two heads, width 4, with some replaced."""
    right = {"w_q": eye, "w_k": eye, "w_v": eye, "w_o": eye, "heads": 2}
    return AttentionWeights(**{**right, **other})


# the error, what raises it, with which arguments, and the whole message
WORDING = [
    # sizes of the image
    (ValueError, Grid, (225, 224, 16), "Grid: height: got 225 pixels for patches of 16, takes a multiple of 16 (1 pixels would be lost)"),
    (ValueError, Grid, (32, 40, 16), "Grid: width: got 40 pixels for patches of 16, takes a multiple of 16 (8 pixels would be lost)"),
    (ValueError, Grid, (0, 16, 16), "Grid: height: got 0 pixels and patch 16, takes positive numbers"),
    (ValueError, Grid, (16, 16, -4), "Grid: height: got 16 pixels and patch -4, takes positive numbers"),
    (ValueError, partial(Grid, registers=-1), (16, 16, 16), "Grid: registers: got -1, takes 0 or more"),
    (IndexError, Grid(32, 64, 16).token, (2, 0), "Grid.token: got patch (2, 0), the grid is 2 × 4, counted from 0"),
    (IndexError, Grid(32, 64, 16).place, (0,), "Grid.place: got sequence row 0, patches are rows 1 to 8"),
    (ValueError, Grid(32, 32, 16).field, (ones(4),), "Grid.field: got shape (4,), takes (…, 5): 1 rows in front and 4 patches"),
    (ValueError, Grid(32, 32, 16).off_grid, (ones((5, 4)),), "Grid.off_grid: got shape (5, 4), takes (…, 5): 1 rows in front and 4 patches"),
    # from an image to rows
    (ValueError, patchify, (ones((3, 30, 32)), 16), "patchify: height: got 30 pixels for patches of 16, takes a multiple of 16 (14 pixels would be lost)"),
    (ValueError, patchify, (ones((32, 32)), 16), "patchify: image: got shape (32, 32), takes (C, H, W) or (B, C, H, W)"),
    (ValueError, back, (ones((3, 4)),), "unpatchify: rows: got 3 patches, takes 2 × 2"),
    (ValueError, back, (ones((4, 3)),), "unpatchify: rows: got shape (4, 3), takes (…, rows, 4)"),
    (ValueError, embed, (ones((4, 3)), ones((2, 5))), "embed: rows: got shape (4, 3), takes (…, rows, 2)"),
    (ValueError, embed, (ones((4, 2)), ones((2, 5)), ones(4)), "embed: bias: got shape (4,), takes (5,)"),
    (ValueError, partial(sequence, cls=ones(3)), (ones((4, 2)),), "sequence: got a front row of 3, takes 2"),
    (ValueError, add_position, (ones((3, 2)), ones((1, 2))), "add_position: table: got shape (1, 2), takes (3, 2): one row for every row of the sequence"),
    # positions
    (ValueError, sine_positions, (Grid(32, 32, 16), 6), "sine_positions: width: got 6, takes a multiple of 4"),
    (ValueError, resize_positions, (ones((4, 3)), Grid(32, 32, 16), Grid(48, 32, 16)), "resize_positions: table: got shape (4, 3), takes (5, channels): 1 rows in front and 2 × 2 patches"),
    (ValueError, resize_positions, (ones((5, 3)), Grid(32, 32, 16), Grid(48, 32, 16, cls=False)), "resize_positions: got 1 rows in front, and 0 in the new grid; takes as many"),
    (ValueError, relative_bias, (ones((3, 3)), Grid(32, 48, 16)), "relative_bias: table: got shape (3, 3), takes (…, 3, 5): every offset on a grid of 2 × 3"),
    # attention, step by step
    (ValueError, products, (ones((3, 4)), ones((3, 5))), "products: k: got shape (3, 5), takes (…, rows, 4)"),
    (ValueError, products, (ones(4), ones((3, 4))), "products: q: got shape (4,), takes (…, rows, channels)"),
    (ValueError, scale, (ones((3, 3)), 0), "scale: head_width: got 0, takes a positive number"),
    (ValueError, mix, (ones((3, 4)), ones((5, 2))), "mix: got 4 weights a row for 5 values, takes as many"),
    (ValueError, attention, (ones((2, 3)), ones((2, 3)), ones((4, 3))), "mix: got 2 weights a row for 4 values, takes as many"),
    (ValueError, split_heads, (ones((2, 10)), 3), "split_heads: got width 10 for 3 heads, takes a multiple of heads"),
    (ValueError, split_heads, (ones((2, 10)), 0), "split_heads: got width 10 for 0 heads, takes a multiple of heads"),
    (ValueError, merge_heads, (ones((2, 3)),), "merge_heads: outputs: got shape (2, 3), takes (…, h, N, d_h)"),
    (ValueError, multi_head_attention, (ones((3, 5)), heads()), "W_Q: weight: got shape (4, 4), takes (5, channels out)"),
    (ValueError, multi_head_attention, (ones((3, 4)), heads(w_o=ones((3, 4)))), "W_O: weight: got shape (3, 4), takes (4, channels out)"),
    (ValueError, multi_head_attention, (ones((3, 4)), heads(b_v=ones(3))), "W_V: bias: got shape (3,), takes (4,)"),
    (ValueError, multi_head_attention, (ones((3, 4)), heads(heads=3)), "split_heads: got width 4 for 3 heads, takes a multiple of heads"),
    # masks
    (TypeError, hide, (ones((2, 2)), [[1, 0], [0, 1]]), "mask: got int64, takes booleans (True = keep this key)"),
    (TypeError, key_mask, (ones(3),), "key_mask: got float64, takes booleans (True = keep this key)"),
    (ValueError, hide, (ones((3, 3)), ones(3, bool)), "mask: got shape (3,) for scores (3, 3), takes 2 axes, each 1 or full, or two: (query, key)"),
    (ValueError, hide, (ones((2, 1, 3, 3)), ones((2, 3), bool)), "mask: got shape (2, 3), does not spread over scores (2, 1, 3, 3); one row of keys an image is written (B, 1, 1, N)"),
    (ValueError, hide, (ones((3, 2, 3, 3)), ones((3, 3), bool)), "mask: got shape (3, 3) for scores (3, 2, 3, 3): rows may be queries or images; write (1, …, N, N) for query and key, (B, 1, 1, N) for one row of keys an image"),
    (ValueError, causal_mask, (0,), "causal_mask: got 0 rows, takes a positive number"),
    (ValueError, window_mask, (Grid(32, 48, 16), 2), "window_mask: got 3 columns for windows of 2, takes a multiple of 2"),
    # the block
    (ValueError, norm, (1.0,), "layer_norm: x: got shape (), takes (…, D)"),
    (ValueError, partial(layer_norm, eps=-1), (ones(3),), "layer_norm: eps: got -1, takes 0 or more"),
    (ValueError, norm, (ones((2, 3)), ones(2)), "layer_norm: gain: got shape (2,), takes (3,)"),
    (ValueError, block, (ones((2, 2, 3, 4)), plain_block(4, 2)), "block: X: got shape (2, 2, 3, 4), takes (N, D) or (B, N, D)"),
    (ValueError, stack, (ones((3, 4)), []), "stack: got no blocks, takes one or more"),
    (KeyError, stage, (2,), "'stage: got 2, takes one of patches, embed, norm, qkv, scores, scale, mask, softmax, mix, heads, residual, mlp'"),
    (ValueError, teaching_pass, (ones((3, 224, 225)),), "teaching_pass: photograph: got shape (3, 224, 225), takes (3, 224, 224)"),
    (ValueError, teaching_pass, (np.full((3, 224, 224), 256),), "teaching_pass: photograph: got values from 256 to 256, takes 0 to 255"),
]  # fmt: skip


@pytest.mark.parametrize(("error", "request_", "arguments", "message"), WORDING)
def test_wording(error, request_, arguments, message):
    with pytest.raises(error, match=f"^{re.escape(message)}$"):
        request_(*arguments)


TAKES_NUMBERS: dict[str, Callable[[Any], object]] = {
    "patchify: image": lambda x: patchify(x.reshape(1, 2, 2), 2),
    "embed: weight": lambda x: embed(ones((2, 2)), x),
    "products: q": lambda x: products(x, ones((2, 2))),
    "products: k": lambda x: products(ones((2, 2)), x),
    "scale: products": lambda x: scale(x, 2),
    "softmax: scores": softmax,
    "mix: values": lambda x: mix(ones((2, 2)), x),
    "attention: v": lambda x: attention(ones((2, 2)), ones((2, 2)), x),
    "split_heads: rows": lambda x: split_heads(x, 2),
    "hide: scores": lambda x: hide(x, None),
    "layer_norm: x": norm,
    "gelu: x": gelu,
    "block: X": lambda x: block(x, plain_block(2, 1)),
    "relative_bias: table": lambda x: relative_bias(x, Grid(2, 2, 2)),
    "resize_positions: table": lambda x: resize_positions(
        x, Grid(2, 4, 2, cls=False), Grid(2, 2, 2, cls=False)
    ),
    "Grid.field": lambda x: Grid(2, 2, 1, cls=False).field(x.reshape(4)),
}


@pytest.mark.parametrize("dtype", [np.float16, np.complex128, np.bool_, object, np.longdouble])
@pytest.mark.parametrize("request_", TAKES_NUMBERS)
def test_other_dtypes_are_refused(request_, dtype):
    """float32 and float64 stay; lists and integers become float64; the rest would surprise."""
    if np.dtype(dtype) == np.float64:
        pytest.skip("long double is double on this machine")
    with pytest.raises(
        TypeError, match=rf"^{re.escape(request_)}: got \w+ of shape .*, takes float32"
    ):
        TAKES_NUMBERS[request_](np.ones((2, 2)).astype(dtype))


NARROW = np.ones((2, 2), np.float32)


@pytest.mark.parametrize(
    "mixed",
    [
        lambda: products(NARROW, ones((2, 2))),
        lambda: mix(NARROW, ones((2, 2))),
        lambda: embed(NARROW, ones((2, 2))),
        lambda: add_position(NARROW, ones((2, 2))),
        lambda: sequence(NARROW, cls=ones(2)),
        lambda: norm(NARROW, ones(2)),
        lambda: block(NARROW, plain_block(2, 1)),
    ],
)
def test_two_precisions_are_not_mixed_silently(mixed):
    with pytest.raises(TypeError, match=r"float32.*float64.*takes one dtype for all"):
        mixed()


@pytest.mark.parametrize(
    ("request_", "shapes"),
    [(products, ((2, 3, 4), (3, 3, 4))), (mix, ((2, 3, 3), (3, 3, 4)))],
)
def test_leading_axes_that_do_not_fit_are_refused(request_, shapes):
    with pytest.raises(
        ValueError, match=rf"^{request_.__name__}: got .*; takes the same axes in front, or 1$"
    ):
        request_(*(ones(shape) for shape in shapes))


def test_what_is_no_number_of_pixels_is_refused():
    sizes: list[Any] = [224.0, "224", None]
    for size in sizes:
        with pytest.raises(
            TypeError, match=r"^Grid: height: got .*, takes whole numbers of pixels$"
        ):
            Grid(size, 224, 16)
