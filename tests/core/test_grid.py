"""The grid: pixels, patches and sequence rows name the same places, also where it is not square."""

import dataclasses

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.strategies import small
from vitattn_core import Grid

grids = st.builds(
    lambda rows, columns, patch, cls, registers: Grid(
        rows * patch, columns * patch, patch, cls=cls, registers=registers
    ),
    small, small, small, st.booleans(), st.integers(0, 4),
)  # fmt: skip


@given(grids)
def test_every_sequence_row_is_counted_once(grid):
    assert grid.tokens == grid.cls + grid.registers + grid.rows * grid.columns
    places = [(r, c) for r in range(grid.rows) for c in range(grid.columns)]  # row by row
    tokens = [grid.token(*place) for place in places]
    assert tokens == list(range(grid.prefix, grid.tokens))
    assert [grid.place(token) for token in tokens] == places


@given(grids)
def test_the_pixels_of_all_patches_cover_the_image_once(grid):
    seen = np.zeros((grid.height, grid.width), int)
    for token in range(grid.prefix, grid.tokens):
        y, x = grid.pixels(token)
        seen[y, x] += 1
        assert (y.start // grid.patch, x.start // grid.patch) == grid.place(token)
        assert (y.stop - y.start, x.stop - x.start) == (grid.patch, grid.patch)
    assert (seen == 1).all()


@given(grids)
def test_a_row_of_weights_is_split_without_loss(grid):
    weights = np.arange(float(grid.tokens))
    field, off_grid = grid.field(weights), grid.off_grid(weights)
    assert field.shape == (grid.rows, grid.columns)
    assert list(off_grid) == list(range(grid.prefix))
    for token in range(grid.prefix, grid.tokens):
        assert field[grid.place(token)] == token


def test_many_rows_at_once():
    grid = Grid(4, 6, 2, registers=1)
    weights = np.arange(5.0 * 8 * 8).reshape(5, 8, 8)  # heads, queries, keys
    assert grid.field(weights).shape == (5, 8, 2, 3)
    np.testing.assert_array_equal(grid.field(weights)[3, 4], grid.field(weights[3, 4]))
    assert grid.off_grid(weights).shape == (5, 8, 2)


def test_the_grid_of_vit_b_16():
    grid = Grid(224, 224, 16)
    assert (grid.rows, grid.columns, grid.patches, grid.prefix, grid.tokens) == (
        14,
        14,
        196,
        1,
        197,
    )
    assert grid.token(5, 4) == 75
    assert Grid(224, 224, 16, cls=False).tokens == 196
    assert Grid(224, 224, 16, registers=4).token(0, 0) == 5  # after CLS and four registers


@pytest.mark.parametrize(
    ("height", "width", "patch"), [(225, 224, 16), (224, 225, 16), (16, 16, 32)]
)
def test_sizes_that_the_patch_does_not_divide_are_refused(height, width, patch):
    with pytest.raises(ValueError, match="takes a multiple of"):
        Grid(height, width, patch)


def test_places_outside_are_refused():
    grid = Grid(32, 64, 16)
    for place in ((-1, 0), (2, 0), (0, 4), (0, -1)):
        with pytest.raises(IndexError):
            grid.token(*place)
    for token in (0, -1, 9):  # CLS, and both sides of the sequence
        with pytest.raises(IndexError):
            grid.place(token)
        with pytest.raises(IndexError):
            grid.pixels(token)


def test_a_grid_does_not_change():
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(Grid(32, 32, 16), "patch", 8)  # noqa: B010
