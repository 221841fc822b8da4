"""What docs/bug-lab.md says of its code, in full: the page itself shows a part of it."""

import numpy as np

import vitattn_core
from vitattn_core import (
    CHECKS,
    MISTAKES,
    AttentionWeights,
    BlockWeights,
    Grid,
    add_position,
    block,
    core_with,
    cost,
    delete_key,
    merge_heads,
    multi_head_attention,
    outcomes,
    patchify,
    rollout,
)
from vitattn_core.mistakes import Change, core_changed


def test_checks():
    assert all(check.holds(vitattn_core) for check in CHECKS.values())  # the core passes
    wrong = core_with("axis")  # the same core, one line swapped
    assert CHECKS["shape"].holds(wrong) and not CHECKS["row-sum"].holds(wrong)

    found = outcomes()  # every check on every bug
    caught = {check: [bug for bug in MISTAKES if found[bug][check] == "caught"] for check in CHECKS}
    assert caught["shape"] == caught["batch"] == []
    assert caught["parity"] == list(MISTAKES)
    invariances = {bug for check in CHECKS if check != "parity" for bug in caught[check]}
    assert {"sqrt-model", "keys-mixed", "one-row"} <= set(MISTAKES) - invariances


def test_checks_2():
    sides = Change(
        module="grid",
        right="return on_grid.reshape(*weights.shape[:-1], self.rows, self.columns)",
        wrong="return on_grid.reshape(*weights.shape[:-1], self.columns, self.rows)",
    )
    statistics = Change(
        module="block",
        right="centred = rows - rows.mean(axis=-1, keepdims=True)",
        wrong="centred = rows - rows.mean(axis=0, keepdims=True)",
    )
    for check, change in (("shape", sides), ("batch", statistics)):
        assert CHECKS[check].holds(vitattn_core)
        assert not CHECKS[check].holds(core_changed([change]))


def test_sqrt_model():
    n = np.arange(5)
    rows = np.stack([np.sin(n), np.cos(2 * n), n / 4, 1 - n / 5], axis=1)  # N = 5, D = 4
    faulty = core_with("sqrt-model").multi_head_attention
    for heads in (2, 1):
        given = {"w_q": 2 * np.eye(4), "w_k": np.eye(4), "w_v": np.eye(4)[::-1], "w_o": np.eye(4)}
        w = AttentionWeights(**given, heads=heads)
        right, wrong = multi_head_attention(rows, w)["A"], faulty(rows, w)["A"]
        assert np.array_equal(right.argsort(), wrong.argsort())  # the order stays
        if heads == 2:
            assert (wrong.max(axis=-1) < right.max(axis=-1)).all()  # flatter
        else:
            assert np.array_equal(wrong, right)  # one head: no harm


def test_axis():
    n = np.arange(5)
    rows = np.stack([np.sin(n), np.cos(2 * n), n / 4, 1 - n / 5], axis=1)
    w = AttentionWeights(
        w_q=2 * np.eye(4), w_k=np.eye(4), w_v=np.eye(4)[::-1], w_o=np.eye(4), heads=2
    )
    A = core_with("axis").multi_head_attention(rows, w)["A"]
    assert A.shape == (2, 5, 5)
    assert np.allclose(A.sum(axis=-2), 1) and not np.allclose(A.sum(axis=-1), 1)


def test_keys_mixed():
    n = np.arange(5)
    rows = np.stack([np.sin(n), np.cos(2 * n), n / 4, 1 - n / 5], axis=1)
    faulty = core_with("keys-mixed").multi_head_attention
    for w_v in (np.eye(4)[::-1], np.eye(4)):
        w = AttentionWeights(w_q=2 * np.eye(4), w_k=np.eye(4), w_v=w_v, w_o=np.eye(4), heads=2)
        right, wrong = multi_head_attention(rows, w), faulty(rows, w)
        assert np.array_equal(wrong["A"], right["A"])  # the same map
        same_values = np.array_equal(w_v, w.w_k)
        assert np.array_equal(wrong["O"], right["O"]) == same_values  # K = V: nothing to see


def test_no_position():
    content, table = np.ones((3, 2)), np.arange(6.0).reshape(3, 2)
    assert len(np.unique(add_position(content, table), axis=0)) == 3  # three places
    assert len(np.unique(core_with("no-position").add_position(content, table), axis=0)) == 1


def test_one_row():
    assert cost.pairs(197) == sum(1 for query in range(197) for key in range(197))
    assert core_with("one-row").cost.pairs(197) == 197


def test_reading():
    A, V = np.array([[0.5, 0.3, 0.2]]), np.array([[1.0], [0.0], [3.0]])
    moved = [abs(delete_key(A, key) @ V - A @ V).item() for key in range(3)]
    assert A.argmax() == 0 and np.argmax(moved) == 2  # the dimmest key matters most


def test_merge():
    faulty = core_with("merge").merge_heads
    outputs = np.arange(12.0).reshape(2, 3, 2)  # two heads, three rows, two numbers each
    assert faulty(outputs).shape == merge_heads(outputs).shape == (3, 4)
    assert merge_heads(outputs)[0].tolist() == [0, 1, 6, 7]  # row 0 of both heads
    assert faulty(outputs)[0].tolist() == [0, 1, 2, 3]  # rows 0 and 1 of head 1
    assert np.array_equal(faulty(outputs[:1]), merge_heads(outputs[:1]))  # one head: no harm


def test_mask():
    Q, K, V = np.zeros((1, 2)), np.eye(3, 2), np.arange(6.0).reshape(3, 2)
    keep = np.array([[True, True, False]])
    faulty = core_with("mask").attention
    weights = faulty(Q, K, V, keep)[1]
    assert weights.tolist() == [[0, 0, 1]] and weights.sum() == 1  # only the hidden key
    assert np.allclose(faulty(Q, K, V)[1], 1 / 3)  # without a mask: no harm


def test_patchify():
    faulty = core_with("patchify").patchify
    image = np.arange(3 * 4 * 6.0).reshape(3, 4, 6)
    assert faulty(image, 2).shape == patchify(image, 2).shape == (6, 12)
    assert faulty(image, 2).sum() == patchify(image, 2).sum()
    assert set(faulty(image, 2)[0]) != set(patchify(image, 2)[0])
    one = image[:, :2, :2]  # an image of one patch: no harm
    assert np.array_equal(faulty(one, 2), patchify(one, 2))


def test_offset():
    row = [0.5, 0.05, 0.1, 0.15, 0.2]  # CLS and 2 x 2 patches
    faulty = core_with("offset").Grid
    assert faulty(2, 2, 1).field(row).tolist() == [[0.5, 0.05], [0.1, 0.15]]
    right, wrong = (kind(2, 2, 1) for kind in (Grid, faulty))
    assert abs(right.field(row).sum() + right.off_grid(row).sum() - 1) < 1e-12
    assert abs(wrong.field(row).sum() + wrong.off_grid(row).sum() - 1) > 0.2
    patches = row[1:]
    assert (
        faulty(2, 2, 1, cls=False).field(patches) == Grid(2, 2, 1, cls=False).field(patches)
    ).all()


def test_residual():
    zero = np.zeros((2, 2))
    nothing = AttentionWeights(w_q=zero, w_k=zero, w_v=zero, w_o=zero, heads=1)
    w = BlockWeights(attention=nothing, w_1=np.zeros((2, 8)), w_2=np.zeros((8, 2)), eps=0.0)
    faulty = core_with("residual").block
    rows = np.array([[0.0, 2.0], [4.0, 0.0]])
    assert np.array_equal(block(rows, w).Z, rows)
    assert faulty(rows, w).Z.tolist() == [[-1, 1], [1, -1]]
    normed = np.array([[-1.0, 1.0], [1.0, -1.0]])
    assert np.array_equal(faulty(normed, w).Z, normed)  # normed already: no harm


def test_rollout():
    faulty = core_with("rollout").rollout
    clean = [np.array([[0.1, 0.9], [0.4, 0.6]])]
    assert np.array_equal(faulty(clean), rollout(clean))  # equal sums: no harm
    assert np.allclose(rollout(clean, discard=0.5).sum(axis=1), 1)
    assert not np.allclose(faulty(clean, discard=0.5).sum(axis=1), 1)
