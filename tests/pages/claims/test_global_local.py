"""What docs/global-local.md says of its code, in full: the page itself shows a part of it."""

import numpy as np

from vitattn_core import Grid, add_position, attention, window_mask


def test_one_layer():
    grid = Grid(6, 6, 1, cls=False)
    n = np.arange(36)
    x = np.stack([np.sin(1.7 * n), np.cos(2.3 * n)], axis=1)
    kernel = np.array([[1.0, 2.0, -1.0], [2.0, 3.0, 1.0], [-1.0, 1.0, 2.0]])

    def convolution(x):  # 3 x 3, zeros beyond the border
        padded = np.pad(x.reshape(6, 6, 2), ((1, 1), (1, 1), (0, 0)))
        parts = [kernel[r, c] * padded[r : r + 6, c : c + 6] for r in range(3) for c in range(3)]
        return sum(parts).reshape(36, 2)

    def attend(x, keep=None):
        return attention(x, x[:, ::-1], 1 - x, keep)[0]

    def influence(operator):
        """Entry (i, j) is True where output row i moves when input row j is changed."""
        moved = np.zeros((36, 36), dtype=bool)
        for j in range(36):
            changed = x.copy()
            changed[j] += 0.5
            moved[:, j] = np.any(operator(changed) != operator(x), axis=1)
        return moved

    row, column = n // 6, n % 6
    apart = np.maximum(abs(row[:, None] - row), abs(column[:, None] - column))
    assert np.array_equal(influence(convolution), apart <= 1)
    windows = window_mask(grid, 3)
    assert np.array_equal(influence(lambda x: attend(x, windows)), windows)
    assert influence(attend).all()


def test_content():
    n = np.arange(6.0)
    one, other = np.sin(n)[:, None], np.cos(2 * n)[:, None]
    change = np.zeros((6, 1))
    change[2] = 0.5

    def convolution(x):
        padded = np.pad(x, ((1, 1), (0, 0)))
        return padded[:-2] + 2 * padded[1:-1] - padded[2:]

    def moved(operator, x):
        return operator(x + change) - operator(x)

    assert np.allclose(moved(convolution, one), moved(convolution, other))

    def attend(x):
        return attention(2 * x, x, 1 - x)[0]

    assert not np.allclose(moved(attend, one), moved(attend, other))


def test_order():
    n = np.arange(6)
    x = np.stack([np.sin(1.7 * n), np.cos(2.3 * n)], axis=1)
    order = np.array([4, 0, 5, 2, 1, 3])

    def attend(x):
        return attention(x, x[:, ::-1], 1 - x)[0]

    assert np.allclose(attend(x[order]), attend(x)[order])  # any order
    place = np.stack([n / 5, np.zeros(6)], axis=1)

    def told(x):
        return attend(add_position(x, place))

    assert not np.allclose(told(x[order]), told(x)[order])  # told where rows are: no more

    swapped = x[[0, 3, 2, 1, 4, 5]]  # the neighbours of row 2 change places
    assert np.allclose(attend(swapped)[2], attend(x)[2])

    def convolved(x):
        return x[1] + 2 * x[2] - x[3]

    assert not np.allclose(convolved(swapped), convolved(x))


def test_layers():
    row, column = np.divmod(np.arange(196), 14)
    apart = np.maximum(abs(row[:, None] - row), abs(column[:, None] - column))

    def layers(*masks):
        """Layers until a corner can have reached the opposite one; masks take turns."""
        found, count = np.arange(196) == 0, 0
        while not found[-1] and count < 50:
            found, count = masks[count % len(masks)][found].any(axis=0), count + 1
        return count if found[-1] else "never"

    plain = window_mask(Grid(14, 14, 1, cls=False), 7)
    window = (row - 3) // 7 * 100 + (column - 3) // 7  # all borders three further on
    shifted = window[:, None] == window
    assert (layers(apart <= 1), layers(apart <= 3)) == (13, 5)
    assert (layers(plain), layers(plain, shifted)) == ("never", 3)
