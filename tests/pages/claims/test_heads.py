"""What docs/heads.md says of its code, in full: the page itself shows a part of it."""

import numpy as np

from vitattn_core import (
    AttentionWeights,
    attention,
    core_with,
    merge_heads,
    multi_head_attention,
    split_heads,
    total_variation,
)


def test_mean():
    K = np.array([[-1.0], [-1.0], [1.0], [1.0]])  # two keys above, two below
    V = np.array([[0.9], [0.7], [0.2], [0.4]])  # brightness
    Q = np.array([[[-2.0]], [[2.0]]])  # two heads with opposite queries, one query row each
    output, A = attention(Q, K[None], V[None])
    assert A.shape == (2, 1, 4)

    mean = A.mean(axis=0)
    assert np.allclose(mean, 1 / 4)  # even
    assert A[0, 0].argmax() in (0, 1) and A[1, 0].argmax() in (2, 3)

    assert total_variation(A[0, 0], A[1, 0]) > 0.9
    assert total_variation([1, 0, 0], [0, 1, 0]) == 1
    assert total_variation(mean[0], np.full(4, 1 / 4)) < 1e-12

    difference = (output[0] - output[1]).item()  # what W_O = (1, -1) would write
    assert difference > 0.4
    assert np.allclose(mean @ V, V.mean(axis=0))  # what the mean map would bring


def test_slices():
    n = np.arange(48.0)
    w_q, w_k, w_v, w_o = (np.sin(a * n).reshape(4, 12) for a in (1, 2, 3, 5))
    weights = AttentionWeights(w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o.T, heads=3)  # D = 4, d_h = 4
    U = np.cos(np.arange(20.0)).reshape(5, 4)
    out = multi_head_attention(U, weights)
    assert out["O"].shape == (3, 5, 4) and out["joined"].shape == (5, 12)  # h * d_h = 12
    assert out["M"].shape == (5, 4)  # and back to D

    for channel in range(4):
        touched = U.copy()
        touched[:, channel] += n[:5]  # one channel of the input
        again = multi_head_attention(touched, weights)
        for head in range(3):
            assert not np.allclose(again["A"][head], out["A"][head])  # every head sees it

    assert np.array_equal(out["Q"], split_heads(U @ w_q, 3))  # project first, then split


def test_merge():
    joined = np.arange(24.0).reshape(4, 6)  # N = 4, h * d_h = 6
    heads = split_heads(joined, 3)
    assert heads.shape == (3, 4, 2)
    assert heads[1].tolist() == [[2, 3], [8, 9], [14, 15], [20, 21]]  # channels 2 and 3
    wrong = core_with("merge").merge_heads  # the same line without the exchange

    assert wrong(heads).shape == joined.shape  # shapes let it through
    one = split_heads(joined, 1)
    assert np.array_equal(wrong(one), joined)  # so does a single head
    assert np.array_equal(merge_heads(heads), joined)
    assert not np.array_equal(wrong(heads), joined)  # the round trip does not

    order = [2, 0, 3, 1]  # shuffled rows in, shuffled rows out
    assert np.array_equal(merge_heads(heads[:, order]), joined[order])
    assert not np.array_equal(wrong(heads[:, order]), wrong(heads)[order])

    view = joined.reshape(3, 4, 2)  # splitting without the exchange
    assert view.shape == heads.shape and not np.array_equal(view, heads)
    assert np.array_equal(wrong(view), joined)  # both wrong: the round trip is clean
    assert not np.array_equal(joined[order].reshape(3, 4, 2), view[:, order])  # the shuffle is not


def test_sum():
    n = np.arange(36.0)
    w_q, w_k, w_v, w_o = (np.sin(a * n).reshape(6, 6) for a in (1, 2, 3, 5))
    U = np.cos(np.arange(30.0)).reshape(5, 6)
    out = multi_head_attention(U, AttentionWeights(w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, heads=3))

    lines = w_o.reshape(3, 2, 6)  # [heads, head width, D]: each head's lines of W_O
    parts = out["O"] @ lines  # [heads, rows, D]
    assert np.allclose(parts.sum(axis=0), out["M"])

    silent = w_o.copy()
    silent[2:4] = 0  # the lines of head 2
    less = multi_head_attention(U, AttentionWeights(w_q=w_q, w_k=w_k, w_v=w_v, w_o=silent, heads=3))
    assert np.allclose(less["M"], out["M"] - parts[1])  # exactly its part is gone
    assert np.array_equal(less["A"], out["A"])  # and every map is the same

    twice = [np.hstack([w[:, :2], w[:, :2], w[:, 4:]]) for w in (w_q, w_k, w_v)]  # head 2 is head 1
    against = np.vstack([w_o[:2], -w_o[:2], w_o[4:]])  # and its lines are the opposite
    both = multi_head_attention(U, AttentionWeights(*twice, w_o=against, heads=3))
    assert np.array_equal(both["A"][0], out["A"][0])  # the map of head 1 is there, twice
    assert np.allclose(both["M"], parts[2])  # and its part is cancelled

    mean_map = out["A"].mean(axis=0)
    assert not np.allclose(mean_map @ out["V"].mean(axis=0) @ lines.sum(axis=0), out["M"])
