"""Nothing moves before the reader presses play, nor ever for those who asked for no motion."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.seen import ready, show
from vitattn_core import STAGES

# Animations that run, in our own part of the page: the theme fades its buttons.
RUNNING = """
() => document.getAnimations()
  .filter((a) => a.playState === "running" && a.effect?.target?.closest("article"))
  .map((a) => `${a.animationName ?? a.transitionProperty} on ${a.effect.target.className}`)
"""


@pytest.fixture(params=["no-preference", "reduce"])
def page_and_wish(
    browser: Browser, served: str, request: pytest.FixtureRequest
) -> Iterator[tuple[Page, str]]:
    context = browser.new_context(
        viewport={"width": 1440, "height": 900}, reduced_motion=request.param
    )
    page = context.new_page()
    ready(page, f"{served}/index.html")
    yield page, request.param
    context.close()


def test_before_play_the_page_stands_still(page_and_wish: tuple[Page, str]) -> None:
    page, _ = page_and_wish
    first = page.screenshot()
    assert not page.evaluate(RUNNING)
    page.wait_for_timeout(1200)
    assert not page.evaluate(RUNNING)
    assert page.screenshot() == first


def test_with_reduced_motion_a_change_is_there_at_once(page_and_wish: tuple[Page, str]) -> None:
    page, wish = page_and_wish
    if wish != "reduce":
        pytest.skip("moves are allowed once the reader acts")
    for entry in STAGES:
        show(page, stage=entry.id)
        assert not page.evaluate(RUNNING), entry.id
    for change in ({"query": "9.9"}, {"head": "2"}, {"head": "mean"}, {"head": "1"}):
        show(page, **change)
        assert not page.evaluate(RUNNING), change
    first = page.screenshot()
    page.wait_for_timeout(600)
    assert page.screenshot() == first


def test_movement_is_found(page_and_wish: tuple[Page, str]) -> None:
    page, _ = page_and_wish
    page.add_style_tag(
        content="@keyframes turn { to { rotate: 1turn } } .va-title { animation: turn 2s infinite }"
    )
    page.wait_for_timeout(100)
    first = page.screenshot()
    assert any("turn" in what for what in page.evaluate(RUNNING))
    page.wait_for_timeout(300)
    assert page.screenshot() != first
