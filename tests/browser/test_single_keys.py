"""Keys of one letter act where nothing else has the focus; one clock runs however often Play is pressed."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser import explorer_page, player_page
from tests.browser.film_page import PLAYING, button

KEYS = ("f", "s", "/", "n", "p", ",", ".")
# What may have the focus, by page: the first of each is met with each of the keys.
FOCUSED = {
    "index.html": (
        "vit-player .va-cells [tabindex='0']",
        "vit-player [data-action=play]",
        "vit-player .va-stages :checked",
        "vit-player .va-fold > summary",
        ".md-content a[href]",
        ".va-scheme",
    ),
    "checkpoint.html": (
        "vit-explorer .va-cells [tabindex='0']",
        "vit-explorer [data-state=layer]:checked",
    ),
    "cost.html": (".md-content summary", ".va-pages a"),
}
FREE = "document.activeElement.blur()"


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1350, "height": 940})
    yield page
    page.close()


@pytest.mark.parametrize("name", FOCUSED)
def test_a_key_leaves_what_has_the_focus_alone(page: Page, served: str, name: str) -> None:
    page.goto(f"{served}/{name}")
    if name == "index.html":
        player_page.ready(page)
    if name == "checkpoint.html":
        explorer_page.ready(page)
    page.locator(".va-home").hover()  # fetches the theme's script
    page.locator("[data-md-component=search-query]").wait_for(state="attached")
    page.wait_for_function("!!document.querySelector('.md-search__input') && 'target$' in window")
    page.evaluate("window.stayed = true")
    for where in FOCUSED[name]:
        for key in KEYS:
            page.locator(where).first.focus()
            page.keyboard.press(key)
            assert page.evaluate("window.stayed"), (where, key)
            assert not page.locator("#__search").is_checked(), (where, key)
    page.evaluate(FREE)
    for key in ("f", "s", "/"):
        page.keyboard.press(key)
        expect(page.locator(".md-search__input")).to_be_focused()
        assert page.locator("#__search").is_checked()
        page.keyboard.press("Escape")
        page.keyboard.press(key)  # at once
        assert page.locator("#__search").is_checked(), "opened again right after it was closed"
        expect(page.locator(".md-search__input")).to_be_focused()
        assert page.locator(".md-search__input").input_value() == ""
        page.keyboard.press("Escape")
    if name != "index.html":
        page.keyboard.press("p")
        page.wait_for_function("window.stayed === undefined")


# How often an animation asked for a frame, in each of the next thirty frames.
ASKED = """() => new Promise((done) => {
  const real = window.requestAnimationFrame.bind(window);
  const counts = [];
  let asked = 0;
  window.requestAnimationFrame = (call) => { asked += 1; return real(call); };
  const look = () => {
    counts.push(asked);
    asked = 0;
    if (counts.length < 30) return real(look);
    window.requestAnimationFrame = real;
    done(counts.slice(1).sort((a, b) => a - b));
  };
  real(look);
})"""


def test_five_presses_of_play_run_one_clock(page: Page, served: str) -> None:
    page.goto(f"{served}/index.html")
    player_page.ready(page)
    button(page, "play").click()  # the film's script is there then
    page.wait_for_function(PLAYING)
    button(page, "play").click()
    page.evaluate(
        f"for (let n = 0; n < 5; n++) {player_page.PLAYER}.querySelector('[data-action=play]').click()"
    )
    page.wait_for_function(PLAYING)
    page.evaluate(player_page.IDLE)
    counts = page.evaluate(ASKED)
    assert counts[len(counts) // 2] == 1, counts
    button(page, "play").click()
