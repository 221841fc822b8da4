"""What a reader sees of text and marks: colours as the browser paints them, on what lies behind.

A screenshot with the text taken out shows the ground of every text; one with the marks taken out as
well shows the ground of every mark. Nothing is read from style sheets but the colour of the text.
"""

import base64
import io
import json
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Locator, Page

Pixels = NDArray[np.float64]  # (..., 3), sRGB from 0 to 255
Picture = NDArray[np.uint8]  # (height, width, 3): a whole page, a number only where it is asked for

TEXT = 4.5  # the least contrast of text, of any size
MARK = 3.0  # and of a mark or line that means something
GROUND = 0.08  # a colour on less than this share of a text's box is a line beside it, no ground

# Marks that carry meaning; what stands on a casing or halo of its own is held to that.
MARKS = (
    ".va-frame",
    ".va-shaft",
    ".va-above",
    ".va-below",
    ".va-tick",
    ".va-marked",
    ".va-bar",
    ".va-curve",
    ".va-level",
    ".va-bracket line",
    ".va-plus",
    ".va-minus",
    ".va-marked-cell",
    ".va-reached",
    ".va-mark > rect:nth-of-type(n + 3)",
    ".va-mark circle",
)

# As text: a long list of objects comes over several times faster so.
FIND = (
    "(root, given) => JSON.stringify("
    f"({Path(__file__).with_suffix('.js').read_text(encoding='utf-8')})(root, given))"
)

NO_TEXT = """
*, ::before, ::after {
  -webkit-text-fill-color: transparent !important; text-decoration-color: transparent !important;
  text-shadow: none !important; caret-color: transparent !important; transition: none !important;
}
math * { color: transparent !important; }
svg text, svg tspan { fill: transparent !important; forced-color-adjust: none !important; }
"""


@dataclass(frozen=True)
class Text:
    """A run of text on one line: box (x0, y0, x1, y1) and font size in px of the screen."""

    words: str
    box: tuple[float, float, float, float]
    whole: tuple[float, float, float, float]  # without what clips it
    scrolls: bool  # inside a box that scrolls sideways
    colour: tuple[float, ...]  # red, green, blue, alpha; 0 to 255
    halo: tuple[float, ...] | None
    size: float
    where: str


@dataclass(frozen=True)
class Mark:
    """A mark: the selector that found it, its box with 3 px around it, the start of its markup."""

    selector: str
    box: tuple[float, float, float, float]
    colour: tuple[float, ...]  # of its fill, or of its stroke if it has no fill
    html: str


def find(root: Locator) -> tuple[list[Text], list[Mark]]:
    """Return every visible text and mark inside an element, in px of the page."""
    found = json.loads(root.evaluate(FIND, [list(MARKS)]))
    return [Text(**text) for text in found["texts"]], [Mark(**mark) for mark in found["marks"]]


def luminance(colours: Pixels) -> NDArray[np.float64]:
    """Return the relative luminance (WCAG 2.2) of colours (..., 3)."""
    parts = np.asarray(colours, dtype=np.float64) / 255
    linear = np.where(parts <= 0.04045, parts / 12.92, ((parts + 0.055) / 1.055) ** 2.4)
    return linear @ np.array([0.2126, 0.7152, 0.0722])


def contrast(one: Pixels, other: Pixels) -> NDArray[np.float64]:
    """Return the contrast ratio, 1 to 21, of colours (..., 3) that may be broadcast."""
    a, b = luminance(one), luminance(other)
    return (np.maximum(a, b) + 0.05) / (np.minimum(a, b) + 0.05)


def over(colour: tuple[float, ...], ground: Pixels) -> Pixels:
    """Return a colour with alpha laid over a ground (..., 3)."""
    alpha = colour[3] / 255
    return alpha * np.array(colour[:3], dtype=np.float64) + (1 - alpha) * ground


class Sight:
    """One view of an element: what is in it, and its grounds.

    In forced colours (`forced`) a text's colour is the system's and not to be had, and no style can
    take it out: there `readable` compares a text's pixels with the ground that most of its box is.
    """

    def __init__(self, page: Page, root: Locator, *, forced: bool = False) -> None:
        self.texts, self.marks = find(root)
        box = root.bounding_box()
        assert box is not None
        scroll_x, scroll_y, window_x, window_y = page.evaluate(
            "[scrollX, scrollY, document.documentElement.clientWidth, innerHeight]"
        )
        self.left, self.top = box["x"] + scroll_x, box["y"] + scroll_y
        whole = {"x": self.left, "y": self.top, "width": box["width"], "height": box["height"]}

        # Beyond the window, the page is laid out anew for each picture: that takes five times as long.
        beyond = min(box["x"], box["y"]) < 0 or (
            box["x"] + box["width"] > window_x or box["y"] + box["height"] > window_y
        )
        asked = {"format": "png", "optimizeForSpeed": True, "captureBeyondViewport": beyond}
        camera = page.context.new_cdp_session(page)

        def picture(clip: dict[str, float]) -> Picture:
            shot = camera.send("Page.captureScreenshot", {**asked, "clip": {**clip, "scale": 1}})
            with Image.open(io.BytesIO(base64.b64decode(shot["data"]))) as image:
                return np.asarray(image.convert("RGB"))

        without_text = page.add_style_tag(content="/* */" if forced else NO_TEXT)
        self.no_text = picture(whole)
        if self.marks:  # without them only as much is looked at as they take up: a page is long
            hidden = f"{', '.join(MARKS)} {{ visibility: hidden !important }}"
            without_marks = page.add_style_tag(content=hidden)
            around = self._around_marks(whole)
            self.no_marks, self.marks_from = picture(around), (around["x"], around["y"])
            without_marks.evaluate("style => style.remove()")
        without_text.evaluate("style => style.remove()")
        camera.detach()

    def _around_marks(self, whole: dict[str, float]) -> dict[str, float]:
        """The part of the view that holds every mark, on the same grid of pixels."""
        x0, y0, x1, y1 = np.array([mark.box for mark in self.marks]).T
        x, y = (
            max(0, int(edge.min() - start)) for edge, start in ((x0, self.left), (y0, self.top))
        )
        width = min(whole["width"] - x, np.ceil(x1.max() - self.left) + 1 - x)
        height = min(whole["height"] - y, np.ceil(y1.max() - self.top) + 1 - y)
        return {"x": self.left + x, "y": self.top + y, "width": width, "height": height}

    def _part(
        self,
        picture: Picture,
        box: tuple[float, float, float, float],
        start: tuple[float, float] | None = None,
    ) -> Pixels:
        """The pixels in a box, of a picture that begins at `start`: where the view does, or given."""
        start = start or (self.left, self.top)
        x0, y0, x1, y1 = (
            int(np.floor(edge - first)) for edge, first in zip(box, start * 2, strict=True)
        )
        part = picture[max(0, y0) : max(0, y1 + 1), max(0, x0) : max(0, x1 + 1)]
        return part.reshape(-1, 3).astype(np.float64)

    def contrast_of(self, text: Text) -> float:
        """Return a text's contrast on the worst ground that fills at least `GROUND` of its box."""
        x0, y0, x1, y1 = text.box
        high = y1 - y0  # from ascender to descender: letters cover the middle of it
        ground = self._part(self.no_text, (x0, y0 + 0.2 * high, x1, y1 - 0.2 * high))
        if not len(ground):
            return np.inf
        if text.halo:
            ground = over(text.halo, ground)
        return float(np.quantile(contrast(over(text.colour, ground), ground), GROUND))

    def contrast_of_mark(self, mark: Mark) -> float:
        """Return a mark's contrast where it is best, so that soft edges do not count; 0: not seen.

        Other marks may cross its box: what counts are pixels on the way from the ground to the
        mark's own colour, and at least half way there.
        """
        shown = self._part(self.no_text, mark.box)
        behind = self._part(self.no_marks, mark.box, self.marks_from)
        way = over(mark.colour, behind) - behind
        length = np.maximum((way**2).sum(axis=-1), 1e-9)
        share = ((shown - behind) * way).sum(axis=-1) / length
        beside = np.abs(behind + share[:, None] * way - shown).max(axis=-1)
        own = (length > 16) & (share > 0.5) & (share < 1.1) & (beside < 24)
        return float(contrast(shown[own], behind[own]).max(initial=0))

    def readable(self, text: Text) -> float:
        """Return the best contrast of a text's pixels with the ground that most of its box is."""
        pixels = self._part(self.no_text, text.box)
        if not len(pixels):
            return np.inf
        kinds, counts = np.unique(pixels, axis=0, return_counts=True)
        return float(contrast(pixels, kinds[counts.argmax()]).max())


def show(page: Page, **state: str) -> None:
    """Set the player's state by its attributes, and wait until it is drawn."""
    page.locator("vit-player").evaluate(
        """(player, state) => {
          for (const [name, value] of Object.entries(state)) player.setAttribute(name, value);
          return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        }""",
        state,
    )


def faint(sight: Sight) -> list[str]:
    """What cannot be told from its ground well enough."""
    texts = [(sight.contrast_of(t), f"“{t.words}” {t.where}") for t in sight.texts]
    marks = [(sight.contrast_of_mark(m), f"{m.selector}: {m.html}") for m in sight.marks]
    return [f"{ratio:.2f} {what}" for ratio, what in texts if ratio < TEXT] + [
        f"{ratio:.2f} {what}" for ratio, what in marks if ratio < MARK
    ]


# What a page waits for by itself: its pictures, and the numbers of the elements that compute.
SETTLED = """
() => document.readyState === "complete"
  && [...document.images].every((image) => image.complete || image.loading === "lazy")
  && [...document.querySelectorAll("vit-player")].every((player) => player.pass)
  && [...document.querySelectorAll("vit-explorer")].every((explorer) => explorer.row)
  && !document.querySelector("vit-player[aria-busy], vit-explorer[aria-busy]")
"""


def settle(page: Page) -> None:
    """Wait until what a page loads is there and drawn."""
    page.wait_for_function(SETTLED)
    page.evaluate(
        """document.fonts.ready.then(() => new Promise((done) =>
          requestAnimationFrame(() => requestAnimationFrame(done))))"""
    )


def ready(page: Page, address: str) -> None:
    """Open a page and wait until its player, if it has one, has computed."""
    page.goto(address)
    settle(page)
