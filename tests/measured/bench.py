"""What the site costs, as values and as ratios to a floor: `make bench` prints it.

Nothing here passes or fails: times depend on the machine and on what else it does. What must hold on
every machine is tested in tests/browser/test_budgets.py.
"""

import json
import os
import statistics
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from figures_src.player.state import states
from tests import outside
from tests.conftest import ROOT, find_browser
from tests.measured import bench_blocks, bench_core, bench_film
from tests.serving import serve, weights

PAGE, FLOOR = "index.html", "notation.html"
RUNS = 3
SLOWER = 4  # times, the processor
MBITS, LATENCY = 1.6, 150  # the line, per second and in ms
SETTLED = 5000  # ms after its load event, by which a page is quiet
LIGHTHOUSE = "lighthouse/cli/index.js"

METHOD = f"""\
Method. Chromium without a window, {RUNS} runs, medians; every run in a fresh profile, served from
this machine. Loading: processor {SLOWER} times slower, {MBITS} Mbit/s, {LATENCY} ms latency, until the
page has been quiet for 2 s. Bytes as a host sends them: text as gzip, fonts and pictures as they are.
FCP, LCP: first and largest paint. TBT: what tasks take beyond 50 ms, summed from FCP on. CPU: seconds
of the main thread, the slow-down included. Theme's script: what tasks take beyond 50 ms once the
reader scrolls and asks for the search, for which it is fetched; bytes and TBT are without it. Input to
next paint: the browser's own Event Timing, processor {SLOWER} times slower, in steps of 8 ms; below
16 ms it tells nothing, and 16 is shown; the pointer rests on what it clicks for 0.4 s before. A choice
is answered in the next frame (a button, the query's mark) and drawn in the one after: "all drawn" is
from the click to the end of that.
The floor is {FLOOR} of the same site and theme in the same run, and for input a button there that
does nothing: read the ratios, and milliseconds only beside them."""

OBSERVE = """
(() => {
  const seen = window.seen = { lcp: 0, shift: 0, long: [], events: [], last: 0, clicked: 0, drawn: 0 };
  addEventListener("pointerup", (e) => (seen.clicked = e.timeStamp), true);
  addEventListener("change", (e) => {
    if (e.target.localName === "vit-player") seen.drawn = performance.now() - seen.clicked;
  }, true);
  const on = (type, take, more = {}) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take))
      .observe({ type, buffered: true, ...more });
  on("largest-contentful-paint", (e) => (seen.lcp = e.startTime));
  on("layout-shift", (e) => (seen.shift += e.hadRecentInput ? 0 : e.value));
  on("longtask", (e) => { seen.long.push([e.startTime, e.duration]); seen.last = performance.now(); });
  on("event", (e) => e.interactionId && seen.events.push([e.interactionId, e.duration]),
    { durationThreshold: 16 });
})();
"""
QUIET = (
    "() => document.readyState === 'complete' && performance.now() - Math.max(seen.last, 0) > 2000"
)
COLLECT = """() => {
  const fcp = performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? 0;
  const late = seen.long.filter(([start]) => start >= fcp);
  return { "FCP, ms": fcp, "LCP, ms": seen.lcp, "layout shift": seen.shift,
    "TBT, ms": late.reduce((sum, [, length]) => sum + Math.max(0, length - 50), 0),
    "elements": document.querySelectorAll("*").length };
}"""

LOOP = """() => Array.from({ length: 5 }, () => {
  const begin = performance.now();
  let sum = 0;
  for (let n = 1; n < 2e7; n++) sum += Math.sqrt(n) / n;
  return performance.now() - begin + (sum < 0);
})"""

Values = dict[str, float]


def throttled(page: Page, *, line: bool) -> CDPSession:
    session = page.context.new_cdp_session(page)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    if line:
        speed = MBITS * 1e6 / 8
        told = {"offline": False, "latency": LATENCY}
        session.send("Network.enable")
        session.send(
            "Network.emulateNetworkConditions",
            told | {"downloadThroughput": speed, "uploadThroughput": speed},
        )
    return session


def load(browser: Browser, address: str, site: Path) -> tuple[Values, Counter[str]]:
    """One load of a page: its times, and its bytes by kind of file."""
    context = browser.new_context(viewport={"width": 1350, "height": 940})
    page = context.new_page()
    page.add_init_script(OBSERVE)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    session = throttled(page, line=True)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(address)
    page.wait_for_timeout(SETTLED)  # not asked meanwhile: each question is a task of the page too
    page.wait_for_function(QUIET, timeout=90_000)
    values = page.evaluate(COLLECT)
    told = {m["name"]: m["value"] for m in session.send("Performance.getMetrics")["metrics"]}
    values["CPU, s"] = told["TaskDuration"]
    kinds: Counter[str] = Counter()
    for name, size in weights(asked, address.rpartition("/")[0], site).items():
        kinds[Path(name).suffix.lstrip(".")] += size
    values["requests"] = len(asked)
    values["to other hosts"] = sum(
        urlsplit(url).hostname not in ("127.0.0.1", None) for url in asked
    )
    values["theme's script, ms"] = later(page)
    context.close()
    return values, kinds


def later(page: Page) -> float:
    """Milliseconds beyond 50 of each task when the reader first scrolls and asks for the search."""
    known = len(page.evaluate("seen.long"))
    page.mouse.wheel(0, 300)
    page.locator("[data-md-component=search-query]").focus()
    page.wait_for_timeout(SETTLED)
    return sum(length - 50 for _, length in page.evaluate("seen.long")[known:])


def clicks(page: Page, targets: list[str]) -> tuple[list[float], list[float]]:
    """Milliseconds from a click to the next paint, and until all that follows from it is drawn."""
    times, drawn = [], []
    for target in targets:
        page.locator(target).first.hover(force=True)
        page.wait_for_timeout(400)
        page.evaluate("seen.events = []")
        page.locator(target).first.click(force=True)
        page.wait_for_timeout(700)
        groups: Counter[int] = Counter()
        for ident, length in page.evaluate("seen.events"):
            groups[ident] = max(groups[ident], length)
        times.append(max(groups.values(), default=16.0))
        drawn.append(page.evaluate("seen.drawn"))
    return times, drawn


def interactions(browser: Browser, host: str) -> dict[str, list[float]]:
    """Input to next paint of each kind of pick, and of a button that does nothing."""
    page = browser.new_page(viewport={"width": 1350, "height": 1100})
    page.add_init_script(OBSERVE)
    page.goto(f"{host}/{FLOOR}")
    page.evaluate(
        "document.querySelector('h1').after("
        "Object.assign(document.createElement('button'), { textContent: 'nothing' }))"
    )
    throttled(page, line=False)
    found = {"floor": clicks(page, ["h1 + button"] * 6)[0]}
    page.goto(f"{host}/{PAGE}")
    page.wait_for_function("document.querySelector('vit-player')?.shown")
    page.wait_for_timeout(2000)
    cells = [f"vit-player .va-cells [data-token='{token}']" for token in (120, 33, 90, 1, 150, 75)]
    stages = [f"vit-player .va-stages [value={stage}]" for stage in states()["stage"]]
    heads = [f"vit-player [data-state=head][value='{head}']" for head in ("2", "3", "mean", "1")]
    for name, targets in (("query", cells), ("stage", stages), ("head", heads)):
        found[name], found[f"{name}, all drawn"] = clicks(page, targets)
    page.close()
    return found


def calibrate(browser: Browser) -> float:
    """Milliseconds of a fixed loop of JavaScript, undelayed: how fast this machine is just now."""
    page = browser.new_page()
    times = page.evaluate(LOOP)
    page.close()
    return statistics.median(times)


def medians(runs: list[Values]) -> Values:
    return {name: statistics.median(run[name] for run in runs) for name in runs[0]}


def table(ours: Values, floor: Values) -> list[str]:
    lines = [f"{'':24}{'explainer':>12}{'floor':>12}{'ratio':>8}"]
    for name, value in ours.items():
        ratio = f"{value / floor[name]:.2f}" if floor.get(name) else "–"
        lines.append(f"{name:24}{value:12,.5g}{floor.get(name, 0):12,.5g}{ratio:>8}")
    return lines


def lighthouse(address: str, browser: str) -> str:
    """The performance score, if Lighthouse is there: never a gate, it moves with the machine."""
    if absent := outside.missing(programs=("node",), files=(LIGHTHOUSE,)):
        return f"Lighthouse performance: not measured, missing {'; '.join(absent)}"
    flags = "--headless=new --no-sandbox --disable-gpu"
    command = [
        "node",
        str(outside.PACKAGES / LIGHTHOUSE),
        address,
        "--quiet",
        "--output=json",
        "--only-categories=performance",
        "--no-enable-error-reporting",
        f"--chrome-flags={flags}",
    ]
    environment = {**os.environ, "CHROME_PATH": browser}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    if done.returncode:
        return f"Lighthouse performance: failed: {done.stderr[-300:]}"
    score = json.loads(done.stdout)["categories"]["performance"]["score"]
    return f"Lighthouse performance (phone preset, one run): {100 * score:.0f}"


def report(site: Path, say: Callable[[str], Any] = print) -> None:
    browser_path = find_browser()
    if browser_path is None:
        raise SystemExit("no Chromium or Chrome was found: make browser installs one")
    with serve(site.parent, compressed=True) as root, sync_playwright() as playwright:
        host = f"{root}/{site.name}"
        switches = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
        switches.append("--window-size=1600,1300")  # what lies outside is never painted, nor timed
        browser = playwright.chromium.launch(executable_path=browser_path, args=switches)
        say(f"Chromium {browser.version}, load of this machine {os.getloadavg()[0]:.1f}")
        say(f"a fixed loop of JavaScript: {calibrate(browser):.0f} ms\n")
        loads = {
            p: [load(browser, f"{host}/{p}", site) for _ in range(RUNS)] for p in (PAGE, FLOOR)
        }
        ours, floor = (medians([values for values, _ in loads[p]]) for p in (PAGE, FLOOR))
        kinds, floor_kinds = (loads[p][0][1] for p in (PAGE, FLOOR))
        bytes_of = {f"bytes, {kind}": float(kinds[kind]) for kind in sorted(kinds)}
        floor_bytes = {f"bytes, {kind}": float(floor_kinds[kind]) for kind in floor_kinds}
        ours = {"bytes, all": float(sum(kinds.values()))} | bytes_of | ours
        floor = {"bytes, all": float(sum(floor_kinds.values()))} | floor_bytes | floor
        say("\n".join(table(ours, floor)))
        found = interactions(browser, host)
        before = calibrate(browser)
        frames = bench_film.report(browser, f"{host}/{PAGE}")
        after = calibrate(browser)
        browser.close()
        nothing = statistics.median(found.pop("floor"))
        say(f"\n{'input to next paint, ms':24}{'median':>12}{'largest':>12}{'ratio':>8}")
        say(f"{'a button without effect':24}{nothing:12.0f}{'':12}{1:8.2f}")
        for name, times in found.items():
            median = statistics.median(times)
            say(f"{name:24}{median:12.0f}{max(times):12.0f}{median / nothing:8.2f}")
        say(
            f"\nThe film, processor {SLOWER} times slower (the loop {before:.0f} ms, then {after:.0f}):"
        )
        say("\n".join(frames))
        say("\n" + lighthouse(f"{host}/{PAGE}", browser_path))
    say("\nThe core, one thread, medians in turns:")
    for line in bench_core.report():
        say(line)
    say("\nAttention in blocks, one thread, quotients (below 1: the blocks take less):")
    for line in bench_blocks.report():
        say(line)
    say("\n" + METHOD)


if __name__ == "__main__":
    report(Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "site").resolve())
