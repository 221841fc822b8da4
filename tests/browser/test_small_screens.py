"""Narrow screens: text at 360 px, and 400 % zoom (1280 px shown as 320) with and without air."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.seen import Text, find, ready, show
from tests.browser.sideways import sideways
from vitattn_core import STAGES

LEAST = 11.0  # px of the screen

# The spacing that readers may set (WCAG 2.2, 1.4.12).
AIR = """
* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
p { margin-bottom: 2em !important; }
math, math * { letter-spacing: normal !important; word-spacing: normal !important; }
"""


@pytest.fixture
def narrow(browser: Browser, request: pytest.FixtureRequest) -> Iterator[Page]:
    width, height = request.param
    context = browser.new_context(viewport={"width": width, "height": height})
    yield context.new_page()
    context.close()


PHONE = pytest.mark.parametrize("narrow", [(360, 740)], indirect=True)
ZOOMED = pytest.mark.parametrize("narrow", [(320, 256)], indirect=True)


def small(texts: list[Text]) -> list[str]:
    return [f"{t.size:.1f} “{t.words}” {t.where}" for t in texts if t.size < LEAST - 0.05]


@PHONE
def test_no_text_of_the_drawer_is_small(narrow: Page, served: str) -> None:
    """The texts that a reader sees without it are measured in test_text_size.py."""
    ready(narrow, f"{served}/masks.html")
    narrow.locator("label.md-header__button[for=__drawer]").click()
    narrow.wait_for_function(
        "document.querySelector('.md-sidebar--primary').getBoundingClientRect().left >= 0"
    )
    texts, _ = find(narrow.locator(".md-sidebar--primary"))
    assert len(texts) > 10
    assert not small(texts)


def overlaps(texts: list[Text]) -> list[str]:
    """Pairs of texts of which one covers more than a third of the other's height."""
    found = []
    for n, one in enumerate(texts):
        for other in texts[n + 1 :]:
            (a, b, c, d), (e, f, g, h) = one.box, other.box
            across, down = min(c, g) - max(a, e), min(d, h) - max(b, f)
            if across > 1.5 and down > 0.35 * min(d - b, h - f):
                found.append(f"“{one.words}” and “{other.words}”: {one.where}")
    return found


@PHONE
def test_no_text_lies_on_another(narrow: Page, served: str) -> None:
    ready(narrow, f"{served}/index.html")
    narrow.set_viewport_size({"width": 360, "height": 2600})  # nothing sticks over the plate
    for entry in STAGES:
        show(narrow, stage=entry.id)
        assert not overlaps(find(narrow.locator("vit-player"))[0]), entry.id
    narrow.add_style_tag(content=".va-say { margin-top: -30px !important }")
    assert overlaps(find(narrow.locator("vit-player"))[0])


@PHONE
def test_small_text_is_found(narrow: Page, served: str) -> None:
    ready(narrow, f"{served}/index.html")
    narrow.add_style_tag(content=".va-cls-label { font-size: 6px !important }")
    found = small(find(narrow.locator("vit-player"))[0])
    assert any("CLS" in what for what in found)  # the drawing is larger than its units, not enough


@ZOOMED
@pytest.mark.parametrize("air", [False, True], ids=["zoomed", "zoomed-and-spaced"])
def test_no_stage_scrolls_both_ways(narrow: Page, served: str, air: bool) -> None:
    ready(narrow, f"{served}/index.html")
    if air:
        narrow.add_style_tag(content=AIR)
    for entry in STAGES:
        show(narrow, stage=entry.id)
        assert not sideways(narrow, "vit-player"), entry.id


# The numbers of a plate that can be seen, by their place in it. A narrow screen keeps all but the
# steps of the arithmetic line that earlier stages have shown.
SEEN = """
(player, stage) => [...player.querySelectorAll(`[id$=stage-${stage}] [data-t], .va-readouts [data-t]`)]
  .map((mark, n) => (mark.getBoundingClientRect().width > 0 ? `${n} ${mark.dataset.t}` : null))
  .filter(Boolean)
"""


@ZOOMED
def test_no_number_of_a_stage_is_lost(narrow: Page, served: str) -> None:
    ready(narrow, f"{served}/index.html")
    player = narrow.locator("vit-player")
    for entry in STAGES:
        narrow.set_viewport_size({"width": 1280, "height": 1024})
        show(narrow, stage=entry.id)
        wide = player.evaluate(SEEN, entry.id)
        narrow.set_viewport_size({"width": 320, "height": 256})
        show(narrow, stage=entry.id)
        assert len(wide) > 6
        assert player.evaluate(SEEN, entry.id) == wide, entry.id


@ZOOMED
def test_the_controls_stay_and_leave_room(narrow: Page, served: str) -> None:
    """At 256 px of height nothing that sticks may cover half of the screen."""
    ready(narrow, f"{served}/index.html")
    narrow.locator("vit-player figure:visible").first.scroll_into_view_if_needed()
    covered = narrow.evaluate(
        """() => {
          let covered = 0;
          for (let y = 2; y < innerHeight; y += 4) {
            const stuck = document.elementsFromPoint(innerWidth / 2, y).some((element) => {
              const position = getComputedStyle(element).position;
              return position === "fixed" || position === "sticky";
            });
            covered += stuck ? 4 : 0;
          }
          return covered;
        }"""
    )
    assert covered <= 128
    targets = narrow.locator(
        "vit-player :is(.va-stage, .va-radios label, .va-button, .va-step-key):visible"
    )
    assert targets.count() > 20
    for label in targets.all():
        box = label.bounding_box()
        assert box is not None
        assert box["width"] >= 20
        assert box["height"] >= 24


@ZOOMED
def test_what_is_cut_off_is_found(narrow: Page, served: str) -> None:
    ready(narrow, f"{served}/index.html")
    assert not sideways(narrow, "vit-player")
    narrow.add_style_tag(content=".va-say { width: 400px; overflow: hidden; white-space: nowrap }")
    assert any("va-say" in what for what in sideways(narrow, "vit-player"))
