"""What the explorer's page reads: queries and keys of one head a script, and what it can be set to.

A head's script is UTF-16 with a byte order mark, which a browser obeys before anything else, from
disk too: so each of its text units carries two whole numbers, and nothing has to be fetched. The
247 whole numbers have the bytes 0x01 to 0xFF without 0xD8 to 0xDF, so that no unit is half a pair,
and none is a quote, a backslash or the end of a line. `docs/javascripts/explorer.js` reads it.
"""

import codecs
import json
from typing import Any

import numpy as np

from figures_src.inputs import captures, photographs
from figures_src.kit import colours

from . import values

FOLDER = "assets/learned"
# The byte of each whole number, from −123 up.
BYTES = np.array([*range(0x01, 0xD8), *range(0xE0, 0x100)], dtype=np.uint8)
# Text units that end or bend a string (since ES2019 U+2028 does not); surrogates are refused as well.
UNSAFE = {ord('"'), ord("\\"), ord("\n"), ord("\r")}


def name_of(photo: str, layer: int, head: int) -> str:
    """Return what a head's script and its entry are called."""
    return f"{photo}-{layer:02d}-{head}"


def units(stored: np.void) -> np.ndarray:
    """Return a head's record as text units (16,640,), little endian.

    Q and K row by row, two whole numbers a unit, the first in the low byte; then the bits of the
    float16 numbers q, k and mean. Raises ValueError for a unit that cannot stand in a string.
    """
    levels = np.concatenate([stored["Q"].ravel(), stored["K"].ravel()]).astype(np.int64)
    packed = BYTES[levels + captures.LEVELS].view("<u2")
    halves = np.concatenate([stored[name] for name in ("q", "k", "mean")])
    units_array = np.concatenate([packed, halves.astype("<f2").view("<u2")])
    unsafe = np.isin(units_array, list(UNSAFE)) | ((units_array >= 0xD800) & (units_array < 0xE000))
    if unsafe.any():
        raise ValueError(f"units: got {units_array[unsafe][0]:#06x}, takes what a string can hold")
    return units_array


def script(photo: str, layer: int, head: int) -> bytes:
    """Return the script of one head: `window.vitattn.learned[name]`, a string."""
    name = name_of(photo, layer, head)
    text = units(captures.records(photo, layer)[head - 1]).tobytes()
    before = f'((window.vitattn??={{}}).learned??={{}})["{name}"]="'.encode("utf-16-le")
    return codecs.BOM_UTF16_LE + before + text + '"'.encode("utf-16-le")


def files() -> dict[str, bytes]:
    """Return the scripts of all heads by place in the site."""
    return {
        f"{FOLDER}/{name_of(photo, layer, head)}.js": script(photo, layer, head)
        for photo in captures.PHOTOS
        for layer in range(1, captures.LAYERS + 1)
        for head in range(1, captures.HEADS + 1)
    }


def settings() -> str:
    """Return the script of what the explorer can be set to: `window.vitattn.explorer`."""
    field = values.FIELD
    table = values.TABLE.as_data()
    data: dict[str, Any] = {
        **table,
        "photos": {name: photographs.TITLES[name] for name in captures.PHOTOS},
        "heads": captures.HEADS,
        "width": captures.manifest()["architecture"]["width"],
        "head_width": captures.HEAD_WIDTH,
        "whole": captures.LEVELS,
        "named_most": values.NAMED_MOST,
        "grid": {
            **table["grid"],
            "cell": field.cell,
            "cls_top": field.cls_top,
            "levels": colours.WEIGHT_LEVELS,
            "unpainted": colours.UNPAINTED,
        },
    }
    return f"(window.vitattn ??= {{}}).explorer = {json.dumps(data, ensure_ascii=False)};\n"
