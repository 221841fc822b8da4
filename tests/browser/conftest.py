"""The system's Chromium, the site over HTTP and from disk, and a record of what went wrong."""

import http.server
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page

from tests.conftest import find_browser

SWITCHES = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser_type_launch_args(browser_type_launch_args: dict) -> dict:
    found = find_browser()
    if found is None:
        pytest.fail("no Chromium or Chrome was found: make browser installs one")
    return {**browser_type_launch_args, "executable_path": found, "args": SWITCHES}


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        pass


@pytest.fixture(scope="session")
def served(site: Path) -> Iterator[str]:
    """The address of the site over HTTP, under a folder's name as on a project page."""
    handler = partial(_Quiet, directory=str(site.parent))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}/{site.name}"
        server.shutdown()


@pytest.fixture(params=["http", "disk"])
def base(request: pytest.FixtureRequest, site: Path) -> str:
    """The site's address, once over HTTP and once from disk."""
    return request.getfixturevalue("served") if request.param == "http" else site.as_uri()


@dataclass
class Watch:
    """What a page said and asked for. foreign: addresses of other hosts, which are not fetched."""

    console: list[str] = field(default_factory=list)
    foreign: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def on(self, page: Page) -> "Watch":
        page.on("console", self._say)
        page.on("pageerror", lambda error: self.console.append(f"error: {error}"))
        page.on("request", lambda request: self._ask(request.url))
        page.on("requestfailed", lambda request: self.console.append(f"failed: {request.url}"))
        page.route(lambda url: self._is_foreign(url), lambda route: route.abort())
        return self

    def _say(self, message: object) -> None:
        if message.type in ("error", "warning"):  # type: ignore[attr-defined]
            self.console.append(f"{message.type}: {message.text}")  # type: ignore[attr-defined]

    def _ask(self, url: str) -> None:
        self.asked.append(url)
        if self._is_foreign(url):
            self.foreign.append(url)

    @staticmethod
    def _is_foreign(url: str) -> bool:
        parts = urlsplit(url)
        return parts.scheme not in ("file", "data", "blob") and parts.hostname != "127.0.0.1"


@pytest.fixture
def watch(page: Page) -> Watch:
    return Watch().on(page)
