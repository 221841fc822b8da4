"""Every page on paper: nothing to press, each picture once, addresses, answers last, whole plates."""

import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, ViewportSize

from tests.browser.seen import ready
from tests.browser.test_every_page import PAGES
from tests.browser.test_print import grey, to_print

A4: ViewportSize = {"width": 718, "height": 1000}  # px between the margins
STATE = "photo=coffee&query=9.9&head=2&stage=mask&dropped=5.3"
CONTROLS = (
    "button:not(.va-phrase), input, select, textarea, [data-action], .va-speed, .va-now, .va-tools"
)
# Shown, and not only drawn through: a radio button may lie unseen over a map.
PRESSED = """
(selector) => [...document.querySelectorAll(selector)]
  .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .filter((one) => one.getBoundingClientRect().width > 1)
  .map((one) => `${one.localName}.${one.className} ${one.textContent.trim()}`)
"""
# A sheet of small maps names each by its line and column.
UNADDRESSED = """
() => [...document.querySelectorAll("article a[href]")]
  .filter((link) => link.checkVisibility())
  .filter((link) => !link.matches(".footnote-ref, .footnote-backref, .va-sheet > a"))
  .map((link) => [link.getAttribute("href"), getComputedStyle(link, "::after").content])
  .filter(([href, said]) => !said.includes(href))
  .map(([href]) => href)
"""
UNNAMED = """
() => [...document.querySelectorAll("article :is(h2, h3)[id]")]
  .filter((head) => head.checkVisibility())
  .filter((head) => !getComputedStyle(head, "::after").content.includes(head.id))
  .map((head) => head.id)
"""
PICTURES = """
() => [...document.querySelectorAll("article img")]
  .filter((one) => one.checkVisibility())
  .map((one) => one.src)
"""
ANSWERS = """
() => {
  const shown = (all) => [...all].filter((one) => one.checkVisibility());
  const words = (all) => [...all].map((one) => one.textContent.trim());
  const folded = document.querySelectorAll(".va-ask .va-answers");
  const last = [...document.querySelectorAll(".va-answers-page")];
  return {
    under: shown(folded).length,
    folded: words(folded),
    printed: words(shown(document.querySelectorAll(".va-answers-page ol"))),
    isLast: last.every((page) => page === document.querySelector("article").lastElementChild),
    breaks: last.every((page) => getComputedStyle(page).breakBefore === "page"),
  };
}
"""
# A custom property that was drawn is written without spaces, and one that a script has set with them.
PLATES = """
() => [...document.querySelectorAll("vit-player .va-plate")].map((plate) =>
  plate.outerHTML.replace(/ style="([^"]*)"/g, (_, style) => ` style="${style.replace(/[\\s;]/g, "")}"`))
"""
MOVING = "document.querySelector('vit-player').getAnimations({ subtree: true }).length"


def pages(pdf: bytes) -> int:
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.fixture(scope="module")
def desk(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport=A4)
    yield page
    page.close()


def test_nothing_to_press_is_printed_and_nothing_is_lost(desk: Page, served: str) -> None:
    faults, asked = [], 0
    for name in PAGES:
        desk.emulate_media(media="screen")
        desk.goto(f"{served}/{name}")
        to_print(desk)
        pictures = desk.evaluate(PICTURES)
        told = desk.evaluate(ANSWERS)
        asked += len(told["folded"])
        faults += [f"{name}: {control}" for control in desk.evaluate(PRESSED, CONTROLS)]
        faults += [f"{name}: no address: {href}" for href in desk.evaluate(UNADDRESSED)]
        faults += [f"{name}: no name: {id_}" for id_ in desk.evaluate(UNNAMED)]
        faults += [f"{name}: twice: {one}" for one in set(pictures) if pictures.count(one) > 1]
        if told["under"] or told["printed"] != told["folded"]:
            faults.append(f"{name}: {told}")
        if not (told["isLast"] and told["breaks"]):
            faults.append(f"{name}: the answers do not stand on a last page")
    assert not faults
    assert asked > 40


def test_the_gallery_prints_two_stills_a_page(desk: Page, served: str) -> None:
    desk.emulate_media(media="screen")
    desk.goto(f"{served}/gallery.html")
    to_print(desk)
    stills = len(desk.evaluate(PICTURES))
    assert stills == 12
    assert pages(desk.pdf(format="A4")) <= stills // 2 + 2


def on_paper(page: Page, address: str) -> list[str]:
    """The plates as they are printed from this address."""
    page.emulate_media(media="screen")
    page.goto("about:blank")
    ready(page, address)
    to_print(page)
    return page.evaluate(PLATES)


def back_on_screen(page: Page) -> None:
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")


def test_plates_are_whole_whatever_moment_of_the_film_is_on(desk: Page, served: str) -> None:
    home = f"{served}/index.html"
    whole = on_paper(desk, home)
    assert len(whole) == 12
    for moment in ("stage=mix&at=0.4", "stage=scores&at=0.6", "stage=heads&at=0.05"):
        found = on_paper(desk, f"{home}#{moment}")
        assert desk.evaluate(MOVING) == 0
        assert found == whole, moment
        back_on_screen(desk)
        state = desk.evaluate("document.querySelector('vit-player').state")
        assert moment == f"stage={state['stage']}&at={state['at']}"
        assert desk.evaluate(MOVING) > 0


def test_plates_are_whole_while_the_film_plays(desk: Page, served: str) -> None:
    home = f"{served}/index.html"
    whole = on_paper(desk, home)
    for stage in ("scores", "mix"):
        back_on_screen(desk)
        ready(desk, home)
        desk.locator(f".va-stages [value={stage}]").check(force=True)
        desk.locator("[data-action=play]").click()
        desk.wait_for_function(
            "document.querySelector('vit-player').getAnimations({ subtree: true })"
            ".some((one) => one.currentTime > 600)"
        )
        to_print(desk)
        assert desk.evaluate(MOVING) == 0
        assert desk.evaluate(PLATES) == whole, stage


def test_plates_are_whole_while_the_film_plays_without_a_script(
    browser: Browser, served: str
) -> None:
    context = browser.new_context(viewport=A4, java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{served}/index.html")
    page.locator(".va-playing").check()
    page.emulate_media(media="print")
    assert page.evaluate(MOVING) == 0
    unseen = "all => all.filter((one) => getComputedStyle(one).visibility === 'hidden').length"
    assert page.locator("vit-player .va-plate").evaluate_all(unseen) == 0
    context.close()


def test_paper_says_what_was_chosen(desk: Page, served: str) -> None:
    on_paper(desk, f"{served}/index.html#{STATE}")
    said = desk.locator(".va-chosen").inner_text()
    assert said.startswith("Chosen: Coffee")
    for words in ("(9,9)", "head 2", "stage Mask"):
        assert words in said
    assert "key (5,3) dropped" in desk.locator(".va-changed").inner_text()
    assert desk.locator("image").first.get_attribute("href").endswith("coffee.webp")  # type: ignore[union-attr]


def test_two_plates_stand_on_a_page(desk: Page, served: str) -> None:
    on_paper(desk, f"{served}/index.html")
    alone = "article > :not(vit-player) { display: none !important }"
    desk.add_style_tag(content=f"@media print {{ {alone} }}")
    assert pages(desk.pdf(format="A4")) <= 7


def test_no_printed_photograph_is_nearly_black(desk: Page, served: str) -> None:
    """Its dark parts stay apart from black, and it keeps light and dark."""
    on_paper(desk, f"{served}/index.html")
    drawn = {str(n): one for n, one in enumerate(desk.locator(".va-print").all())}
    assert len(drawn) == 12
    found = {name: grey(one) for name, one in drawn.items()}
    desk.emulate_media(media="screen")
    desk.goto(f"{served}/checkpoint.html")
    to_print(desk)
    found["explorer"] = grey(desk.locator("vit-explorer .va-panel-photo"))
    for name, picture in found.items():
        inside = picture[picture.shape[0] // 8 :]  # below the cell of CLS
        assert np.quantile(inside, 0.1) > 40, name
        assert np.quantile(inside, 0.9) - np.quantile(inside, 0.1) > 15, name


def test_the_explorer_prints_its_map_and_its_key(desk: Page, served: str) -> None:
    desk.emulate_media(media="screen")
    desk.goto(f"{served}/checkpoint.html#head=2")
    desk.wait_for_function("document.querySelector('vit-explorer').row")
    painted = "all => all.filter((one) => getComputedStyle(one).visibility === 'visible').length"
    cells = desk.locator("vit-explorer .va-cells [class*=' w']")
    before = cells.evaluate_all(painted)
    to_print(desk)
    assert before > 10
    assert cells.evaluate_all(painted) == before
    for part in (
        ".va-mark.is-key",
        ".va-mark.is-query",
        ".va-legend .va-ramp",
        ".va-head-maps svg",
    ):
        assert desk.locator(f"vit-explorer {part}").first.is_visible(), part
    assert desk.locator("vit-explorer .va-panel-photo").bounding_box()["width"] > 300  # type: ignore[index]
