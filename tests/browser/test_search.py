"""The search box: for words that a reader would type, the first page it names is the right one."""

import pytest
from playwright.sync_api import Page

FIRST = {
    "softmax": "index.html",
    "quadratic": "index.html",
    "patch embedding": "patches.html",
    "registers": "cls.html",
    "mean pooling": "cls.html",
    "multi-head": "heads.html",
    "padding": "masks.html",
    "causal": "masks.html",
    "rollout": "maps.html",
    "FLOPs": "cost.html",
    "Swin": "global-local.html",
    "keepdim": "bug-lab.html",
    "DINOv2": "learned-heads.html",
    "position embedding": "patches.html",
    "fused kernel": "implementation.html",
    "need_weights": "implementation.html",
    "memory": "cost.html",
    "receptive field": "global-local.html",
    "digits": "train-a-tiny-vit.html",
}


@pytest.mark.parametrize("words", FIRST)
def test_the_first_page_found_is_the_right_one(page: Page, served: str, words: str) -> None:
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{served}/sources.html")
    page.get_by_role("textbox").first.click()
    page.keyboard.type(words, delay=30)
    found = page.locator(".md-search-result__link").first
    found.wait_for()
    page.wait_for_timeout(300)  # until the list for the last letter stands
    address = (found.get_attribute("href") or "").partition("?")[0]
    assert address.rpartition("/")[2] == FIRST[words]
