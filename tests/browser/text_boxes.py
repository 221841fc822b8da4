"""Every visible text of a page: its size, the boxes of its lines, and how much of them is cut off."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page

from tests.browser.seen import show
from vitattn_core import STAGES

# As text: a long list of objects comes over several times faster so.
FIND = f"(root) => JSON.stringify(({Path(__file__).with_suffix('.js').read_text(encoding='utf-8')})(root))"
CUT = 1.5  # px: a line's box is a little larger than its letters
ACROSS = 1.5  # px that two boxes may share from side to side
DOWN = 0.3  # and of the lower one's height: boxes reach from ascender to descender


@dataclass(frozen=True)
class Line:
    """A line of a text, in px of the page. cut: how far it reaches out of a box that hides the rest."""

    box: tuple[float, float, float, float]
    cut: tuple[float, float]


@dataclass(frozen=True)
class Words:
    """A text. n: its place among all texts of the page, shown or not. size: of its letters, in px."""

    n: int
    words: str
    size: float
    boxes: list[Line]
    math: bool
    sticks: bool
    where: str


def read(page: Page, root: str = "body") -> tuple[list[Words], float]:
    """Return the visible texts inside an element, and how many px the page scrolls sideways."""
    found = json.loads(page.evaluate(FIND, root))
    texts = []
    for text in found["texts"]:
        lines = [Line(tuple(one["box"]), tuple(one["cut"])) for one in text.pop("boxes")]
        texts.append(Words(boxes=lines, **text))
    return texts, found["wide"]


def clipped(texts: list[Words]) -> list[str]:
    """Return the texts of which a part cannot be seen, nor scrolled to."""
    return [
        f"cut {line.cut[0]:.0f}, {line.cut[1]:.0f} px: “{text.words}” {text.where}"
        for text in texts
        for line in text.boxes
        if line.cut[0] > CUT or line.cut[1] > 0.3 * text.size
    ]


def touching(texts: list[Words]) -> list[str]:
    """Return the pairs of texts that lie on each other; what sticks to the window is above the rest."""
    lines = [(line.box, text) for text in texts for line in text.boxes if not text.sticks]
    lines.sort(key=lambda entry: entry[0][1])
    found = []
    for n, ((a, b, c, d), one) in enumerate(lines):
        for (e, f, g, h), other in lines[n + 1 :]:
            if f > d:
                break
            if one.math and other.math:
                continue
            across, down = min(c, g) - max(a, e), min(d, h) - max(b, f)
            if across > ACROSS and down > DOWN * min(d - b, h - f) and one is not other:
                found.append(f"“{one.words}” and “{other.words}”: {one.where}; {other.where}")
    return found


def start(page: Page, address: str) -> None:
    """Open a page and wait until its figures stand; nothing glides to its place when it is resized."""
    page.goto(address)
    page.add_style_tag(content="*, ::before, ::after { transition: none !important }")
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_function(
        "[...document.querySelectorAll('vit-player')].every((player) => player.pass)"
    )


def views(page: Page, name: str) -> Iterator[tuple[str, str]]:
    """Yield a page's views: the whole page, then its player at each further stage."""
    yield name, "body"
    if page.locator("vit-player").count():
        for entry in STAGES[1:]:
            show(page, stage=entry.id)
            yield f"{name}, {entry.id}", "vit-player"
        show(page, stage=STAGES[0].id)


def wide(page: Page, width: int) -> None:
    """Give the window a width, and wait until the page is laid out for it."""
    page.set_viewport_size({"width": width, "height": 900})
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")


def faults(texts: list[Words], beyond: float) -> list[str]:
    """Return what is wrong with what `read` found."""
    found = [*touching(texts), *clipped(texts)]
    return [*found, f"the page scrolls sideways by {beyond} px"] if beyond > 0 else found
