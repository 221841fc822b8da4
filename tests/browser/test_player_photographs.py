"""The player's photographs: asked for when picked, late, quickly changed, or not there at all."""

import itertools
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from figures_src.player.state import DEFAULTS
from tests.browser.conftest import Watch
from tests.browser.player_page import IDLE, PLAYER, note_of, opened, put, ready, state_of
from tests.browser.state_page import by_control, hash_of, load


@pytest.fixture
def page(browser: Browser, base: str) -> Iterator[Page]:
    page = opened(browser, base, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


def test_a_photograph_that_does_not_come_gives_a_note_and_the_first(
    browser: Browser, served: str
) -> None:
    context = browser.new_context()
    context.route("**/photo-coffee.js", lambda route: route.abort())
    for hash_ in ("", "#photo=coffee&stage=mix"):
        page = opened(context, served, hash_)
        if not hash_:
            put(page, {"stage": "mix", "photo": "coffee"})
        page.wait_for_function(f"{PLAYER}.state.photo === {DEFAULTS['photo']!r}")
        ready(page)
        assert state_of(page) == DEFAULTS | {"stage": "mix"}
        assert hash_of(page) == "#stage=mix"
        assert "Coffee" in note_of(page)
        assert page.evaluate(f"{PLAYER}.hasAttribute('aria-busy')") is False
        page.close()
    context.unroute("**/photo-coffee.js")
    page = opened(context, served, "#photo=coffee")
    assert state_of(page)["photo"] == "coffee"
    context.close()


def test_a_photograph_is_asked_for_when_it_is_picked_and_once(page: Page, base: str) -> None:
    watch = Watch().on(page)
    asked = "[...document.scripts].map((s) => s.src).filter((s) => s.includes('photo-')).length"
    assert page.evaluate(asked) == 0
    for photo, count in (("rocket", 1), ("chelsea", 1), ("rocket", 1), ("coffee", 2)):
        put(page, {"photo": photo})
        assert state_of(page)["photo"] == photo
        assert page.evaluate(asked) == count
    assert not watch.console


def test_a_pick_while_a_photograph_is_on_its_way(browser: Browser, served: str) -> None:
    """The old row stays until the new photograph is there; then everything is shown, and nothing broke."""
    context = browser.new_context()
    page = opened(context, served)
    watch = Watch().on(page)
    held = []
    page.route("**/photo-rocket.js", lambda route: held.append(route))
    before = page.evaluate(f"JSON.stringify({PLAYER}.shown.values)")
    page.evaluate(f"{PLAYER}.set({{ photo: 'rocket' }}); 0")
    page.evaluate(f"{PLAYER}.set({{ stage: 'mix', head: '2' }}); 0")
    by_control(page, "query", "7.5")
    page.evaluate(IDLE)
    assert page.evaluate(f"JSON.stringify({PLAYER}.shown.values)") == before
    held[0].continue_()
    page.wait_for_function(f"{PLAYER}.shown.values.query === '(7,5)'")
    ready(page)
    assert state_of(page) == DEFAULTS | {
        "photo": "rocket",
        "stage": "mix",
        "head": "2",
        "query": "7.5",
    }
    told = page.evaluate(f"JSON.stringify({PLAYER}.shown.values)")
    fresh = opened(context, served, hash_of(page))
    assert fresh.evaluate(f"JSON.stringify({PLAYER}.shown.values)") == told
    assert not watch.console
    context.close()


def test_the_last_of_quick_picks_is_shown(small: Page, home: str) -> None:
    load(small, home)
    for order in itertools.permutations(("rocket", "coffee", "chelsea")):
        for photo in order:
            small.evaluate(f"{PLAYER}.set({{ photo: {photo!r} }}); 0")
        small.wait_for_timeout(50)
        ready(small)
        state = state_of(small)
        assert state["photo"] == order[-1]
        picture = small.locator("vit-player image").get_attribute("href") or ""
        assert picture.endswith(f"{order[-1]}.webp")
