"""The player by keyboard, by touch and by ear: all of it is reached, and every change is said once."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from figures_src.player.state import DEFAULTS, states
from tests.browser.access import violations
from tests.browser.player_page import (
    IDLE,
    PLAYER,
    note_of,
    opened,
    put,
    random_states,
    ready,
    state_of,
)
from vitattn_core import STAGES
from vitattn_core.teaching import GRID

CHOICES = states()
LEAST_CELL = 24  # px, so that a finger can pick one


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


@pytest.fixture(autouse=True)
def _default(request: pytest.FixtureRequest) -> None:
    """Each test of the shared page starts at the default, with nothing in focus."""
    if "page" in request.fixturenames:
        shared: Page = request.getfixturevalue("page")
        shared.mouse.move(0, 0)
        shared.evaluate("document.activeElement.blur()")
        put(shared, dict(DEFAULTS))


# By keyboard ---------------------------------------------------------------------------------------

# Everything in the player that can be used; of a group of radio buttons the checked one.
CONTROLS = f"""() => [...{PLAYER}.querySelectorAll(
    "a[href], button, summary, input, select, textarea, [tabindex='0']")]
  .filter((e) => e.checkVisibility() && !e.disabled && e.tabIndex >= 0)
  .filter((e) => e.type !== "radio" || e.checked)"""
BEFORE = """() => {
  const start = document.querySelector("h1");
  start.tabIndex = -1;
  start.focus();
}"""
# How an element in focus looks, with the label that stands for it.
LOOK = """(element) => [element, element.closest("label")].filter(Boolean).map((e) => {
  const style = getComputedStyle(e);
  const line = style.outlineStyle === "none" ? "" : `${style.outlineStyle} ${style.outlineWidth}`;
  return [line, style.stroke, style.strokeWidth, style.boxShadow, style.borderColor].join(" / ");
}).join(" | ")"""


def focused(page: Page) -> Any:
    return page.evaluate_handle("document.activeElement").as_element()


def test_tab_reaches_every_control_and_shows_where_it_is(page: Page) -> None:
    expected = page.evaluate(f"() => {{ window.wanted = ({CONTROLS})(); return wanted.length; }}")
    assert expected > 8
    page.evaluate(BEFORE)
    reached: list[int] = []
    for _ in range(expected + 20):
        page.keyboard.press("Tab")
        place = page.evaluate("wanted.indexOf(document.activeElement)")
        if not page.evaluate(f"{PLAYER}.contains(document.activeElement)"):
            if reached:
                break
            continue  # what stands before the player
        assert place >= 0, page.evaluate("document.activeElement.outerHTML.slice(0, 200)")
        reached.append(place)
        element = focused(page)
        look = element.evaluate(LOOK)
        element.evaluate("(e) => e.blur()")
        assert element.evaluate(LOOK) != look, element.evaluate("(e) => e.outerHTML.slice(0, 200)")
        element.evaluate("(e) => e.focus({ focusVisible: true })")
    missed = set(range(expected)) - set(reached)
    assert not missed, page.evaluate(
        "(missed) => missed.map((n) => wanted[n].outerHTML.slice(0, 120))", sorted(missed)
    )
    assert reached == sorted(reached), "the order of the controls is that of the page"
    assert state_of(page) == DEFAULTS, "going through changes nothing"


@pytest.mark.parametrize("name", ["stage", "head", "photo", "range"])
def test_arrow_keys_go_through_every_choice(page: Page, name: str) -> None:
    group = ".va-stages" if name == "stage" else f"[data-state={name}]"
    page.locator(f"vit-player {group if name != 'stage' else '.va-stages input'}:checked").focus()
    seen = {DEFAULTS[name]}
    for _ in CHOICES[name]:
        page.keyboard.press("ArrowRight")
        ready(page)
        seen.add(state_of(page)[name])
        assert page.evaluate("document.activeElement.value") == state_of(page)[name]
    assert seen == set(CHOICES[name])
    assert state_of(page) == DEFAULTS  # once around


def token_in_focus(page: Page) -> int:
    return int(page.evaluate("document.activeElement.dataset.token ?? -1"))


def go(page: Page, token: int = GRID.token(5, 4)) -> None:
    """Put the focus on a cell, as the keyboard would."""
    cell = page.locator(f"vit-player .va-cells [data-token='{token}']")
    cell.evaluate("(cell) => cell.focus({ focusVisible: true })")
    assert token_in_focus(page) == token


def press(page: Page, key: str, expected: int) -> None:
    page.keyboard.press(key)
    assert token_in_focus(page) == expected, key


def test_arrow_keys_reach_every_cell(page: Page) -> None:
    """Down the grid in bends, CLS first; the page stays where it is."""
    page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")
    go(page)
    assert token_in_focus(page) == GRID.token(5, 4)
    scrolled = page.evaluate("scrollY")
    press(page, "PageUp", 0)
    press(page, "ArrowUp", 0)
    press(page, "ArrowLeft", 0)
    press(page, "ArrowDown", GRID.token(0, 0))
    press(page, "ArrowLeft", GRID.token(0, 0))
    press(page, "ArrowUp", 0)
    press(page, "ArrowDown", GRID.token(0, 0))
    reached = {0, GRID.token(0, 0)}
    last = GRID.columns - 1
    for row in range(GRID.rows):
        rightwards = row % 2 == 0
        for step in range(1, GRID.columns):
            column = step if rightwards else last - step
            press(page, "ArrowRight" if rightwards else "ArrowLeft", GRID.token(row, column))
            reached.add(token_in_focus(page))
        if row < GRID.rows - 1:
            press(page, "ArrowDown", GRID.token(row + 1, last if rightwards else 0))
            reached.add(token_in_focus(page))
    assert reached == set(range(GRID.tokens))
    press(page, "ArrowDown", GRID.token(GRID.rows - 1, 0))
    press(page, "End", GRID.token(GRID.rows - 1, last))
    press(page, "ArrowRight", GRID.token(GRID.rows - 1, last))
    press(page, "Home", GRID.token(GRID.rows - 1, 0))
    press(page, "PageUp", 0)
    press(page, "PageDown", GRID.token(GRID.rows - 1, 0))
    assert state_of(page) == DEFAULTS, "to go there is to point, not to pick"
    assert page.evaluate("scrollY") == scrolled
    assert page.locator("vit-player .va-cells [tabindex='0']").count() == 1


@pytest.mark.parametrize("key", ["Enter", " "])
def test_enter_and_space_pick_the_cell_in_focus(page: Page, key: str) -> None:
    go(page)
    for step in ("ArrowDown", "ArrowDown", "ArrowRight"):
        page.keyboard.press(step)
    scrolled = page.evaluate("scrollY")
    page.keyboard.press(key)
    ready(page)
    assert state_of(page) == DEFAULTS | {"query": "7.5"}
    assert token_in_focus(page) == GRID.token(7, 5)
    page.keyboard.press("PageUp")
    page.keyboard.press(key)
    ready(page)
    assert state_of(page)["query"] == "cls"
    assert page.evaluate("scrollY") == scrolled


def test_to_go_to_a_cell_is_to_point_at_its_key(page: Page) -> None:
    go(page)
    for step, token in (("ArrowRight", GRID.token(5, 5)), ("PageUp", 0)):
        page.keyboard.press(step)
        assert page.evaluate(f"{PLAYER}.shown.key") == token
    shown = page.locator("vit-player .va-line:visible .va-who").inner_text()
    assert "CLS" in shown


def test_keys_act_only_in_the_player_and_the_theme_keeps_its_own(page: Page, served: str) -> None:
    # What a key does to a scrolled page is the browser's affair, and takes it a moment: the page
    # has left it the key when nobody prevented what it does by default.
    page.evaluate("""() => {
      window.keys = [];
      addEventListener("keydown", (event) => window.keys.push([event.key, event.defaultPrevented]));
    }""")
    pressed = ("ArrowDown", "ArrowRight", "PageDown", "End", "Home", "Enter", " ", "?")
    for key in pressed:
        page.keyboard.press(key)
    assert page.evaluate("window.keys") == [[key, False] for key in pressed]
    assert page.evaluate("document.activeElement === document.body")
    assert state_of(page) == DEFAULTS
    assert page.locator("vit-player dialog[open]").count() == 0
    for key in ("f", "s", "/"):
        page.evaluate("document.activeElement.blur()")
        page.keyboard.press(key)
        page.wait_for_function("document.activeElement.matches('.md-search__input')")
        page.wait_for_function("document.querySelector('#__search').checked")
        page.keyboard.press("Escape")
        page.wait_for_function("!document.querySelector('#__search').checked")
    assert state_of(page) == DEFAULTS
    # With a key held that belongs to the browser or the system, the grid leaves it alone.
    go(page)
    for chord in ("Control+ArrowRight", "Alt+ArrowDown", "Control+Enter"):
        page.keyboard.press(chord)
        assert token_in_focus(page) == GRID.token(5, 4)
    assert state_of(page) == DEFAULTS


# By ear --------------------------------------------------------------------------------------------


def test_the_grid_is_told_as_a_grid(page: Page) -> None:
    put(page, {"query": "7.5"})
    told = page.evaluate(f"""() => {{
      const grid = {PLAYER}.querySelector("[role=grid]");
      const rows = [...grid.querySelectorAll("[role=row]")];
      const told = (cell) => [
        Number(cell.dataset.token), cell.getAttribute("aria-label"), cell.getAttribute("aria-selected"),
      ];
      const cells = (row) => [...row.querySelectorAll("[role=gridcell]")].map(told);
      return [grid.getAttribute("aria-label"), rows.map(cells)];
    }}""")
    name, rows = told
    assert name
    assert [len(row) for row in rows] == [GRID.prefix] + [GRID.columns] * GRID.rows
    cells = [cell for row in rows for cell in row]
    assert [token for token, *_ in cells] == list(range(GRID.tokens))
    for token, label, selected in cells:
        place = "patch row {}, column {}".format(*GRID.place(token)) if token else "CLS"
        assert re.fullmatch(rf"{place}, weight \d\.\d{{3}}", label), label
        assert selected == str(token == GRID.token(7, 5)).lower()


LISTEN = f"""() => {{
  window.heard = [];
  const watch = (place) => new MutationObserver((changes) => {{
    const text = place.textContent.trim();
    if (text) heard.push(...changes.filter((c) => c.type === "childList" || c.type === "characterData")
      .slice(0, 1).map(() => text));
  }}).observe(place, {{ childList: true, characterData: true, subtree: true }});
  {PLAYER}.querySelectorAll("[aria-live], [role=status]").forEach(watch);
}}"""


def test_every_change_is_said_once(browser: Browser, served: str) -> None:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    page.evaluate(LISTEN)

    def said() -> list[str]:
        ready(page)
        page.wait_for_timeout(30)
        return page.evaluate("heard.splice(0)")

    assert said() == []
    titles = {entry.id: entry.title for entry in STAGES}
    page.locator("vit-player .va-stages input:checked").focus()
    for _ in CHOICES["stage"]:
        page.keyboard.press("ArrowRight")
        (words,) = said()
        stage = state_of(page)["stage"]
        assert words.startswith(f"{titles[stage]}.")
        sentence = page.locator(f"#stage-{stage} .va-say").first.text_content() or ""
        assert sentence in words

    go(page)
    page.keyboard.press("ArrowDown")
    page.keyboard.press("PageUp")
    assert said() == [], "a cell in focus says its own name"
    page.keyboard.press("Enter")
    (words,) = said()
    assert "query CLS" in words
    page.keyboard.press("Enter")
    assert said() == [], "nothing has changed"
    for name, value, heard in (
        ("head", "2", "head 2"),
        ("head", "mean", "mean of heads"),
        ("head", "1", "head 1"),
        ("photo", "rocket", "Rocket"),
        ("photo", "chelsea", "Cat"),
    ):
        page.locator(f"vit-player [data-state={name}][value='{value}']").check(force=True)
        (words,) = said()
        assert heard in words
    page.locator("vit-player .va-cells [data-token='90']").click()
    (words,) = said()
    assert "(6,5)" in words
    page.mouse.move(0, 0)
    page.locator("a.va-state").first.click()
    assert len(said()) == 1
    page.evaluate("history.back()")
    page.wait_for_function(f"{PLAYER}.state.query === '6.5'")
    assert len(said()) == 1
    put(page, {"stage": "mask"})  # by a script: it says nothing
    assert said() == []
    page.locator("vit-player [data-action=drop-key]:visible").first.click()
    page.wait_for_function(f"{PLAYER}.state.dropped !== ''")
    assert len(said()) == 1
    page.evaluate("location.hash = '#stage=nowhere'")
    page.wait_for_function(f"{PLAYER}.state.dropped === ''")
    note, words = said()
    assert "stage" in note
    assert words.startswith(f"{titles[DEFAULTS['stage']]}.")
    page.close()


def test_axe_finds_nothing_at_any_stage(browser: Browser, served: str) -> None:
    """The player alone, in a random state of each stage; the rest of the page is looked at elsewhere."""
    page = opened(
        browser,
        served,
        color_scheme="light",
        reduced_motion="reduce",
        viewport={"width": 1350, "height": 940},
    )
    dice, found = random.Random("keys"), []
    states = zip(CHOICES["stage"], random_states(20, len(STAGES)), strict=True)
    for n, (stage, state) in enumerate(states):
        put(page, state | {"stage": stage})
        token = dice.randrange(GRID.tokens)
        page.locator(f"vit-player .va-cells [data-token='{token}']").dispatch_event("pointermove")
        page.evaluate(IDLE)
        # Contrast at a few of them: at every stage it is held by pixels (test_contrast.py).
        here = violations(page, "vit-player", contrast=n % 4 == 0)
        found += [f"{stage}, {state}: {what}" for what in here]
    assert not found
    page.close()


# By touch, on a small screen -----------------------------------------------------------------------


@pytest.fixture(scope="module")
def phone(browser: Browser, served: str) -> Iterator[Page]:
    context = browser.new_context(
        has_touch=True,
        is_mobile=True,
        viewport={"width": 360, "height": 740},
        device_scale_factor=2,
    )
    yield opened(context, served)
    context.close()


def centre(page: Page, token: int) -> tuple[float, float]:
    cell = page.locator(f"vit-player .va-cells [data-token='{token}']")
    cell.evaluate("(cell) => cell.scrollIntoView({ block: 'center' })")
    box = cell.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


@pytest.mark.parametrize("width", [360, 400, 640, 768, 1024, 1600])
def test_cells_are_large_enough_and_nothing_is_wider_than_the_screen(
    phone: Page, width: int
) -> None:
    phone.set_viewport_size({"width": width, "height": 740})
    phone.evaluate(IDLE)
    sizes = phone.evaluate(f"""() => [...{PLAYER}.querySelectorAll(".va-cells [data-token]")].map((cell) => {{
      const {{ width, height }} = cell.getBoundingClientRect();
      return Math.min(width, height);
    }})""")
    assert min(sizes) >= LEAST_CELL - 0.01
    for stage in CHOICES["stage"]:
        for head in (DEFAULTS["head"], "mean"):
            put(phone, {"stage": stage, "head": head})
            assert phone.evaluate("document.documentElement.scrollWidth") <= width, (stage, head)
    put(phone, dict(DEFAULTS))
    phone.set_viewport_size({"width": 360, "height": 740})


def test_a_tap_picks(phone: Page) -> None:
    put(phone, dict(DEFAULTS))
    for token, query in ((GRID.token(7, 5), "7.5"), (0, "cls"), (GRID.token(13, 13), "13.13")):
        phone.touchscreen.tap(*centre(phone, token))
        phone.wait_for_function(f"{PLAYER}.state.query === {query!r}")
    put(phone, dict(DEFAULTS))


def test_a_finger_that_scrolls_is_not_trapped(phone: Page) -> None:
    """A drag over the photograph moves the page, and picks nothing."""
    put(phone, dict(DEFAULTS))
    x, y = centre(phone, GRID.token(9, 7))
    before = phone.evaluate("scrollY")
    session = phone.context.new_cdp_session(phone)
    finger = {"x": x, "y": y}
    session.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [finger]})
    for step in range(1, 13):
        moved = {"x": x, "y": y - 15 * step}
        session.send("Input.dispatchTouchEvent", {"type": "touchMove", "touchPoints": [moved]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    phone.wait_for_function(f"scrollY > {before} + 80")
    assert state_of(phone) == DEFAULTS
    actions = phone.locator("vit-player :is(.va-panel-photo, .va-cells [data-token])").evaluate_all(
        "(all) => all.map((e) => getComputedStyle(e).touchAction)"
    )
    assert set(actions) <= {"auto", "manipulation", "pan-y", "pan-y pinch-zoom", "pan-x pan-y"}


# What is in focus and cannot be seen at all, because something lies over it; null if it can.
HIDDEN = """() => {
  const e = document.activeElement;
  const shown = e.closest("label") ?? e;
  const { left, right, top, bottom } = shown.getBoundingClientRect();
  const [x0, x1] = [Math.max(0, left), Math.min(innerWidth, right)];
  const [y0, y1] = [Math.max(0, top), Math.min(innerHeight, bottom)];
  for (let nx = 1; nx < 8; nx++) for (let ny = 1; ny < 8; ny++) {
    const hit = document.elementFromPoint(x0 + (nx / 8) * (x1 - x0), y0 + (ny / 8) * (y1 - y0));
    if (hit && (shown.contains(hit) || hit.contains(shown))) return null;
  }
  return [e.outerHTML.slice(0, 150), left, top, right, bottom];
}"""


@pytest.mark.parametrize("size", [(360, 740), (320, 256)], ids=["phone", "zoom 400 %"])
def test_what_is_in_focus_is_in_view(browser: Browser, served: str, size: tuple[int, int]) -> None:
    """1280 × 1024 at 400 % is 320 × 256: nothing that sticks may cover what the keyboard reaches."""
    page = opened(browser, served, viewport={"width": size[0], "height": size[1]})
    count = page.evaluate(f"() => {{ window.wanted = ({CONTROLS})(); return wanted.length; }}")
    page.evaluate(BEFORE)
    seen: set[int] = set()
    for _ in range(count + 20):
        page.keyboard.press("Tab")
        place = page.evaluate("wanted.indexOf(document.activeElement)")
        if place < 0 and seen:
            break
        if place < 0:
            continue
        seen.add(place)
        hidden = page.evaluate(HIDDEN)
        assert hidden is None, hidden
    assert seen == set(range(count))
    for token in (0, GRID.token(0, 0), *(GRID.token(row, 3) for row in range(GRID.rows))):
        go(page, token)
        hidden = page.evaluate(HIDDEN)
        assert hidden is None, (token, hidden)
    page.close()


# The link ------------------------------------------------------------------------------------------


def test_copy_link_gives_the_address(browser: Browser, served: str) -> None:
    context = browser.new_context()
    context.grant_permissions(
        ["clipboard-read", "clipboard-write"], origin=served.rpartition("/")[0]
    )
    page = opened(context, served, "#head=mean")
    put(page, {"stage": "mix", "dropped": "5.4,cls", "query": "7.5"})
    page.locator("vit-player [data-action=copy-link]").click()
    page.locator("vit-player .va-note:not(:empty)").wait_for()
    link = page.evaluate("navigator.clipboard.readText()")
    assert link == page.url
    assert link.endswith("#stage=mix&query=7.5&head=mean&dropped=5.4,cls")
    told = state_of(page)
    other = opened(context, link.partition("/index.html")[0], f"#{link.partition('#')[2]}")
    assert state_of(other) == told
    context.close()


def test_where_the_clipboard_is_closed_the_note_gives_the_link(
    browser: Browser, served: str
) -> None:
    page = opened(browser, served, "#query=7.5")
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    page.locator("vit-player [data-action=copy-link]").click()
    page.locator("vit-player .va-note:not(:empty)").wait_for()
    assert page.url in note_of(page)
    page.close()
