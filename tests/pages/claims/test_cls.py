"""What docs/cls.md says of its code, in full: the page itself shows a part of it."""

import numpy as np

from vitattn_core import Grid, add_position, attention, block, core_with, sequence, teaching_weights


def test_offset():
    grid = Grid(32, 48, 16)  # 2 x 3 patches and CLS
    row = np.array([0.4, 0.05, 0.1, 0.05, 0.2, 0.15, 0.05])
    assert grid.field(row).tolist() == [[0.05, 0.1, 0.05], [0.2, 0.15, 0.05]]
    assert grid.off_grid(row).tolist() == [0.4]
    assert np.isclose(grid.field(row).sum() + grid.off_grid(row).sum(), 1)

    wrong = core_with("offset").Grid(32, 48, 16)  # the core, with CLS left in
    assert wrong.field(row).shape == grid.field(row).shape  # a test of shapes lets it through
    assert wrong.field(row).tolist() == [[0.4, 0.05, 0.1], [0.05, 0.2, 0.15]]

    for place in grid.places():  # all weight on one patch: it has to come out there
        one = np.eye(grid.tokens)[grid.token(*place)]
        assert np.unravel_index(grid.field(one).argmax(), (2, 3)) == place
        assert np.unravel_index(wrong.field(one).argmax(), (2, 3)) != place


def test_rows():
    assert Grid(224, 224, 16, cls=False).token(5, 4) == 74
    assert Grid(224, 224, 16).token(5, 4) == 75
    registers = Grid(224, 224, 16, registers=4)
    assert (registers.tokens, registers.prefix, registers.token(5, 4)) == (201, 5, 79)

    patches = np.arange(12.0).reshape(4, 3)  # four patches, D = 3
    cls, front = np.array([7.0, 7.0, 7.0]), np.array([[8.0, 8.0, 8.0], [9.0, 9.0, 9.0]])
    rows = sequence(patches, cls=cls, registers=front)
    assert rows[:, 0].tolist() == [7, 8, 9, 0, 3, 6, 9]  # channel 0: CLS, registers, patches

    x = sequence(np.stack([patches, -patches]), cls=cls)  # [images, rows, D]
    assert (x[:, 0] == cls).all()  # row 0 of each image: CLS
    assert np.array_equal(sequence(np.stack([patches, -patches]))[:, 0], [patches[0], -patches[0]])

    table = np.sin(np.arange(21.0)).reshape(7, 3)
    placeless = np.vstack([np.zeros((1, 3)), table[1:]])  # no position for CLS
    other_cls = sequence(patches, cls=cls + table[0], registers=front)
    assert np.allclose(add_position(rows, table), add_position(other_cls, placeless))


def test_like_others():
    blk = teaching_weights().block  # taken as the last block of a model
    X = np.stack([np.sin(2 * np.arange(6) + c) for c in range(12)], axis=1)  # row 0 is CLS
    whole = block(X, blk)

    only_cls, _ = attention(whole.Q[:, :1], whole.K, whole.V)  # one query: that of CLS
    assert np.allclose(only_cls[:, 0], whole.O[:, 0])
    fewer_keys, _ = attention(whole.Q[:, :1], whole.K[:, :4], whole.V[:, :4])
    assert not np.allclose(fewer_keys[:, 0], whole.O[:, 0])

    changed = X.copy()
    changed[4] += np.cos(np.arange(12))  # another patch ...
    assert not np.allclose(block(changed, blk).Z[0], whole.Z[0])  # ... another CLS
    changed = X.copy()
    changed[0] += np.cos(np.arange(12))  # another CLS ...
    assert not np.allclose(block(changed, blk).Z[4], whole.Z[4])  # ... another patch row


def test_pooling():
    K = np.array([[1.0, 0.0], [0.0, 2.0], [3.0, 1.0]])
    V = np.array([[6.0, 0.0], [0.0, 3.0], [3.0, 9.0]])
    output, weights = attention(np.zeros((1, 2)), K, V)  # a query that asks nothing
    assert np.allclose(weights, 1 / 3)
    assert np.allclose(output[0], V.mean(axis=0))
    assert np.allclose(attention(np.zeros((1, 2)), K, K)[0][0], K.mean(axis=0))  # rows as values

    blk = teaching_weights().block
    X = np.stack([np.sin(2 * np.arange(6) + c) for c in range(12)], axis=1)  # row 0 is CLS
    order = [0, 4, 2, 5, 1, 3]  # CLS stays in front
    Z, shuffled = block(X, blk).Z, block(X[order], blk).Z
    assert not np.allclose(shuffled, Z)  # the rows: equivariant
    assert np.allclose(shuffled[0], Z[0])  # CLS: invariant
    assert np.allclose(shuffled[1:].mean(axis=0), Z[1:].mean(axis=0))  # the mean: invariant
    assert not np.allclose(Z[0], Z[1:].mean(axis=0))  # and they are not the same row
