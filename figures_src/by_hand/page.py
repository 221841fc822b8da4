"""The built page in a Chromium of the system, for what is made of what the page shows."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

ROOT = Path(__file__).resolve().parents[2]
TAKE = ROOT / "docs" / "assets" / "take"
BROWSERS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
SIZE = {"width": 1280, "height": 720}
SCHEMES = ("light", "dark")


@contextmanager
def chromium() -> Iterator["Browser"]:
    """Yield a Chromium of the system; SystemExit says how to name one where none is found."""
    from playwright.sync_api import sync_playwright

    named = os.environ.get("CHROMIUM")
    found = next(filter(None, map(shutil.which, [named] if named else BROWSERS)), None)
    if found is None:
        raise SystemExit("make stills: no Chromium was found; CHROMIUM=/path/to/chrome names one")
    with sync_playwright() as started:
        browser = started.chromium.launch(executable_path=found, args=["--no-sandbox"])
        yield browser
        browser.close()


def player_alone(browser: "Browser", scheme: str, motion: str = "reduce") -> "Page":
    """Return a page of the player alone, from disk, with the first plate's row computed."""
    page = browser.new_page(
        viewport=SIZE,  # type: ignore[arg-type]
        color_scheme=scheme,  # type: ignore[arg-type]
        reduced_motion=motion,  # type: ignore[arg-type]
    )
    page.goto((ROOT / "site" / "index.html").as_uri() + "?embed=1#stage=patches")
    page.wait_for_function("document.querySelector('vit-player').shown")
    return page


def show(page: "Page", stage: str, at: str = "1") -> None:
    """Show a moment of a stage's chapter, 0 to 1, and wait until it is drawn."""
    page.evaluate(
        """async ([stage, at]) => {
          await document.querySelector("vit-player").set({ stage, at });
          await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
        }""",
        [stage, at],
    )
