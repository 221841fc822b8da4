"""What docs/learned-heads.md says of its code, in full: the page itself shows a part of it."""

import numpy as np

from vitattn_core import attention, products, scale, softmax


def test_shifts():
    n = np.arange(16)
    angle = 2 * np.pi * n / 16
    P = np.stack([np.cos(angle), np.sin(angle)], axis=1)  # a position for each of 16 rows
    turn = 2 * np.pi / 16
    W_Q = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    for picture in range(3):
        content = np.random.default_rng(picture).normal(size=(16, 4))
        X = np.hstack([content, P])  # content and position, in channels of their own
        Q, K, V = 40 * X[:, 4:] @ W_Q, X[:, 4:], X[:, :4]
        _O, A = attention(Q, K, V)
        assert (A.argmax(axis=1) == (n + 1) % 16).all()  # each row reads the next one
        assert np.allclose(A, np.roll(A, (1, 1), axis=(0, 1)))  # whatever stands there
    _flat, even = attention(Q * 0, K * 0, V)  # no position: no direction
    assert np.allclose(even, 1 / 16)


def test_shared():
    rng = np.random.default_rng(0)
    Q, K, V = rng.normal(size=(3, 50, 8))
    Q[:, 0] = 3.0  # what all queries have in common ...
    K[7], V[7] = 0.0, 0.0
    K[7, 0] = 9.0  # ... and key 7 answers, with an empty value
    O, A = attention(Q, K, V)
    assert (A.argmax(axis=1) == 7).all() and A[:, 7].min() > 0.5  # the brightest key of every row
    without, _ = attention(Q, np.delete(K, 7, axis=0), np.delete(V, 7, axis=0))
    assert np.allclose(O, (1 - A[:, [7]]) * without)  # it brings nothing: the rest, only shorter


def test_biases():
    rng = np.random.default_rng(1)
    Q, K = rng.normal(size=(2, 20, 8))
    bias = 30 * rng.normal(size=8)
    before, after = (scale(products(Q, keys), 8) for keys in (K, K + bias))
    assert abs(after - before).max() > 40  # scores far apart
    assert np.ptp(after - before, axis=1).max() < 1e-12  # ... by one number a row
    assert np.allclose(softmax(after), softmax(before), rtol=0, atol=1e-12)
    queries = scale(products(Q + bias, K), 8)  # a bias on the queries is another matter
    assert abs(softmax(queries) - softmax(before)).max() > 0.5
