"""Text of every size a reader sets: all of it grows, nothing lies on another or is cut off.

The browser's own size of text is 16 px; a reader may set 32 px on a desk, 24 px on a phone, or wider
spacing. Each page is opened once for each size, its figures and drawings included.
"""

import pytest
from playwright.sync_api import Browser, BrowserType, Page

from tests.browser.test_every_page import PAGES
from tests.browser.text_boxes import faults, read, start, views, wide
from vitattn_core import STAGES

LEAST = 11.0  # px, on a phone
# The spacing that readers may set (WCAG 2.2, 1.4.12). Formulas are set by the browser alone.
AIR = """
* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important; }
p { margin-bottom: 2em !important; }
math, math * { letter-spacing: normal !important; word-spacing: normal !important; }
"""
Sizes = dict[str, dict[int, float]]  # of each view's texts, by their places in the page


@pytest.fixture(scope="module")
def sizes(browser: Browser, served: str) -> dict[int, Sizes]:
    """The size of each text as it comes, at two widths, and what is wrong at three and with air."""
    found: dict[int, Sizes] = {1280: {}, 360: {}}
    wrong: list[str] = []
    page = browser.new_page()
    for name in PAGES:
        start(page, f"{served}/{name}")
        for width in (1280, 360, 320):
            wide(page, width)
            for view, root in views(page, name):
                texts, beyond = read(page, root)
                wrong += [f"{view} at {width} px: {fault}" for fault in faults(texts, beyond)]
                if width in found:
                    found[width][view] = {text.n: text.size for text in texts}
                if width < 400:
                    small = [text for text in texts if text.size < LEAST - 0.05]
                    wrong += [
                        f"{view}: {text.size:.1f} px at {width}: “{text.words}”" for text in small
                    ]
        page.add_style_tag(content=AIR)
        for width in (360, 1280):
            wide(page, width)
            for view, root in views(page, name):
                texts, beyond = read(page, root)
                wrong += [f"{view} spaced, {width} px: {fault}" for fault in faults(texts, beyond)]
    page.close()
    assert not wrong, "\n".join(wrong)
    return found


def test_small_and_spaced_text_stands_free(sizes: dict[int, Sizes]) -> None:
    assert all(len(found) == len(PAGES) + len(STAGES) - 1 for found in sizes.values())


@pytest.mark.parametrize(("width", "text", "least"), [(1280, 32, 1.9), (360, 24, 1.3)])
def test_all_text_grows_with_the_readers_size(
    browser_type: BrowserType,
    browser_type_launch_args: dict,
    served: str,
    sizes: dict[int, Sizes],
    width: int,
    text: int,
    least: float,
) -> None:
    args = [*browser_type_launch_args["args"], f"--blink-settings=defaultFontSize={text}"]
    large = browser_type.launch(**{**browser_type_launch_args, "args": args})
    page = large.new_page()
    wide(page, width)
    wrong, compared = [], 0
    for name in PAGES:
        start(page, f"{served}/{name}")
        for view, root in views(page, name):
            texts, beyond = read(page, root)
            wrong += [f"{view}: {fault}" for fault in faults(texts, beyond)]
            before = sizes[width][view]
            for one in texts:
                compared += one.n in before
                if one.n in before and one.size < least * before[one.n] - 0.01:
                    wrong.append(f"{view}: {one.size / before[one.n]:.2f} times “{one.words}”")
    large.close()
    assert not wrong, "\n".join(wrong)
    assert compared > 60 * len(PAGES)


def test_a_fault_is_found(browser: Browser, served: str) -> None:
    page = browser.new_page(viewport={"width": 360, "height": 900})
    start(page, f"{served}/index.html")
    assert not faults(*read(page, "vit-player"))
    for style, words in {
        ".va-say { margin-top: -30px !important }": "and “",
        ".va-say { width: 400px; overflow: hidden; white-space: nowrap }": "cut ",
        ".va-readouts { min-width: 500px }": "sideways",
    }.items():
        added = page.add_style_tag(content=style)
        assert any(words in fault for fault in faults(*read(page, "vit-player"))), style
        added.evaluate("style => style.remove()")
    page.close()


def test_lengths_of_text_come_from_the_tests_own_fonts(page: Page, served: str) -> None:
    start(page, f"{served}/index.html")
    tools = page.context.new_cdp_session(page)
    for domain in ("DOM", "CSS"):
        tools.send(f"{domain}.enable")
    root = tools.send("DOM.getDocument")["root"]["nodeId"]
    for selector, family in {
        "article > p": "DejaVu Sans",
        ".va-letter": "DejaVu Serif",
        "article code": "DejaVu Sans Mono",
    }.items():
        node = tools.send("DOM.querySelector", {"nodeId": root, "selector": selector})["nodeId"]
        used = tools.send("CSS.getPlatformFontsForNode", {"nodeId": node})["fonts"]
        assert {font["familyName"] for font in used} == {family}, selector
