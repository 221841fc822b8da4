"""Forced colours: the system replaces colours of text and grounds; paint and marks must remain."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.seen import MARK, TEXT, Sight, ready, show
from vitattn_core import STAGES

FILLS = """
(player) => [...player.querySelectorAll(".va-cells [data-token]")]
  .map((cell) => { const style = getComputedStyle(cell); return `${style.fill} ${style.fillOpacity}`; })
"""
CHOSEN = """
(player) => [".va-stage", ".va-radios label"].map((selector) => {
  const [chosen, other] = [":has(:checked)", ":not(:has(:checked))"]
    .map((which) => getComputedStyle(player.querySelector(selector + which)).backgroundColor);
  return chosen !== other;
})
"""


@pytest.fixture(scope="module", params=["light", "dark"])
def forced(browser: Browser, served: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 1440, "height": 1400},
        color_scheme=request.param,
        forced_colors="active",
        reduced_motion="reduce",
    )
    page = context.new_page()
    ready(page, f"{served}/index.html")
    assert page.evaluate("matchMedia('(forced-colors: active)').matches")
    yield page
    context.close()


def test_text_and_marks_of_every_stage_remain(forced: Page) -> None:
    found, seen = [], 0
    for entry in STAGES:
        show(forced, stage=entry.id)
        sight = Sight(forced, forced.locator("vit-player"), forced=True)
        seen += len(sight.marks)
        texts = [(sight.readable(t), t.words) for t in sight.texts]
        marks = [(sight.contrast_of_mark(m), m.html) for m in sight.marks]
        found += [f"{entry.id}: {r:.2f} {what}" for r, what in texts if r < TEXT]
        found += [f"{entry.id}: {r:.2f} {what}" for r, what in marks if r < MARK]
    assert not found
    assert seen > 100


def test_the_paint_of_the_weights_remains(browser: Browser, served: str, forced: Page) -> None:
    show(forced, stage="softmax")
    plain = browser.new_page()
    ready(plain, f"{served}/index.html")
    painted = plain.locator("vit-player").evaluate(FILLS)
    assert len(set(painted)) > 10
    assert forced.locator("vit-player").evaluate(FILLS) == painted
    plain.close()


def test_what_is_chosen_differs_from_what_is_not(forced: Page) -> None:
    assert forced.locator("vit-player").evaluate(CHOSEN) == [True, True]
