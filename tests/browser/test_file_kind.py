"""What a file is, by its bytes: kind, cut or whole, still or moving, without opening a page."""

import base64
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.odd_files import SNIFFED

ASK = """(all) => all.map((text) => {
  const bytes = Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  const { kindOf, endsTooEarly, isAnimated } = vitattn.fileKind;
  const kind = kindOf(bytes);
  return [kind, endsTooEarly(kind, bytes), isAnimated(kind, bytes)];
})"""


def test_every_file_is_what_it_is(page: Page, site: Path) -> None:
    page.add_script_tag(path=site / "javascripts" / "file-kind.js")
    told = page.evaluate(ASK, [base64.b64encode(one.make()).decode() for one in SNIFFED])
    wrong = {
        one.name: found
        for one, found in zip(SNIFFED, told, strict=True)
        if found != [one.kind, one.early, one.moves]
    }
    assert not wrong
