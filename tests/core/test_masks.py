"""Masks: True = keep, the last axis is the key axis, before the softmax, exactly, or refused."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.core.strategies import dtypes, leading, masks, numbers, small
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


@given(st.data(), dtypes, leading, small, small)
def test_hidden_keys_are_minus_infinity_and_the_rest_is_untouched(data, dtype, lead, queries, keys):
    scores = data.draw(numbers((*lead, queries, keys), dtype))
    mask = data.draw(masks(scores.shape))
    before = scores.copy()
    hidden = hide(scores, mask)
    spread = np.broadcast_to(mask, scores.shape)
    assert hidden.dtype == dtype
    np.testing.assert_array_equal(hidden[spread], scores[spread])
    assert (hidden[~spread] == -np.inf).all()
    np.testing.assert_array_equal(scores, before)


@given(st.data(), dtypes, leading, small, small)
def test_hiding_is_leaving_out(data, dtype, lead, queries, keys):
    """The kept keys weigh what they would weigh if the others had never been there."""
    scores = data.draw(numbers((*lead, queries, keys), dtype))
    mask = data.draw(masks(scores.shape))
    weights = softmax(hide(scores, mask))
    spread = np.broadcast_to(mask, scores.shape)
    for at in np.ndindex(*scores.shape[:-1]):
        kept = spread[at]
        assert (weights[at][~kept] == 0).all()  # exactly
        np.testing.assert_allclose(weights[at][kept], softmax(scores[at][kept]), rtol=1e-6)


def test_no_mask_and_a_mask_that_keeps_all_are_the_same():
    scores = np.array([[0.0, 1.0], [2.0, -3.0]])
    np.testing.assert_array_equal(hide(scores, None), scores)
    np.testing.assert_array_equal(hide(scores, [[True, True]]), scores)


@pytest.mark.parametrize(
    "mask",
    [[[1, 1], [0, 1]], [[1.0, 0.0], [1.0, 1.0]], [[-np.inf, 0.0], [0.0, 0.0]], [["True", "x"]] * 2],
)
def test_only_booleans_are_masks(mask):
    """Numbers are refused: 0 and 1, or 0 and -inf, mean opposite things in different libraries."""
    with pytest.raises(TypeError, match="True = keep"):
        hide(np.zeros((2, 2)), mask)
    with pytest.raises(TypeError, match="True = keep"):
        key_mask(np.array(mask))


@pytest.mark.parametrize(
    ("scores", "mask"),
    [
        ((3, 3), (3,)),  # one axis: queries or keys?
        ((3, 3), (1, 3, 3)),  # more axes than the scores
        ((2, 2, 3, 3), (2, 3, 3)),  # images or heads?
        ((3, 3), (3, 2)),
        ((2, 4, 3, 3), (2, 2, 1, 3)),
        ((3, 3), ()),
    ],
)
def test_other_shapes_are_refused(scores, mask):
    with pytest.raises(ValueError, match=r"^mask: got shape"):
        check_mask(np.ones(mask, bool), scores)


@pytest.mark.parametrize(
    ("scores", "mask"),
    [((3, 4, 3, 3), (3, 3)), ((3, 3, 3), (3, 3)), ((2, 1, 2, 2), (2, 2)), ((2, 1, 2, 5), (2, 1))],
)
def test_a_mask_of_queries_or_of_images_is_refused_where_it_could_be_both(scores, mask):
    with pytest.raises(ValueError, match="rows may be queries or images") as caught:
        check_mask(np.ones(mask, bool), scores)
    message = str(caught.value)
    for part in (f"got shape {mask} for scores {scores}", "(1, …, N, N)", "(B, 1, 1, N)"):
        assert part in message


@pytest.mark.parametrize(
    ("scores", "mask"),
    [
        ((2, 4, 3, 3), (3, 3)),  # two images, three rows: only queries fit
        ((3, 4, 3, 3), (1, 1, 3, 3)),  # the two ways out that the refusal names
        ((3, 4, 3, 3), (3, 1, 1, 3)),
        ((1, 4, 1, 3), (1, 3)),  # one image: there is nothing to confuse
        ((3, 4, 3, 3), (1, 3)),
        ((3, 3), (3, 3)),
        ((3, 3), (3, 1)),
    ],
)
def test_shapes_that_say_one_thing_are_taken(scores, mask):
    assert check_mask(np.ones(mask, bool), scores).shape == mask


def test_a_padding_mask_hides_keys_in_every_row_of_its_image():
    keep = np.array([[True, True, False], [True, False, False]])
    assert key_mask(keep).shape == (2, 1, 1, 3)
    weights = softmax(hide(np.zeros((2, 4, 3, 3)), key_mask(keep)))
    np.testing.assert_array_equal(weights[0], np.tile([0.5, 0.5, 0], (4, 3, 1)))
    np.testing.assert_array_equal(weights[1], np.tile([1.0, 0, 0], (4, 3, 1)))
    assert key_mask(keep[0]).shape == (1, 3)


@given(st.data(), dtypes, small, small)
def test_a_row_that_keeps_no_key_gives_zeros_and_leaves_the_others_alone(data, dtype, n, width):
    q, k, v = (data.draw(numbers((n, width), dtype)) for _ in range(3))
    empty = data.draw(st.integers(0, n - 1))
    mask = np.ones((n, n), bool)
    mask[empty] = False
    output, weights = attention(q, k, v, mask)
    assert not output[empty].any()
    assert not weights[empty].any()
    others = np.arange(n) != empty
    np.testing.assert_array_equal(weights[others], attention(q, k, v)[1][others])


@given(small)
def test_a_causal_mask_keeps_a_row_and_those_before_it(n):
    keep = causal_mask(n)
    assert keep.dtype == np.bool_
    for i, j in np.ndindex(n, n):
        assert keep[i, j] == (j <= i)
    assert keep.sum() == n * (n + 1) // 2


@given(small, small, st.integers(1, 3), st.booleans(), st.integers(0, 2))
def test_a_window_mask_cuts_the_grid_into_squares(down, across, side, cls, registers):
    grid = Grid(2 * down * side, 2 * across * side, 2, cls=cls, registers=registers)
    keep = window_mask(grid, side)
    assert (keep.shape, keep.dtype) == ((grid.tokens, grid.tokens), np.bool_)
    for i, j in np.ndindex(*keep.shape):
        if min(i, j) < grid.prefix:
            assert keep[i, j]
        else:
            (row, column), (other_row, other_column) = grid.place(i), grid.place(j)
            same = row // side == other_row // side and column // side == other_column // side
            assert keep[i, j] == same
    assert (keep[grid.prefix :].sum(axis=1) == grid.prefix + side**2).all()


def test_a_window_as_wide_as_the_grid_hides_nothing():
    assert window_mask(Grid(6, 6, 2), 3).all()
