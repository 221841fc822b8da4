"""The theme's script comes with what needs it, and not before; what it did at load holds without it."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from tests.browser.conftest import Watch
from tests.browser.player_page import ready, state_of
from tests.serving import weights

# Bytes of the explainer with the theme's script, the search and its words, text as gzip
WHOLE = 290_000
BUNDLE = "**/bundle.*.js"
OUTLINE = "getComputedStyle(document.activeElement).outlineStyle"

WANTS: dict[str, Callable[[Page], None]] = {
    "scrolling": lambda page: page.mouse.wheel(0, 300),
    "the pointer in the header": lambda page: page.locator(".va-home").hover(),
    "the search box": lambda page: page.locator(".md-search__input").focus(),
    "a key of the search": lambda page: page.keyboard.press("f"),
}


def fetched(watch: Watch) -> bool:
    return any("/bundle." in address for address in watch.asked)


def open_(page: Page, served: str, name: str = "index.html") -> Watch:
    page.set_viewport_size({"width": 1350, "height": 940})
    watch = Watch().on(page)
    page.goto(f"{served}/{name}")
    page.evaluate("document.fonts.ready.then(() => true)")
    return watch


def test_a_pick_needs_none_of_it(page: Page, served: str) -> None:
    watch = open_(page, served)
    ready(page)
    page.locator("vit-player .va-cells [data-token='33']").click()
    page.locator("vit-player .va-cells [data-token='33']").press("ArrowRight")
    page.locator("vit-player .va-stage", has_text="norm").first.click()
    assert state_of(page)["stage"] == "norm"
    assert not fetched(watch)
    assert not watch.console


@pytest.mark.parametrize("want", WANTS)
def test_it_comes_when_it_is_wanted_and_sets_up_the_page(
    page: Page, served: str, site: Path, want: str
) -> None:
    watch = open_(page, served)
    assert not fetched(watch)
    WANTS[want](page)
    buttons = page.locator(".highlight .md-code__nav")
    buttons.first.wait_for(state="attached")
    assert {bar.get_attribute("role") for bar in buttons.all()} == {"none"}
    assert sum("/bundle." in address for address in watch.asked) == 1
    assert not watch.console
    assert sum(weights(watch.asked, served, site).values()) <= WHOLE


def held(page: Page) -> list[Route]:
    """Requests of the script, which wait until they are let through."""
    waiting: list[Route] = []
    page.route(BUNDLE, lambda route: waiting.append(route))
    return waiting


@pytest.mark.parametrize("key", ["f", "s", "/"])
def test_what_is_typed_before_it_is_there_is_searched_for(
    page: Page, served: str, key: str
) -> None:
    waiting = held(page)
    open_(page, served)
    page.keyboard.press(key)
    box = page.locator(".md-search__input")
    expect(box).to_be_focused()
    page.keyboard.type("softmax", delay=20)
    page.keyboard.press("Enter")
    assert "query=" not in page.url
    assert len(waiting) == 1
    waiting[0].continue_()
    page.locator(".md-search-result__link").first.wait_for()
    assert box.input_value() == "softmax"


def test_on_a_phone_the_search_opens_ready_to_write(browser: Browser, served: str) -> None:
    context = browser.new_context(viewport={"width": 390, "height": 780}, has_touch=True)
    page = context.new_page()
    page.goto(f"{served}/notation.html")
    page.locator(".md-header [for=__search]").first.tap()
    expect(page.locator(".md-search__input")).to_be_focused()
    page.keyboard.type("rollout", delay=20)
    page.locator(".md-search-result__link").first.wait_for()
    context.close()


@pytest.mark.parametrize("key", ["n", "."])
def test_the_key_that_fetched_it_leads_to_the_next_page(page: Page, served: str, key: str) -> None:
    open_(page, served, "cls.html")
    page.keyboard.press(key)
    page.wait_for_url("**/heads.html")


def test_it_is_asked_for_again_where_it_could_not_be_had(page: Page, served: str) -> None:
    page.route(BUNDLE, lambda route: route.abort(), times=1)
    watch = open_(page, served)
    page.locator(".va-home").hover()
    page.wait_for_timeout(300)
    assert sum("/bundle." in address for address in watch.asked) == 1
    page.mouse.wheel(0, 300)
    page.locator(".highlight .md-code__nav").first.wait_for(state="attached")


def test_a_page_that_opens_at_a_section_has_it_at_once(page: Page, served: str) -> None:
    """The script closes what is open once it follows the address: not what the reader has opened since."""
    open_(page, served, "index.html#sources")
    page.locator(".highlight .md-code__nav").first.wait_for(state="attached")
    assert page.locator(".md-nav__link--active", has_text="Sources").count() > 0
    page.wait_for_timeout(300)
    page.set_viewport_size({"width": 390, "height": 780})
    page.locator(".md-header [for=__drawer]").click()
    page.wait_for_timeout(300)
    assert page.locator("#__drawer").is_checked()


def test_code_is_copied_by_its_button(page: Page, served: str) -> None:
    open_(page, served, "cost.html")
    block = page.locator(".highlight").first
    block.scroll_into_view_if_needed()
    block.hover()
    block.locator(".md-code__button, .md-clipboard").first.click()
    page.locator(".md-dialog", has_text="Copied").wait_for()


def test_an_address_with_words_to_search_for_is_answered(page: Page, served: str) -> None:
    open_(page, served, "notation.html?q=rollout")
    page.locator(".md-search-result__link").first.wait_for()
    assert page.locator(".md-search__input").input_value() == "rollout"


def test_a_letter_that_is_written_fetches_nothing(page: Page, served: str) -> None:
    watch = open_(page, served, "notation.html")
    page.evaluate("document.querySelector('h1').append(document.createElement('textarea'))")
    page.locator("h1 textarea").focus()
    page.keyboard.type("fs/np,.")
    assert page.locator("h1 textarea").input_value() == "fs/np,."
    assert not fetched(watch)


@pytest.mark.parametrize("scripts", [True, False])
def test_focus_is_seen_without_it(browser: Browser, served: str, scripts: bool) -> None:
    context = browser.new_context(java_script_enabled=scripts)
    page = context.new_page()
    waiting = held(page)
    open_(page, served, "cost.html")
    page.locator("article details:not(.va-fold) > summary").first.focus()
    page.keyboard.press("Shift+Tab")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.localName") == "summary"
    assert page.evaluate(OUTLINE) == "solid"
    assert len(waiting) == scripts
    context.close()


@pytest.mark.parametrize("scripts", [True, False])
def test_what_is_folded_is_printed(browser: Browser, served: str, scripts: bool) -> None:
    context = browser.new_context(java_script_enabled=scripts)
    page = context.new_page()
    watch = open_(page, served, "gallery.html")
    folded = page.locator(
        "article details:not([open], .va-fold, .va-ask > details) > :not(summary)"
    ).first
    hidden = "(element) => !element.checkVisibility({ contentVisibilityAuto: true })"
    assert folded.evaluate(hidden)
    page.emulate_media(media="print")
    assert not folded.evaluate(hidden)
    assert folded.evaluate("(element) => element.getBoundingClientRect().height") > 0
    assert not fetched(watch)
    context.close()
