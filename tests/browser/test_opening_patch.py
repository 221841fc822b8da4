"""A photograph opens on its own patch; a patch that the reader or an address has picked stays."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from figures_src.explorer import values
from figures_src.player import state as settings
from tests.browser import explorer_page, player_page

FIGURES = {
    "vit-player": ("index.html", player_page.ready, settings),
    "vit-explorer": ("checkpoint.html", explorer_page.ready, values),
}


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1350, "height": 940})
    yield page
    page.close()


@pytest.mark.parametrize("name", FIGURES)
def test_a_photograph_opens_on_its_own_patch(page: Page, served: str, name: str) -> None:
    home, ready, of = FIGURES[name]
    element = f"document.querySelector('{name}')"

    def shown() -> tuple[str, str, str]:
        ready(page)
        state = page.evaluate(f"{element}.state")
        return state["photo"], state["query"], page.evaluate("location.hash")

    def choose(photo: str) -> tuple[str, str, str]:
        page.locator(f"{name} [data-state=photo][value={photo}]").check(force=True)
        page.wait_for_function(f"{element}.state.photo === '{photo}'")
        return shown()

    page.goto(f"{served}/{home}")
    first, *others = of.OPENS
    for photo in (*others, first):
        query = of.at_first(photo)["query"]
        told = "" if photo == first else f"#photo={photo}"
        assert choose(photo) == (photo, query, told), "by its control"
        page.goto("about:blank")
        page.goto(f"{served}/{home}{told}")
        assert shown() == (photo, query, told), "by an address that names no patch"
    for (
        photo
    ) in others:  # addresses of patches that were not the photograph's own then, and are not now
        for query in (of.at_first(first)["query"], "0.1", "cls"):
            told = f"#photo={photo}&query={query}"
            page.evaluate("(hash) => { location.hash = hash; }", told)
            page.wait_for_function(f"{element}.state.query === '{query}'")
            assert shown() == (photo, query, told), "by an address that names one"
    page.evaluate(f"{element}.set({{ query: '3.3' }})")
    for photo in (first, *others):
        assert choose(photo)[:2] == (photo, "3.3"), "the reader's own pick stays"
    page.evaluate(f"{element}.removeAttribute('query')")
    assert shown()[:2] == (others[-1], of.at_first(others[-1])["query"])
    page.evaluate(f"{element}.setAttribute('photo', '{first}')")
    assert shown()[:2] == (first, of.at_first(first)["query"]), "by its attribute"
