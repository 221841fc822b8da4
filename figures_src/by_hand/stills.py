"""How figures_src/by_hand/stills.png and docs/assets/shared.png were made. Not part of a build.

    make docs && python -m figures_src.by_hand.stills     (needs playwright and a Chromium)

The strip of the README and the picture that a shared link shows are photographs of the built page,
scripts off, at its default state. Pixels depend on the machine's fonts, so no test compares them:
`figures_src/by_hand/stills.txt` keeps a hash of what they show, and a test holds it to the current build.
"""

import hashlib
import io
import re
from pathlib import Path
from typing import TYPE_CHECKING

from PIL import Image

from .page import chromium as open_chromium

if TYPE_CHECKING:
    from playwright.sync_api import Page

ROOT = Path(__file__).resolve().parents[2]
HERE = Path(__file__).resolve().parent
STRIP = HERE / "stills.png"
SHARED = ROOT / "docs" / "assets" / "shared.png"
HELD = HERE / "stills.txt"

STAGES = ("patches", "scores", "softmax", "mix")  # of the strip
SHARED_STAGE = "mix"
GAP = 28  # px between two stills
STILL = (384, 516)

# A picture of the figure: without the page, and without anything that waits for a finger.
BARE = """
.md-header, .md-sidebar, .md-footer, .md-skip, .va-transport, .va-stages, .va-readouts, .va-line, .va-how,
article > :not(vit-player, h1) { display: none !important; }
"""
NARROW = """
html, body { overflow: hidden; }
h1, .va-legend, .va-plate > :not(figcaption) { display: none !important; }
.md-main__inner, .md-content__inner, vit-player { margin: 0 !important; padding: 0 !important; }
.va-scene { margin: 0 !important; gap: 20px !important; }
.va-photo { --cell: calc(384px / 14) !important; }
.va-title { font-size: 36px !important; }
.va-formula { font-size: 25px !important; }
"""
WIDE = """
html, body { overflow: hidden; }
.md-content__inner { margin: 0 !important; padding: 26px 48px 0 !important; }
.md-typeset h1 { margin: 0 0 8px !important; font-size: 44px !important; white-space: nowrap; }
"""
SHOWN_CONTROLS = """
() => [...document.querySelectorAll("label, button:not(.va-phrase), select, input:not(.va-scene input)")]
  .filter((one) => one.checkVisibility({ opacityProperty: true, visibilityProperty: true }))
  .filter((one) => { const box = one.getBoundingClientRect();
    return box.width > 1 && box.top < innerHeight && box.bottom > 0; })
  .map((one) => `${one.localName}.${one.className} ${one.textContent.trim()}`)
"""


def inputs() -> str:
    """Return a hash of everything of ours that the stills show."""
    player = (ROOT / "build" / "player.html").read_text(encoding="utf-8")
    plates = {name: f'<figure class="va-plate" id="stage-{name}">' for name in STAGES}
    parts = [_part(player, plate, "</figcaption>") for plate in plates.values()]
    parts.append(_part(player, plates[SHARED_STAGE], "</figure>"))
    parts.append(_part(player, '<div class="va-legend">', "</svg></div>"))
    styles = ("build/assets/tokens.css", "docs/stylesheets/player.css")
    parts += [(ROOT / style).read_text(encoding="utf-8") for style in styles]
    parts += [BARE, NARROW, WIDE]
    photo = (ROOT / "build" / "assets" / "photos" / "chelsea.webp").read_bytes()
    return hashlib.sha256("\n".join(parts).encode() + photo).hexdigest()


def _part(text: str, start: str, end: str) -> str:
    found = re.search(f"{re.escape(start)}.*?{re.escape(end)}", text, re.DOTALL)
    if found is None:
        raise ValueError(f"stills: build/player.html has no {start}")
    return found[0]


def _photograph(page: "Page", stage: str, style: str, clip: dict[str, float]) -> Image.Image:
    page.goto((ROOT / "site" / "index.html").as_uri())
    page.evaluate(
        """([style, stage]) => {
          document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
          document.querySelector(`.va-stages [value=${stage}]`).checked = true;
        }""",
        [BARE + style, stage],
    )
    page.wait_for_timeout(300)
    if shown := page.evaluate(SHOWN_CONTROLS):
        raise SystemExit(f"stills: the picture of {stage} would show controls: {shown}")
    return Image.open(io.BytesIO(page.screenshot(clip=clip))).convert("RGB")  # type: ignore[arg-type]


def _write(picture: Image.Image, path: Path) -> None:
    """Write a PNG of 256 colours."""
    small = picture.quantize(256, kmeans=4, dither=Image.Dither.NONE)
    small.save(path, optimize=True)
    print(
        f"{path.relative_to(ROOT)}: {picture.width} × {picture.height}, {path.stat().st_size} bytes"
    )


def main() -> None:
    """Make both pictures, and keep the hash of what they show."""
    width, height = STILL
    with open_chromium() as chromium:
        narrow = chromium.new_page(
            viewport={"width": width, "height": height}, java_script_enabled=False
        )
        clip = {"x": 0.0, "y": 0.0, "width": width, "height": height}
        stills = [_photograph(narrow, stage, NARROW, clip) for stage in STAGES]
        wide = chromium.new_page(viewport={"width": 1200, "height": 630}, java_script_enabled=False)
        clip = {"x": 0.0, "y": 0.0, "width": 1200, "height": 630}
        shared = _photograph(wide, SHARED_STAGE, WIDE, clip)
    strip = Image.new("RGB", ((width + GAP) * len(stills) + GAP, height + 2 * GAP), "white")
    for n, still in enumerate(stills):
        strip.paste(still, (GAP + n * (width + GAP), GAP))
    _write(strip, STRIP)
    _write(shared, SHARED)
    HELD.write_text(inputs() + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
