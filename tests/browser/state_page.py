"""The player loaded at an address, its controls picked, and its address read."""

import json
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.player_page import ready


def load(page: Page, home: str, hash_: str = "") -> None:
    page.goto("about:blank")
    page.goto(home + hash_)
    ready(page)


def unseen(home: str) -> str:
    """The same page without layout and paint: states do not depend on them, and they take the time."""
    file = Path(home.removeprefix("file://"))
    html = file.read_text(encoding="utf-8")
    hidden = file.with_name("unseen.html")
    hidden.write_text(html.replace("</head>", "<style>body{display:none}</style></head>"))
    return hidden.as_uri()


def hash_of(page: Page) -> str:
    return page.evaluate("location.hash")


def by_control(page: Page, name: str, value: str) -> None:
    if name == "query":
        token = page.evaluate(f"vitattn.words.tokenOf({json.dumps(value)})")
        page.locator(f"vit-player .va-cells [data-token='{token}']").click()
    elif name == "stage":
        page.locator(f"vit-player .va-stages [value='{value}']").check(force=True)
    else:
        page.locator(f"vit-player [data-state={name}][value='{value}']").check(force=True)
