"""Budgets that do not depend on how fast a machine is. Times are measured by `make bench`, not tested."""

from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Route

from figures_src.player.state import states
from tests.browser.conftest import Watch
from tests.browser.player_page import ready
from tests.browser.seen import settle
from tests.serving import weights

FIRST_VIEW = 200_000  # bytes, text as gzip
ELEMENTS = 5_000
SHIFT = 0.01  # of the layout, as browsers count it

WATCH_SHIFTS = """
window.shifts = [];
new PerformanceObserver((list) => {
  for (const { value, hadRecentInput, sources } of list.getEntries()) {
    if (hadRecentInput) continue;
    shifts.push([value, sources.map(({ node }) => {
      const element = node?.nodeType === 1 ? node : node?.parentElement;
      return `${element?.localName}.${element?.getAttribute("class")}`;
    })]);
  }
}).observe({ type: "layout-shift", buffered: true });
"""
PAINTED = "performance.getEntriesByName('first-contentful-paint').length > 0"


@pytest.fixture(params=[(1350, 940), (412, 823)], ids=["desktop", "phone"])
def page(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    width, height = request.param
    page = browser.new_page(viewport={"width": width, "height": height})
    page.add_init_script(WATCH_SHIFTS)
    yield page
    page.close()


def test_the_first_view_is_light_and_asks_no_other_host(
    page: Page, served: str, site: Path
) -> None:
    """Page, styles, scripts, fonts and pictures, all that is asked for before the reader does anything."""
    watch = Watch().on(page)
    page.goto(f"{served}/index.html")
    ready(page)
    page.wait_for_load_state("networkidle")  # nothing more is asked for
    assert not watch.foreign
    sizes = weights(watch.asked, served, site)
    assert {"index.html", "javascripts/player.js", "assets/teaching.js"} <= set(sizes)
    assert not [name for name in sizes if name.startswith("assets/photo-")]
    assert sum(sizes.values()) <= FIRST_VIEW, sorted(sizes.items(), key=lambda item: -item[1])


def test_the_page_has_few_elements(page: Page, served: str) -> None:
    page.goto(f"{served}/index.html")
    settle(page)
    for stage in states()["stage"]:
        page.locator(f"vit-player .va-stages [value={stage}]").check(force=True)
        ready(page)
    count = page.evaluate("""() => {
      const all = document.querySelectorAll("*").length;
      const player = document.querySelectorAll("vit-player *").length;
      const code = document.querySelectorAll("pre *").length;
      const math = document.querySelectorAll("math, math *").length;
      return { all, player, code, math };
    }""")
    assert count["all"] <= ELEMENTS, count


@pytest.mark.parametrize("late", ["nothing", "scripts", "fonts", "pictures"])
def test_nothing_moves_when_the_rest_arrives(page: Page, served: str, late: str) -> None:
    """What comes after the first paint, as on a slow line, finds its room kept."""
    held: list[Route] = []
    ends = {
        "nothing": (),
        "scripts": (".js",),
        "fonts": (".woff2",),
        "pictures": (".webp", ".svg"),
    }[late]
    arrived = False

    def hold(route: Route) -> None:
        if arrived:
            route.continue_()
        else:
            held.append(route)

    if ends:
        page.route(lambda url: urlsplit(url).path.endswith(ends), hold)
    page.goto(f"{served}/index.html", wait_until="commit")
    page.wait_for_function(PAINTED)
    page.wait_for_timeout(200)
    arrived = True
    assert held or not ends
    for route in held:
        route.continue_()
    page.wait_for_load_state("load")
    settle(page)
    shifts = page.evaluate("shifts")
    assert sum(value for value, _ in shifts) <= SHIFT, shifts


def test_a_shift_is_seen(page: Page, served: str) -> None:
    page.goto(f"{served}/index.html")
    settle(page)
    before = page.evaluate("shifts.length")  # a hair may have moved while the page came
    page.evaluate(
        "document.querySelector('h1').before(Object.assign(document.createElement('p'), "
        "{ style: 'height: 200px' }))"
    )
    page.wait_for_function("(before) => shifts.length > before", arg=before)
    assert sum(value for value, _ in page.evaluate("shifts")) > SHIFT
