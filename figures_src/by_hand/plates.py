"""The twelve plates as files to take away: what the page itself saves, light and dark in one SVG."""

from pathlib import Path
from typing import TYPE_CHECKING

from vitattn_core import STAGES

from .light_and_dark import light_and_dark
from .page import SCHEMES, TAKE, player_alone, show
from .shown import digest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page


def plates(browser: "Browser") -> tuple[dict[str, str], dict[str, str]]:
    """Return each stage's SVG, and the digest of what it shows in both schemes, by stage."""
    saved: dict[str, list[str]] = {entry.id: [] for entry in STAGES}
    digests: dict[str, list[str]] = {entry.id: [] for entry in STAGES}
    for scheme in SCHEMES:
        page = player_alone(browser, scheme)
        for entry in STAGES:
            show(page, entry.id)
            digests[entry.id].append(digest(page))
            saved[entry.id].append(_saved(page))
        page.close()
    files = {stage: light_and_dark(light, dark, stage) for stage, (light, dark) in saved.items()}
    return files, {stage: " ".join(each) for stage, each in digests.items()}


def _saved(page: "Page") -> str:
    """Return the file that the page's own button saves."""
    with page.expect_download() as download:
        page.click("[data-action=save-plate]")
    return Path(download.value.path()).read_text(encoding="utf-8")


def save(files: dict[str, str]) -> None:
    """Write the files where the site publishes them."""
    for stage, text in files.items():
        path = TAKE / f"{stage}.svg"
        path.write_text(text, encoding="utf-8")
        print(f"{path.name}: {path.stat().st_size} bytes")
