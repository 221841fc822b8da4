"""The player loaded at an address, its controls picked, and its address read."""

import json
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from figures_src.explorer import values
from figures_src.player import state
from figures_src.publish import links
from tests.browser.player_page import ready

TABLES = {"state": state.TABLE.as_data(), "explore": values.TABLE.as_data()}


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


def why(hash_: str, of: str = "state") -> str:
    """What the checker of links says of an address that is refused."""
    as_browsers_have_it = re.sub(r'[ "<>`]', lambda sign: quote(sign[0]), hash_)
    with pytest.raises(ValueError, match=r"; ") as refused:
        links.read_state(as_browsers_have_it, {"states": TABLES}, of)
    return str(refused.value)
