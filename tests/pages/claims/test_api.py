"""What docs/api.md says of its code, in full: the page itself shows a part of it."""

import numpy as np
import pytest

from vitattn_core import Grid, attention, flattest_weights, mix, products, scale, softmax


def test_first():
    Q, K, V = np.eye(3, 2), np.ones((3, 2)) - np.eye(3, 2), np.arange(9.0).reshape(3, 3)
    A = softmax(scale(products(Q, K), head_width=2))  # (query, key)
    O = mix(A, V)
    assert A.shape == (3, 3) and O.shape == (3, 3)
    assert np.allclose(A.sum(axis=1), 1)


def test_first_2():
    assert softmax(np.zeros((2, 3), dtype=np.float32)).dtype == np.float32
    assert softmax([[1, 2]]).dtype == np.float64
    assert flattest_weights(np.eye(2, dtype=np.float32), [0.5, 0.5]).dtype == np.float64
    half, single, double = (np.ones((2, 3), dtype=f"float{bits}") for bits in (16, 32, 64))
    for refused in ((half, half, half), (single, double, double)):
        with pytest.raises(TypeError) as error:
            attention(*refused)
        assert "takes float32 or float64" in str(error.value) or "takes one dtype" in str(
            error.value
        )
    with pytest.raises(
        ValueError, match=r"^products: k: got shape \(1, 3\), takes \(…, rows, 2\)$"
    ):
        attention([[1.0, 2.0]], [[1.0, 2.0, 3.0]], [[1.0], [2.0]])
    assert Grid(32, 64, 16).tokens == 9
