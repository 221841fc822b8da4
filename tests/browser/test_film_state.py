"""The film in the state and in the address: told, never asked, and no history."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from figures_src.player.state import DEFAULTS
from tests.browser.film_page import MOVING, PLAYING, button, plays, stops
from tests.browser.player_page import PLAYER, READY, opened, state_of

# Counts what is written to the address, with the time of each.
ADDRESSES = """
window.written = [];
for (const name of ["pushState", "replaceState"]) {
  const real = history[name].bind(history);
  history[name] = (...given) => { written.push([name, performance.now()]); real(...given); };
}
"""


@pytest.fixture
def fresh(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


def test_playing_is_told_and_never_asked(browser: Browser, served: str) -> None:
    page = opened(browser, served, "#stage=norm&playing=1")
    assert not page.evaluate(PLAYING)
    page.evaluate(f"{PLAYER}.setAttribute('playing', '')")
    page.wait_for_timeout(200)
    assert page.evaluate(f"{MOVING}.length") == 0
    assert state_of(page)["at"] == "1"
    page.close()


def test_playing_makes_no_history_and_writes_the_address_seldom(
    browser: Browser, served: str
) -> None:
    page = browser.new_page()
    page.add_init_script(ADDRESSES)
    page.goto(f"{served}/index.html#stage=qkv")
    page.wait_for_function(READY)
    before = page.evaluate("history.length")
    page.evaluate("written.length = 0")
    button(page, "play").click()
    page.wait_for_function(PLAYING)
    page.wait_for_function("location.hash.includes('stage=scores&at=0.')")
    button(page, "play").click()
    stops(page)
    assert page.evaluate("history.length") == before
    written = page.evaluate("written")
    assert {name for name, _ in written} == {"replaceState"}
    times = [time for _, time in written]
    assert len(times) > 2
    for start in times:
        assert sum(start <= time < start + 1000 for time in times) <= 3  # it starts; it stops
    page.close()


def test_back_while_it_plays_shows_what_the_address_says(browser: Browser, served: str) -> None:
    page = opened(browser, served, "#stage=qkv", viewport={"width": 1350, "height": 940})
    page.locator("vit-player .va-cells [data-token='100']").first.click()
    page.wait_for_function(f"{PLAYER}.state.query === '7.1'")
    button(page, "play").click()
    page.wait_for_function(f"Number({PLAYER}.state.at) > 0.15 && {PLAYING}")
    page.go_back()
    page.wait_for_function(f"{PLAYER}.state.query === '5.4'")
    stops(page)
    assert state_of(page) == DEFAULTS | {"stage": "qkv"}
    assert page.evaluate("location.hash") == "#stage=qkv"
    assert page.evaluate(f"{MOVING}.length") == 0
    page.go_forward()
    page.wait_for_function(f"{PLAYER}.state.query === '7.1'")
    # Where the film was when its address was last written: up to two seconds before.
    assert re.match("#stage=qkv&query=7.1&at=0(\\.|$)", page.evaluate("location.hash"))
    page.close()


def test_an_address_while_it_plays_is_kept(fresh: Page) -> None:
    assert plays(fresh) == "patches"
    fresh.wait_for_function(f"Number({PLAYER}.state.at) > 0.06")
    fresh.evaluate("location.hash = '#stage=norm&query=2.2'")
    fresh.wait_for_function(f"{PLAYER}.state.query === '2.2'")
    stops(fresh)
    assert state_of(fresh) == DEFAULTS | {"stage": "norm", "query": "2.2"}
    fresh.wait_for_timeout(400)
    assert fresh.evaluate("location.hash") == "#stage=norm&query=2.2"
