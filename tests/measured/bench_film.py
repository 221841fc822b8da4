"""How evenly the film runs: frames of all twelve chapters at a slower processor, for `make bench`.

Beside it a floor in the same run: one small square that a style sheet moves over an empty page. What
the floor misses, the machine has missed.
"""

from playwright.sync_api import Browser, Page

SLOWER = 4  # times, the processor
WISHED = 55  # frames a second
COUNT = """() => {
  const times = (window.frames_ = []);
  const on = (now) => { times.push(now); window.counting_ && requestAnimationFrame(on); };
  window.counting_ = true;
  requestAnimationFrame(on);
}"""
STOP = """() => {
  window.counting_ = false;
  return frames_.slice(1).map((now, n) => now - frames_[n]);
}"""
FLOOR = """<!doctype html><title>floor</title><style>
i { position: absolute; width: 20px; height: 20px; background: #777; animation: go 1s infinite alternate }
@keyframes go { to { translate: 300px 0 } }</style><i></i>"""
END = 180_000  # ms that the whole film may take here


def report(browser: Browser, address: str) -> list[str]:
    """Return the share of frames that come at the wished pace or faster: floor, film, chapters."""
    page = browser.new_page(viewport={"width": 1350, "height": 940})
    session = page.context.new_cdp_session(page)
    page.set_content(FLOOR)
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWER})
    page.evaluate(COUNT)
    page.wait_for_timeout(5000)
    lines = [_line("a moving square", page.evaluate(STOP))]
    page.goto(address)
    page.wait_for_function("document.querySelector('vit-player')?.shown")
    page.wait_for_timeout(2000)
    chapters = _played(page)
    page.close()
    everything = [time for times in chapters.values() for time in times]
    lines.append(_line("the film", everything))
    worst = sorted(chapters, key=lambda name: _share(chapters[name]))[:3]
    return lines + [_line(f"  chapter {name}", chapters[name]) for name in worst]


def _played(page: Page) -> dict[str, list[float]]:
    """Play the film from its start to its end; return the times between frames by chapter."""
    page.evaluate("document.querySelector('vit-player').set({ stage: 'patches', at: '0' })")
    page.evaluate("""() => {
      const player = document.querySelector("vit-player");
      const of = (window.chapters_ = {});
      let last = null;
      const on = (now) => {
        const { stage } = player.state;
        if (last !== null) (of[stage] ??= []).push(now - last);
        last = now;
        window.counting_ && requestAnimationFrame(on);
      };
      window.counting_ = true;
      requestAnimationFrame(on);
    }""")
    page.locator("vit-player [data-action=play]").click()
    page.wait_for_function("document.querySelector('vit-player').hasAttribute('playing')")
    page.wait_for_function(
        "!document.querySelector('vit-player').hasAttribute('playing')", timeout=END
    )
    page.evaluate("() => { window.counting_ = false; }")
    return page.evaluate("chapters_")


def _share(times: list[float]) -> float:
    return sum(time <= 1000 / WISHED for time in times) / max(1, len(times))


def _line(name: str, times: list[float]) -> str:
    slow = sorted(times)[int(len(times) * 0.95)] if times else 0.0
    share = f"{100 * _share(times):.1f} %"
    return f"{name:24}{len(times):8} frames {share:>8} at {WISHED}/s or faster, 95th {slow:.1f} ms"
