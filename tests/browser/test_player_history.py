"""Back and forward in the player: picks are entries, other changes are not, and links lead to states."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from figures_src.player.state import DEFAULTS, states
from tests.browser.player_page import (
    IDLE,
    PLAYER,
    State,
    address,
    note_of,
    opened,
    put,
    ready,
    state_of,
)
from tests.browser.state_page import by_control, hash_of

CHOICES = states()


@pytest.fixture
def page(browser: Browser, base: str) -> Iterator[Page]:
    page = opened(browser, base, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


def test_back_and_forward_walk_the_picks(page: Page) -> None:
    picks: list[State] = [
        {"stage": "scores"},
        {"query": "7.5"},
        {"head": "2"},
        {"photo": "rocket"},
        {"query": "cls"},
        {"head": "mean"},
        {"stage": "softmax"},
    ]
    length = page.evaluate("history.length")
    seen = [state_of(page)]
    for pick in picks:
        ((name, value),) = pick.items()
        by_control(page, name, value)
        page.wait_for_function(f"{PLAYER}.state[{name!r}] === {value!r}")
        ready(page)
        seen.append(seen[-1] | pick)
        assert state_of(page) == seen[-1]
    assert page.evaluate("history.length") == length + len(picks)
    for expected in reversed(seen[:-1]):
        page.evaluate("history.back()")
        page.wait_for_function(f"location.hash === {address(expected)!r}")
        ready(page)
        assert state_of(page) == expected
    for expected in seen[1:]:
        page.evaluate("history.forward()")
        page.wait_for_function(f"location.hash === {address(expected)!r}")
        ready(page)
        assert state_of(page) == expected
    assert note_of(page) == ""


def test_what_is_no_pick_makes_no_entry(page: Page) -> None:
    length = page.evaluate("history.length")
    by_control(page, "range", "fixed")
    page.evaluate(IDLE)
    assert hash_of(page) == "#range=fixed"
    for token in (3, 90, 150):
        page.locator(f"vit-player .va-cells [data-token='{token}']").hover()
    page.locator("vit-player .va-step-key").first.click()
    by_control(page, "stage", DEFAULTS["stage"])  # it is picked already
    put(page, {"at": "0.5", "speed": "2"})
    assert page.evaluate("history.length") == length
    assert page.evaluate("said.filter(([name]) => name === 'change').length") == 2


def test_an_anchor_of_the_page_leaves_the_player_alone(page: Page) -> None:
    """Whoever follows the table of contents and comes back finds what was picked."""
    put(page, {"stage": "mix", "query": "7.5"})
    picked = state_of(page)
    page.evaluate("document.querySelector('h2 > .headerlink').click()")
    page.wait_for_function("location.hash && !location.hash.includes('=')")
    ready(page)
    assert state_of(page) == picked
    put(page, {"query": "9.9"})
    page.evaluate("history.back()")  # to the anchor, where 7.5 was picked
    page.wait_for_function("!location.hash.includes('=')")
    ready(page)
    assert state_of(page) == picked
    page.evaluate("history.back()")
    page.wait_for_function("location.hash.includes('=')")
    ready(page)
    assert state_of(page) == picked
    assert note_of(page) == ""


def test_links_of_the_sections_lead_to_their_states(page: Page) -> None:
    links = page.locator("a.va-state").all()
    assert len(links) >= 4
    stages = set()
    for link in links:
        target = link.get_attribute("href") or ""
        put(page, {"stage": "norm", "query": "9.9", "head": "2"})
        link.click()
        page.wait_for_function(f"location.hash === {target!r}")
        ready(page)
        told = dict(part.split("=") for part in target.removeprefix("#").split("&"))
        assert state_of(page) == DEFAULTS | told
        top = page.evaluate(f"{PLAYER}.getBoundingClientRect().top")
        assert -5 <= top <= 200, "the player is not in view"
        assert note_of(page) == ""
        stages.add(told.get("stage", DEFAULTS["stage"]))
        page.evaluate("history.back()")
        page.wait_for_function(f"{PLAYER}.state.query === '9.9'")
    assert stages == set(CHOICES["stage"])
