"""Every page in a browser: accessibility, contrast, requests, console, links, no script.

Each page is opened once for all that is asked of it: the fixture `visit` is the page, pytest asks it all
its questions before it opens the next.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.access import in_scheme, violations
from tests.browser.conftest import Watch
from tests.browser.seen import Sight, faint, settle
from tests.conftest import ROOT

NAV = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:")[1]
PAGES = [f"{name}.html" for name in re.findall(r":\s+([\w/-]+)\.(?:md|ipynb)", NAV)]
NOT_FOUND = "404.html"  # made for a site that stands at the root of its host
# High, so that of the player nothing sticks over the plate
WIDTH, HEIGHT = 1440, 1400


@dataclass
class Visit:
    """A page that is open, and what it has said and asked for since it was opened."""

    name: str
    page: Page
    watch: Watch


@pytest.fixture(scope="module", params=[*PAGES, NOT_FOUND])
def visit(
    browser: Browser, served: str, served_at_root: str, request: pytest.FixtureRequest
) -> Iterator[Visit]:
    page = browser.new_page(
        viewport={"width": WIDTH, "height": HEIGHT}, color_scheme="light", reduced_motion="reduce"
    )
    watch = Watch().on(page)
    host = served_at_root if request.param == NOT_FOUND else served
    page.goto(f"{host}/{request.param}")
    settle(page)
    yield Visit(request.param, page, watch)
    page.close()


def test_axe_finds_nothing(visit: Visit) -> None:
    assert not violations(visit.page, contrast=False)  # for that: the next test


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_no_text_is_faint(visit: Visit, scheme: str) -> None:
    in_scheme(visit.page, scheme)
    sight = Sight(visit.page, visit.page.locator("body"))
    assert len(sight.texts) >= 10
    assert not faint(sight)


def asks_nobody_and_says_nothing(visit: Visit) -> None:
    assert not visit.watch.foreign
    assert not visit.watch.console
    assert visit.page.locator("h1").count() == 1
    if visit.page.locator("math").count():
        assert visit.page.evaluate("document.fonts.check('16px \"VitAttn Math\"')")


def test_a_page_asks_no_other_host_and_the_console_stays_empty(visit: Visit) -> None:
    """The last question of a visit, so that what a script asks for late counts too."""
    asks_nobody_and_says_nothing(visit)


# From disk -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def from_disk(browser: Browser, site: Path) -> Iterator[list[Visit]]:
    """All pages, open until the last has settled: what a script asks for late counts too."""
    context = browser.new_context(viewport={"width": WIDTH, "height": HEIGHT})
    visits = []
    for name in PAGES:
        page = context.new_page()
        visits.append(Visit(name, page, Watch().on(page)))
        page.goto(f"{site.as_uri()}/{name}")
    for one in visits:
        settle(one.page)
    yield visits
    context.close()


def test_from_disk_too(from_disk: list[Visit]) -> None:
    for one in from_disk:
        asks_nobody_and_says_nothing(one)


def test_every_link_and_anchor_is_reached(from_disk: list[Visit], site: Path) -> None:
    """From disk, where an address of a folder, or one that only a host understands, leads nowhere."""
    wanted: dict[str, set[str]] = {}
    ids: dict[str, set[str]] = {}
    hrefs = "all => all.map(a => a.href)"
    base = site.as_uri()
    for one in from_disk:
        ids[f"{base}/{one.name}"] = set(
            one.page.eval_on_selector_all("[id]", "all => all.map((one) => one.id)")
        )
        for address in one.page.eval_on_selector_all("a[href]", hrefs):
            if not address.startswith(base):
                continue
            target, _, anchor = address.partition("#")
            anchors = wanted.setdefault(target, set())
            if anchor and "=" not in anchor:
                anchors.add(unquote(anchor))
    assert set(ids) <= set(wanted)
    for address, anchors in wanted.items():
        assert Path(unquote(urlsplit(address).path)).is_file(), address
        assert anchors <= ids.get(address, set()), address


# Without scripts -----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def unscripted(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(java_script_enabled=False)
    yield context.new_page()
    context.close()


@pytest.mark.parametrize("name", PAGES)
def test_without_scripts_the_page_is_all_there(unscripted: Page, served: str, name: str) -> None:
    page = unscripted
    page.goto(f"{served}/{name}")
    assert page.locator("h1").is_visible()
    assert len(page.locator("article").inner_text()) > 300
    assert not page.locator(".md-search").is_visible()
    for math in page.locator("article > p math").all()[:5]:
        assert math.is_visible()
    if name == "index.html":
        assert page.locator("vit-player figure[id^=stage-]:visible").count() >= 1


# The explainer and its header ----------------------------------------------------------------------


def test_the_search_finds_a_word_and_hides_from_disk(
    page: Page, watch: Watch, served: str, site: Path
) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{served}/index.html")
    settle(page)
    page.get_by_role("textbox").first.click()
    page.keyboard.type("softmax", delay=40)
    page.locator(".md-search-result__item").first.wait_for()
    assert not watch.console
    page.goto((site / "index.html").as_uri())
    assert page.locator(".md-search").count() == 0


def test_the_scheme_can_be_switched_and_stays(page: Page, served: str) -> None:
    page.goto(f"{served}/index.html")
    settle(page)
    light = page.evaluate("getComputedStyle(document.body).backgroundColor")
    page.get_by_title("Switch to dark mode").click()
    page.wait_for_function("document.body.dataset.mdColorScheme === 'slate'")
    assert page.evaluate("getComputedStyle(document.body).backgroundColor") != light
    page.goto(f"{served}/{PAGES[-1]}")
    assert page.evaluate("document.body.dataset.mdColorScheme") == "slate"


def test_the_first_screen_shows_heading_sentences_and_player(page: Page, served: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{served}/index.html")
    settle(page)
    box = page.locator("vit-player").bounding_box()
    assert box is not None
    assert box["width"] >= 1090
    assert 100 <= box["y"] <= 296  # 900 less the 604 of the player
