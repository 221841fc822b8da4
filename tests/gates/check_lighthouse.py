"""Lighthouse on every built page: accessibility, best practices and SEO must be 100.

    python -m tests.gates.check_lighthouse [site]    (needs Node, a Chromium, and lighthouse from `npm ci`)

`make check` runs it. Nothing here is timed: the performance score is printed by `make bench`.
Before the pages it reads one that is wrong on purpose, which has to lose points in each category.
"""

import json
import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests import outside
from tests.conftest import find_browser
from tests.serving import serve

CLI = "lighthouse/cli/index.js"
CATEGORIES = ("accessibility", "best-practices", "seo")
AT_ONCE = 2  # pages read side by side
CHROMIUM = (
    "--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run"
    " --host-resolver-rules=MAP\\ *\\ ~NOTFOUND,EXCLUDE\\ 127.0.0.1"
)
# No language, no title, no description, small print on pale ground, a picture that is not there.
WRONG = (
    '<html><body style="color:#ccc;background:#fff"><img src="none.png"><a href="#">more</a>'
    "<script>undefinedName()</script></body></html>"
)

Report = dict[str, list[str]]  # category: what it marks down; "…" alone if it gave no score


def report(address: str, browser: str) -> Report:
    """Return for each category below 100 the audits that cost it points."""
    command = [
        "node",
        str(outside.PACKAGES / CLI),
        address,
        "--quiet",
        "--output=json",
        f"--only-categories={','.join(CATEGORIES)}",
        "--throttling-method=provided",
        "--no-enable-error-reporting",
        f"--chrome-flags={CHROMIUM}",
    ]
    environment = {**os.environ, "CHROME_PATH": browser}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        raise SystemExit(f"lighthouse failed on {address}: {done.stderr[-2000:]}")
    return marked_down(json.loads(done.stdout))


def marked_down(told: dict) -> Report:
    """Return for each category of Lighthouse's report that is below 100 why it is."""
    faults = {}
    for name in CATEGORIES:
        category = told["categories"][name]
        if category["score"] == 1:
            continue
        audits = [told["audits"][ref["id"]] for ref in category["auditRefs"] if ref["weight"]]
        low = [a["title"] for a in audits if a["score"] is not None and a["score"] < 1]
        faults[name] = [f"score {category['score']}", *low]
    return faults


def read(site: Path, page: Path, browser: str) -> Report:
    """Return the report of one page; 404.html is made for the root of a host."""
    at_root = page.name == "404.html"
    with serve(site if at_root else site.parent) as host:
        folder = host if at_root else f"{host}/{site.name}"
        return report(f"{folder}/{page.relative_to(site).as_posix()}", browser)


def main(site: Path) -> int:
    """Check every page of `site`; return the exit status."""
    site = site.resolve()
    browser = find_browser()
    absent = outside.missing(programs=("node",), files=(CLI,))
    absent += [] if browser else ["Chromium or Chrome (make browser)"]
    if absent or browser is None:
        return outside.not_run("Lighthouse", absent)
    pages, bad = outside.pages(site), 0
    with tempfile.TemporaryDirectory() as folder:
        wrong = Path(folder) / "site" / "wrong-on-purpose.html"
        wrong.parent.mkdir()
        wrong.write_text(WRONG, encoding="utf-8")
        with ThreadPoolExecutor(AT_ONCE) as pool:
            on_purpose = pool.submit(read, wrong.parent, wrong, browser)
            reports = [pool.submit(read, site, page, browser) for page in pages]
    for name in CATEGORIES:
        if name not in on_purpose.result():
            print(f"Lighthouse saw no fault of {name} on the page that is wrong on purpose")
            bad += 1
    for page, told in zip(pages, reports, strict=True):
        for name, faults in told.result().items():
            print(f"{page.relative_to(site)}: {name}: {'; '.join(faults)}")
            bad += 1
    print(f"Lighthouse: {len(pages)} pages, {', '.join(CATEGORIES)}: {bad} below 100")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else outside.ROOT / "site")))
