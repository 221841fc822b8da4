"""Contrast of every text and mark of the player on what is really behind it, in both schemes.

The text of the pages is looked at in test_every_page.py, where each page is open already.

Weights are paint on a photograph: the faint ones are meant to fade, and their numbers stand beside
it. They are no marks here.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from tests.browser.seen import Sight, contrast, faint, luminance, ready, show
from vitattn_core import STAGES

SIZES = {"wide": (1440, 1400), "narrow": (360, 2600)}  # high: nothing sticks over the plate
SIDE_BY_SIDE = (
    "qkv",
    "scores",
    "scale",
    "softmax",
    "mix",
)  # stages at which "mean" shows otherwise


@contextmanager
def opened(browser: Browser, address: str, size: str, scheme: str) -> Iterator[Page]:
    width, height = SIZES[size]
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    page = context.new_page()
    ready(page, address)
    yield page
    context.close()


@pytest.mark.parametrize(
    ("size", "scheme"), [("wide", "light"), ("wide", "dark"), ("narrow", "light")]
)
def test_text_and_marks_of_every_stage(
    browser: Browser, served: str, size: str, scheme: str
) -> None:
    states = [{"stage": entry.id} for entry in STAGES]
    if size == "wide":
        states += [{"stage": stage, "head": "mean"} for stage in SIDE_BY_SIDE]
    found, texts, marks = [], 0, 0
    with opened(browser, f"{served}/index.html", size, scheme) as page:
        for state in states:
            show(page, **state)
            sight = Sight(page, page.locator("vit-player"))
            texts, marks = texts + len(sight.texts), marks + len(sight.marks)
            found += [f"{state}: {what}" for what in faint(sight)]
    assert not found
    assert texts > 80 * len(states)
    assert marks > 8 * len(states)


def test_what_is_faint_is_found(browser: Browser, served: str) -> None:
    with opened(browser, f"{served}/index.html", "wide", "light") as page:
        show(page, stage="scores")
        player = page.locator("vit-player")
        assert not faint(Sight(page, player))
        page.add_style_tag(
            content=".va-say { color: #999 !important } .va-axis { background: #888 }"
            " .va-tick { stroke: #eee !important } .is-query > .va-frame { stroke: #333 !important }"
        )
        found = faint(Sight(page, player))
    assert any("va-say" in what for what in found)  # a paler text
    assert any("va-axis" in what for what in found)  # the same text on another ground
    assert any(".va-tick" in what for what in found)  # a paler mark
    assert any(".va-frame" in what for what in found)  # a mark as dark as its halo


def test_the_contrast_is_that_of_the_standard() -> None:
    black, white, grey = np.array([0, 0, 0]), np.array([255, 255, 255]), np.array([119] * 3)
    assert luminance(white) == pytest.approx(1)
    assert contrast(black, white) == pytest.approx(21)
    assert contrast(grey, white) == pytest.approx(4.48, abs=0.005)
