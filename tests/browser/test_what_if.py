"""The fold "What if …?": every change, before and after, with the core's numbers and in true words."""

import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from figures_src.inputs import photographs
from figures_src.player.folds.what_if import BUGS, SWITCHES
from figures_src.player.state import DEFAULTS
from tests.browser.access import violations
from tests.browser.attention_page import Arrays, in_numpy
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
from tests.pictures import Picture, picture
from tests.row_truth import place
from vitattn_core.mistakes import MISTAKES
from vitattn_core.reading import effective_keys, entropy
from vitattn_core.teaching import GRID

EYE, OTHER = GRID.token(5, 4), GRID.token(6, 11)
FOLD = "[data-part=what-if]"
CHANGES: list[State] = [
    {},
    {"scale": "model"},
    {"scale": "off"},
    {"scale": "off", "head": "2", "photo": "rocket", "query": "8.6"},
    {"position": "off", "head": "2"},
    {"mix": "k"},
    {"axis": "queries"},
    {"axis": "queries", "head": "3"},
    {"dropped": "6.11"},
    {"dropped": "5.4,cls,6.11,5.11", "head": "mean"},
    {"dropped": ",".join(word(token) for token in range(GRID.tokens))},
    {"bug": "merge"},
    {"bug": "mask"},
    {"bug": "mask", "dropped": "6.11"},
    {"bug": "residual"},
    {"bug": "offset"},
    {"bug": "offset", "query": "cls", "head": "3", "photo": "coffee"},
    {"bug": "residual", "axis": "queries", "scale": "off", "mix": "k", "dropped": "0.0"},
]


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1440, "height": 900})
    yield unfold(page, "what-if")
    page.close()


def said(page: Page, name: str) -> str:
    return page.locator(f"{FOLD} [data-say='{name}']").inner_text()


def both(state: State) -> tuple[Arrays, Arrays]:
    """The pass of the core with nothing switched, and that of the state."""
    dropped = [token for token in range(GRID.tokens) if word(token) in state["dropped"].split(",")]
    switches = {name: state[name] for name in ("scale", "position", "mix", "axis", "bug")}
    after = in_numpy({"photo": state["photo"], "dropped": dropped, **switches})
    return in_numpy({"photo": state["photo"]}), after


def rows(state: State) -> tuple[int, list[np.ndarray], list[float]]:
    """The query, its rows of weights before and after, how far o and z have moved."""
    query = next(token for token in range(GRID.tokens) if word(token) == state["query"])
    head = 0 if state["head"] == "mean" else int(state["head"])
    passes = both(state)
    pick = slice(None) if head == 0 else slice(head - 1, head)
    weights = [each["A"][pick, query].mean(axis=0) for each in passes]
    outputs = [each["O"][pick, query].ravel() for each in passes]
    leaving = [each["Z"][query] for each in passes]
    moved = [float(np.linalg.norm(b - a) / np.linalg.norm(a)) for a, b in (outputs, leaving)]
    return query, weights, moved


def near(text: str, number: float, digits: int = 3) -> bool:
    return abs(float(text.replace("−", "-")) - number) <= 0.5 * 10**-digits + 1e-9


# Numbers and maps ----------------------------------------------------------------------------------


@pytest.mark.parametrize("change", CHANGES, ids=lambda c: "-".join(c.values())[:40] or "standard")
def test_the_numbers_are_those_of_the_two_passes(page: Page, change: State) -> None:
    state = DEFAULTS | change
    put(page, state)
    query, weights, moved = rows(state)
    for n, a in enumerate(weights):
        assert near(said(page, f"sum.{n}"), a.sum())
        largest, where = said(page, f"largest.{n}").split(" ", 1)
        assert near(largest, a.max())
        most = np.flatnonzero(a >= a.max() - 1e-12).tolist()
        more = f" and {len(most) - 1} more" if len(most) > 1 else ""
        assert where == ("everywhere" if len(most) == len(a) else f"at {place(most[0])}{more}")
        spread = [said(page, f"{name}.{n}") for name in ("entropy", "keys")]
        if abs(a.sum() - 1) <= 1e-9:
            assert near(spread[0], entropy(a), 2)
            assert near(spread[1], effective_keys(a), 1)
        else:
            assert spread == ["–", "–"]  # no distribution, no entropy
        assert near(said(page, f"cls.{n}"), a[0])
    assert near(said(page, "moved.output"), moved[0])
    assert near(said(page, "moved.row"), moved[1])
    assert near(page.locator("[data-readout=delta-output]").inner_text(), moved[0]) or not change
    assert place(query) in said(page, "lead")

    # Two maps on one range, the standard at the left: which patches are painted, and how strongly.
    end = max(a.max() for a in weights)
    assert near(said(page, "end"), end)
    for name, a, bug in zip(("standard", "changed"), weights, ("", state["bug"]), strict=True):
        on_patches = a[: GRID.patches] if bug == "offset" else a[GRID.prefix :]
        assert Picture(on_patches, end).fault(painted(page, f"{FOLD} [data-map={name}]")) is None
    crosses = page.locator(f"{FOLD} [data-map=changed] [data-taken]").get_attribute("d") or ""
    taken = int(np.isneginf(both(state)[1]["masked"][0, query]).sum())
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

WORDS: list[tuple[State, list[str]]] = [
    ({}, ["Nothing is changed yet"]),
    ({"scale": "off"}, ["sharper", "as spread as 2.2 equal keys, before 15.9", "The order of the keys"]),
    ({"scale": "model"}, ["flatter", "The order of the keys is the same"]),
    ({"position": "off", "head": "2"}, ["All 197 weights are equal"]),
    ({"mix": "k"}, ["stays exactly as it was", "It holds what rows show to be matched"]),
    ({"axis": "queries"}, ["this row sums to 1.723", "no weighted mean"]),
    ({"dropped": "6.11"}, ["The 0.074 of (6,11) goes to the other keys: each weight grows by 7.9%."]),
    ({"dropped": "6.11,cls"}, ["of (6,11) and CLS goes to the other keys"]),
    ({"dropped": "6.11,cls,5.4,0.0"}, ["of these 4 keys goes to the other keys"]),
    ({"bug": "merge"}, ["stays exactly as it was", "outputs of head 2 at (1,13), (2,0), (2,1)"]),
    ({"bug": "mask"}, ["No key is dropped, so there is no mask to invert"]),
    ({"bug": "mask", "dropped": "6.11"}, ["Only the key that should be hidden takes part: (6,11)."]),
    ({"bug": "residual"}, ["added to the normed row in place of the row itself"]),
    ({"bug": "offset"}, ["on (5,4) lies the 0.001 of (5,3)", "No number of the pass changes"]),
]  # fmt: skip


@pytest.mark.parametrize(("change", "parts"), WORDS, ids=lambda c: str(c)[:40])
def test_the_consequence_is_said(page: Page, change: State, parts: list[str]) -> None:
    put(page, DEFAULTS | change)
    words = said(page, "consequence")
    for part in parts:
        assert part in words
    assert not re.search(r"undefined|NaN|Infinity|…", words)


def test_numbers_in_the_words_are_true() -> None:
    """The numbers that WORDS writes down, from the core."""
    a = photographs.trace("chelsea").A[0, EYE]
    assert near("7.9", 100 * (1 / (1 - a[OTHER]) - 1), 1)
    assert near("0.001", a[GRID.token(5, 3)])
    assert near("1.723", rows(DEFAULTS | {"axis": "queries"})[1][1].sum())
    assert near("2.2", effective_keys(rows(DEFAULTS | {"scale": "off"})[1][1]), 1)
    order = [np.argsort(a, kind="stable").tolist() for a in rows(DEFAULTS | {"scale": "off"})[1]]
    assert order[0] == order[1]


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


@pytest.mark.parametrize(
    ("name", "value"), [(name, v) for name, (_, told) in SWITCHES.items() for v in list(told)[1:]]
)
def test_a_switch_by_mouse_and_its_reset(fresh: Page, name: str, value: str) -> None:
    fresh.locator(f"{FOLD} label:has([data-state={name}][value={value}])").click()
    ready(fresh)
    assert state_of(fresh) == DEFAULTS | {name: value}
    assert hash_of(fresh) == f"#{name}={value}"
    line = fresh.locator(".va-changed")
    expect(line).to_be_visible()
    line.get_by_role("button", name="Reset").click()
    expect(line).to_be_hidden()
    assert state_of(fresh) == DEFAULTS
    assert hash_of(fresh) == ""


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
    assert near(said(alone, "sum.1"), rows(DEFAULTS | {"axis": "queries"})[1][1].sum())
    assert not watch.console
    assert not watch.foreign
    context.close()
