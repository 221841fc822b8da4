"""The film on request calm: with reduced motion it steps; axe finds nothing in the middle of a chapter."""

from playwright.sync_api import Browser

from figures_src.player.film.timeline import chapters
from figures_src.player.state import DEFAULTS
from tests.browser.access import violations
from tests.browser.film_page import MOVING, button, stops
from tests.browser.player_page import PLAYER, address, opened, put, state_of


def step_ends() -> set[float]:
    """When a step of a chapter ends, in milliseconds of its chapter, and 0."""
    found = {0.0}
    for chapter in chapters().values():
        begin = 0.0
        for step in chapter.steps:
            begin += step.ms
            found.add(begin)
        found.add(float(chapter.ms))
    return found


def test_with_reduced_motion_it_steps(browser: Browser, served: str) -> None:
    context = browser.new_context(reduced_motion="reduce", viewport={"width": 1350, "height": 940})
    page = opened(context, served)
    button(page, "step-on").click()
    page.wait_for_function(f"{PLAYER}.state.stage === 'mix'")
    assert state_of(page)["at"] == "1"
    assert page.evaluate(f"{MOVING}.length") == 0
    put(page, {"stage": "patches", "speed": "4"})
    page.evaluate(
        f"""window.times = new Set(); (function look() {{
          for (const animation of {MOVING}) times.add(`${{animation.playState}} ${{animation.currentTime}}`);
          requestAnimationFrame(look);
        }})()"""
    )
    button(page, "play").click()
    page.wait_for_function(f"{PLAYER}.state.stage === 'embed'")
    button(page, "play").click()
    stops(page)
    seen = [time.split() for time in page.evaluate("[...times]")]
    assert {how for how, _ in seen} <= {"paused"}
    assert {float(time) for _, time in seen} <= step_ends()
    context.close()


def test_axe_finds_nothing_in_the_middle_of_a_chapter(browser: Browser, served: str) -> None:
    context = browser.new_context(color_scheme="light", viewport={"width": 1350, "height": 940})
    page = opened(context, served, address(dict(DEFAULTS) | {"stage": "softmax", "at": "0.97"}))
    assert not violations(page, "vit-player")
    context.close()
