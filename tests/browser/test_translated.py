"""A translator puts its own elements in place of the texts: every text goes on following the state."""

from collections.abc import Iterator
from itertools import chain

import pytest
from playwright.sync_api import Browser, Page

from tests.browser import explorer_page, player_page
from vitattn_core import STAGES

# In place of each text of an element, a new one in <font><font>, as translators make them.
TRANSLATE = """(root) => {
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
  const texts = [];
  while (walker.nextNode()) if (walker.currentNode.data.trim()) texts.push(walker.currentNode);
  for (const text of texts) {
    if (text.parentElement.closest("script, style, noscript, template")) continue;
    const [outer, inner] = ["font", "font"].map((name) => document.createElement(name));
    inner.textContent = text.data;
    outer.append(inner);
    text.replaceWith(outer);
  }
  return texts.length;
}"""
# What every part of an element says that a script writes, where a reader sees it.
TOLD = """(root) => [...root.querySelectorAll("[data-t], [data-say], [data-sum], [data-fill], [data-mixed],"
  + " tbody th, tbody td, .va-segment text, .va-changed b, .va-now, .va-dropped button")]
  .filter((mark) => mark.checkVisibility())
  .map((mark) => mark.textContent)"""
CHANGED = {"query": "10.8", "dropped": "5.4,6.11", "mix": "k"}


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1350, "height": 940})
    yield page
    page.close()


def told_in_all_states(page: Page, name: str, put, states: list[dict[str, str]]) -> list[list[str]]:
    found = []
    for state in states:
        put(page, state)
        page.wait_for_function("!document.querySelector('.va-row-table-box[aria-busy]')")
        found.append(page.locator(name).evaluate(TOLD))
    return found


def test_all_texts_of_the_player_follow(page: Page, served: str) -> None:
    page.goto(f"{served}/index.html")
    player_page.ready(page)
    for fold in ("what-if", "whole-row"):
        player_page.unfold(page, fold)
    there = [CHANGED | {"stage": stage.id} for stage in STAGES]
    back = {"query": "5.4", "dropped": "", "mix": "v", "stage": "softmax"}
    first = told_in_all_states(page, "vit-player", player_page.put, there)
    player_page.put(page, back)
    assert page.locator("vit-player").evaluate(TRANSLATE) > 500
    again = told_in_all_states(page, "vit-player", player_page.put, there)
    pairs = zip(chain(*first), chain(*again), strict=True)
    assert [(one, other) for one, other in pairs if one != other] == []
    assert any("10.8".replace(".", ",") in text for text in first[0])


def test_all_texts_of_the_explorer_follow(page: Page, served: str) -> None:
    page.goto(f"{served}/checkpoint.html")
    explorer_page.ready(page)
    there = [{"query": "10.8", "dropped": "5.4"}, {"head": "mean", "divisor": "model"}]
    first = told_in_all_states(page, "vit-explorer", explorer_page.put, there)
    explorer_page.put(page, explorer_page.DEFAULTS)
    assert page.locator("vit-explorer").evaluate(TRANSLATE) > 50
    assert told_in_all_states(page, "vit-explorer", explorer_page.put, there) == first
