"""The search box: for words that a reader would type, the first page it names is the right one."""

from playwright.sync_api import Locator, Page, expect

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


def test_the_first_page_found_is_the_right_one(page: Page, served: str) -> None:
    """All words on one page, in one box: before each the list is empty, so none is taken for another's."""
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(f"{served}/sources.html")
    box = page.get_by_role("textbox").first
    box.click()
    found = page.locator(".md-search-result__link")
    wrong = {}
    for words, name in FIRST.items():
        ask(box, "")
        expect(found).to_have_count(0)
        ask(box, words)
        found.first.wait_for()
        address = (found.first.get_attribute("href") or "").partition("?")[0]
        if address.rpartition("/")[2] != name:
            wrong[words] = address
    assert not wrong


def ask(box: Locator, words: str) -> None:
    """Write words at once, as if they were pasted; the search reads the box when a key is let go."""
    box.fill(words)
    box.press("End")
