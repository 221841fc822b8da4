"""The figures of the bug lab: their rows, numbers, lines and links are those of the mistakes."""

import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest

from figures_src.inputs import photographs
from figures_src.pages import registry
from figures_src.pages.bug_lab import examples, panels
from figures_src.pages.examples import padding
from figures_src.player.folds.what_if import BUGS
from vitattn_core import CHECKS, MISTAKES, cost, outcome
from vitattn_core.teaching import GRID

EYE = GRID.token(5, 4)
FIGURES = [f"bug-lab-{id}" for id in examples.ORDER]


def drawn(name: str) -> str:
    return registry.figures()[name].draw()


def words(name: str) -> str:
    text = re.sub(r"<[^>]+>", " ", drawn(name))
    return unescape(re.sub(r"\s+", " ", text)).replace("−", "-")


def after(name: str, said: str) -> list[float]:
    return [float(n) for n in re.findall(rf"{re.escape(said)} (-?[\d.]+)", words(name))]


@pytest.fixture(scope="module")
def trace():
    return photographs.trace("chelsea")


@pytest.fixture(scope="module")
def built_page(site: Path) -> str:
    return (site / "bug-lab.html").read_text(encoding="utf-8")


def test_every_error_has_a_figure_and_a_number() -> None:
    assert set(FIGURES) <= set(registry.figures())
    assert [examples.number(id) for id in examples.ORDER] == list(range(1, len(MISTAKES) + 2))
    assert examples.number("reading") == 6
    assert set(examples.ORDER) == {*MISTAKES, "reading"}


@pytest.mark.parametrize("id", MISTAKES)
def test_the_line_is_the_one_of_the_list(id: str) -> None:
    lines = re.findall(r"<code>(.*?)</code>", drawn(f"bug-lab-{id}"))
    shown = [unescape(re.sub(r"</?b>", "", line)) for line in lines]
    assert shown == [MISTAKES[id].right, MISTAKES[id].wrong]
    assert f"vitattn_core/{MISTAKES[id].module}.py" in words(f"bug-lab-{id}")


@pytest.mark.parametrize("id", MISTAKES)
def test_what_is_underlined_is_what_differs(id: str) -> None:
    right, wrong = (
        re.sub(r"<b>.*?</b>", "…", line)
        for line in re.findall(r"<code>(.*?)</code>", drawn(f"bug-lab-{id}"))
    )
    assert right == wrong


def test_the_sentence_of_checks_follows_the_outcomes(monkeypatch: pytest.MonkeyPatch) -> None:
    before = panels.caught("merge")
    for check in CHECKS.values():
        assert check.title in before
    monkeypatch.setattr(panels, "outcome", lambda check, id: "let through")
    assert panels.caught("merge") != before


def test_the_right_rows_are_the_rows_of_the_pass(trace) -> None:
    for id in ("sqrt-model", "axis", "keys-mixed"):
        row, wrong = examples.two_rows(id, 0)
        np.testing.assert_array_equal(row, trace.A[0, EYE])
        assert np.array_equal(row, wrong) == (id == "keys-mixed")
    np.testing.assert_array_equal(examples.two_rows("no-position", 1)[0], trace.A[1, EYE])


def test_the_wrong_rows_follow_from_the_formula(trace) -> None:
    def soft(scores: np.ndarray, axis: int) -> np.ndarray:
        e = np.exp(scores - scores.max())
        return e / e.sum(axis=axis, keepdims=True)

    flat = soft(trace.P[0] / np.sqrt(12), 1)[EYE]
    np.testing.assert_allclose(examples.two_rows("sqrt-model", 0)[1], flat, atol=1e-12)
    by_column = soft(trace.S[0], 0)[EYE]
    np.testing.assert_allclose(examples.two_rows("axis", 0)[1], by_column, atol=1e-12)
    mixed = trace.A[0, EYE] @ trace.K[0]
    np.testing.assert_allclose(examples.wrong("keys-mixed").O[0, EYE], mixed, atol=1e-12)
    even = examples.two_rows("no-position", 1)[1]
    assert np.ptp(even) < 0.01
    normed = examples.wrong("residual").Y[EYE]
    np.testing.assert_allclose(normed, trace.U[EYE] + trace.M[EYE], atol=1e-12)
    right, turned = examples.masked_rows()
    hidden = ~padding()
    assert right[hidden].sum() == 0 and turned[~hidden].sum() == 0
    kept = np.where(hidden, np.exp(trace.S[0, EYE]), 0)
    np.testing.assert_allclose(turned, kept / kept.sum(), atol=1e-12)
    field, slipped = examples.pictures()
    np.testing.assert_array_equal(slipped.ravel(), trace.A[0, EYE, :196])
    np.testing.assert_array_equal(field.ravel(), trace.A[0, EYE, 1:])


def test_the_numbers_that_figures_print(trace) -> None:
    rows = examples.two_rows("sqrt-model", 0)
    assert after("bug-lab-sqrt-model", "largest") == [round(float(r.max()), 3) for r in rows]
    rows = examples.two_rows("axis", 0)
    assert after("bug-lab-axis", "sum") == [1.0, round(float(rows[1].sum()), 3)]
    both = examples.rollouts()
    sums = [round(float(m[EYE].sum()), 3) for m in both]
    assert after("bug-lab-rollout", "sum")[:2] == sums and sums[0] == 1
    off = abs(both[1][1:].sum(axis=1) - 1).max()
    assert after("bug-lab-rollout", "largest") == [round(float(off), 3)]
    printed = [float(n) for n in re.findall(r"-?\d\.\d\d(?!\d)", words("bug-lab-residual"))]
    expected = []
    for start in (0, 4, 8):
        for row in (trace.X, trace.Y, examples.wrong("residual").Y):
            expected += row[EYE, start : start + 4].tolist()
    np.testing.assert_allclose(printed, expected, atol=0.005 + 1e-9)


def test_the_ledger_with_n_for_n_squared() -> None:
    right, wrong = examples.ledgers()
    tokens, width = 64 * 64 + 1, 768
    assert right == cost.block_terms(tokens, width)
    assert wrong["scores"] == wrong["mix"] == tokens * width
    assert wrong["qkv"] == right["qkv"]
    shares = [2 * n * width / (12 * tokens * width**2 + 2 * n * width) for n in (tokens**2, tokens)]
    printed = [float(n) for n in re.findall(r"([\d.]+)%", words("bug-lab-one-row"))]
    np.testing.assert_allclose(printed, np.multiply(100, shares), atol=0.005)


def test_the_effects_are_those_of_deleting(trace) -> None:
    a, v = trace.A[0, EYE], trace.V[0]
    for key in (0, GRID.token(6, 11), 30):
        left = np.delete(a, key) / np.delete(a, key).sum()
        moved = np.linalg.norm(left @ np.delete(v, key, axis=0) - a @ v) / np.linalg.norm(a @ v)
        np.testing.assert_allclose(examples.effects()[key], moved, atol=1e-12)


def test_each_section_links_its_report_and_the_player_where_it_can_show_it(built_page: str) -> None:
    parts = re.split(r'(?=<h2 id=")', built_page)
    sections = {m[1]: part for part in parts if (m := re.match(r'<h2 id="([\w-]+)"', part))}
    without = [id for id in examples.ORDER if id not in sections]
    assert not without, f"docs/bug-lab.md has no section {{#{without[0]}}}"
    for id in examples.ORDER:
        section = sections[id]
        states = re.findall(r'class="va-state" href="index.html#([^"]+)"', section)
        if id == "reading":
            assert len(states) == 2 and "arxiv.org" in section
            continue
        report = MISTAKES[id].report
        if report:
            repository, number = report.split("#")
            assert re.search(rf"github\.com/{repository}/(issues|pull)/{number}\"", section), id
        assert bool(states) == (id in BUGS), id
        if states:
            setting, value = BUGS[id]
            assert all(f"{setting}={value}" in unescape(state).split("&") for state in states), id


def test_the_outcomes_are_mixed() -> None:
    """A matrix of one colour would teach nothing."""
    found = {outcome(check, id) for check in CHECKS for id in MISTAKES}
    assert found == {"caught", "let through", "not run"}
