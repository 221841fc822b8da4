"""One visit of Firefox to the built site, for what differs there: `make check` runs it.

    python -m tests.gates.check_firefox [site]    (needs Firefox, Node, and puppeteer-core from `npm ci`)

The search inside the window, roots and punctuation on their line, the film, and files of one's own:
firefox_visit.mjs looks, over WebDriver BiDi. In the same visit it meets a search box that is pushed
out of the window on purpose: one that stays silent about it has failed.
"""

import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests import outside
from tests.browser.odd_files import quarters, saved
from tests.serving import serve

VISIT = Path(__file__).with_name("firefox_visit.mjs")
PACKAGE = "puppeteer-core/package.json"
WIDTHS = (320, 360, 768, 960, 1100, 1280, 1440, 1920)
MOST = 600  # seconds, after which a visit is given up


def files(folder: Path) -> list[dict[str, object]]:
    """Write a few files of one's own; return for each its path, its name, and whether it is a picture."""
    kinds = {
        "quarters.png": (saved(quarters(300, 224), "PNG"), True),
        "quarters.webp": (saved(quarters(224, 260), "WEBP"), True),
        "page.jpg": (
            b"<!doctype html><html lang=en><title>A page</title><p>Words</p></html>",
            False,
        ),
        "notes.png": (b"No picture at all: some words.\n", False),
    }
    made: list[dict[str, object]] = []
    for name, (data, own) in kinds.items():
        (folder / name).write_bytes(data)
        made.append({"path": str(folder / name), "name": name, "own": own})
    return made


def main(site: Path) -> int:
    """Let Firefox visit `site`; return the exit status."""
    absent = outside.missing(programs=("node", "firefox-esr"), files=(PACKAGE,))
    if shutil.which("firefox") and not shutil.which("firefox-esr"):
        absent = outside.missing(programs=("node",), files=(PACKAGE,))
    program = shutil.which("firefox-esr") or shutil.which("firefox")
    if absent or program is None:
        return outside.not_run("Firefox", absent)
    site = site.resolve()
    formulas = [
        page.relative_to(site).as_posix()
        for page in outside.pages(site)
        if "<msqrt" in page.read_text(encoding="utf-8")
    ]
    with serve(site.parent) as host, tempfile.TemporaryDirectory() as folder:
        told = {"formulas": formulas, "files": files(Path(folder)), "widths": WIDTHS}
        command = ["node", str(VISIT), program, f"{host}/{site.name}", json.dumps(told)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=MOST)
    if done.returncode:
        print(f"Firefox: the visit failed: {done.stderr[-2000:]}")
        return 1
    faults = json.loads(done.stdout.splitlines()[-1])
    for fault in faults:
        print(f"Firefox: {fault}")
    print(f"Firefox: {len(WIDTHS)} widths, {len(formulas)} pages with roots, {len(faults)} faults")
    return 1 if faults or not formulas else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else outside.ROOT / "site")))
