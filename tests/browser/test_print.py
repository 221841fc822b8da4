"""Print: all plates in order, each with its photograph, black on white, links with addresses."""

import io
from collections.abc import Iterator

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Browser, Locator, Page

from tests.browser.seen import find, ready, show
from vitattn_core import STAGES

IDS = [entry.id for entry in STAGES]
# Stages whose photographs are the same, as long as no key is taken out.
ALIKE = [("patches", "embed", "norm", "qkv"), ("scale", "mask"), ("residual", "mlp")]
SHOWN = """
() => [...document.querySelectorAll("vit-player .va-plate")].filter((plate) => plate.checkVisibility())
  .map((plate) => ({ id: plate.id, top: plate.getBoundingClientRect().top,
    photos: [...plate.querySelectorAll(".va-print")].map((p) => p.getBoundingClientRect().width) }))
"""


def to_print(page: Page) -> None:
    """As the browser does before it prints."""
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    page.emulate_media(media="print")


@pytest.fixture(scope="module", params=[("light", True), ("dark", True), ("dark", False)], ids=str)
def paper(browser: Browser, served: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    """The explainer as printed, 718 px wide, from either scheme and without scripts."""
    scheme, scripts = request.param
    context = browser.new_context(
        viewport={"width": 718, "height": 1000},
        color_scheme=scheme,
        java_script_enabled=scripts,
    )
    page = context.new_page()
    if scripts:
        ready(page, f"{served}/index.html")
    else:
        page.goto(f"{served}/index.html")
    to_print(page)
    yield page
    context.close()


def grey(place: Locator) -> NDArray[np.float64]:
    """A picture of an element as a printer without colours makes it, 0 black to 255 white."""
    with Image.open(io.BytesIO(place.screenshot())) as image:
        return np.asarray(image.convert("L"), dtype=np.float64)


def photo(page: Page, stage: str) -> Locator:
    return page.locator(f"[id$=stage-{stage}] .va-print")


def cell_means(picture: NDArray[np.float64]) -> NDArray[np.float64]:
    """How light the middle of each patch is, (196,)."""
    side = picture.shape[1] / 14
    top = picture.shape[0] - picture.shape[1]
    means = [
        picture[
            round(top + (r + 0.25) * side) : round(top + (r + 0.75) * side),
            round((c + 0.25) * side) : round((c + 0.75) * side),
        ].mean()
        for r in range(14)
        for c in range(14)
    ]
    return np.array(means)


def test_the_plates_stand_in_order_each_with_its_photograph(paper: Page) -> None:
    plates = paper.evaluate(SHOWN)
    assert [plate["id"].removeprefix("stage-") for plate in plates] == IDS
    assert [plate["top"] for plate in plates] == sorted(plate["top"] for plate in plates)
    for plate in plates:
        assert len(plate["photos"]) == 1, plate["id"]
        assert plate["photos"][0] > 200, plate["id"]
    ids = paper.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
    assert len(ids) == len(set(ids))


def in_the_corner(page: Page, stage: str) -> NDArray[np.float64]:
    """A plate's photograph, 240 px wide, on whole pixels."""
    place = "position: fixed; left: 0; top: 0; width: calc(240px / ZOOM); z-index: 9"
    put = "(svg, place) => svg.setAttribute('style', place.replace('ZOOM', svg.currentCSSZoom))"
    photo(page, stage).evaluate(put, place)
    png = page.screenshot(clip={"x": 0, "y": 0, "width": 240, "height": 259})
    photo(page, stage).evaluate("svg => svg.removeAttribute('style')")
    with Image.open(io.BytesIO(png)) as image:
        return np.asarray(image.convert("L"), dtype=np.float64)


def test_each_photograph_is_painted_as_its_stage_paints_it(paper: Page) -> None:
    pictures = {stage: in_the_corner(paper, stage) for stage in IDS}
    for stage, picture in pictures.items():
        alike = next((group for group in ALIKE if stage in group), (stage,))
        for other, theirs in pictures.items():
            differs = (np.abs(picture - theirs) > 8).mean()
            assert (differs < 0.001) == (other in alike), (stage, other, differs)


def test_weights_can_be_read_in_grey(paper: Page) -> None:
    """Among the cells that are painted: the larger the weight, the lighter the cell."""
    cells = paper.locator(".va-cells [data-token]")
    kinds = cells.evaluate_all("all => all.map((cell) => cell.getAttribute('class'))")
    levels = np.array([int(kind.rpartition(" w")[2]) if " w" in kind else 0 for kind in kinds[1:]])
    lightness = cell_means(grey(photo(paper, "heads")))  # weights, and no mark but the query's
    unpainted, strong = lightness[levels == 0], lightness[levels >= 10]
    assert len(unpainted) > 20
    assert len(strong) >= 3
    assert strong.min() > np.quantile(unpainted, 0.95)
    painted = levels >= 3
    ranks = np.array([np.argsort(np.argsort(a[painted])) for a in (levels, lightness)])
    assert np.corrcoef(ranks)[0, 1] > 0.8


def test_it_is_black_on_white_without_furniture(paper: Page) -> None:
    assert paper.evaluate("getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert paper.evaluate("getComputedStyle(document.querySelector('h1')).color") == "rgb(0, 0, 0)"
    for furniture in (".md-header", ".md-sidebar", ".md-footer", ".va-stages", ".va-controls"):
        assert not paper.locator(furniture).filter(visible=True).count(), furniture
    ground = grey(paper.locator("article"))
    assert np.median(ground) == 255
    assert (ground[:, -4:] < 200).mean() < 0.1  # no dark strip of the other scheme


def test_links_that_leave_the_site_show_their_address(paper: Page) -> None:
    links = paper.locator('article a[href^="http"]')
    assert links.count() > 3
    shown = links.evaluate_all("all => all.map((a) => getComputedStyle(a, '::after').content)")
    for address, text in zip(
        links.evaluate_all("all => all.map((a) => a.getAttribute('href'))"), shown, strict=True
    ):
        assert address in text


def test_every_plate_is_filled_for_the_row_that_was_picked(browser: Browser, served: str) -> None:
    """Plates are filled when they are chosen; on paper all of them are, and the state stays."""
    page = browser.new_page(viewport={"width": 718, "height": 1000})
    ready(page, f"{served}/index.html#stage=mask&query=9.9&head=2")
    before = page.evaluate("[document.querySelector('vit-player').state, location.href]")
    to_print(page)
    texts = "player => [...player.querySelectorAll('.va-plate')].map((p) => p.textContent)"
    printed = page.locator("vit-player").evaluate(texts)
    assert page.evaluate("[document.querySelector('vit-player').state, location.href]") == before
    page.emulate_media(media="screen")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert not page.locator(".va-print").count()
    for stage in IDS:
        show(page, stage=stage)
    assert page.locator("vit-player").evaluate(texts) == printed
    page.close()


def test_a_browser_that_prints_asks_for_the_photographs(browser: Browser, served: str) -> None:
    page = browser.new_page()
    ready(page, f"{served}/index.html")
    page.evaluate(
        "addEventListener('beforeprint',"
        " () => { window.printed = document.querySelectorAll('.va-print').length; })"
    )
    assert page.pdf(format="A4").startswith(b"%PDF")
    assert page.evaluate("window.printed") == len(IDS)
    page.close()


def test_nothing_printed_is_tiny(paper: Page) -> None:
    texts, _ = find(paper.locator("vit-player"))
    assert len(texts) > 500
    assert not [t for t in texts if t.size < 7.9]  # px; 6 pt
