"""The fold "What if …?" on screen: it shows what what-if.js says of a change, and its controls make changes.

That what it says is the core's is held in tests/player/test_what_if_script.py.
"""

import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from figures_src.player.folds.what_if import BUGS, SWITCHES
from figures_src.player.state import DEFAULTS
from tests.browser.access import violations
from tests.browser.conftest import Watch
from tests.browser.player_page import (
    PLAYER,
    State,
    address,
    opened,
    painted,
    put,
    ready,
    state_of,
    unfold,
    word,
)
from tests.player.fold_scripts import compared, request_of, token_of
from tests.player.passes import in_numpy
from tests.player.pictures import Picture, picture
from tests.player.row_truth import place
from vitattn_core.mistakes import MISTAKES
from vitattn_core.teaching import GRID

EYE = GRID.token(5, 4)
FOLD = "[data-part=what-if]"
CHANGES: list[State] = [
    {},
    {"bug": "offset", "query": "cls", "head": "3", "photo": "coffee"},
    {"bug": "mask", "dropped": "6.11"},
    {"scale": "off", "dropped": "5.4,cls,6.11,5.11", "head": "mean", "axis": "queries"},
]


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1440, "height": 900})
    yield unfold(page, "what-if")
    page.close()


def said(page: Page, name: str) -> str:
    return page.locator(f"{FOLD} [data-say='{name}']").inner_text()


def near(text: str, number: float, digits: int = 3) -> bool:
    return abs(float(text.replace("−", "-")) - number) <= 0.5 * 10**-digits + 1e-9


# Numbers and maps ----------------------------------------------------------------------------------


def test_the_fold_shows_what_the_script_says(page: Page) -> None:
    """The texts, and two maps on one range, the standard at the left: what is painted, and how strongly."""
    for change in CHANGES:
        state = DEFAULTS | change
        put(page, state)
        told = compared(state)
        shown = {name: said(page, name) for name in told["texts"]}
        assert shown == told["texts"], change
        if change:
            moved = page.locator("[data-readout=delta-output]").inner_text()
            assert moved == told["texts"]["moved.output"]
        query = token_of(state["query"])
        assert place(query) in said(page, "lead")

        end = told["end"]
        bugs = ("", state["bug"])
        for name, row, bug in zip(("standard", "changed"), told["rows"], bugs, strict=True):
            a = np.array(row)
            on_patches = a[: GRID.patches] if bug == "offset" else a[GRID.prefix :]
            found = painted(page, f"{FOLD} [data-map={name}]")
            assert Picture(on_patches, end).fault(found) is None, (change, name)
        crosses = page.locator(f"{FOLD} [data-map=changed] [data-taken]").get_attribute("d") or ""
        taken = int(np.isneginf(in_numpy(request_of(state))["masked"][0, query]).sum())
        assert crosses.count("M") == taken


def test_the_same_row_on_the_same_scale_is_one_picture(page: Page) -> None:
    """With nothing changed: the photograph, both maps of the fold, and the plate's map of this head."""
    cells = "[...document.querySelectorAll('.va-cells [data-token]')].map((c) => c.getAttribute('class'))"
    for change in ({}, {"photo": "rocket", "query": "3.3"}, {"query": "cls", "head": "2"}):
        put(page, DEFAULTS | {"stage": "heads"} | change)
        head = int((DEFAULTS | change)["head"]) - 1
        levels = [
            int(found[1]) if (found := re.search(r"\bw(\d+)", c)) else 0
            for c in page.evaluate(cells)
        ]
        shown = {divmod(n, 14): level for n, level in enumerate(levels[GRID.prefix :]) if level}
        for which in (f"{FOLD} [data-map=standard]", f"{FOLD} [data-map=changed]"):
            assert picture(painted(page, which)) == shown, (which, change)
        plate = page.locator(f"[data-paint='map.{head}']").evaluate("(mark) => mark.innerHTML")
        assert picture(plate) == shown, change


def test_left_stands_the_standard_and_right_the_changed(page: Page) -> None:
    put(page, DEFAULTS | {"scale": "off"})
    boxes = [
        page.locator(f"{FOLD} [data-map={m}] svg").bounding_box() for m in ("standard", "changed")
    ]
    left, right = (box for box in boxes if box)
    assert left["x"] + left["width"] <= right["x"]
    assert left["y"] == right["y"]
    assert left["width"] == right["width"]
    assert "no divisor" in page.locator(f"{FOLD} [data-map=changed] figcaption").inner_text()


# Words ---------------------------------------------------------------------------------------------


def test_words_are_read_out_only_while_one_works_in_the_fold(page: Page) -> None:
    words = page.locator(f"{FOLD} [data-say=consequence]")
    page.locator(f"{FOLD} [data-state=scale]:checked").focus()
    expect(words).to_have_attribute("aria-live", "polite")
    page.locator("vit-player .va-cells [tabindex='0']").focus()
    expect(words).to_have_attribute("aria-live", "off")


# Controls ------------------------------------------------------------------------------------------


def hash_of(page: Page) -> str:
    return page.evaluate("location.hash")


@pytest.fixture
def fresh(page: Page) -> Page:
    put(page, dict(DEFAULTS))
    return page


def test_a_switch_by_mouse_and_its_reset(fresh: Page) -> None:
    faults = []
    line = fresh.locator(".va-changed")
    for name, value in ((name, v) for name, (_, told) in SWITCHES.items() for v in list(told)[1:]):
        fresh.locator(f"{FOLD} label:has([data-state={name}][value={value}])").click()
        ready(fresh)
        expect(line).to_be_visible()
        chosen = state_of(fresh), hash_of(fresh)
        if chosen != (DEFAULTS | {name: value}, f"#{name}={value}"):
            faults.append(f"{name}={value} gives {chosen}")
        line.get_by_role("button", name="Reset").click()
        expect(line).to_be_hidden()
        if (state_of(fresh), hash_of(fresh)) != (DEFAULTS, ""):
            faults.append(f"{name}={value} is not reset")
    assert not faults


def test_switches_by_keyboard(fresh: Page) -> None:
    fresh.locator(f"{FOLD} [data-state=scale]:checked").focus()
    fresh.keyboard.press("ArrowRight")
    ready(fresh)
    assert state_of(fresh)["scale"] == "model"
    focused = "document.activeElement.dataset.state + document.activeElement.value"
    assert fresh.evaluate(focused) == "scalemodel"
    fresh.keyboard.press("Tab")
    assert fresh.evaluate(focused) == "positionon"
    fresh.keyboard.press("ArrowLeft")
    ready(fresh)
    assert state_of(fresh) == DEFAULTS | {"scale": "model", "position": "off"}


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_is_a_toggle_and_writes_its_state(fresh: Page, bug: str) -> None:
    """Bugs 1 to 4 are the switches; an inverted mask takes out the key that is pointed at."""
    setting, value = BUGS[bug]
    title = MISTAKES[bug].title.replace("√d_h", "√dh")
    button = fresh.locator(FOLD).get_by_role("button", name=title, exact=True)
    key = word(fresh.evaluate(f"{PLAYER}.shown.key"))
    button.click()
    ready(fresh)
    expected = {setting: value} | ({"dropped": key} if bug == "mask" else {})
    assert state_of(fresh) == DEFAULTS | expected
    assert hash_of(fresh) == address(DEFAULTS | expected)
    expect(button).to_have_attribute("aria-pressed", "true")
    assert fresh.locator(f"{FOLD} [data-setting][aria-pressed=true]").count() == 1
    if setting != "bug":
        assert fresh.locator(f"{FOLD} [data-state={setting}][value={value}]").is_checked()
    button.press("Space")
    ready(fresh)
    assert state_of(fresh)[setting] == DEFAULTS[setting]
    expect(button).to_have_attribute("aria-pressed", "false")


def test_the_stage_that_is_changed_is_marked_in_the_list(fresh: Page) -> None:
    def marked() -> list[str]:
        labels = fresh.locator("vit-player .va-stage").all()
        line = "(label) => getComputedStyle(label).textDecorationStyle"
        return [label.inner_text() for label in labels if label.evaluate(line) == "wavy"]

    assert marked() == []
    put(fresh, {"scale": "off", "dropped": "6.11"})
    assert marked() == ["scale", "mask"]
    put(fresh, {"scale": "head", "dropped": "", "mix": "k", "axis": "queries", "bug": "merge"})
    assert marked() == ["softmax", "mix", "heads"]


# Dropped keys --------------------------------------------------------------------------------------


def dropped(page: Page) -> list[str]:
    ready(page)
    return list(filter(None, state_of(page)["dropped"].split(",")))


def do(page: Page, what: str) -> None:
    page.locator(f"{FOLD} [data-do={what}]").click()


def test_the_pointed_key_goes_out_and_comes_back(fresh: Page) -> None:
    assert said(fresh, "key") == "(6,11), right eye"
    do(fresh, "drop")
    assert dropped(fresh) == ["6.11"]
    assert said(fresh, "key") == "(6,11), right eye", "it stays the pointed one"
    expect(fresh.locator(f"{FOLD} [data-do=drop]")).to_have_text("Put it back")
    fresh.locator(f"{FOLD} [data-action=key-after]").click()
    do(fresh, "drop")
    first, second = dropped(fresh)
    assert first == "6.11"
    assert second != "6.11"
    fresh.locator(f"{FOLD} .va-dropped").get_by_role("button", name="Put (6,11)").click()
    assert dropped(fresh) == [second]
    assert fresh.evaluate("document.activeElement.dataset.do") == "put-back"
    do(fresh, "drop")
    assert dropped(fresh) == []


def test_all_keys_come_back_at_once(fresh: Page) -> None:
    put(fresh, {"dropped": "cls,5.4,0.0"})
    texts = fresh.locator(f"{FOLD} .va-dropped li").all_inner_texts()
    assert texts == ["CLS ×", "(5,4), left eye ×", "(0,0) ×"]
    do(fresh, "put-all-back")
    assert dropped(fresh) == []
    expect(fresh.locator(f"{FOLD} [data-do=put-all-back]")).to_be_hidden()


def test_keys_are_taken_out_on_the_photograph(fresh: Page) -> None:
    """With the mouse and with Enter; Escape ends it, and then a patch is a query again."""
    do(fresh, "pick")
    expect(fresh.locator(".va-picking")).to_be_visible()
    fresh.locator("vit-player .va-cells [data-token='0']").click()
    assert dropped(fresh) == ["cls"]
    fresh.keyboard.press("ArrowDown")
    fresh.keyboard.press("Enter")
    assert dropped(fresh) == ["cls", "0.0"]
    fresh.keyboard.press("Enter")
    assert dropped(fresh) == ["cls"]
    assert state_of(fresh)["query"] == DEFAULTS["query"]
    fresh.keyboard.press("Escape")
    expect(fresh.locator(".va-picking")).to_be_hidden()
    fresh.keyboard.press("Enter")
    ready(fresh)
    assert state_of(fresh)["query"] == "0.0"
    do(fresh, "pick")
    fresh.locator(".va-picking").get_by_role("button", name="Done").click()
    expect(fresh.locator(f"{FOLD} [data-do=pick]")).to_have_attribute("aria-pressed", "false")


def test_delete_takes_the_patch_in_focus_out(fresh: Page) -> None:
    fresh.locator("vit-player .va-cells [data-token='75']").focus()
    fresh.keyboard.press("Delete")
    assert dropped(fresh) == ["5.4"]
    fresh.keyboard.press("Delete")
    assert dropped(fresh) == []


# On a phone, in both schemes, from disk ------------------------------------------------------------


def test_by_touch_on_a_phone(browser: Browser, served: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = opened(context, served)
    page.locator(f"{FOLD} > summary").tap()
    expect(page.locator(f"{FOLD} [data-say=lead]")).not_to_be_empty()
    page.locator(f"{FOLD} label:has([data-state=scale][value=off])").tap()
    ready(page)
    page.locator(FOLD).get_by_role("button", name="Inverted mask polarity").tap()
    ready(page)
    assert state_of(page) == DEFAULTS | {"scale": "off", "bug": "mask", "dropped": "6.11"}
    page.locator(f"{FOLD} [data-do=pick]").tap()
    page.locator("vit-player .va-cells [data-token='3']").tap()
    assert dropped(page) == ["6.11", "0.2"]
    maps = [
        page.locator(f"{FOLD} [data-map={m}] svg").bounding_box() for m in ("standard", "changed")
    ]
    left, right = (box for box in maps if box)
    assert left["y"] == right["y"], "side by side on a phone too"
    assert right["x"] + right["width"] <= 360
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    small = page.locator(f"{FOLD} button:visible, {FOLD} label:visible, .va-changed button").all()
    for target in small:
        box = target.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24, target.inner_text()
    page.locator(".va-changed").get_by_role("button", name="Reset").tap()
    ready(page)
    assert state_of(page) == DEFAULTS
    context.close()


def test_axe_finds_nothing_with_a_bug_on(browser: Browser, served: str) -> None:
    context = browser.new_context(color_scheme="light", reduced_motion="reduce")
    state = DEFAULTS | {"bug": "mask", "dropped": "6.11,cls", "scale": "off"}
    page = unfold(opened(context, served, address(state)), "what-if")
    page.locator(f"{FOLD} [data-do=pick]").click()
    assert not violations(page, "vit-player")
    context.close()


def test_it_is_loaded_when_it_is_opened_and_works_from_disk_too(page: Page, base: str) -> None:
    context = page.context.browser.new_context() if page.context.browser else page.context
    alone = context.new_page()
    watch = Watch().on(alone)
    alone.goto(f"{base}/index.html")
    ready(alone)
    assert not [url for url in watch.asked if url.endswith("what-if.js")]
    unfold(alone, "what-if")
    alone.locator(FOLD).get_by_role("button", name="Softmax over the wrong axis").click()
    ready(alone)
    assert hash_of(alone) == "#axis=queries"
    assert near(
        said(alone, "sum.1"), in_numpy({"photo": "chelsea", "axis": "queries"})["A"][0, EYE].sum()
    )
    assert not watch.console
    assert not watch.foreign
    context.close()
