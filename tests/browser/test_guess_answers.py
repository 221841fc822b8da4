"""The fold "Guess first": every answer on screen is solved again from the core."""

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from figures_src.player.folds import guess as fold_guess
from figures_src.player.folds.guess_questions import PROMPTS, SIDES
from figures_src.player.state import DEFAULTS
from tests.browser.guess_page import answered, ask, open_fold, told, truth_of
from tests.browser.guess_solver import Solver, holds
from tests.browser.player_page import State, opened, put
from tests.test_site_colours import raw_colours
from vitattn_core import Grid, cost

OF_THE_PASS = [p.id for p in PROMPTS if not p.told]
STATES: list[State] = [
    {},  # chelsea, the left eye, like me
    {"photo": "coffee", "query": "4.2", "head": "2"},
    {"photo": "rocket", "query": "cls", "head": "3"},
    {"query": "cls"},  # a zero query: all keys alike
    {"query": "10.8", "head": "mean", "scale": "off", "dropped": "5.4"},
]


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    open_fold(page)
    yield page
    page.close()


@pytest.mark.parametrize("name", OF_THE_PASS)
@pytest.mark.parametrize("state", STATES, ids=lambda state: "-".join(state.values()) or "default")
def test_every_answer_is_the_cores(page: Page, state: State, name: str) -> None:
    """Shown without a guess: the right choice, and every number and place of the sentence."""
    put(page, DEFAULTS | state)
    question = ask(page, name)
    question.get_by_role("button", name="Show me").click()
    answered(question)
    truth, expected = Solver(state).solve(name)
    texts = told(question)
    assert set(expected) <= set(texts)
    for slot, value in expected.items():
        assert holds(texts[slot], value), (slot, texts[slot], value)
    shown = question.locator("[data-because]:visible").evaluate_all(
        "all => all.map((one) => one.dataset.because)"
    )
    if question.locator("[data-choice]").count():
        assert truth_of(question) == truth
    assert shown == [truth], "one sentence on why, and the right one"


@pytest.mark.parametrize("side", SIDES)
def test_the_shares_of_the_cost_are_counted(page: Page, side: int) -> None:
    question = ask(page, f"cost-{side}")
    question.locator("input").fill("30")
    question.get_by_role("button", name="Compare").click()
    n = Grid(side, side, 16).tokens
    share = 2 * n**2 * 768 / (12 * n * 768**2 + 2 * n**2 * 768)
    said = answered(question).locator(".va-gap").inner_text()
    assert said.startswith(f"You said 30%; it is {100 * share:.1f}%.")
    assert f"{cost.pair_macs(n, 768):,} of {cost.block_macs(n, 768):,}" in said
    at = float(question.locator("[data-at=truth]").get_attribute("x").rstrip("%"))  # type: ignore[union-attr]
    assert at == pytest.approx(100 * share, abs=0.01)
    assert question.locator("[data-at=guess]").get_attribute("x") == "30.00%"


def test_the_comparison_with_the_core_can_fail() -> None:
    assert holds("0.364", 0.36412)
    assert not holds("0.364", 0.3652)
    assert holds("(5,4), left eye", "(5,4)")
    assert not holds("(5,4), left eye", "(5,5)")
    assert not holds("1.00, 2.00", np.array([1, 2.01]))
    assert Solver({}).solve("five") != Solver({"head": "2"}).solve("five")


def test_there_are_enough_questions_and_none_is_drawn_with_a_colour() -> None:
    assert len(PROMPTS) >= 6
    assert {p.kind for p in PROMPTS} == {"tap", "choice", "slider"}
    assert not raw_colours(fold_guess.draw())


def test_the_default_surprises(page: Page) -> None:
    """What the sentences of the default say is worth asking: not all answers are the same word."""
    truths = {name: Solver({}).solve(name)[0] for name in OF_THE_PASS}
    assert truths["off"] == "sharper-kept"
    assert truths["model"] == "flatter-kept"
    assert truths["keys"] == "output"
    assert truths["mean"] == "neither"
    assert truths["position"] == "2"
    assert truths["swap"] == "two"
    for p in PROMPTS:
        if p.id in truths:
            assert p.because.get(truths[p.id]), f"{p.id}: a sentence for the default's answer"
