"""The fold "Guess first": every way to guess works, on small screens, still, and for everyone."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page

from figures_src.player.folds.guess_questions import PROMPTS
from figures_src.player.state import DEFAULTS
from tests.browser.access import violations
from tests.browser.guess_page import GUESS, answered, ask, cell, check_five, open_fold, truth_of
from tests.browser.player_page import PLAYER, opened, put, ready, state_of
from tests.player.guess_solver import Solver
from vitattn_core.teaching import HEADS


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    open_fold(page)
    yield page
    page.close()


# Guesses -------------------------------------------------------------------------------------------


def test_five_patches_by_mouse(page: Page) -> None:
    put(page, dict(DEFAULTS))
    question = ask(page, "five")
    for where in GUESS[:3]:
        cell(page, *where).click()
    assert question.locator("[data-count]").text_content() == "3 of 5 tapped"
    cell(page, *GUESS[0]).click()
    assert cell(page, *GUESS[0]).get_attribute("aria-selected") == "false"
    for where in (GUESS[0], *GUESS[3:]):
        cell(page, *where).click()
    cell(page, 1, 1).click()
    assert "tap one of them to take it back" in (
        question.locator("[data-count]").text_content() or ""
    )
    assert question.locator("[aria-selected=true]").count() == 5
    question.get_by_role("button", name="Compare").click()
    check_five(question, GUESS, {})
    cell(page, 1, 1).click()  # it is over: taps change nothing any more
    assert question.locator("[data-taps] .va-guess-ring").count() == 5
    question.get_by_role("button", name="Ask again").click()
    assert not question.locator(".va-answer").is_visible()
    assert question.locator("[aria-selected=true]").count() == 0


def test_five_patches_by_keyboard(page: Page) -> None:
    put(page, dict(DEFAULTS))
    question = ask(page, "five")
    page.keyboard.press("Tab")
    while not page.evaluate("document.activeElement.closest('[data-taps]') !== null"):
        page.keyboard.press("Tab")
    for keys in (
        "Home",
        "PageUp",
        "Space",
        "End",
        "PageDown",
        "Enter",
        "ArrowUp",
        "ArrowLeft",
        "Space",
    ):
        page.keyboard.press(keys)
    column, row = 12, 12
    guess = [(0, 0), (13, 13), (row, column)]
    assert question.locator("[data-count]").text_content() == "3 of 5 tapped"
    assert page.locator("[data-heard]").text_content() == "3 of 5 tapped"
    before = page.evaluate(f"{PLAYER}.state")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Compare"
    page.keyboard.press("Enter")
    check_five(question, guess, {})
    assert page.evaluate(f"{PLAYER}.state") == before, "the player heard nothing of it"
    assert page.evaluate("document.activeElement.matches('.va-gap')"), "the answer has the focus"


def test_nothing_tapped_is_no_guess(page: Page) -> None:
    question = ask(page, "five")
    question.get_by_role("button", name="Compare").click()
    assert "Tap at least one patch" in (question.locator("[data-count]").text_content() or "")
    assert not question.locator(".va-answer").is_visible()


@pytest.mark.parametrize(("value", "right"), [("flatter-kept", False), ("sharper-kept", True)])
def test_one_tap_on_a_choice_answers(page: Page, value: str, right: bool) -> None:
    put(page, dict(DEFAULTS))
    question = ask(page, "off")
    question.locator(f"[data-choice='{value}']").click()
    verdict = answered(question).locator("[data-verdict]").text_content() or ""
    assert verdict.startswith("As you said: Sharper") == right
    assert ("You said: Flatter" in verdict) != right
    chosen = question.locator(f"[data-choice='{value}']")
    assert chosen.get_attribute("aria-pressed") == "true"
    assert "your guess" in (chosen.text_content() or "")
    assert page.locator("[data-heard]").text_content() == question.locator(".va-gap").inner_text()
    other = question.locator("[data-choice='same-kept']")
    other.click(force=True)
    assert other.get_attribute("aria-pressed") == "false", "a guess stands"


def test_a_slider_by_keyboard(page: Page) -> None:
    put(page, dict(DEFAULTS))
    question = ask(page, "drop")
    slider = question.locator("input")
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    assert question.locator(".va-slider-value").text_content() == "47%"
    question.get_by_role("button", name="Compare").press("Enter")
    said = answered(question).locator(".va-gap").inner_text()
    assert said.startswith("You said 47%; it is ")
    assert slider.is_disabled()


def test_show_me_is_always_there(page: Page) -> None:
    put(page, dict(DEFAULTS))
    for p in PROMPTS:
        question = ask(page, p.id)
        show = question.get_by_role("button", name="Show me")
        assert show.is_visible()
        assert show.is_enabled()


def test_nothing_is_stored(page: Page) -> None:
    kept = (
        "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href])"
    )
    put(page, dict(DEFAULTS))
    before, states = page.evaluate(kept), page.evaluate("history.length")
    for name in ("mean", "column"):
        question = ask(page, name)
        question.locator("[data-choice]").first.click()
        answered(question)
    assert page.evaluate(kept) == before
    assert page.evaluate("history.length") == states


def test_another_row_is_asked_about_anew_and_an_answer_stays(page: Page) -> None:
    put(page, dict(DEFAULTS))
    question = ask(page, "column")
    assert told_place(question) == "(5,4), left eye"
    put(page, {"query": "10.8"})
    assert told_place(question) == "(10,8), nose"
    question.locator("[data-choice]").first.click()
    answered(question)
    put(page, {"query": "0.0"})
    assert told_place(question) == "(10,8), nose"
    assert question.locator(".va-answer").is_visible()
    question.get_by_role("button", name="Ask again").click()
    assert told_place(question) == "(0,0)"


def told_place(question: Locator) -> str | None:
    return question.locator(".va-prompt-words [data-fill=place]").text_content()


@pytest.mark.parametrize("prompt", [p for p in PROMPTS if p.see], ids=lambda p: p.id)
def test_the_answer_is_shown_in_the_player(page: Page, prompt: Any) -> None:
    put(page, dict(DEFAULTS))
    question = ask(page, prompt.id)
    question.get_by_role("button", name="Show me").click()
    answered(question).get_by_role("button", name="See it above").click()
    words = {"five": {"query": "6.11"}, "drop": {"dropped": "5.4"}}.get(prompt.id, {})
    wanted = dict(DEFAULTS) | dict(prompt.see) | words
    page.wait_for_function(
        f"(wanted) => JSON.stringify({PLAYER}.state) === wanted",
        arg=json.dumps(wanted, separators=(",", ":")),
    )
    assert state_of(ready(page)) == wanted


# Small, still, and for everyone --------------------------------------------------------------------


def test_by_touch_on_a_phone(browser: Browser, served: str) -> None:
    """Cells are large enough for a finger, nothing scrolls sideways, and motion is not needed."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    page = opened(context, served)
    page.locator("[data-part=guess] > summary").tap()
    page.locator("[data-question=five] [role=gridcell]").first.wait_for()
    question = page.locator("[data-question=five]")
    box = cell(page, 5, 4).bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 23.9
    for where in GUESS:
        cell(page, *where).tap()
    question.get_by_role("button", name="Compare").tap()
    check_five(question, GUESS, {})
    for p in PROMPTS:
        page.locator(f"[data-ask='{p.id}']").tap()
        question = page.locator(f"[data-question='{p.id}']")
        question.get_by_role("button", name="Show me").tap()
        answered(question)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, p.id
        for button in question.locator("button:visible").all():
            size = button.bounding_box()
            assert size is not None
            assert size["height"] >= 24
    context.close()


def test_axe_finds_nothing_in_the_open_fold(browser: Browser, served: str) -> None:
    context = browser.new_context(color_scheme="light", reduced_motion="reduce")
    page = opened(context, served)
    open_fold(page)
    wrong: list[str] = []
    ways: dict[str, Callable[[Locator], None]] = {
        "mean": lambda q: q.locator("[data-choice]").first.click(),
        "drop": lambda q: q.get_by_role("button", name="Compare").click(),
        "five": lambda q: None,  # the last one: of its 14 rows of cells two are left
    }
    for name, act in ways.items():
        question = ask(page, name)
        act(question)
        if name != "five":
            answered(question)
        # 197 cells are alike; a few of each map are enough to look at.
        page.evaluate("""() => {
          const few = "[data-map] .va-guess-cell:nth-of-type(n + 9), [data-taps] [role=row]:nth-child(n + 3)";
          for (const cell of document.querySelectorAll(`[data-part=guess] :is(${few})`)) cell.remove();
        }""")
        wrong += [f"{name}: {what}" for what in violations(page, "[data-part=guess]")]
    context.close()
    assert not wrong


def test_from_disk_too(browser: Browser, site: Any) -> None:
    page = opened(browser, site.as_uri())
    open_fold(page)
    question = ask(page, "column")
    question.locator("[data-choice=more]").click()
    assert truth_of(answered(question)) == Solver({}).solve("column")[0]
    assert len(HEADS) == 3
    page.close()
