"""The teaching weights: what they must show on the photographs, and that they know none of them."""

import inspect
import re

import numpy as np
import pytest

from figures_src.inputs import photographs
from tests.conftest import ROOT
from vitattn_core import patchify, teaching

LIKE_ME, NEAR_ME, OPPOSITE = range(3)
GRID = teaching.GRID
PHOTOGRAPHS = tuple(photographs.TITLES)


@pytest.fixture(scope="module")
def passes():
    return {name: teaching.teaching_pass(photographs.image(name)) for name in PHOTOGRAPHS}


def effective_keys(row):
    """exp of the entropy: how many keys an even row of the same spread would have."""
    kept = row[row > 0]
    return float(np.exp(-(kept * np.log(kept)).sum()))


def within_three(row, place):
    """The weight on patches at most three rows and three columns away."""
    down, across = np.indices((GRID.rows, GRID.columns))
    near = np.maximum(abs(down - place[0]), abs(across - place[1])) <= 3
    return float(GRID.field(row)[near].sum())


def total_variation(a, b):
    return 0.5 * float(np.abs(a - b).sum())


def test_the_photographs_are_whole():
    assert len(PHOTOGRAPHS) >= 3
    for name in PHOTOGRAPHS:
        image = photographs.image(name)
        assert (image.shape, image.dtype) == ((3, 224, 224), np.uint8)
        assert image.min() < 40 < 200 < image.max()


def test_it_is_told_who_took_each_photograph():
    """In NOTICE and on the page of sources, a line each."""
    notice = (ROOT / "NOTICE").read_text(encoding="utf-8")
    sources = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    for name in PHOTOGRAPHS:
        assert re.search(rf"^ +{name} +\S.*(CC|public domain)", notice, re.M), f"NOTICE: {name}"
        line = rf"^\| `{name}` \| [^|]+ \| (CC[^|]*|public domain) \|$"
        assert re.search(line, sources, re.M), f"docs/sources.md: {name}"


def test_an_eye_finds_the_other_eye(passes):
    """Chelsea, left eye: both patches of the right eye are among the eight strongest keys."""
    row = passes["chelsea"].A[LIKE_ME, GRID.token(5, 4)]
    strongest = {int(token) for token in np.argsort(-row)[:8]}
    assert {GRID.token(5, 11), GRID.token(6, 11)} <= strongest


@pytest.mark.parametrize(
    ("name", "place", "near_at_least"),
    [("chelsea", (5, 4), 0.80), ("coffee", (4, 2), 0.75), ("rocket", (12, 7), 0.75)],
)
def test_rows_worth_looking_at(passes, name, place, near_at_least):
    """Neither one cell nor fog; near me stays near; what a mean of heads hides can be seen."""
    rows = passes[name].A[:, GRID.token(*place)]
    assert 5 <= effective_keys(rows[LIKE_ME]) <= 60
    assert within_three(rows[NEAR_ME], place) >= near_at_least
    assert total_variation(rows[LIKE_ME], rows[NEAR_ME]) >= 0.5


def test_scores_stay_in_the_range_the_gains_were_chosen_for(passes):
    for name, t in passes.items():
        most = np.abs(t.S).max()
        assert most <= 12, (
            f"photograph {name!r}: scores go up to {most:.1f}, beyond 12, and its rows become single"
            " keys: it has large areas of pure red, green or blue, which a photograph seldom has"
        )
        np.testing.assert_allclose(t.A.sum(-1), 1, rtol=0, atol=1e-12)
        np.testing.assert_allclose(t.S * 2, t.P, rtol=0, atol=0)  # √d_h = 2


def test_one_ordinary_block_of_the_named_sizes(passes):
    w = teaching.weights()
    assert (GRID.tokens, GRID.prefix, teaching.WIDTH, len(teaching.HEADS)) == (197, 1, 12, 3)
    assert len(teaching.CHANNELS) == len(set(teaching.CHANNELS)) == 12
    assert (w.embedding.shape, w.position.shape, w.block.w_1.shape) == (
        (768, 12),
        (197, 12),
        (12, 48),
    )
    a = w.block.attention
    assert [m.shape for m in (a.w_q, a.w_k, a.w_v, a.w_o)] == [(12, 12)] * 4
    assert [a.b_q, a.b_k, a.b_v, a.b_o] == [None] * 4
    working = w.block.w_1.any(axis=0) | w.block.w_2.any(axis=1)
    assert working.sum() == 2  # of 48 units
    for t in passes.values():
        assert np.isfinite(t.Z).all()


def test_one_set_serves_all():
    """The weights take no argument, and are the same bytes whatever was computed in between."""
    assert not inspect.signature(teaching.weights).parameters

    def everything():
        w = teaching.weights()
        outside = (w.embedding, w.bias, w.cls, w.position)
        inside = (w.block.w_1, w.block.b_1, w.block.w_2)
        a = w.block.attention
        matrices = (*outside, *inside, a.w_q, a.w_k, a.w_v, a.w_o)
        return [np.asarray(m).tobytes() for m in matrices]

    before = everything()
    teaching.teaching_pass(photographs.image("rocket"))
    assert everything() == before


def test_no_weight_names_a_photograph_or_a_patch():
    """Nothing of them in the source, and the same patch is embedded alike wherever it stands."""
    words = set(re.findall(r"[a-z]+", inspect.getsource(teaching).lower()))
    assert not words & {*PHOTOGRAPHS, "cat", "eye", "nose", "rim", "open", "load", "path", "rng"}
    image = photographs.image("chelsea").astype(np.float64)
    patches = patchify(image, GRID.patch)
    turned = patches[::-1]  # every patch in another place
    w = teaching.weights()
    np.testing.assert_array_equal((turned @ w.embedding)[::-1], patches @ w.embedding)


def test_no_position_row_names_a_patch():
    """Each step down, or to the right, turns its pair of channels by the same angle."""
    table = teaching.weights().position
    assert not table[0].any()  # CLS has no place
    first = teaching.CHANNELS.index("cos_row")
    others = np.delete(table, range(first, first + 4), axis=1)
    assert not others.any()
    cells = table[1:, first : first + 4].reshape(GRID.rows, GRID.columns, 4)
    row, column = cells[..., 0] + 1j * cells[..., 1], cells[..., 2] + 1j * cells[..., 3]
    step = np.exp(1j * np.deg2rad(teaching.TURN))
    np.testing.assert_allclose(row[1:], row[:-1] * step, atol=1e-12)
    np.testing.assert_allclose(row[:, 1:], row[:, :-1], atol=0)
    np.testing.assert_allclose(column[:, 1:], column[:, :-1] * step, atol=1e-12)
    np.testing.assert_allclose(column[1:], column[:-1], atol=0)
    np.testing.assert_allclose(row[0, 0], row[-1, 0].conj(), atol=1e-12)  # centred
    np.testing.assert_allclose(column[0, 0], column[0, -1].conj(), atol=1e-12)


def test_the_share_of_cls_can_be_read_from_the_output(passes):
    """Only CLS has a fourth number in its value, 12/√11: O[3] is that times the weight on CLS."""
    for t in passes.values():
        np.testing.assert_allclose(t.V[:, 0, 3], 12 / np.sqrt(11), rtol=1e-6)
        np.testing.assert_allclose(t.V[:, 1:, 3], 0, rtol=0, atol=1e-12)
        np.testing.assert_allclose(t.O[..., 3] / (12 / np.sqrt(11)), t.A[..., 0], rtol=0, atol=1e-7)


def test_a_query_of_zeros_is_average_pooling(passes):
    """CLS asks head 1 nothing: every score 0, every weight 1/197."""
    for t in passes.values():
        np.testing.assert_allclose(t.Q[LIKE_ME, 0], 0, rtol=0, atol=1e-12)
        np.testing.assert_allclose(t.A[LIKE_ME, 0], 1 / 197, rtol=1e-9)


def test_position_never_leaks_into_colour(passes):
    """Heads 1 and 3 hardly notice when position is taken away; near me becomes even."""
    for name, t in passes.items():
        w = teaching.weights()
        blind = teaching.block(t.content, w.block).A
        moved = 0.5 * np.abs(blind - t.A).sum(-1)[:, 1:].mean(-1)
        assert moved[LIKE_ME] < 0.1, name
        assert moved[OPPOSITE] < 0.1, name
        assert moved[NEAR_ME] > 0.5, name


def test_diff_is_made_by_joining_heads(passes):
    """`diff`, like me minus near me, and `out` are empty until W_O and the MLP write to them."""
    diff, out = teaching.CHANNELS.index("diff"), teaching.CHANNELS.index("out")
    for t in passes.values():
        assert not t.X[:, [diff, out]].any()
        kind, surroundings = (t.O[head][:, :3].sum(-1) for head in (LIKE_ME, NEAR_ME))
        np.testing.assert_allclose(t.Y[:, diff], 0.3 * (kind - surroundings), rtol=0, atol=1e-12)
        assert np.abs(t.Y[:, diff]).max() > 1
        np.testing.assert_allclose(t.Y[:, out], 0, rtol=0, atol=1e-12)
        others = np.delete(t.F, out, axis=1)
        assert not others.any()
        assert t.Z[:, out].max() > 1
