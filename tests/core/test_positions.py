"""Positions: the fixed table, a table on another grid, and the bias by offset."""

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st

from tests.core.strategies import dtypes, numbers, small
from vitattn_core import (
    Grid,
    mix,
    products,
    relative_bias,
    resize_positions,
    scale,
    sine_positions,
    softmax,
)


def grid_of(rows, columns, *, cls=True, registers=0):
    return Grid(2 * rows, 2 * columns, 2, cls=cls, registers=registers)


@given(small, small, st.integers(1, 4), st.booleans(), st.integers(0, 2))
def test_the_fixed_table_is_the_formula_entry_by_entry(rows, columns, quarter, cls, registers):
    grid = grid_of(rows, columns, cls=cls, registers=registers)
    table = sine_positions(grid, 4 * quarter)
    assert table.shape == (grid.tokens, 4 * quarter)
    assert not table[: grid.prefix].any()
    for token in range(grid.prefix, grid.tokens):
        row, column = grid.place(token)
        for k in range(quarter):
            speed = 10_000 ** (-k / quarter)
            parts = [np.sin(row * speed), np.cos(row * speed)]
            parts += [np.sin(column * speed), np.cos(column * speed)]
            found = [table[token, part * quarter + k] for part in range(4)]
            np.testing.assert_allclose(found, parts, rtol=0, atol=1e-12)


def test_products_of_the_fixed_table_depend_on_the_offset_only():
    grid = grid_of(5, 6, cls=False)
    table = sine_positions(grid, 16)
    inner = table @ table.T
    seen: dict[tuple[int, ...], float] = {}
    for i, j in np.ndindex(*inner.shape):
        offset = tuple(np.abs(np.subtract(grid.place(i), grid.place(j))))
        assert inner[i, j] == pytest.approx(seen.setdefault(offset, float(inner[i, j])), abs=1e-12)
    assert len(seen) == 5 * 6
    others = inner - np.diag(np.full(len(inner), np.inf))
    assert (np.diag(inner)[:, None] > others + 0.1).all()  # nothing is closer than the patch itself


@given(st.data(), small, small, small, small, st.integers(0, 2), dtypes)
def test_a_table_is_resized_as_torch_does(data, rows, columns, down, across, registers, dtype):
    old, new = (
        grid_of(r, c, cls=False, registers=registers) for r, c in ((rows, columns), (down, across))
    )
    table = data.draw(numbers((old.tokens, 3), dtype))
    resized = resize_positions(table, old, new)
    assert (resized.shape, resized.dtype) == ((new.tokens, 3), dtype)
    np.testing.assert_array_equal(resized[:registers], table[:registers])
    laid = torch.from_numpy(table[registers:].reshape(1, rows, columns, 3)).permute(0, 3, 1, 2)
    theirs = torch.nn.functional.interpolate(
        laid, size=(down, across), mode="bilinear", align_corners=False
    )
    expected = theirs[0].permute(1, 2, 0).reshape(-1, 3).numpy()
    tolerance = 1e-3 if dtype == np.float32 else 1e-10
    np.testing.assert_allclose(resized[registers:], expected, rtol=0, atol=tolerance)


@given(st.data(), small, small)
def test_the_same_grid_leaves_the_table_alone(data, rows, columns):
    grid = grid_of(rows, columns)
    table = data.draw(numbers((grid.tokens, 2), np.float64))
    np.testing.assert_array_equal(resize_positions(table, grid, grid), table)


def test_a_ramp_stays_a_ramp_along_its_own_axis():
    """Height and width are not swapped: what rises with the row rises with the row."""
    old, new = grid_of(4, 4), grid_of(3, 8)
    row, column = np.indices((4, 4), dtype=float)
    table = np.vstack([[-7.0, -9.0], np.stack([row.ravel(), column.ravel()], axis=1)])
    resized = resize_positions(table, old, new)
    assert resized[0].tolist() == [-7, -9]
    down, across = resized[1:].reshape(3, 8, 2).transpose(2, 0, 1)
    assert (np.diff(down, axis=0) > 0).all() and not np.ptp(down, axis=1).any()
    assert (np.diff(across, axis=1) >= 0).all() and not np.ptp(across, axis=0).any()


@given(st.data(), small, small, st.integers(0, 2), st.sampled_from([(), (3,)]), dtypes)
def test_a_bias_depends_on_the_offset_only(data, rows, columns, registers, lead, dtype):
    grid = grid_of(rows, columns, registers=registers)
    table = data.draw(numbers((*lead, 2 * rows - 1, 2 * columns - 1), dtype))
    bias = relative_bias(table, grid)
    assert (bias.shape, bias.dtype) == ((*lead, grid.tokens, grid.tokens), dtype)
    assert not bias[..., : grid.prefix, :].any() and not bias[..., :, : grid.prefix].any()
    for i in range(grid.prefix, grid.tokens):
        for j in range(grid.prefix, grid.tokens):
            down, across = np.subtract(grid.place(i), grid.place(j))
            entry = table[..., down + rows - 1, across + columns - 1]
            np.testing.assert_array_equal(bias[..., i, j], entry)


def test_a_bias_breaks_the_symmetry_and_one_number_for_all_offsets_does_not():
    grid = grid_of(2, 3, cls=False)
    x = np.stack([np.sin(np.arange(6.0)), np.cos(2 * np.arange(6.0))], axis=1)
    order = [4, 0, 5, 2, 1, 3]

    def attend(rows, table):
        scores = scale(products(rows, rows), 2) + relative_bias(table, grid)
        return mix(softmax(scores), 1 - rows)

    table = np.arange(15.0).reshape(3, 5) / 5
    assert np.abs(attend(x[order], table) - attend(x, table)[order]).max() > 0.1
    even = np.full((3, 5), 2.5)
    np.testing.assert_allclose(attend(x[order], even), attend(x, even)[order], atol=1e-12)


@pytest.mark.parametrize(("method", "mode"), [("linear", "bilinear"), ("cubic", "bicubic")])
@pytest.mark.parametrize(("old", "new"), [((37, 37), (16, 16)), ((3, 5), (7, 4)), ((1, 2), (3, 3))])
def test_a_resized_table_is_torchs(method, mode, old, new):
    """Up and down, other shapes, a grid of one row; CLS is left as it is."""
    before, after = (Grid(rows, columns, 1) for rows, columns in (old, new))
    table = np.random.default_rng(3).normal(size=(before.tokens, 4))
    moved = resize_positions(table, before, after, method=method)
    laid = torch.from_numpy(table[1:]).reshape(1, *old, 4).permute(0, 3, 1, 2)
    theirs = torch.nn.functional.interpolate(laid, size=new, mode=mode, align_corners=False)
    np.testing.assert_allclose(
        moved[1:], theirs.permute(0, 2, 3, 1).reshape(-1, 4).numpy(), rtol=0, atol=1e-12
    )
    np.testing.assert_array_equal(moved[0], table[0])


def test_another_method_of_resizing_is_refused():
    grid = Grid(2, 2, 1)
    message = r"resize_positions: method: got 'nearest', takes one of linear, cubic"
    with pytest.raises(ValueError, match=message):
        resize_positions(np.zeros((5, 2)), grid, grid, method="nearest")
