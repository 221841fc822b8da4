"""The explainer stays as short as it is: what is added to it is taken out elsewhere."""

import re
from pathlib import Path

from playwright.sync_api import Page

from tests.measured.page_lengths import lengths, words

WORDS = 3_800
SCREENS = {"desk": 19.0, "phone": 26.0}
CODE = 0.12  # of the height


def test_the_explainer_is_short(page: Page, site: Path) -> None:
    (one,) = lengths(page, [site / "index.html"])
    assert one.words <= WORDS
    assert one.code <= CODE
    for kind, most in SCREENS.items():
        assert one.screens[kind] <= most, kind


def test_what_is_no_prose_is_not_counted() -> None:
    html = "<article><p>One <b>two</b> <math><mi>x</mi></math></p><pre>code here</pre>"
    html += "<details><summary>three</summary><p>four</p></details><vit-player>five</vit-player>"
    assert words(html + "</article><p>beside it</p>") == len(
        re.findall(r"\w+", "One two three four")
    )
