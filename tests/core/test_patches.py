"""Patches: their order, the way back, embedding, the rows in front, positions."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.strategies import dtypes, numbers, small
from vitattn_core import Grid, add_position, embed, patchify, sequence, unpatchify


@given(st.sampled_from([(), (2,)]), small, small, small, st.integers(1, 4), dtypes)
def test_there_and_back(batch, channels, rows, columns, patch, dtype):
    height, width = rows * patch, columns * patch
    shape = (*batch, channels, height, width)
    image = np.arange(np.prod(shape), dtype=dtype).reshape(shape)
    flat = patchify(image, patch)
    assert flat.shape == (*batch, rows * columns, channels * patch * patch)
    assert flat.dtype == dtype
    back = unpatchify(flat, channels=channels, height=height, width=width, patch=patch)
    assert back.dtype == dtype
    np.testing.assert_array_equal(back, image)


@given(small, small, small, st.integers(1, 3))
def test_a_patch_is_its_square_channel_by_channel(channels, rows, columns, patch):
    """The order of a Conv2d weight: all of channel 0 first, in it row by row."""
    grid = Grid(rows * patch, columns * patch, patch, cls=False)
    shape = (channels, grid.height, grid.width)
    image = np.arange(float(np.prod(shape))).reshape(shape)
    for token, flat in enumerate(patchify(image, patch)):
        y, x = grid.pixels(token)
        assert list(flat) == [v for channel in image for row in channel[y, x] for v in row]


@pytest.mark.parametrize(("height", "width"), [(225, 224), (224, 225)])
def test_no_pixel_is_dropped_silently(height, width):
    with pytest.raises(ValueError, match="225 pixels for patches of 16"):
        patchify(np.zeros((3, height, width)), 16)


@given(st.data(), dtypes, small, small, small)
def test_embedding_is_one_matrix_for_all_patches(data, dtype, patches, values, width):
    rows = data.draw(numbers((patches, values), dtype))
    weight = data.draw(numbers((values, width), dtype))
    bias = data.draw(numbers((width,), dtype))
    embedded = embed(rows, weight, bias)
    assert (embedded.shape, embedded.dtype) == ((patches, width), dtype)
    for row, out in zip(rows, embedded, strict=True):
        sums = (row[:, None].astype(np.float64) * weight).sum(axis=0) + bias
        np.testing.assert_allclose(out, sums, rtol=0, atol=1e-2 if dtype == np.float32 else 1e-9)
    np.testing.assert_array_equal(embed(rows, weight), embed(rows, weight, np.zeros(width, dtype)))


@pytest.mark.parametrize("batch", [(), (2,)])
def test_the_sequence_is_cls_then_registers_then_patches(batch):
    patches = np.arange(4.0 * 3).reshape(4, 3) + np.zeros((*batch, 1, 1))
    cls, registers = np.full(3, -1.0), np.array([[-2.0] * 3, [-3.0] * 3])
    whole = sequence(patches, cls=cls, registers=registers)
    assert whole.shape == (*batch, 7, 3)
    assert list(whole[..., :3, 0].reshape(-1, 3)[0]) == [-1, -2, -3]
    np.testing.assert_array_equal(whole[..., 3:, :], patches)
    assert sequence(patches, cls=cls).shape == (*batch, 5, 3)
    np.testing.assert_array_equal(sequence(patches), patches)


def test_the_sequence_has_the_rows_that_the_grid_counts():
    for registers in (0, 4):
        grid = Grid(4, 6, 2, registers=registers)
        front = np.zeros((registers, 5)) if registers else None
        rows = sequence(np.ones((grid.patches, 5)), cls=np.zeros(5), registers=front)
        assert len(rows) == grid.tokens
        assert rows[grid.prefix :].all()
        assert not rows[: grid.prefix].any()


def test_every_row_gets_its_own_position():
    rows = np.zeros((2, 3, 2))
    table = np.arange(6.0).reshape(3, 2)
    np.testing.assert_array_equal(add_position(rows, table), [table, table])
    np.testing.assert_array_equal(add_position(table, table), 2 * table)


@pytest.mark.parametrize("shape", [(1, 2), (4, 2), (3, 1), (2,)])
def test_a_table_that_would_spread_is_refused(shape):
    """One row for all tokens would broadcast, and leave the model blind to position."""
    with pytest.raises(ValueError, match="add_position: table"):
        add_position(np.zeros((3, 2)), np.ones(shape))


def test_inputs_are_left_alone():
    image, table = np.arange(16.0).reshape(1, 4, 4), np.ones((4, 4))
    rows = patchify(image, 2)
    add_position(rows, table)
    np.testing.assert_array_equal(image.ravel(), np.arange(16.0))
    np.testing.assert_array_equal(rows, patchify(image, 2))
