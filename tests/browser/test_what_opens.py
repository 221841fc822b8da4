"""Whatever opens lies inside the window, from 320 to 1920 px: search, drawer, folds, notes, full screen."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.seen import ready
from tests.browser.sideways import sideways
from tests.browser.test_every_page import NOT_FOUND, PAGES

WIDTHS = (320, 360, 768, 960, 1100, 1280, 1440, 1920)
HEIGHT = 800
# What stands outside the window; a box that scrolls sideways may hold more than it shows. In a drawing
# only its frame counts.
OUTSIDE = """
(selector) => {
  const found = [];
  const scrolls = (one) => /auto|scroll|hidden|clip/.test(getComputedStyle(one).overflowX);
  for (const root of document.querySelectorAll(selector)) {
    for (const one of [root, ...root.querySelectorAll(":not(svg *, math *, .va-unseen, .va-heard)")]) {
      if (!one.checkVisibility({ visibilityProperty: true })) continue;
      const { left, right, width } = one.getBoundingClientRect();
      if (width < 2 || (left > -1 && right < innerWidth + 1)) continue;
      let box = one.parentElement;
      while (box && box !== root.parentElement && !scrolls(box)) box = box.parentElement;
      if (box && box !== root.parentElement) continue;
      found.push(`${one.localName}.${one.getAttribute("class") ?? ""} ${left} to ${right}`);
    }
  }
  if (document.documentElement.scrollWidth > innerWidth) {
    found.push(`the page is ${document.documentElement.scrollWidth} px wide`);
  }
  return found.slice(0, 4);
}
"""
STILL = "document.getAnimations().every((one) => one.playState !== 'running')"
HEADING = """
() => {
  const { left, top } = document.querySelector(".md-content h1").getBoundingClientRect();
  return [left, top, scrollX, scrollY];
}
"""
CLICK = "(one) => { one.click(); one.focus(); return document.documentElement.scrollWidth; }"
SEARCH = (
    ".md-search__inner, .md-search__form, .md-search__options, .md-search__scrollwrap, "
    ".md-search-result__link"
)


@pytest.fixture(scope="module")
def window(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(reduced_motion="reduce")
    yield page
    page.close()


def wide(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": HEIGHT})


def test_the_search_lies_in_the_window_and_typing_moves_nothing(window: Page, served: str) -> None:
    faults = []
    for width in WIDTHS:
        wide(window, width)
        window.goto(f"{served}/masks.html")
        before = window.evaluate(HEADING)
        opener = "label.md-header__button[for=__search]" if width < 960 else ".md-search__input"
        # Asked in the same step as the click: the theme locks the page only some tenths of a second later.
        at_once = window.locator(opener).evaluate(CLICK)
        if at_once > width:
            faults.append(f"{width}: the page is {at_once} px wide as the search opens")
        window.locator(".md-search__input").focus()
        window.keyboard.type("softmax")
        window.locator(".md-search-result__link").first.wait_for()
        window.wait_for_function(STILL)
        faults += [f"{width}: {one}" for one in window.evaluate(OUTSIDE, SEARCH)]
        if (after := window.evaluate(HEADING)) != before:
            faults.append(f"{width}: {before} has moved to {after}")
        close = window.locator(".md-search__options button").bounding_box()
        if close is None or close["x"] + close["width"] > width:
            faults.append(f"{width}: the button that clears it is cut off")
    assert not faults


def test_the_drawer_lies_in_the_window(window: Page, served: str) -> None:
    faults, opened = [], 0
    for width in WIDTHS:
        wide(window, width)
        window.goto(f"{served}/masks.html")
        button = window.locator("label.md-header__button[for=__drawer]")
        if not button.is_visible():
            continue
        opened += 1
        button.click()
        window.wait_for_function(STILL)
        faults += [f"{width}: {one}" for one in window.evaluate(OUTSIDE, ".md-sidebar--primary")]
    assert not faults
    assert opened >= 3


def test_every_page_and_every_fold_of_it_lies_in_the_window(
    window: Page, served: str, served_at_root: str
) -> None:
    """At 320 × 256 px as a page comes, which is 1280 px at 400 %; then with all folds open, at each width."""
    faults, folds = [], 0
    for name in (*PAGES, NOT_FOUND):
        window.set_viewport_size({"width": WIDTHS[0], "height": 256})
        ready(window, f"{served_at_root if name == NOT_FOUND else served}/{name}")
        faults += [f"{name} zoomed: {one}" for one in sideways(window, "article")]
        folds += window.evaluate(
            "[...document.querySelectorAll('article details')].map((one) => (one.open = true)).length"
        )
        window.wait_for_function(
            "[...document.querySelectorAll('details[data-late] .va-fold-body')]"
            ".every((one) => one.children.length)"
        )
        for width in WIDTHS:
            wide(window, width)
            faults += [f"{name} {width}: {one}" for one in window.evaluate(OUTSIDE, "article")]
    assert not faults, "\n".join(faults)
    assert folds > 50


def test_full_screen_and_the_list_of_keys_lie_in_the_window(window: Page, served: str) -> None:
    faults = []
    wide(window, WIDTHS[-1])
    ready(window, f"{served}/index.html")
    window.locator("[data-action=show-keys]").click()
    window.locator("dialog.va-keys, .va-keys[open]").wait_for()
    for width in WIDTHS:
        wide(window, width)
        faults += [f"keys {width}: {one}" for one in window.evaluate(OUTSIDE, ".va-keys")]
    window.keyboard.press("Escape")
    window.locator("[data-action=full-screen]").click()
    window.wait_for_function("document.fullscreenElement !== null")
    for width in WIDTHS:
        wide(window, width)
        window.evaluate("new Promise(requestAnimationFrame)")
        faults += [f"full {width}: {one}" for one in window.evaluate(OUTSIDE, "vit-player")]
    window.evaluate("document.exitFullscreen()")
    assert not faults
