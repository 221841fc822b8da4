"""What docs/maps.md says of its code, in full: the page itself shows a part of it."""

import numpy as np

from vitattn_core import (
    attention,
    core_with,
    delete_key,
    flattest_weights,
    hide,
    part_lengths,
    products,
    rollout,
    scale,
    softmax,
    stack,
    swap_values,
    zero_value,
)
from vitattn_core.constructed import STORIES, stack_blocks, stack_rows, told


def test_same_output():
    V = np.array([[0.0, 0.0], [2.0, 0.0], [0.0, 2.0], [2.0, 2.0]])  # corners of a square
    Q = np.array([[1.0]])
    output, weights = attention(Q, np.log([[4.0], [1.0], [1.0], [4.0]]), V)
    other_output, other = attention(Q, np.log([[1.0], [4.0], [4.0], [1.0]]), V)
    assert np.allclose(weights, [[0.4, 0.1, 0.1, 0.4]])
    assert np.allclose(other, [[0.1, 0.4, 0.4, 0.1]])  # bright where the first is dim
    assert np.allclose(output, [[1, 1]]) and np.allclose(other_output, [[1, 1]])
    assert np.allclose(flattest_weights(V, [1.0, 1.0]), 0.25)  # and a flat row does it too

    # 197 rows, four channels: at least 197 - 4 - 1 directions leave sum and output alone.
    n = np.arange(197)
    V = np.stack([np.sin(1.7 * n), np.cos(2.3 * n), np.sin(0.9 * n), np.cos(0.4 * n)], axis=1)
    conditions = np.column_stack([V, np.ones(197)]).T  # (5, 197)
    assert 197 - np.linalg.matrix_rank(conditions) == 192
    wish = np.cos(n / 3)  # any change, less the part that the conditions would notice
    direction = wish - conditions.T @ np.linalg.lstsq(conditions.T, wish, rcond=None)[0]
    row = np.full(197, 1 / 197)
    moved = row + direction * (0.9 / 197 / abs(direction).max())
    assert moved.min() > 0 and np.isclose(moved.sum(), 1)
    assert np.allclose(moved @ V, row @ V) and abs(moved - row).sum() > 0.1


def test_same_map():
    A = softmax(np.log([[6.0, 3.0, 1.0], [1.0, 1.0, 8.0]]))  # two rows, three keys
    V = np.array([[1.0, 0.0], [0.0, 2.0], [4.0, 1.0]])
    same = np.ones((3, 1)) * [2.0, 5.0]  # all values alike
    assert np.allclose(A @ -V, -(A @ V))  # same map, opposite outputs
    assert np.allclose(A @ same, [[2, 5], [2, 5]])  # two maps, one output: the map is idle
    assert not np.allclose(A[0], A[1])


def test_interventions():
    n = np.arange(6)
    Q, K = (
        np.stack([np.cos(n), np.sin(n)], axis=1),
        np.stack([np.cos(2 * n), np.sin(3 * n)], axis=1),
    )
    V = np.stack([np.sin(1.7 * n), n / 3, np.cos(n)], axis=1)
    O, A = attention(Q, K, V)
    scores = scale(products(Q, K), 2)
    for j in n:
        deleted = delete_key(A, j)
        keep = np.ones((1, 6), dtype=bool)
        keep[0, j] = False
        assert np.allclose(deleted, softmax(hide(scores, keep)))  # what a mask does
        a, distance = A[:, j], np.linalg.norm(V[j] - O, axis=1)
        assert np.allclose(np.linalg.norm(deleted @ V - O, axis=1), a / (1 - a) * distance)
        emptied = A @ zero_value(V, j)
        assert np.allclose(np.linalg.norm(emptied - O, axis=1), a * np.linalg.norm(V[j]))
        for i in n:
            moved = np.linalg.norm(A[i] @ swap_values(V, i, j) - O[i])
            assert np.isclose(moved, abs(A[i, j] - A[i, i]) * np.linalg.norm(V[j] - V[i]))

    # The brightest key need not be the one that matters: here it changes nothing at all.
    A, V = np.array([[0.5, 0.25, 0.25]]), np.array([[1.0], [0.0], [2.0]])
    assert (A @ V).tolist() == [[1.0]] and A.argmax() == 0
    assert (delete_key(A, 0) @ V).tolist() == [[1.0]]  # deleted: the output stays
    assert (delete_key(A, 1) @ V).tolist() != [[1.0]]


def test_weight_times_value():
    A = np.array([[0.5, 0.4, 0.1]])
    V = np.array([[1.0, 0.0], [-1.0, 0.0], [0.0, 9.0]])
    assert np.allclose(part_lengths(A, V), [[0.5, 0.4, 0.9]])  # the dimmest key brings most
    assert np.allclose(A @ V, [[0.1, 0.9]])  # the two brightest cancel, but for 0.1
    W_O = np.array([[1.0], [0.0]])  # reads the first channel only
    assert np.allclose(part_lengths(A, V @ W_O), [[0.5, 0.4, 0.0]])


def test_rollout():
    def run(blocks, turned=None):
        """Pass the stack; patch `turned` tells the opposite. Returns rollout and last row of CLS."""
        rows = stack_rows()
        if turned is not None:
            rows[1 + turned, told(turned)] *= -1
        traces = stack(rows, blocks)
        return rollout([trace.A for trace in traces]), traces[-1].Z[0]

    for only_mixing in (False, True):
        blocks = stack_blocks(only_mixing=only_mixing)
        shares, last = run(blocks)
        effect = []
        for patch in range(4):
            same_shares, other = run(blocks, turned=patch)
            assert np.allclose(same_shares, shares, rtol=0, atol=1e-12)  # the rollout never notices
            effect.append(np.linalg.norm(other - last))
        order = np.argsort(shares[0, 1:])
        if only_mixing:
            assert np.array_equal(np.argsort(effect), order)  # the same order
        else:
            assert np.array_equal(np.argsort(effect), order[::-1])  # the reverse
            assert effect[STORIES.index("unread")] < 1e-12
    assert np.allclose(shares.sum(axis=1), 1)


def test_rollout_2():
    wrong = core_with("rollout").rollout  # the core with that one line
    clean = [np.array([[0.1, 0.9], [0.4, 0.6]])]
    assert np.array_equal(wrong(clean), rollout(clean))  # all rows sum to 1: no harm
    assert np.allclose(rollout(clean, discard=0.5).sum(axis=1), 1)
    assert not np.allclose(wrong(clean, discard=0.5).sum(axis=1), 1)


def test_good_for():
    n = np.arange(5)
    Q, K = np.stack([n, 1 - n], axis=1) / 3, np.stack([np.cos(n), n / 4], axis=1)
    V = np.stack([np.sin(n), n + 1.0], axis=1)
    O, A = attention(Q, K, V)
    parts = A[:, :, None] * V  # (query, key, channel)
    assert np.allclose(parts.sum(axis=1), O)  # taken apart without remainder

    keep = np.ones((5, 5), dtype=bool)
    keep[0, 3] = False  # row 0 may not read row 3
    O, A = attention(Q, K, V, keep)
    loud = V.copy()
    loud[3] = 1e6
    changed = attention(Q, K, loud, keep)[0]
    assert A[0, 3] == 0 and np.array_equal(changed[0], O[0])  # nothing came this way
    assert not np.allclose(changed[1:], O[1:])  # where the weight is not 0, it did
