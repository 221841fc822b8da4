"""The fold "Guess first" on screen: every question says what guess.js answers, and one sentence why.

That the answers are the core's is held in tests/player/test_guess_script.py.
"""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from figures_src.player.folds.guess_questions import PROMPTS, SIDES
from figures_src.player.state import DEFAULTS
from tests.browser.guess_page import answered, ask, open_fold, told, truth_of
from tests.browser.player_page import opened, put
from tests.player.fold_scripts import guessed
from vitattn_core import Grid, cost

OF_THE_PASS = [p.id for p in PROMPTS if not p.constants]
# Of each photograph and head, and the mean with other switches, of which the fold knows nothing.
STATES = (
    {"photo": "coffee", "query": "4.2", "head": "2"},
    {"photo": "rocket", "query": "cls", "head": "3"},
    {"query": "10.8", "head": "mean", "scale": "off", "dropped": "5.4"},
)


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    open_fold(page)
    yield page
    page.close()


def test_every_answer_stands_on_screen(page: Page) -> None:
    """Shown without a guess, each question in one of the states."""
    faults = []
    for n, state in enumerate(STATES):
        put(page, DEFAULTS | state)
        for name in OF_THE_PASS[n :: len(STATES)]:
            question = ask(page, name)
            question.get_by_role("button", name="Show me").click()
            answered(question)
            found = guessed(state, name)
            texts = told(question)
            for slot, text in (found["asked"] | found["fill"]).items():
                if slot in texts and texts[slot] != text:
                    faults.append(f"{name}: {slot}: {texts[slot]}, not {text}")
            if not set(texts) <= set(found["asked"] | found["fill"]):
                faults.append(f"{name}: {set(texts)} is filled in")
            shown = question.locator("[data-because]:visible").evaluate_all(
                "all => all.map((one) => one.dataset.because)"
            )
            if shown != [found["truth"]]:
                faults.append(f"{name}: the sentences {shown}, not that of {found['truth']}")
            if question.locator("[data-choice]").count() and truth_of(question) != found["truth"]:
                faults.append(f"{name}: {truth_of(question)} is marked, not {found['truth']}")
    assert not faults


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
