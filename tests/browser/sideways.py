"""What does not fit the width of a window: a reader scrolls both ways for it, or never sees it."""

from playwright.sync_api import Page

from tests.browser.seen import find

# What may be wider than the screen, in a box of its own that scrolls.
SCROLLS = ".va-wide-content, .formula, .md-typeset pre"
HIDDEN = """
(root, [selector, width]) => {
  const lost = [];
  const aside = `${selector}, .va-unseen, .va-heard, .va-stage-name`;
  for (const element of root.querySelectorAll("*")) {
    if (!element.checkVisibility() || element.closest(aside)) continue;
    const inside = element.localName !== "svg" || element.ownerSVGElement;
    if (element instanceof SVGElement && inside) continue;
    const over = element.scrollWidth > element.clientWidth + 1 && element.clientWidth > 1;
    const cut = over && getComputedStyle(element).overflowX !== "visible";
    const box = element.getBoundingClientRect();
    const outside = box.width > 0 && (box.right > width + 1 || box.left < -1);
    const name = `${element.localName}.${element.getAttribute("class") ?? ""}`;
    if (cut || outside) lost.push(`${name} ${box.left}–${box.right}`);
  }
  return lost;
}
"""


def sideways(page: Page, root: str) -> list[str]:
    """What a reader would have to scroll the page sideways for, or cannot reach at all."""
    width = page.viewport_size["width"] if page.viewport_size else 0
    part = page.locator(root)
    lost = part.evaluate(HIDDEN, [SCROLLS, width])
    if page.evaluate("document.documentElement.scrollWidth") > width:
        lost.append("the page itself")
    for text in find(part)[0]:
        cut = max(text.box[0] - text.whole[0], text.whole[2] - text.box[2])
        outside = text.whole[2] > width + 1 or text.whole[0] < -1
        if not text.scrolls and (cut > 2 or outside):
            lost.append(f"“{text.words}” {text.where}")
    return lost
