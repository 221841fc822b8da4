"""What docs/notation.md says of its code, in full: the page itself shows a part of it."""

from vitattn_core import Grid


def test_counting():
    grid = Grid(224, 224, 16)
    assert grid.place(1) == (0, 0)
    for row in range(14):
        for column in range(14):
            assert grid.token(row, column) == 1 + 14 * row + column
