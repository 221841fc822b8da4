"""Every page in a browser: accessibility, requests, console, links, narrow screens, no script."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser.conftest import Watch
from tests.conftest import ROOT

NAV = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:")[1]
PAGES = [f"{name}.html" for name in re.findall(r":\s+([\w/-]+)\.(?:md|ipynb)", NAV)]


def settle(page: Page) -> None:
    """Until nothing loads and what was to be drawn is drawn."""
    page.wait_for_load_state("networkidle")
    page.evaluate("document.fonts.ready.then(() => new Promise(requestAnimationFrame))")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", [*PAGES, "404.html"])
def test_axe_finds_nothing(
    browser: Browser, served: str, served_at_root: str, name: str, scheme: str
) -> None:
    """404.html is made for a site that stands at the root of its host."""
    address = served_at_root if name == "404.html" else served
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")  # type: ignore[arg-type]
    page = context.new_page()
    page.goto(f"{address}/{name}")
    settle(page)
    shown = page.evaluate("document.body.dataset.mdColorScheme")
    assert shown == {"light": "default", "dark": "slate"}[scheme]
    found = Axe().run(page)
    context.close()
    assert found.violations_count == 0, found.generate_report()


@pytest.mark.parametrize("name", PAGES)
def test_a_page_asks_no_other_host_and_the_console_stays_empty(
    page: Page, watch: Watch, base: str, name: str
) -> None:
    page.goto(f"{base}/{name}")
    settle(page)
    page.wait_for_timeout(600)  # what a script asks for late counts too
    assert not watch.foreign
    assert not watch.console
    assert page.locator("h1").count() == 1
    if page.locator("math").count():
        assert page.evaluate("document.fonts.check('16px \"VitAttn Math\"')")


def test_every_link_and_anchor_is_reached(page: Page, watch: Watch, base: str, site: Path) -> None:
    wanted: dict[str, set[str]] = {}
    hrefs = "all => all.map(a => a.href)"
    for name in PAGES:
        page.goto(f"{base}/{name}")
        for address in page.eval_on_selector_all("a[download]", hrefs):
            assert (site / unquote(address.removeprefix(f"{base}/"))).is_file(), address
        for address in page.eval_on_selector_all("a[href]:not([download])", hrefs):
            parts = urlsplit(address)
            if parts.scheme != urlsplit(base).scheme or not address.startswith(base):
                continue
            anchors = wanted.setdefault(address.partition("#")[0], set())
            if parts.fragment and "=" not in parts.fragment:
                anchors.add(unquote(parts.fragment))
    assert {f"{base}/{name}" for name in PAGES} <= set(wanted)
    for address, anchors in wanted.items():
        answer = page.goto(address)
        assert answer is not None
        assert answer.ok or address.startswith("file:"), address
        missing = page.evaluate(
            "ids => ids.filter(i => !document.getElementById(i))", list(anchors)
        )
        assert not missing, address
    assert not watch.console


@pytest.mark.parametrize("name", PAGES)
def test_no_page_scrolls_sideways(page: Page, served: str, name: str) -> None:
    page.goto(f"{served}/{name}")
    for width in (1440, 768, 360, 320):
        page.set_viewport_size({"width": width, "height": 740})
        settle(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("name", PAGES)
def test_without_scripts_the_page_is_all_there(browser: Browser, base: str, name: str) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{base}/{name}")
    assert page.locator("h1").is_visible()
    assert len(page.locator("article").inner_text()) > 300
    assert not page.locator(".md-search").is_visible()
    for math in page.locator("article > p math").all()[:5]:
        assert math.is_visible()
    if name == "index.html":
        assert page.locator("vit-player figure[id^=stage-]:visible").count() >= 1
    context.close()


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
