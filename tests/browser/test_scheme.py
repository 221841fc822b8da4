"""Light or dark: as the system asks, until the reader chooses; set before anything is drawn."""

import pytest
from playwright.sync_api import Browser, Page

SCHEME = "document.body.getAttribute('data-md-color-scheme')"
OF = {"light": "default", "dark": "slate"}
WORDS = {"default": "Switch to dark mode", "slate": "Switch to light mode"}


def switch(page: Page):
    return page.locator(".va-scheme")


@pytest.mark.parametrize("asked", OF)
def test_the_system_is_followed_at_first_and_when_it_changes(
    browser: Browser, served: str, asked: str
) -> None:
    other = next(scheme for scheme in OF if scheme != asked)
    page = browser.new_page(color_scheme=asked)  # type: ignore[arg-type]
    page.goto(f"{served}/notation.html")
    assert page.evaluate(SCHEME) == OF[asked]
    page.emulate_media(color_scheme=other)  # type: ignore[arg-type]
    page.wait_for_function(f"{SCHEME} === '{OF[other]}'")
    page.close()


def test_a_choice_is_kept_on_every_page_and_stronger_than_the_system(
    browser: Browser, served: str
) -> None:
    context = browser.new_context(color_scheme="light")
    page = context.new_page()
    page.goto(f"{served}/notation.html")
    switch(page).focus()
    page.keyboard.press("Enter")
    assert page.evaluate(SCHEME) == "slate"
    page.goto(f"{served}/index.html")
    assert page.evaluate(SCHEME) == "slate"
    page.emulate_media(color_scheme="dark")
    page.emulate_media(color_scheme="light")
    page.wait_for_timeout(100)
    assert page.evaluate(SCHEME) == "slate"
    switch(page).click()
    assert page.evaluate(SCHEME) == "default"
    context.close()


def test_the_switch_says_what_it_does(browser: Browser, served: str) -> None:
    page = browser.new_page(color_scheme="light")
    page.goto(f"{served}/notation.html")
    for scheme in ("default", "slate"):
        assert page.evaluate(SCHEME) == scheme
        assert switch(page).get_attribute("aria-label") == WORDS[scheme]
        assert switch(page).get_attribute("title") == WORDS[scheme]
        assert switch(page).locator("svg").count() == 1
        dark = page.evaluate("getComputedStyle(document.documentElement).colorScheme")
        assert dark == ("dark" if scheme == "slate" else "light")  # scroll bars, form fields
        switch(page).click()
    page.close()


def test_it_is_set_without_waiting_for_a_script_file(browser: Browser, served: str) -> None:
    page = browser.new_page(color_scheme="dark")
    page.route("**/*.js", lambda route: route.abort())
    page.goto(f"{served}/index.html")
    assert page.evaluate(SCHEME) == "slate"
    page.close()


def test_without_storage_it_works_for_this_page(browser: Browser, served: str) -> None:
    page = browser.new_page(color_scheme="dark")
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('no') } })"
    )
    page.goto(f"{served}/notation.html")
    assert page.evaluate(SCHEME) == "slate"
    switch(page).click()
    assert page.evaluate(SCHEME) == "default"
    page.close()


def test_without_scripts_there_is_no_switch(browser: Browser, served: str) -> None:
    context = browser.new_context(java_script_enabled=False, color_scheme="dark")
    page = context.new_page()
    page.goto(f"{served}/notation.html")
    assert not switch(page).is_visible()
    context.close()
