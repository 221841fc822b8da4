"""While the film plays, the page around it stays as it is."""

import pytest
from playwright.sync_api import Browser

from tests.browser.film_page import MOVING
from tests.browser.player_page import PLAYER, opened

PLACES = """() => {
  const parts = [...document.querySelectorAll("vit-player ~ :not(script), vit-player ~ section > *")];
  const boxes = parts.map((part) => part.getBoundingClientRect());
  const place = ({ top, height }) => [top - boxes[0].top, height].map(Math.round);
  return boxes.map((box, n) => [parts[n].localName, ...place(box)]);
}"""
SKIPPED = (
    "!document.querySelector('#sources + p > a').checkVisibility({ contentVisibilityAuto: true })"
)

LAYERS = 50  # the page itself takes some thirty


@pytest.mark.parametrize("height", [940, 30_000])
@pytest.mark.parametrize("width", [360, 1440])
def test_what_stands_below_keeps_its_place(
    browser: Browser, served: str, width: int, height: int
) -> None:
    page = opened(browser, served, viewport={"width": width, "height": height})
    before = page.evaluate(PLACES)
    assert len(before) > 50
    page.locator("vit-player [data-action=play]").click()
    page.wait_for_function(f"{PLAYER}.hasAttribute('playing')")
    page.wait_for_timeout(300)
    assert page.evaluate(SKIPPED) == (height < 1000)
    during = page.evaluate(PLACES)
    page.locator("vit-player [data-action=play]").click()
    page.wait_for_function(f"!{PLAYER}.hasAttribute('playing')")
    assert during == before
    assert page.evaluate(PLACES) == before
    page.close()


@pytest.mark.parametrize("stage", ["embed", "softmax", "residual"])
def test_the_drawings_are_not_cut_into_layers(browser: Browser, served: str, stage: str) -> None:
    """Dozens of marks fade in; each in a layer of its own would cost a frame more than it saves."""
    page = opened(browser, served, f"#stage={stage}&at=0", viewport={"width": 1350, "height": 940})
    session = page.context.new_cdp_session(page)
    counts: list[int] = []
    session.on(
        "LayerTree.layerTreeDidChange", lambda tree: counts.append(len(tree.get("layers", [])))
    )
    session.send("DOM.enable")
    session.send("LayerTree.enable")
    page.locator("vit-player [data-action=play]").click()
    page.wait_for_function(f"{PLAYER}.hasAttribute('playing')")
    page.wait_for_timeout(1500)
    assert page.evaluate(f"{MOVING}.length") > LAYERS
    assert 0 < counts[-1] < LAYERS
    page.close()


def test_every_heading_below_opens_a_section_that_ends_with_its_last_part(
    browser: Browser, served: str
) -> None:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    heads = page.evaluate("""() => [...document.querySelectorAll("vit-player ~ h2, vit-player ~ * h2")]
      .map((head) => head.matches("article > section > h2:first-child"))""")
    assert len(heads) > 8
    assert all(heads)
    # Margins of a last part would add to those of the next heading, instead of being the larger one.
    over = page.evaluate("""() => [...document.querySelectorAll("vit-player ~ section")].map((section) =>
      section.getBoundingClientRect().bottom - section.lastElementChild.getBoundingClientRect().bottom)""")
    assert len(over) == len(heads)
    assert max(map(abs, over)) < 1
    page.close()
