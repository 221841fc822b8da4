"""What docs/patches.md says of its code, in full: the page itself shows a part of it."""

import numpy as np
import pytest
import torch

from vitattn_core import (
    Grid,
    add_position,
    block,
    core_with,
    embed,
    mix,
    patchify,
    products,
    relative_bias,
    resize_positions,
    scale,
    sine_positions,
    softmax,
    teaching_weights,
    unpatchify,
)


def test_order():
    blk = teaching_weights().block  # three heads, K differs from V
    n = np.arange(6)
    content = np.stack([np.sin(2 * n + c) for c in range(12)], axis=1)  # six rows, D = 12
    order = [4, 0, 5, 2, 1, 3]

    def gap(table):
        """How far shuffling the rows is from shuffling what attention adds to them."""
        straight = block(add_position(content, table), blk).M
        shuffled = block(add_position(content[order], table), blk).M
        return np.abs(shuffled - straight[order]).max()

    nothing = np.zeros((6, 12))
    common = np.tile(np.sin(np.arange(12.0)), (6, 1))  # one row for all
    distinct = teaching_weights().position[1:7]  # a row for each
    for name, table in (("nothing", nothing), ("common", common), ("distinct", distinct)):
        print(f"{name:9}{gap(table):.1e}")
    assert gap(nothing) < 1e-12 and gap(common) < 1e-12
    assert gap(distinct) > 0.1

    straight, shuffled = block(content, blk), block(content[order], blk)
    assert np.allclose(shuffled.Z, straight.Z[order])  # the whole block: equivariant
    assert not np.allclose(shuffled.Z, straight.Z)  # not invariant
    assert not np.allclose(block(content + common, blk).M, straight.M)  # common does act


def test_convolution():
    torch.manual_seed(0)
    image = torch.randn(1, 3, 32, 64, dtype=torch.float64)  # not square, on purpose
    conv = torch.nn.Conv2d(3, 5, kernel_size=16, stride=16, dtype=torch.float64)
    with torch.no_grad():
        theirs = conv(image).flatten(2).transpose(1, 2)[0]  # [patches, D]
        E = conv.weight.flatten(1).T.numpy()  # [C * P * P, D]
        ours = embed(patchify(image[0].numpy(), 16), E, conv.bias.numpy())
        assert ours.shape == (8, 5)
        assert np.allclose(ours, theirs.numpy())

        other = image[0].reshape(3, 2, 16, 4, 16).permute(1, 3, 2, 4, 0)  # y, x, channel
        wrong = embed(other.reshape(8, -1).numpy(), E, conv.bias.numpy())
        assert wrong.shape == ours.shape
        assert not np.allclose(wrong, theirs.numpy())

        kernel, numbers = torch.arange(8.0).view(1, 2, 2, 2), torch.arange(16.0).view(1, 2, 2, 4)
        figure = torch.nn.functional.conv2d(numbers, kernel, stride=2)  # the image of the figure
        assert figure.flatten().tolist() == [264, 320]

        taller = torch.cat([image, torch.full((1, 3, 1, 64), 9.0)], dim=2)  # one line more
        assert torch.equal(conv(taller), conv(image))  # and nobody noticed
    with pytest.raises(ValueError, match="1 pixels would be lost"):
        patchify(taller[0].numpy(), 16)


def test_scrambled():
    image = np.arange(3.0 * 32 * 64).reshape(3, 32, 64)
    right = patchify(image, 16)
    wrong = core_with("patchify").patchify(image, 16)  # the core with the axes left unmoved

    assert wrong.shape == right.shape == (8, 768)  # a test of shapes lets it through
    assert wrong.sum() == right.sum()  # so does a sum
    back = {"channels": 3, "height": 32, "width": 64, "patch": 16}
    assert np.array_equal(unpatchify(right, **back), image)
    assert not np.array_equal(unpatchify(wrong, **back), image)  # the way back does not
    assert set(right[0]) != set(wrong[0])  # other pixels, not only another order


def test_kinds():
    grid = Grid(64, 96, 16, cls=False)  # 4 x 6 patches
    table = sine_positions(grid, 32)
    assert len(np.unique(table.round(9), axis=0)) == grid.patches  # no two rows are the same
    near = table @ table.T
    at = grid.token
    row, column = np.array(list(grid.places())).T
    down, across = (abs(place[:, None] - place) for place in (row, column))  # how far apart
    assert np.allclose(near, near[0][6 * down + across])  # nothing else counts
    assert near[at(1, 1), at(1, 2)] > near[at(1, 1), at(1, 3)]  # and nearer is closer
    assert near[at(0, 5), at(1, 5)] > near[at(0, 5), at(1, 0)]  # (1,0) follows (0,5) in the list

    offsets = np.cos(np.arange(7 * 11.0)).reshape(7, 11)  # 2 * 4 - 1 by 2 * 6 - 1
    R = relative_bias(offsets, grid)
    assert R[at(0, 0), at(1, 2)] == R[at(2, 3), at(3, 5)]

    rows = np.stack([np.sin(3.0 * np.arange(24)), np.cos(5.0 * np.arange(24))], axis=1)

    def attend(x, bias):
        return mix(softmax(scale(products(x, x), 2) + bias), 1 - x)

    order = np.roll(np.arange(24), 5)
    assert np.allclose(attend(rows[order], 0), attend(rows, 0)[order])  # blind to order
    assert not np.allclose(attend(rows[order], R), attend(rows, R)[order])  # no longer
    same = relative_bias(np.full((7, 11), 0.7), grid)  # one number for every offset
    assert np.allclose(attend(rows[order], same), attend(rows, same)[order])  # blind again


def test_resize():
    square, wide = Grid(224, 224, 16), Grid(224, 384, 16)
    row, column = np.indices((14, 14)).reshape(2, -1).astype(float)
    table = np.vstack([[-1.0, -1.0], np.stack([row, column], axis=1)])  # CLS, then a ramp

    moved = resize_positions(table, square, wide)
    assert moved.shape == (wide.tokens, 2) == (337, 2)
    assert moved[0].tolist() == [-1, -1]  # CLS keeps its row
    down, across = (wide.field(channel) for channel in moved.T)
    assert np.allclose(down[:, 0], np.arange(14))  # as many lines as before: nothing changes
    assert np.allclose(down, down[:, :1])  # the row's number knows nothing of columns
    assert across[0, 0] == 0 and across[0, -1] == 13  # 24 columns share the same range
    assert (np.diff(across[0]) >= 0).all()
    assert np.diff(across[0]).max() < 1  # neighbours are nearer in the table than before

    steps = np.linspace(0, 196, wide.tokens)  # the whole list as one line
    line = np.stack([np.interp(steps, np.arange(197), channel) for channel in table.T], axis=1)
    assert line.shape == moved.shape  # a test of shapes lets it through
    slanted = wide.field(line[:, 0])
    assert not np.allclose(slanted, slanted[:, :1])  # the ramp does not
    assert 8 * 18 == 12 * 12  # a grid of 8 x 18 has a root, and no side of 12

    swapped = resize_positions(table, square, Grid(384, 224, 16))  # height and width mixed up
    assert swapped.shape == moved.shape  # a test of shapes lets it through
    assert not np.allclose(wide.field(swapped[:, 0]), down)  # the ramp does not
    assert np.array_equal(resize_positions(table, square, square), table)

    fixed = sine_positions(wide, 8)  # a fixed table is computed for any grid
    assert fixed.shape == (337, 8)
