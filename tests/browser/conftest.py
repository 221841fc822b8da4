"""The system's Chromium, the site over HTTP and from disk, the player alone, and what went wrong."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page, Request

from tests import fonts
from tests.browser.player_page import RECORD, alone
from tests.conftest import find_browser
from tests.serving import serve

# Newer Chromiums load the list under their address bar as two pages of their own for each page that is
# opened, which takes longer than a page of the site. Of several such switches the last one counts: this
# one says again what Playwright switches off.
OFF = (
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
)
SWITCHES = [
    f"--disable-features={','.join(OFF)}",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]


@pytest.fixture(scope="session")
def browser_type_launch_args(
    browser_type_launch_args: dict, tmp_path_factory: pytest.TempPathFactory
) -> dict:
    """The system's browser, with fonts of the tests' own: lengths of text are the same everywhere."""
    found = find_browser()
    if found is None:
        pytest.fail("no Chromium or Chrome was found: make browser installs one")
    env = fonts.own(tmp_path_factory.mktemp("browser") / "fonts")
    return {**browser_type_launch_args, "executable_path": found, "args": SWITCHES, "env": env}


@pytest.fixture(scope="session")
def served(site: Path) -> Iterator[str]:
    """The address of the site over HTTP, in a folder of its host as a project page is."""
    with serve(site.parent) as host:
        yield f"{host}/{site.name}"


@pytest.fixture(scope="session")
def served_at_root(site: Path) -> Iterator[str]:
    """The same site at the root of a host."""
    with serve(site) as host:
        yield host


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
        page.on("requestfailed", self._fail)
        page.route(lambda url: self._is_foreign(url), lambda route: route.abort())
        return self

    def _say(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.console.append(f"{message.type}: {message.text}")

    def _fail(self, request: Request) -> None:
        if request.failure != "net::ERR_ABORTED":  # the page was left before it came
            self.console.append(f"failed: {request.url}: {request.failure}")

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


@pytest.fixture(scope="module")
def small(browser: Browser) -> Iterator[Page]:
    """A page for the player alone."""
    page = browser.new_page(viewport={"width": 1350, "height": 940})
    page.add_init_script(RECORD)
    yield page
    page.close()


@pytest.fixture(scope="module")
def home(site: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Its address."""
    return alone(site, tmp_path_factory.mktemp("player"))


@pytest.fixture(scope="module")
def loud(small: Page) -> Watch:
    return Watch().on(small)
