"""What the explorer loads, and when: over HTTP, from disk, without scripts, and where a file fails."""

from pathlib import Path

from playwright.sync_api import Browser, Route

from figures_src.inputs import captures
from tests.browser.conftest import Watch
from tests.browser.explorer_page import (
    DEFAULTS,
    EXPLORER,
    check,
    note_of,
    opened,
    put,
    ready,
    rows,
    seen,
    state_of,
)
from tests.serving import files, weights

FIRST_VIEW = 250_000  # bytes, text as gzip
LAYER = 205_000


def test_the_first_view_is_light_and_a_layer_comes_when_asked_for(
    browser: Browser, served: str, site: Path
) -> None:
    page = browser.new_page()
    watch = Watch().on(page)
    page.goto(f"{served}/checkpoint.html")
    ready(page)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    sizes = weights(watch.asked, served, site)
    heads = [name for name in sizes if name.startswith("assets/learned/")]
    assert heads == [f"assets/learned/chelsea-09-{DEFAULTS['head']}.js"]
    assert "checkpoint.html" in sizes
    assert sum(sizes.values()) <= FIRST_VIEW, sorted(sizes.items(), key=lambda item: -item[1])

    before = files(watch.asked, served)
    put(page, {"layer": "4"})
    new = files(watch.asked, served) - before
    assert new == {f"assets/learned/chelsea-04-{head}.js" for head in range(1, 7)}
    assert sum((site / name).stat().st_size for name in new) <= LAYER
    put(page, {"query": "3.3", "head": "5", "divisor": "none"})
    assert files(watch.asked, served) - before == new, "what is there is not asked for again"
    assert not watch.console
    assert not watch.foreign
    page.close()


def test_over_http_and_from_disk(browser: Browser, base: str) -> None:
    page = browser.new_page()
    watch = Watch().on(page)
    page.goto(f"{base}/checkpoint.html#photo=rocket&layer=7&head=3&query=5.8")
    ready(page)
    state = DEFAULTS | {"photo": "rocket", "layer": "7", "head": "3", "query": "5.8"}
    check(seen(page, state), state, rows(state))
    assert not watch.console
    assert not watch.foreign
    page.close()


def test_a_layer_that_does_not_come_leaves_what_was_there(browser: Browser, served: str) -> None:
    page = opened(browser, served)

    def refuse(route: Route) -> None:
        route.abort()

    page.route("**/chelsea-05-*.js", refuse)
    before = page.evaluate(f"{EXPLORER}.row")
    put(page, {"layer": "5"})
    ready(page)
    assert state_of(page) == DEFAULTS
    assert page.evaluate("location.hash") == ""
    assert page.evaluate(f"{EXPLORER}.row") == before
    assert "Layer 5" in note_of(page)
    page.unroute("**/chelsea-05-*.js")
    put(page, {"layer": "5"})
    assert state_of(page)["layer"] == "5"
    page.close()


def test_without_scripts_the_sheet_and_the_first_view_are_there(
    browser: Browser, base: str
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{base}/checkpoint.html")
    maps = page.locator(".va-sheet a svg")
    assert maps.count() == captures.LAYERS * captures.HEADS
    assert all(found.is_visible() for found in maps.all()[::9])
    assert page.locator("vit-explorer .va-panel-photo").is_visible()
    assert page.locator("vit-explorer [data-map] svg").count() == captures.HEADS
    assert "reads most from" in page.locator("vit-explorer .va-says").inner_text()
    assert "may have been fine-tuned" in page.locator("vit-explorer .va-provenance").inner_text()
    for control in page.locator("vit-explorer :is(.va-controls, .va-step-key, .va-fold)").all():
        assert not control.is_visible()
    page.locator("vit-explorer noscript a").click()  # to the sheet
    assert page.evaluate("location.hash") == "#sheet"
    assert maps.first.evaluate("(map) => map.getBoundingClientRect().top < innerHeight")
    context.close()
