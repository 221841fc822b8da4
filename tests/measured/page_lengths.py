"""How long each page is: words of prose, screens on a desk and on a phone, and how much of it is code.

python -m tests.measured.page_lengths prints a line a page, of the built site, with every fold and tab
open. Prose is every word of the article outside of code, drawings, formulas, player and explorer; tables,
captions and notes count.
"""

import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from bs4 import BeautifulSoup
from playwright.sync_api import Page, sync_playwright

from tests.conftest import ROOT, find_browser

SITE = ROOT / "site"
NO_PROSE = (
    "pre, svg, math, script, style, noscript, template, vit-player, vit-explorer, .va-answers-page"
)
SCREENS = {"desk": (1440, 900), "phone": (390, 844)}
# Folds open for the count only, as in print.
MEASURE = """() => {
  for (const fold of document.querySelectorAll("article details")) fold.open = true;
  const article = document.querySelector("article").getBoundingClientRect().height;
  const code = [...document.querySelectorAll("article .highlight")];
  const height = code.reduce((sum, block) => sum + block.getBoundingClientRect().height, 0);
  return { screens: document.documentElement.scrollHeight / innerHeight, code: height / article };
}"""


@dataclass(frozen=True)
class Length:
    """screens: heights of the window, by kind of screen. code: share of the article's height on a desk."""

    page: str
    words: int
    screens: dict[str, float]
    code: float


def words(page_html: str) -> int:
    """Return how many words of prose a page has."""
    article = BeautifulSoup(page_html, "html.parser").select_one("article")
    assert article is not None
    for part in article.select(NO_PROSE):
        part.decompose()
    return len(article.get_text(" ").split())


def lengths(page: Page, paths: Iterable[Path]) -> Iterator[Length]:
    """Yield the length of each built page."""
    for path in paths:
        found = {}
        for kind, (width, height) in SCREENS.items():
            page.set_viewport_size({"width": width, "height": height})
            page.goto(path.as_uri())
            found[kind] = page.evaluate(MEASURE)
        screens = {kind: one["screens"] for kind, one in found.items()}
        text = path.read_text(encoding="utf-8")
        yield Length(path.stem, words(text), screens, found["desk"]["code"])


def main() -> None:
    if (browser := find_browser()) is None:
        sys.exit("page_lengths: found no Chromium or Chrome, which tells how high a page is")
    print(f"{'page':20} {'words':>6} {'desk':>6} {'phone':>6} {'code':>6}")
    with sync_playwright() as play:
        page = play.chromium.launch(executable_path=browser).new_page()
        for one in lengths(page, sorted(SITE.glob("*.html"))):
            desk, phone = one.screens["desk"], one.screens["phone"]
            print(f"{one.page:20} {one.words:6,} {desk:6.1f} {phone:6.1f} {one.code:6.0%}")


if __name__ == "__main__":
    main()
