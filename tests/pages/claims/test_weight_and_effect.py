"""What docs/weight-and-effect.md says of its code, in full: the page itself shows a part of it."""

import numpy as np

from vitattn_core import AttentionWeights, BlockWeights, block, softmax


def test_network():
    def spread(rows):
        """How far rows are from their mean, as a share of their lengths."""
        return np.linalg.norm(rows - rows.mean(axis=0)) / np.linalg.norm(rows)

    rng = np.random.default_rng(0)
    rows = skipped = rng.normal(size=(50, 8))
    for _ in range(12):
        A = softmax(rng.normal(size=(50, 50)))
        rows, skipped = A @ rows, skipped + A @ skipped
    assert spread(rows) < 1e-6 < 1e-3 < spread(skipped)


def test_no_path():
    rng = np.random.default_rng(0)

    def weights():
        """One block of random weights: D = 8, two heads."""
        q, k, v, o = rng.normal(size=(4, 8, 8))
        return BlockWeights(
            attention=AttentionWeights(w_q=q, w_k=k, w_v=v, w_o=o, heads=2),
            w_1=rng.normal(size=(8, 32)),
            w_2=rng.normal(size=(32, 8)),
            eps=1e-6,
        )

    blocks, X = [weights() for _ in range(3)], rng.normal(size=(10, 8))  # row 0 is CLS
    blind = np.ones((10, 10), dtype=bool)
    blind[0, 1:] = False  # CLS sees itself alone
    for layer in range(3):
        right = wrong = X
        for n, w in enumerate(blocks):
            right, wrong = block(right, w).Z, block(wrong, w, blind if n == layer else None).Z
        assert not np.allclose(right[0], wrong[0])  # CLS is another row
        same = np.array_equal(right[1:], wrong[1:])  # what a decoder of patch rows reads
        assert same == (layer == 2)  # the last layer: the same to the last bit


def test_idle():
    rng = np.random.default_rng(2)
    scores = rng.normal(size=(20, 20))
    scores[:, 4] += 30  # all rows look at key 4
    A, V, W_O = softmax(scores), rng.normal(size=(20, 6)), rng.normal(size=(6, 6))
    assert A[:, 4].min() > 0.999
    added = A @ V @ W_O
    assert np.abs(added).max() > 1 and np.ptp(added, axis=0).max() < 1e-6  # one vector for all
    X = rng.normal(size=(20, 6))
    before, after = X - X.mean(axis=0), (X + added) - (X + added).mean(axis=0)
    assert np.allclose(before, after, atol=1e-6)  # what tells rows apart has not changed
