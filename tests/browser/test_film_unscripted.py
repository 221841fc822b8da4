"""The film without JavaScript: it plays when ticked, pauses, and shows what the plates show."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from figures_src.player.film.timeline import chapters
from tests.browser.film_page import EDGES, MOVING, ORDER, button
from tests.browser.player_page import opened


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


@pytest.mark.parametrize("calm", [False, True])
def test_without_scripts_it_plays_when_ticked_and_pauses(
    browser: Browser, served: str, calm: bool
) -> None:
    context = browser.new_context(
        java_script_enabled=False,
        reduced_motion="reduce" if calm else "no-preference",
        viewport={"width": 1200, "height": 900},
    )
    page = context.new_page()
    page.goto(f"{served}/index.html")
    plate = page.locator("#stage-patches")
    player = page.locator("vit-player")
    assert not plate.is_visible()
    still = player.screenshot()
    page.wait_for_timeout(500)
    assert player.screenshot() == still, "it moves by itself"
    tick = page.locator(".va-asked .va-playing")
    assert tick.is_visible() == (not calm)
    assert not button(page, "play").is_visible()
    if not calm:
        tick.check()
        page.wait_for_timeout(1500)
        assert plate.is_visible()
        assert player.screenshot() != still
        page.locator(".va-asked .va-paused").check()
        held = player.screenshot()
        page.wait_for_timeout(700)
        assert player.screenshot() == held
        tick.uncheck()
        assert not plate.is_visible()
    context.close()


@pytest.fixture
def unscripted(browser: Browser, served: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    width, height = getattr(request, "param", (1200, 900))
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": width, "height": height}
    )
    page = context.new_page()
    page.goto(f"{served}/index.html")
    yield page
    context.close()


def to(page: Page, stage: str, share: float) -> None:
    """The film of the style sheet, held at a moment of a chapter."""
    ms = sum(
        chapter.ms for name, chapter in chapters().items() if ORDER.index(name) < ORDER.index(stage)
    )
    ms += int(share * chapters()[stage].ms)
    page.locator(".va-asked .va-playing").check()
    page.evaluate(
        f"{MOVING}.forEach((animation) => {{ animation.pause(); animation.currentTime = {ms}; }})"
    )


def test_without_scripts_a_weight_is_as_solid_as_in_the_plate(unscripted: Page) -> None:
    solid = """[...document.querySelectorAll(".va-cells [class*=' w']")].map(
      (cell) => getComputedStyle(cell).fillOpacity)"""
    still = unscripted.evaluate(solid)
    assert len(set(still)) > 5
    unscripted.locator("vit-player .va-stage", has_text="norm").click()
    assert set(unscripted.evaluate(solid)) == {"0"}
    to(unscripted, "softmax", 0.95)
    assert unscripted.evaluate(solid) == still


@pytest.mark.parametrize(
    ("stage", "kind"),
    [("qkv", "colours"), ("scores", "squares"), ("softmax", "weights"), ("mlp", "alone")],
)
def test_without_scripts_the_legend_says_what_the_colours_mean(
    unscripted: Page, stage: str, kind: str
) -> None:
    to(unscripted, stage, 0.6)
    for name in ("colours", "squares", "weights", "alone"):
        shown = unscripted.locator(f".va-legend > .va-key-{name}").is_visible()
        assert shown == (name == kind), name


def test_without_scripts_no_stage_can_be_chosen_while_it_plays(unscripted: Page) -> None:
    stages = unscripted.locator("vit-player .va-stage")
    colour = "label => getComputedStyle(label).color"
    chosen = "document.querySelector('.va-stages :checked').value"
    inks = {stages.nth(n).evaluate(colour) for n in range(12)}
    to(unscripted, "norm", 0.5)
    assert not inks & {stages.nth(n).evaluate(colour) for n in range(12)}
    box = stages.nth(9).bounding_box()
    assert box is not None
    unscripted.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert unscripted.evaluate(chosen) == "softmax"
    assert not unscripted.locator(".va-stages input").first.is_visible()
    unscripted.locator(".va-asked .va-playing").uncheck()
    stages.nth(9).click()
    assert unscripted.evaluate(chosen) == "heads"


@pytest.mark.parametrize("unscripted", [(360, 740)], indirect=True)
def test_without_scripts_the_photograph_steps_aside_on_a_phone(unscripted: Page) -> None:
    top, bottom = unscripted.evaluate(EDGES, ".va-photo")
    assert bottom - top > 300
    to(unscripted, "qkv", 0.3)
    top, bottom = unscripted.evaluate(EDGES, ".va-photo")
    assert bottom - top < 170
    unscripted.mouse.move(180, 500)
    unscripted.mouse.wheel(0, 520)
    unscripted.wait_for_timeout(400)
    top, bottom = unscripted.evaluate(EDGES, ".va-asked .va-paused")
    assert 44 <= top < bottom <= 740


def test_with_scripts_the_tick_boxes_are_away(page: Page) -> None:
    assert not page.locator(".va-asked").first.is_visible()
    assert button(page, "play").is_visible()
