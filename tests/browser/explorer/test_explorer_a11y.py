"""The explorer by keyboard, by ear, by touch, and on narrow screens."""

import pytest
from playwright.sync_api import Browser, Page

from figures_src.explorer import values
from figures_src.inputs import captures
from tests.browser.access import violations
from tests.browser.explorer_page import (
    DEFAULTS,
    EXPLORER,
    GRID,
    opened,
    put,
    ready,
    state_of,
)
from tests.browser.player_page import IDLE


def test_tab_reaches_every_control(page: Page) -> None:
    page.locator("vit-explorer summary").click()
    count = page.evaluate(f"""() => {{
      window.wanted = [...{EXPLORER}.querySelectorAll("button, summary, input, [tabindex='0']")]
        .filter((e) => e.checkVisibility() && e.tabIndex >= 0 && (e.type !== "radio" || e.checked));
      const start = document.querySelector("h1");
      start.tabIndex = -1;
      start.focus();
      return wanted.length;
    }}""")
    # five groups of radio buttons (the heads are one), the grid, buttons, the fold
    assert count >= 5 + 1 + 4 + 1
    reached = set()
    for _ in range(count + 6):
        page.keyboard.press("Tab")
        place = page.evaluate("wanted.indexOf(document.activeElement)")
        if place >= 0:
            reached.add(place)
            outlined = page.evaluate("""() =>
              [document.activeElement, document.activeElement.closest("label")].filter(Boolean)
              .some((e) => getComputedStyle(e).outlineStyle !== "none"
                || getComputedStyle(e).strokeDasharray !== "none")""")
            assert outlined, page.evaluate("document.activeElement.outerHTML.slice(0, 120)")
    assert reached == set(range(count))
    assert state_of(page) == DEFAULTS
    page.locator("vit-explorer summary").click()


@pytest.mark.parametrize("name", ["photo", "layer", "head", "range", "divisor"])
def test_arrow_keys_go_through_every_choice(page: Page, name: str) -> None:
    if name == "divisor":
        page.locator("vit-explorer summary").click()
    page.locator(f"vit-explorer [data-state={name}]:checked").focus()
    found = {DEFAULTS[name]}
    for _ in values.states()[name]:
        page.keyboard.press("ArrowRight")
        ready(page)
        found.add(state_of(page)[name])
    assert found == set(values.states()[name])
    assert state_of(page) == DEFAULTS  # once around


def test_arrow_keys_reach_every_cell(page: Page) -> None:
    cell = page.locator("vit-explorer .va-cells [data-token='0']")
    cell.evaluate("(cell) => cell.focus({ focusVisible: true })")
    focus = "Number(document.activeElement.dataset.token ?? -1)"
    reached = {page.evaluate(focus)}
    page.keyboard.press("ArrowDown")
    reached.add(page.evaluate(focus))
    for down in range(GRID.rows):
        for _ in range(GRID.columns - 1):
            page.keyboard.press("ArrowRight" if down % 2 == 0 else "ArrowLeft")
            reached.add(page.evaluate(focus))
        page.keyboard.press("ArrowDown")
        reached.add(page.evaluate(focus))
    assert reached == set(range(GRID.tokens))
    assert state_of(page) == DEFAULTS, "to go there is to point, not to pick"


def test_enter_picks_and_delete_takes_out(page: Page) -> None:
    cell = page.locator(f"vit-explorer .va-cells [data-token='{GRID.token(7, 5)}']")
    cell.evaluate("(cell) => cell.focus({ focusVisible: true })")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    ready(page)
    assert state_of(page)["query"] == "8.5"
    page.keyboard.press("Delete")
    ready(page)
    assert state_of(page)["dropped"] == "8.5"
    assert page.evaluate(f"{EXPLORER}.row[{GRID.token(8, 5)}]") == 0
    page.keyboard.press("Delete")
    ready(page)
    assert state_of(page)["dropped"] == ""


def test_cells_and_changes_are_told(page: Page) -> None:
    page.locator("vit-explorer [data-state=layer][value='4']").check(force=True)
    ready(page)
    page.wait_for_function(f"{EXPLORER}.querySelector('[aria-live]').textContent !== ''")
    words = page.locator("vit-explorer [aria-live]").last.text_content() or ""
    assert words.startswith(f"Cat, layer 4, head {DEFAULTS['head']}. (7,5) reads most from ")
    row = captures.row("chelsea", 4, int(DEFAULTS["head"]), GRID.token(7, 5))
    page.wait_for_function(
        f"{EXPLORER}.querySelector('[data-token=\"0\"]').ariaLabel === 'CLS, weight {row[0]:.3f}'"
    )
    label = page.locator("vit-explorer .va-cells [data-token='20']").get_attribute("aria-label")
    assert label == f"patch row 1, column 3, weight {row[20]:.3f}"
    assert page.locator("vit-explorer [role=row]").count() == 1 + GRID.rows


def test_axe_finds_nothing(browser: Browser, served: str) -> None:
    """In the explorer alone; the rest of the page is looked at with the other pages."""
    page = opened(browser, served, color_scheme="light", reduced_motion="reduce")
    page.locator("vit-explorer summary").click()
    for state in (
        DEFAULTS,
        DEFAULTS | {"head": "mean", "divisor": "model", "range": "fixed"},
        DEFAULTS | {"photo": "rocket", "layer": "1", "query": "cls", "dropped": "5.5,cls"},
    ):
        put(page, state)
        assert not violations(page, "vit-explorer")
    page.close()


@pytest.mark.parametrize("width", [320, 360, 400, 768, 1024, 1440])
def test_nothing_is_wider_than_the_screen(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    page.evaluate(IDLE)
    page.locator("vit-explorer summary").click()
    for head in (DEFAULTS["head"], "mean"):
        put(page, {"head": head, "divisor": "model"})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    cell = page.locator("vit-explorer .va-cells [data-token='20']").bounding_box()
    assert cell is not None
    moves = page.locator("vit-explorer [data-action=go-right]")
    if cell["width"] < 23.9:  # then larger buttons do the same
        box = moves.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
        moves.click()
        ready(page)
        assert state_of(page)["query"] == "7.6"
    else:
        assert not moves.is_visible()
    small = page.evaluate(f"""() => [...{EXPLORER}.querySelectorAll("*")]
      .filter((e) => e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
      .filter((e) => !e.closest("svg, .va-unseen") && parseFloat(getComputedStyle(e).fontSize) < 11)
      .map((e) => e.outerHTML)""")
    assert small == []
    page.locator("vit-explorer summary").click()
    page.set_viewport_size({"width": 1350, "height": 940})
