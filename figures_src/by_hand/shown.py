"""What a plate shows, as a digest: its marks and how the browser computes their looks.

Kept beside the files that were made of it, so that a test sees when they are older than the page.
Places and widths of text depend on the machine's fonts and are left out.
"""

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

from figures_src.player.film import timeline

if TYPE_CHECKING:
    from playwright.sync_api import Page

PLATES = Path(__file__).with_name("plates.json")  # what the committed plates show, by stage
FILM = Path(__file__).with_name("film.txt")  # what the committed film shows

# Everything that is drawn in the scene: text, the attributes that place and shape a mark, its look.
READ = """() => {
  const read = (element) => {
    const style = getComputedStyle(element);
    if (style.display === "none" || style.visibility === "hidden") return "";
    const looks = ["fill", "fillOpacity", "stroke", "strokeOpacity", "strokeWidth", "opacity",
      "color", "backgroundColor", "fontWeight", "fontStyle", "filter"].map((name) => style[name]);
    const marks = ["d", "x", "y", "width", "height", "x1", "x2", "y1", "y2", "cx", "cy", "r",
      "viewBox", "style", "transform", "points"].map((name) => element.getAttribute(name) ?? "");
    const inside = [...element.childNodes].map((child) =>
      child.nodeType === Node.TEXT_NODE ? child.data.trim() : child.nodeType === Node.ELEMENT_NODE
        ? read(child) : "");
    return [element.localName, ...looks, ...marks, ...inside].join("|");
  };
  return [".va-scene", ".va-readouts"].map((part) => read(document.querySelector(part))).join();
}"""


def digest(page: "Page") -> str:
    """Return the digest of what the page's player shows now, in hexadecimal digits."""
    return hashlib.sha256(page.evaluate(READ).encode()).hexdigest()


def written(digests: dict[str, str]) -> str:
    """Return digests by name as the file that is committed."""
    return json.dumps(digests, indent=1, sort_keys=True) + "\n"


def of_film(digests: dict[str, str]) -> str:
    """Return the digest of the film: of the plates it ends its chapters with, and of its moves."""
    shown = timeline.script() + written(digests)
    return hashlib.sha256(shown.encode()).hexdigest()
