"""Global and local: what is measured, found a second time by another way, and what the figures draw."""

import re
from html import unescape

import numpy as np
import pytest

from figures_src.inputs import photographs
from figures_src.pages import registry
from figures_src.pages.exercises import exercises
from figures_src.pages.global_local import examples, figures, operators
from figures_src.pages.global_local.facts import entries
from vitattn_core import Grid, teaching_weights, window_mask

ROW, COLUMN = np.divmod(np.arange(196), 14)
APART = np.maximum(abs(ROW[:, None] - ROW), abs(COLUMN[:, None] - COLUMN))
WINDOW = ROW // 7 * 2 + COLUMN // 7
WHO = {
    "conv3": APART <= 1,
    "conv7": APART <= 3,
    "windows": WINDOW[:, None] == WINDOW,
    "everywhere": APART >= 0,
}


def words(name: str) -> str:
    drawn = registry.figures()[name].draw()
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", drawn)))


def forget() -> None:
    """Forget what was measured, so that a changed operator is measured anew."""
    for cached in (examples.influence, examples.layers, examples.depth, examples.follows):
        cached.cache_clear()


@pytest.fixture
def changed(monkeypatch: pytest.MonkeyPatch):
    forget()
    yield monkeypatch
    monkeypatch.undo()
    forget()


def test_the_rows_are_those_of_the_photograph() -> None:
    np.testing.assert_array_equal(examples.rows(), photographs.trace("chelsea").U[1:])
    assert examples.rows().shape == (196, 12)


@pytest.mark.parametrize("name", WHO)
def test_who_moves_whom(name: str) -> None:
    np.testing.assert_array_equal(examples.moves(name), WHO[name])


def change() -> np.ndarray:
    pattern = np.sin(1.0 + np.arange(12))
    return 0.5 * pattern / np.linalg.norm(pattern)


@pytest.mark.parametrize(("name", "side"), [("conv3", 3), ("conv7", 7)])
def test_the_influence_of_a_convolution_is_its_kernel(name: str, side: int) -> None:
    """Linear: the output moves by the change times the entry for the relative place."""
    kernel = operators.kernel(side, 12)
    expected = np.zeros((196, 196))
    for i, j in zip(*np.nonzero(WHO[name]), strict=True):
        place = ROW[j] - ROW[i] + side // 2, COLUMN[j] - COLUMN[i] + side // 2
        expected[i, j] = np.linalg.norm(change() @ kernel[place])
    np.testing.assert_allclose(examples.influence(name), expected, rtol=0, atol=1e-12)


@pytest.mark.parametrize("name", ["windows", "everywhere"])
def test_the_influence_of_attention_is_that_of_the_formula(name: str) -> None:
    w = teaching_weights().block.attention

    def run(x: np.ndarray) -> np.ndarray:
        parts = []
        for h in range(3):
            own = slice(4 * h, 4 * h + 4)
            e = np.exp((x @ w.w_q[:, own]) @ (x @ w.w_k[:, own]).T / 2) * WHO[name]
            parts.append(e / e.sum(axis=1, keepdims=True) @ (x @ w.w_v[:, own]))
        return np.hstack(parts) @ w.w_o

    x = examples.rows()
    for j in (0, examples.QUERY, 195):
        other = x.copy()
        other[j] += change()
        expected = np.linalg.norm(run(other) - run(x), axis=1)
        np.testing.assert_allclose(examples.influence(name)[:, j], expected, rtol=0, atol=1e-10)


def test_another_operator_makes_another_figure(changed: pytest.MonkeyPatch) -> None:
    """No entry is typed: a wider kernel, smaller windows, and the pictures follow."""
    names = ("global-local-influence", "global-local-matrices", "global-local-order")
    before = {name: registry.figures()[name].draw() for name in names}
    facts = {fact.key: fact.text for fact in entries()}
    assert "9 of 196 rows" in words(names[0])
    changed.setitem(examples.KERNELS, "conv3", 5)
    changed.setattr(examples, "SIDE", 2)
    forget()
    assert "25 of 196 rows" in words(names[0]) and "4 of 196 rows" in words(names[0])
    for name in names:
        assert registry.figures()[name].draw() != before[name]
    after = {fact.key: fact.text for fact in entries()}
    for key in ("inner.conv3", "inner.windows", "one.conv3", "depth.conv3", "parameters.conv3"):
        assert after[f"local.{key}"] != facts[f"local.{key}"], key
    assert after["local.inner.everywhere"] == facts["local.inner.everywhere"]


def test_an_operator_that_does_nothing_has_an_empty_matrix(changed: pytest.MonkeyPatch) -> None:
    changed.setattr(examples, "build", lambda name: np.zeros_like)
    forget()
    assert not examples.moves("everywhere").any()


def test_what_is_drawn_is_what_was_measured() -> None:
    for found in (*WHO.values(), examples.follows("conv7", "seven").reshape(14, 14)):
        cells = np.zeros(found.shape, dtype=bool)
        pieces = re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-(\d+)z", figures.filled(found))
        for x, y, width, height, back in (map(int, piece) for piece in pieces):
            assert width == back and not cells[y : y + height, x : x + width].any()
            cells[y : y + height, x : x + width] = True
        np.testing.assert_array_equal(cells, found)


def test_the_squares_on_the_photograph() -> None:
    """Dark where nothing moves, a square elsewhere, its area the influence; the largest is a cell."""
    row = examples.influence("windows")[examples.QUERY]
    drawn = figures.on_photograph("windows", "chelsea", figures.others("windows"))
    dark = re.search(r'd="([^"]+)" class="va-hidden"', drawn)
    assert dark
    assert dark[1].count("z") == int((row == 0).sum()) == 196 - 49
    sizes = re.search(r'd="([^"]+)" class="va-size"', drawn)
    assert sizes
    sides = [float(side) for side in re.findall(r"h([\d.]+)v", sizes[1])]
    largest = np.delete(row, examples.QUERY).max()
    expected = 16 * np.sqrt(np.minimum(row / largest, 1))
    np.testing.assert_allclose(sides, expected, rtol=0, atol=0.051)


@pytest.mark.parametrize(("name", "reach"), [("conv3", 1), ("conv7", 3)])
@pytest.mark.parametrize(("order", "shift"), [("one", 1), ("seven", 7)])
def test_a_convolution_follows_where_no_kernel_meets_border_or_seam(
    name: str, reach: int, order: str, shift: int
) -> None:
    here = COLUMN.copy()
    inside = (here >= reach) & (here <= 13 - reach)
    came_from = (COLUMN - shift) % 14
    inside &= (came_from >= reach) & (came_from <= 13 - reach)
    np.testing.assert_array_equal(examples.follows(name, order), inside)


def test_attention_follows_what_keeps_its_windows_together() -> None:
    for order, places in examples.orders().items():
        assert sorted(places) == list(range(196))
        assert examples.follows("everywhere", order).all()
        kept = np.array_equal(WHO["windows"][places][:, places], WHO["windows"])
        assert examples.follows("windows", order).all() == kept == (order == "seven")
    assert not examples.follows("conv7", "any").any()


def test_layers_are_powers_of_the_matrix() -> None:
    shifted = ((ROW - 3) // 7)[:, None] == (ROW - 3) // 7
    shifted &= ((COLUMN - 3) // 7)[:, None] == (COLUMN - 3) // 7
    np.testing.assert_array_equal(examples.moves("shifted"), shifted)
    stacks = {name: (who,) for name, who in WHO.items()} | {"shifted": (WHO["windows"], shifted)}
    for name, stack in stacks.items():
        through = np.eye(196, dtype=int)
        for n, found in enumerate(examples.layers(name)):
            through = (through @ stack[n % len(stack)] > 0).astype(int)
            np.testing.assert_array_equal(found, through[examples.QUERY] > 0)
    assert [examples.depth(name) for name in examples.STACKS] == [13, 5, None, 3, 1]


def test_the_costs_are_counted() -> None:
    """Every multiplication one by one, for narrow rows on a small scale."""
    width = 3
    for name, side in (("conv3", 3), ("conv7", 7)):
        count = sum(1 for _ in range(196) for _ in np.ndindex(side, side, width, width))
        assert examples.macs(name, 14, width) == count
        assert examples.parameters(name, 12) == operators.kernel(side, 12).size
    w = teaching_weights().block.attention
    four = sum(matrix.size for matrix in (w.w_q, w.w_k, w.w_v, w.w_o))
    for name in ("windows", "everywhere"):
        projections = sum(1 for _ in np.ndindex(4, 196, width, width))
        pairs = int(WHO[name].sum())
        assert examples.macs(name, 14, width) == projections + 2 * pairs * width
        assert examples.parameters(name, 12) == four
    large = window_mask(Grid(28, 28, 1, cls=False), 7)
    assert examples.macs("windows", 28, 1) == 4 * 784 + 2 * int(large.sum())


def test_yes_and_no_can_be_either() -> None:
    said = {fact.text for fact in entries() if ".content." in fact.key or ".place." in fact.key}
    assert said == {"yes", "no"}


def test_the_page_has_its_questions() -> None:
    assert len([id for id in exercises() if id.startswith("global-local-")]) == 4
