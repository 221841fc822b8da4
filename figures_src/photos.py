"""The photographs of the player: square crops of 224 × 224 pixels, kept without loss.

Where they come from and under which licence: NOTICE. The names of a few patches are for sentences.
"""

import io
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from vitattn_core import Trace, teaching_pass

FOLDER = Path(__file__).parent / "photos"
TITLES = {"chelsea": "Cat", "coffee": "Coffee", "rocket": "Rocket"}
NAMED_PATCHES = {
    "chelsea": {
        **{(5, 4): "left eye", (5, 11): "right eye", (6, 11): "right eye"},
        **{(10, 8): "nose", (7, 8): "bridge of the nose"},
    },
    "coffee": {(4, 2): "rim", (5, 5): "coffee", (7, 10): "saucer", (11, 5): "shadow"},
    "rocket": {
        (8, 6): "rocket",
        (11, 6): "rocket",
        (2, 2): "dark sky",
        (8, 1): "bright sky",
        (12, 7): "base",
    },
}

# The patch that is picked when a photograph is opened: one whose row has something to say. Flat sky
# reads all of the sky alike.
FIRST_PATCH = {"chelsea": (5, 4), "coffee": (4, 2), "rocket": (11, 6)}


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
