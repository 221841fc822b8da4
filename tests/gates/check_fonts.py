"""Every page under the fonts that many Linux systems come with: `make fonts`, and `make check`, run it.

    python -m tests.gates.check_fonts [site]      (needs a Chromium, and the Debian packages of FONTS)

Each page is opened once for each font, on a desk and on a phone: no text may lie on another, be cut
off, or make the page scroll sideways. VITATTN_FONTS names a folder of fonts that are not installed.
"""

import os
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests import fonts, outside
from tests.browser.text_boxes import faults, read, start, views, wide
from tests.conftest import ROOT, find_browser
from tests.serving import serve

FOLDERS = (Path("/usr/share/fonts"), Path("/usr/local/share/fonts"))
WIDTHS = (1440, 360)
ARGS = ("--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking")


@dataclass(frozen=True)
class Font:
    """A family of fonts, its Debian package, its files, and what stands for the generic names."""

    name: str
    package: str
    patterns: tuple[str, ...]
    families: tuple[str, str, str]


FONTS = (
    Font(
        "DejaVu",
        "fonts-dejavu-core",
        ("DejaVuSans*.ttf", "DejaVuSerif*.ttf"),
        ("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono"),
    ),
    Font(
        "Liberation",
        "fonts-liberation",
        ("LiberationS*.ttf", "LiberationM*.ttf"),
        ("Liberation Sans", "Liberation Serif", "Liberation Mono"),
    ),
    Font(  # the package has no font of one width: Debian takes another's
        "Noto",
        "fonts-noto-core",
        ("NotoSans-*.ttf", "NotoSerif-*.ttf", "NotoSansMath*.ttf", "NotoSansSymbols*.ttf"),
        ("Noto Sans", "Noto Serif", "Noto Sans"),
    ),
)


def files_of(font: Font) -> list[Path]:
    """Return the font's files, each name once; none where the package is not installed."""
    named = os.environ.get("VITATTN_FONTS")
    folders = (Path(named), *FOLDERS) if named else FOLDERS
    found = {
        file.name: file
        for folder in folders
        for pattern in font.patterns
        for file in folder.rglob(pattern)
    }
    return sorted(found.values())


def looked_at(page: Page, address: str, names: list[str]) -> list[str]:
    """Return what is wrong on the pages of a site."""
    wrong = []
    for name in names:
        start(page, f"{address}/{name}")
        for width in WIDTHS:
            wide(page, width)
            for view, root in views(page, name):
                found = faults(*read(page, root))
                wrong += [f"{view} at {width} px: {fault}" for fault in found]
    return wrong


def main(site: Path) -> int:
    """Look at all pages; return the exit status."""
    browser = find_browser()
    if browser is None:
        return outside.not_run("fonts", ["a Chromium or Chrome (make browser)"])
    names = [str(page.relative_to(site)) for page in outside.pages(site) if page.name != "404.html"]
    status = 0
    with serve(site) as address, sync_playwright() as started:
        for font in FONTS:
            files = files_of(font)
            if not files:
                absent = [f"{font.name} (Debian: {font.package})"]
                status = max(status, outside.not_run(f"pages in {font.name}", absent))
                continue
            with tempfile.TemporaryDirectory() as folder:
                env = fonts.configured(files, font.families, Path(folder) / "fonts")
                chromium = started.chromium.launch(executable_path=browser, args=ARGS, env=env)
                wrong = looked_at(chromium.new_page(), address, names)
                chromium.close()
            print(f"{font.name}: {len(names)} pages, {len(wrong)} faults", *wrong, sep="\n  ")
            status = max(status, bool(wrong))
    return int(status)


if __name__ == "__main__":
    raise SystemExit(main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "site"))
