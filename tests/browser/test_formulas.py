"""Formulas stand on their line: roots do not hang below it, and punctuation stays with its formula."""

import re
from pathlib import Path

from playwright.sync_api import Browser

from tests.site_reader import html_pages

# A formula and what touches it, also where a link ends between the two.
TOUCHED = re.compile(
    r'(?P<box><span class="va-kept-together">)?(?P<before>[^\s<>]*)<math\b.*?</math>'
    r"(?:</(?:a|em|strong)>)*(?P<after>[^\s<]*)",
    re.DOTALL,
)
ROOTS = """
() => [...document.querySelectorAll("article msqrt")].filter((root) => root.checkVisibility()).map((root) => {
  const em = parseFloat(getComputedStyle(root).fontSize);
  const [outer, inner] = [root, root.lastElementChild].map((one) => one.getBoundingClientRect());
  return [root.textContent, (outer.right - inner.right) / em, (outer.bottom - inner.bottom) / em];
})
"""
APART = """
() => [...document.querySelectorAll("article .va-kept-together:has(> math)")]
  .filter((one) => one.checkVisibility() && one.getClientRects().length > 1)
  .map((one) => one.textContent)
"""


def test_what_touches_a_formula_is_kept_with_it(site: Path) -> None:
    faults, kept = [], 0
    for path in html_pages(site):
        for found in TOUCHED.finditer(path.read_text(encoding="utf-8")):
            touches = found["before"] or found["after"]
            kept += bool(touches and found["box"])
            if touches and not found["box"]:
                faults.append(f"{path.name}: {found['before']} … {found['after']}")
    assert not faults
    assert kept > 100


def test_roots_and_punctuation_stand_on_the_line(browser: Browser, served: str, site: Path) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 740})
    faults, roots = [], 0
    for path in html_pages(site):
        if "<msqrt" not in path.read_text(encoding="utf-8"):
            continue
        name = path.relative_to(site).as_posix()
        page.goto(f"{served}/{name}")
        page.evaluate("document.fonts.ready.then(() => true)")
        assert page.evaluate("document.fonts.check('16px \"VitAttn Math\"')")
        for text, gap, below in page.evaluate(ROOTS):
            roots += 1
            if gap > 0.1 or below > 0.2:
                faults.append(f"{name}: √{text}: {gap:.2f} em after it, {below:.2f} em below")
        faults += [f"{name}: “{text}” stands on two lines" for text in page.evaluate(APART)]
    page.close()
    assert not faults
    assert roots >= 10
