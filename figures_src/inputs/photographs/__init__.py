"""The photographs of the player: square crops of 224 × 224 pixels, kept without loss.

Where they come from and under which licence: NOTICE. The names of a few patches are for sentences.
"""

import io
import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from figures_src.source_fault import SourceFault, calling_line
from vitattn_core import Trace, teaching_pass
from vitattn_core.teaching import GRID

FOLDER = Path(__file__).parent
SIDE = 224  # px


@dataclass(frozen=True, kw_only=True)
class Photograph:
    """All that the site knows of a photograph: the one place to add another.

    name: of its file photos/<name>.png, in addresses and scripts; title: on its button; noun: in
    sentences; named: words for a few patches (row, column);
    first: the patch that is picked when it is opened, one whose row has something to say (flat sky reads
    all of the sky alike); captures: whether the trained model was run on it (make captures), so that the
    explorer and its pages can show it, and first_captured the patch that the explorer opens it with, on
    the model's own grid. Raises SourceFault for a file that is not there or has another size, and for a
    patch that is not on the grid.
    """

    name: str
    title: str
    noun: str
    named: dict[tuple[int, int], str]
    first: tuple[int, int]
    captures: bool
    first_captured: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        if wrong := self._wrong():
            place = calling_line("Photograph.__post_init__")
            raise SourceFault(place, f"photograph {self.name!r}: {wrong}")

    def _wrong(self) -> str | None:
        if not re.fullmatch("[a-z][a-z0-9]*", self.name):
            return "takes a name of small letters and digits: it stands in addresses"
        if not self.path.is_file():
            return f"figures_src/inputs/photographs/{self.name}.png is not there"
        with Image.open(self.path) as picture:
            got = f"{picture.width} × {picture.height} pixels, {picture.mode}"
            if (picture.size, picture.mode) != ((SIDE, SIDE), "RGB"):
                return f"{self.name}.png: got {got}; takes {SIDE} × {SIDE} pixels, RGB"
        if not (self.title.strip() and self.noun.strip()):
            return "takes a title for its button and a noun for sentences"
        for place, words in self.named.items():
            if place not in GRID.places() or not words.strip():
                return (
                    f"named: got {place}: {words!r}, takes a row and a column of 0 to 13 and words"
                )
        if self.first not in GRID.places():
            return f"first: got {self.first}, takes a row and a column of 0 to 13"
        if self.captures and self.first_captured is None:
            return "has captures and no first_captured: the patch that the explorer opens it with"
        return None

    @property
    def path(self) -> Path:
        """Return its file."""
        return FOLDER / f"{self.name}.png"


PHOTOGRAPHS = (
    Photograph(
        name="chelsea",
        title="Cat",
        noun="cat",
        named={
            (5, 4): "left eye",
            (5, 11): "right eye",
            (6, 11): "right eye",
            (10, 8): "nose",
            (7, 8): "bridge of the nose",
        },
        first=(5, 4),
        captures=True,
        first_captured=(7, 5),
    ),
    Photograph(
        name="coffee",
        title="Coffee",
        noun="cup",
        named={(4, 2): "rim", (5, 5): "coffee", (7, 10): "saucer", (11, 5): "shadow"},
        first=(4, 2),
        captures=True,
        first_captured=(11, 9),
    ),
    Photograph(
        name="rocket",
        title="Rocket",
        noun="rocket",
        named={
            (8, 6): "rocket",
            (11, 6): "rocket",
            (2, 2): "dark sky",
            (8, 1): "bright sky",
            (12, 7): "base",
        },
        first=(11, 6),
        captures=True,
        first_captured=(10, 7),
    ),
)
TITLES = {one.name: one.title for one in PHOTOGRAPHS}
NAMED_PATCHES = {one.name: one.named for one in PHOTOGRAPHS}
FIRST_PATCH = {one.name: one.first for one in PHOTOGRAPHS}
FIRST_CAPTURED = {one.name: one.first_captured for one in PHOTOGRAPHS if one.first_captured}


@cache
def image(name: str) -> NDArray[np.uint8]:
    """Return a photograph as (3, 224, 224), red, green, blue from 0 to 255."""
    if name not in TITLES:
        raise KeyError(f"photos.image: got {name!r}, takes one of {', '.join(TITLES)}")
    with Image.open(FOLDER / f"{name}.png") as picture:
        pixels = np.asarray(picture.convert("RGB")).transpose(2, 0, 1)
    pixels.flags.writeable = False
    return pixels


@cache
def trace(name: str) -> Trace:
    """Return the teaching pass of a photograph."""
    return teaching_pass(image(name))


def picture(name: str) -> bytes:
    """Return the photograph as a WebP file for the page; the arithmetic uses the exact pixels."""
    file = io.BytesIO()
    Image.fromarray(image(name).transpose(1, 2, 0)).save(file, "WEBP", quality=88, method=6)
    return file.getvalue()
