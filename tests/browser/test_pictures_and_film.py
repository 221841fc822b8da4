"""The files to take away are those of the page as it is built now, and the film can be watched."""

import json
from itertools import accumulate, pairwise

from playwright.sync_api import Browser, Page

from figures_src.by_hand.page import SCHEMES, player_alone, show
from figures_src.by_hand.shown import PLATES, digest
from figures_src.player.film.timeline import chapters
from vitattn_core import STAGES

# Frames of the video in the middle of each chapter, small and grey: one list of numbers each.
FRAMES = """async ({ address, times }) => {
  const video = document.createElement("video");
  video.src = URL.createObjectURL(await (await fetch(address)).blob());
  video.muted = true;
  await new Promise((there, failed) => { video.onloadeddata = there; video.onerror = failed; });
  const canvas = Object.assign(document.createElement("canvas"), { width: 64, height: 36 });
  const brush = canvas.getContext("2d", { willReadFrequently: true });
  const drawn = () => {
    brush.drawImage(video, 0, 0, 64, 36);
    return [...brush.getImageData(0, 0, 64, 36).data].filter((_, n) => n % 4 === 1);
  };
  const frames = [];
  for (const time of times) {
    await new Promise((there) => { video.onseeked = there; video.currentTime = time; });
    // On a busy machine the frame of before stays for a while after the video says that it has moved.
    const before = String(frames.at(-1));
    const isBlank = (frame) => Math.max(...frame) - Math.min(...frame) <= 100;
    const until = performance.now() + 20000;
    while ((String(drawn()) === before || isBlank(drawn())) && performance.now() < until) {
      await new Promise((on) => setTimeout(on, 50));
    }
    frames.push(drawn());
  }
  return frames;
}"""


def test_the_pictures_show_what_is_built_now(browser: Browser) -> None:
    kept = json.loads(PLATES.read_text(encoding="utf-8"))
    shown: dict[str, list[str]] = {entry.id: [] for entry in STAGES}
    for scheme in SCHEMES:
        page = player_alone(browser, scheme)
        for entry in STAGES:
            show(page, entry.id)
            shown[entry.id].append(digest(page))
        page.close()
    old = [name for name, digests in shown.items() if kept[name] != " ".join(digests)]
    assert not old, "older than the page; run: make stills"


def test_the_film_plays_and_no_two_chapters_look_alike(page: Page, served: str) -> None:
    page.goto(f"{served}/gallery.html")
    video = page.locator("#figure-gallery-film video")
    assert video.get_attribute("preload") == "none"
    address = video.evaluate("v => v.src")
    lengths = [chapter.ms / 1000 for chapter in chapters().values()]
    times = [
        start + length * 0.6
        for start, length in zip(accumulate([0, *lengths]), lengths, strict=False)
    ]
    frames = page.evaluate(FRAMES, {"address": address, "times": times})
    assert all(max(frame) - min(frame) > 100 for frame in frames), "a blank frame"
    pairs = pairwise(frames)
    assert all(sum(abs(a - b) for a, b in zip(*pair, strict=True)) > 2000 for pair in pairs)
