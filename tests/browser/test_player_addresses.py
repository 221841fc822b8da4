"""Addresses that are wrong give the default, its address and a quiet note that says why."""

import pytest
from playwright.sync_api import Page

from figures_src.player.state import DEFAULTS
from tests.browser.conftest import Watch
from tests.browser.player_page import PLAYER, note_of, put, ready, state_of
from tests.browser.state_page import hash_of, load, unseen, why

# What a browser itself rewrites, cuts or could take for a page of its own; the others are refused by the
# same function, in tests/player/test_addresses.py.
ON_SCREEN = [
    "#stage=nowhere",
    "#photo=own",
    "#query=%205.4",
    "#stage =mix",
    "#__proto__=x",
    "#stage=mix&stage=mix",
    "#=",
    "#stage=%E0%A4%A",
    "#query=<script>document.title='x'</script>",
    "#<img src=x onerror=alert(1)>=1",
    "#at=2",
    "#dropped=" + ",".join(["1.1"] * 20_000),
    "#query=" + "9" * 100_000,
]


@pytest.fixture(scope="module")
def hidden(home: str) -> str:
    return unseen(home)


@pytest.mark.parametrize("hash_", ON_SCREEN, ids=lambda text: text[:40])
def test_a_broken_address_gives_the_default_its_address_and_why(
    small: Page, loud: Watch, hidden: str, hash_: str
) -> None:
    loud.console.clear()
    load(small, hidden, hash_)
    sentence = f"Shown is the default: {why(hash_)}."
    assert state_of(small) == DEFAULTS
    assert hash_of(small) == "", "the address says what is shown"
    assert note_of(small) == sentence
    assert small.title() == "The player alone"

    put(small, {"stage": "mix", "query": "7.5"})
    assert note_of(small) == "", "the note goes with the next choice"
    small.evaluate("(hash) => { location.hash = hash; }", hash_)  # now from within the page
    small.wait_for_function(f"{PLAYER}.state.stage === {DEFAULTS['stage']!r}")
    ready(small)
    assert state_of(small) == DEFAULTS
    assert hash_of(small) == ""
    assert note_of(small) == sentence
    assert not loud.console


def test_the_list_of_broken_addresses_is_not_refused_as_a_whole(small: Page, home: str) -> None:
    """What is like them and right is taken: percent signs, commas, every name at its default."""
    for hash_, change in (
        ("#query=5%2E5", {"query": "5.5"}),
        ("#dropped=cls,5.4", {"dropped": "cls,5.4"}),
        ("#dropped=cls%2C5.4", {"dropped": "cls,5.4"}),
        ("#at=0.5&speed=4", {"at": "0.5", "speed": "4"}),
        ("#" + "&".join(f"{name}={value}" for name, value in DEFAULTS.items()), {}),
    ):
        load(small, home, hash_)
        assert state_of(small) == DEFAULTS | change
        assert note_of(small) == ""


def test_a_value_that_cannot_be_changes_nothing(small: Page, home: str) -> None:
    load(small, home, "#stage=mix")
    put(small, {"stage": "nowhere", "query": "7.5"})
    assert state_of(small) == DEFAULTS | {"stage": "mix"}
    assert note_of(small) != ""
    assert hash_of(small) == "#stage=mix"


def test_a_state_that_the_history_kept_is_judged_as_an_address_is(small: Page, home: str) -> None:
    """It may be of another day, or name a photograph that this page has no longer."""
    load(small, home, "#stage=mix")
    for kept in ({"speed": "0.0001"}, {"photo": "own"}, {"size": "3"}):
        small.evaluate(
            """(kept) => {
              const state = { ...document.querySelector("vit-player").state, ...kept };
              history.replaceState({ player: state }, "", "#stage=scores");
              history.pushState(null, "", "#stage=mix");
              history.back();
            }""",
            kept,
        )
        small.wait_for_function(f"{PLAYER}.state.stage === {DEFAULTS['stage']!r}")
        ready(small)
        assert state_of(small) == DEFAULTS
        assert hash_of(small) == ""
        assert note_of(small).startswith("Shown is the default: "), kept
        put(small, {"stage": "mix"})


def test_numbers_that_are_one_have_one_value(small: Page, home: str) -> None:
    """So that the control that stands for it is the one that is chosen."""
    load(small, home, "#speed=02.00&at=1.0")
    assert state_of(small) == DEFAULTS | {"speed": "2"}
    assert small.locator("vit-player .va-speed input:checked").get_attribute("value") == "2"
    small.evaluate(f"{PLAYER}.setAttribute('speed', '.50')")
    ready(small)
    assert state_of(small) == DEFAULTS | {"speed": "0.5"}
    assert hash_of(small) == "#speed=0.5"
