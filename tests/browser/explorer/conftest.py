"""One page for the tests of a file, which each begins at the default."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.explorer_page import opened, to_default


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


@pytest.fixture(autouse=True)
def _default(request: pytest.FixtureRequest) -> None:
    """Each test of the shared page starts at the default, with nothing in focus."""
    if "page" in request.fixturenames:
        to_default(request.getfixturevalue("page"))
