"""The reader view of browsers keeps every output and every table: `make check` runs it.

    python -m tests.gates.check_reader [site]    (needs a Chromium, and @mozilla/readability from `npm ci`)

Readability is what Firefox's reader view is made of; other browsers, and programs that save articles,
use it too. It drops boxes whose class, or share of links, looks like furniture. Before the pages it
reads one that is wrong on purpose, and has to lose what that one holds.
"""

import sys
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests import outside
from tests.browser.conftest import SWITCHES
from tests.conftest import find_browser
from tests.serving import serve

SCRIPT = "@mozilla/readability/Readability.js"
# What is printed and what is tabled, in words, less what is hidden from those who listen: a reader view
# drops that. The page is read from a copy, so that it stays.
LOST = """
() => {
  const texts = (root, isLeft) =>
    [...root.querySelectorAll("pre, table")].filter(isLeft).map((one) => {
      const copy = one.cloneNode(true);
      for (const unheard of copy.querySelectorAll("[aria-hidden=true]")) unheard.remove();
      return copy.textContent.replace(/\\s+/g, " ").trim();
    });
  const article = document.querySelector("article");
  const wanted = texts(article, (one) => !one.closest("[hidden], vit-player"));
  const read = new Readability(document.cloneNode(true)).parse();
  const kept = document.createElement("div");
  kept.innerHTML = read?.content ?? "";
  const left = texts(kept, () => true);
  const lost = wanted.filter((text) => {
    const place = left.indexOf(text);
    if (place >= 0) left.splice(place, 1);
    return place < 0;
  });
  return [wanted.length, lost];
}
"""
PROSE = "<p>" + "A row of a table, read from left to right, with its commas, and a full stop. " * 12
WRONG = (
    "<!doctype html><html lang=en><title>Wrong</title><body><article><h1>Wrong on purpose</h1>"
    f"{PROSE}</p>{PROSE}</p><div class=va-scroll><pre>0.25 0.5</pre></div>{PROSE}</p></article></body></html>"
)


def lost(page: Page) -> tuple[int, list[str]]:
    """Return how many outputs and tables a page has, and those that the reader view drops."""
    page.add_script_tag(path=outside.PACKAGES / SCRIPT)
    count, texts = page.evaluate(LOST)
    return count, texts


def main(site: Path) -> int:
    """Check every page of `site`; return the exit status."""
    browser = find_browser()
    absent = outside.missing(programs=(), files=(SCRIPT,))
    absent += [] if browser else ["Chromium or Chrome (make browser)"]
    if absent or browser is None:
        return outside.not_run("Reader view", absent)
    pages, bad, held = outside.pages(site), 0, 0
    with serve(site) as host, sync_playwright() as started:
        page = started.chromium.launch(executable_path=browser, args=SWITCHES).new_page()
        page.set_content(WRONG)
        if lost(page) != (1, ["0.25 0.5"]):
            print("the reader view kept what was made to be dropped")
            bad += 1
        for path in pages:
            name = path.relative_to(site).as_posix()
            page.goto(f"{host}/{name}")
            count, texts = lost(page)
            held += count
            bad += len(texts)
            for text in texts:
                print(f"{name}: not in the reader view: {text[:100]}")
    print(f"Reader view: {len(pages)} pages, {held} outputs and tables, {bad} faults")
    return 1 if bad or not held else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else outside.ROOT / "site")))
