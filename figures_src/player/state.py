"""What the player can be set to: names, limits and defaults of its state, in one place.

Python reads it to draw and to check links, the page gets it as `window.vitattn.player`.
"""

import json
from typing import Any

from figures_src.inputs import photographs
from figures_src.kit import colours, geometry
from vitattn_core import STAGES
from vitattn_core.teaching import GRID, HEADS

from . import limits, switch_words
from .styles import mark_sizes

DEFAULTS = {
    "photo": "chelsea",
    "stage": "softmax",
    "query": "5.4",
    "head": "1",
    "scale": "head",
    "position": "on",
    "mix": "v",
    "axis": "keys",
    "dropped": "",
    "bug": "",
    "range": "fit",
    "at": "1",
    "speed": "1",
}
# What a photograph opens with in place of those, by its name.
OPENS = {name: {"query": "{}.{}".format(*place)} for name, place in photographs.FIRST_PATCH.items()}
# The speeds of the film that have a button. An address may ask for half the slowest or twice the fastest.
SPEEDS = ("0.5", "1", "2")

TABLE = limits.Table(
    name="player",
    least="stage",
    defaults=DEFAULTS,
    opens=OPENS,
    limits={
        "photo": limits.choice(list(photographs.TITLES), page_only="own"),
        "stage": limits.choice([entry.id for entry in STAGES]),
        "query": limits.ONE_ROW,
        "head": limits.choice([*(str(n) for n in range(1, len(HEADS) + 1)), "mean"]),
        "scale": limits.choice(["head", "model", "off"]),
        "position": limits.choice(["on", "off"]),
        "mix": limits.choice(["v", "k"]),
        "axis": limits.choice(["keys", "queries"]),
        "dropped": limits.SOME_ROWS,
        "bug": limits.choice(list(switch_words.BUGS)),
        "range": limits.choice(["fit", "fixed"]),
        "at": limits.span(0, 1),
        "speed": limits.span(float(SPEEDS[0]) / 2, float(SPEEDS[-1]) * 2),
    },
    grid=GRID,
)


def at_first(photo: str) -> dict[str, str]:
    """Return the state that a photograph opens with; an address leaves out what is as here."""
    return TABLE.at_first(photo)


def states() -> dict[str, list[str]]:
    """Return the values that each name of the state may take, where they can be listed."""
    return TABLE.choices()


def script() -> str:
    """Return the script that tells the page: `window.vitattn.player`."""
    named = {
        photo: {"({},{})".format(*place): name for place, name in names.items()}
        for photo, names in photographs.NAMED_PATCHES.items()
    }
    data: dict[str, Any] = {
        **TABLE.as_data(),
        "stages": {entry.id: entry.title for entry in STAGES},
        "photos": photographs.TITLES,
        "heads": list(HEADS),
        "named": named,
        "switch_words": switch_words.SWITCH_WORDS,
        "changes": switch_words.CHANGES,
        "joined": switch_words.JOINED,
        "empty": switch_words.EMPTY,
        "rowwise": {
            "reach": mark_sizes.REACH,
            "norm_axis": mark_sizes.NORM_AXIS,
            "tokens": GRID.tokens,
        },
        "shapes": {
            "cell": geometry.CELL,
            "cls_top": mark_sizes.CLS_TOP,
            "axes": mark_sizes.AXES,
            "collected": geometry.COLLECTED,
            "arrows": mark_sizes.ARROWS,
            "widest": mark_sizes.WIDEST,
            "rim": mark_sizes.RIM,
            "nothing": mark_sizes.NOTHING,
            "same": geometry.SAME,
            "room": mark_sizes.ROOM,
            "strip": mark_sizes.STRIP,
            "cross": mark_sizes.CROSS,
            "levels": colours.WEIGHT_LEVELS,
            "unpainted": colours.UNPAINTED,
        },
    }
    return f"(window.vitattn ??= {{}}).player = {json.dumps(data, ensure_ascii=False)};\n"
