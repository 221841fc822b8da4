"""One state, three ways to it: attribute, control, address. It survives a reload."""

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from figures_src.player import registry
from figures_src.player.state import DEFAULTS, OPENS, states
from tests.browser.player_page import (
    IDLE,
    PLAYER,
    State,
    address,
    alone,
    note_of,
    opened,
    put,
    random_states,
    ready,
    state_of,
)
from tests.browser.state_page import by_control, hash_of, load, unseen

COUNT = 24
LOADED = 4  # of them in a page that is loaded for each; the others in one that is open
ON_THE_WHOLE_PAGE = 2  # over HTTP, and as many from disk
CHOICES = states()


def whole_states(seed: int, count: int) -> list[State]:
    """Random states with what only an address or a script sets too."""
    dice = random.Random(seed)
    found = []
    for state in random_states(seed, count, switched=0.5):
        more = {
            "at": dice.choice(["0", "0.25", "0.5", "1"]),
            "speed": dice.choice(["0.5", "1", "2"]),
        }
        found.append(state | more)
    return found


@pytest.fixture(scope="module")
def whole(browser: Browser, served: str) -> Iterator[Page]:
    """The explainer itself, for the tests of this file together."""
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


# Round trips ---------------------------------------------------------------------------------------


def test_states_survive_the_way_through_the_address(small: Page, home: str) -> None:
    """Set by a script, and come back to by its address: the same state, the same attributes.

    Many more go through the functions alone, in tests/player/test_addresses.py.
    """
    told = whole_states(11, COUNT)
    home = unseen(home)
    load(small, home)
    hashes = []
    for state in told:
        put(small, state)
        hashes.append(hash_of(small))
        assert state_of(small) == state
    assert hashes == [address(state) for state in told]
    for n, (state, hash_) in enumerate(zip(told, hashes, strict=True)):
        if n < LOADED:
            load(small, home, hash_)
        else:
            small.evaluate(f"location.hash = {hash_!r}")  # from the state before it
            small.wait_for_function(f"location.hash === {hash_!r}")
        assert state_of(small) == state
        assert hash_of(small) == hash_
        assert note_of(small) == ""


def test_and_on_the_whole_page(page: Page, base: str) -> None:
    for state in whole_states(12, ON_THE_WHOLE_PAGE):
        page.goto("about:blank")
        page.goto(f"{base}/index.html{address(state)}")
        ready(page)
        assert state_of(page) == state
        assert (
            page.evaluate(f"{PLAYER}.shown.values.query") in page.locator(".va-picked").inner_text()
        )


def test_the_default_needs_no_address(browser: Browser, base: str) -> None:
    page = opened(browser, base)
    assert state_of(page) == DEFAULTS
    assert hash_of(page) == ""
    put(page, {"query": "7.5"})
    assert hash_of(page) == "#query=7.5"
    put(page, {"query": DEFAULTS["query"]})
    assert hash_of(page) == ""
    assert "#" not in page.url
    page.close()


def test_ready_is_told_once_and_change_after_each_change(small: Page, home: str) -> None:
    load(small, home, "#stage=mix")
    assert [name for name, _ in small.evaluate("said")] == ["ready"]
    put(small, {"query": "3.3", "head": "2"})
    put(small, {"query": "3.3"})
    put(small, {"photo": "rocket"})
    small.locator(".va-stages [value=softmax]").check(force=True)
    small.evaluate(IDLE)
    names, told = zip(*small.evaluate("said"), strict=True)
    assert names == ("ready", "change", "change", "change")
    assert [state["photo"] for state in told] == ["chelsea", "chelsea", "rocket", "rocket"]
    assert [state["query"] for state in told] == ["5.4", "3.3", "3.3", "3.3"]
    assert told[-1]["stage"] == "softmax"


# Three ways ----------------------------------------------------------------------------------------


def controls(page: Page) -> dict[str, list[str]]:
    """The names that have radio buttons, and their values."""
    buttons = page.locator("vit-player input[type=radio]:enabled").all()
    found: dict[str, list[str]] = {}
    for button in buttons:
        name = button.get_attribute("data-state") or "stage"
        found.setdefault(name, []).append(button.get_attribute("value") or "")
    return found


THREE_WAYS = (
    ("stage", "mix"),
    ("query", "7.5"),
    ("query", "cls"),
    ("head", "mean"),
    ("photo", "rocket"),
    ("range", "fixed"),
)


def test_three_ways_lead_to_the_same_state(whole: Page) -> None:
    """The address is that of a link in the open page; loaded at it, see the round trips."""
    page = whole
    faults = []
    for name, value in THREE_WAYS:
        expected = DEFAULTS | {name: value} | (OPENS[value] if name == "photo" else {})
        texts = {}
        for way in ("attribute", "control", "address"):
            put(page, dict(DEFAULTS))
            if way == "address":
                page.evaluate("(hash) => { location.hash = hash; }", address(expected))
            elif way == "attribute":
                page.evaluate(f"{PLAYER}.setAttribute({name!r}, {value!r})")
            else:
                by_control(page, name, value)
            page.wait_for_function(f"{PLAYER}.state[{name!r}] === {value!r}")
            page.mouse.move(0, 0)  # a click points too: leave the photograph
            ready(page)
            if (state_of(page), hash_of(page)) != (expected, address(expected)):
                faults.append(f"{name}={value} by {way}: {state_of(page)}, {hash_of(page)}")
            checked = page.locator("vit-player input:checked").evaluate_all(
                "all => all.map((box) => [box.dataset.state ?? 'stage', box.value])"
            )
            if not dict(checked).items() <= expected.items():
                faults.append(f"{name}={value} by {way}: {checked} are chosen")
            texts[way] = [page.locator(p).inner_text() for p in (".va-scene", ".va-readouts")]
        if not texts["attribute"] == texts["control"] == texts["address"]:
            faults.append(f"{name}={value}: {texts}")
    assert not faults


def test_every_choice_has_its_control(whole: Page) -> None:
    found = controls(whole)
    for name in ("stage", "head", "photo", "range"):
        assert found[name] == CHOICES[name]
    assert found["stage"] == list(registry.plates())


def test_taking_an_attribute_away_gives_its_default(small: Page, home: str) -> None:
    load(small, home, "#stage=mix&query=7.5&head=mean")
    small.evaluate(f"{PLAYER}.removeAttribute('stage')")
    ready(small)
    assert state_of(small) == DEFAULTS | {"query": "7.5", "head": "mean"}
    assert note_of(small) == ""


@pytest.mark.parametrize("before", ["", "#stage=mix&query=7.5"])
def test_a_wrong_attribute_gives_its_default_and_a_note(
    small: Page, home: str, before: str
) -> None:
    load(small, home, before)
    for name, value in (("stage", "nope"), ("query", "14.0"), ("head", "0"), ("photo", "own")):
        small.evaluate(f"{PLAYER}.setAttribute({name!r}, {value!r})")
        ready(small)
        assert state_of(small)[name] == DEFAULTS[name]
        assert note_of(small) != ""


def test_what_stands_in_the_markup_is_shown(small: Page, site: Path, tmp_path: Path) -> None:
    """Also for the first player; an address is stronger, and a wrong value gives the default and a note."""
    marked = alone(site, tmp_path, stage="mix", query="7.5")
    load(small, marked)
    assert state_of(small) == DEFAULTS | {"stage": "mix", "query": "7.5"}
    assert small.locator("#stage-mix").is_visible()
    load(small, marked, "#stage=scores")
    assert state_of(small) == DEFAULTS | {"stage": "scores"}
    load(small, alone(site, tmp_path, stage="nope", query="7.5"))
    assert state_of(small) == DEFAULTS | {"query": "7.5"}
    assert "stage" in note_of(small)


def test_where_the_markup_says_another_state_the_default_has_an_address(
    small: Page, site: Path, tmp_path: Path
) -> None:
    """Without one it would lead to what the markup says: view and address would not agree."""
    marked = alone(site, tmp_path, stage="mix")
    for hash_, note in (("#stage=softmax", ""), ("#stage=nope", "Shown is the default: ")):
        load(small, marked, hash_)
        assert state_of(small) == DEFAULTS
        assert hash_of(small) == "#stage=softmax"
        assert note_of(small).startswith(note)
    small.reload()
    ready(small)
    assert state_of(small) == DEFAULTS
    put(small, {"query": "7.5"})
    put(small, {"query": DEFAULTS["query"]})
    assert hash_of(small) == "#stage=softmax"
