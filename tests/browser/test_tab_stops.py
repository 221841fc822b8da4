"""Every stop of Tab can be seen; there is one navigation; nothing throws where storage is denied."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.conftest import Watch

WIDTHS = (320, 360, 768, 960, 1100, 1280, 1440, 1920)
# Pages that have all that can be reached: the player, the explorer, notebooks, tables, questions.
PAGES = ("index.html", "checkpoint.html", "notebooks/follow-one-row.html", "cost.html", "404.html")
# What can have the focus and is not seen while it has it. Radio buttons lie unseen over their labels.
UNSEEN = """() => {
  const all = [...document.querySelectorAll("a[href], button, input, select, textarea, summary, [tabindex]")];
  const unseen = [];
  for (const element of all) {
    if (element.tabIndex < 0 || element.disabled) continue;
    element.focus({ preventScroll: true });
    if (document.activeElement !== element) continue;
    const shown = element.matches("input[type=radio], input[type=file]") ? element.closest("label") : element;
    shown.scrollIntoView({ block: "center", behavior: "instant" });
    const { left, right, top, bottom, width, height } = shown.getBoundingClientRect();
    const isThere = shown.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const isIn = right > 0 && left < innerWidth && bottom > 0 && top < innerHeight;
    if (!isThere || !isIn || width < 4 || height < 4) unseen.push(element.outerHTML.slice(0, 120));
    element.blur();
  }
  scrollTo({ top: 0, behavior: "instant" });
  return [unseen, all.length];
}"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(reduced_motion="reduce")
    yield page
    page.close()


@pytest.mark.parametrize("name", PAGES)
def test_no_stop_is_unseen_and_there_is_one_navigation(
    page: Page, served_at_root: str, name: str
) -> None:
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(f"{served_at_root}/{name}")
    page.locator(".va-home").hover()  # fetches the theme's script
    faults = {}
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 800})
        unseen, count = page.evaluate(UNSEEN)
        assert count > 20
        if unseen:
            faults[width] = unseen
        drawer = page.locator(".md-header [for=__drawer]").is_visible()
        tabs = page.locator(".va-pages").is_visible()
        assert drawer != tabs, f"one navigation at {width}, not {drawer + tabs}"
    assert not faults


def test_the_header_opens_drawer_and_search_by_keyboard(page: Page, served_at_root: str) -> None:
    page.set_viewport_size({"width": 390, "height": 800})
    page.goto(f"{served_at_root}/notation.html")
    page.locator(".va-home").hover()  # fetches the theme's script
    page.wait_for_function("'target$' in window")
    page.locator(".md-header [for=__drawer]").press("Enter")
    expect(page.locator(".md-sidebar--primary .md-nav__link").first).to_be_visible()
    page.locator(".md-header [for=__drawer]").press(" ")
    expect(page.locator(".md-sidebar--primary .md-nav__link").first).not_to_be_visible()
    page.locator(".md-header [for=__search]").first.press("Enter")
    expect(page.locator(".md-search__input")).to_be_focused()


DENIED = """
for (const name of ["localStorage", "sessionStorage"]) {
  Object.defineProperty(window, name, { get() { throw new DOMException("denied", "SecurityError"); } });
}
"""


# What tells kinds of pages apart, in their text or their address.
KINDS = ("<vit-player", "<vit-explorer", "notebooks/", "404", "")


def test_nothing_throws_where_storage_is_denied(
    browser: Browser, served_at_root: str, site: Path
) -> None:
    pages = {path: path.read_text(encoding="utf-8") for path in sorted(site.rglob("*.html"))}
    page = browser.new_page(viewport={"width": 1350, "height": 940})
    page.add_init_script(DENIED)
    watch = Watch().on(page)
    for kind in KINDS:
        inside = kind.startswith("<")
        path = next(p for p, text in pages.items() if kind in (text if inside else p.as_posix()))
        page.goto(f"{served_at_root}/{path.relative_to(site).as_posix()}")
        page.locator(".va-home").hover()
        page.wait_for_function("'target$' in window")
        page.locator(".va-scheme").click()
        assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"
        assert not watch.console, path.name
    page.close()
