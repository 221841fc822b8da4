"""An answer stands beside the control that was used, inside the window, and is heard."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import explorer_page, player_page

FIGURES = {
    "vit-player": ("index.html", player_page.ready),
    "vit-explorer": ("checkpoint.html", explorer_page.ready),
}
NEAR = 160  # pixels between a control and its answer, at most
NO_FULL_SCREEN = "Element.prototype.requestFullscreen = () => Promise.reject(new TypeError('no'));"
# What has no word to say: its answer is what it does.
DOES = {"play", "step-on", "step-back", "key-before", "key-after", "drop-key", "reset", "show-keys"}
DOES |= {"close-keys", "go-left", "go-up", "go-down", "go-right"}


@pytest.fixture(scope="module", params=[(390, 700), (1440, 900)], ids=["phone", "desk"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    width, height = request.param
    page = browser.new_page(viewport={"width": width, "height": height}, reduced_motion="reduce")
    page.add_init_script(NO_FULL_SCREEN)
    yield page
    page.close()


@pytest.mark.parametrize("name", FIGURES)
def test_every_answer_is_near_its_control_and_in_the_window(
    page: Page, served: str, name: str
) -> None:
    home, ready = FIGURES[name]
    page.goto(f"{served}/{home}")
    ready(page)
    actions = page.locator(f"{name} [data-action]:visible").evaluate_all(
        "(all) => all.map((control) => control.dataset.action)"
    )
    answering = sorted(set(actions) - DOES)
    assert "copy-link" in answering
    for action in answering:
        control = page.locator(f"{name} [data-action={action}]")
        # at the lower edge of the window, where what stands below it would not be seen
        control.evaluate("(button) => button.scrollIntoView({ block: 'end', behavior: 'instant' })")
        control.evaluate("(button) => button.click()")
        said = page.locator(f"{name} .va-note:not(:empty)")
        expect(said).to_have_count(1)
        expect(said).to_be_in_viewport(ratio=1)
        assert said.get_attribute("role") == "status"
        there, here = said.bounding_box(), control.bounding_box()
        assert there is not None
        assert here is not None
        gap = max(there["y"] - here["y"] - here["height"], here["y"] - there["y"] - there["height"])
        assert gap < NEAR, (action, gap)
        page.evaluate(f"document.querySelector('{name} .va-note:not(:empty)').textContent = ''")


@pytest.mark.parametrize("name", FIGURES)
def test_a_line_for_answers_is_there_for_those_who_listen_before_it_says_anything(
    page: Page, served: str, name: str
) -> None:
    """What is not displayed is no live region: a text that appears with its box is often not heard."""
    page.goto(f"{served}/{FIGURES[name][0]}")
    notes = page.locator(f"{name} > .va-note, {name} > .va-controls > .va-note")
    assert notes.count() == 2
    assert notes.evaluate_all("(all) => all.every((note) => note.checkVisibility())")
    assert notes.evaluate_all(
        "(all) => all.every((note) => note.getBoundingClientRect().height === 0)"
    )
