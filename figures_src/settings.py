"""What the player can be set to: names, values and defaults of its state, in one place.

Python reads it to draw and to check links, the page gets it as `window.vitattn.player`.
"""

import json
from typing import Any

from vitattn_core import STAGES
from vitattn_core.teaching import GRID, HEADS

from . import photos, said, shapes, tokens

DEFAULTS = {
    **{"photo": "chelsea", "stage": "softmax", "query": "5.4", "head": "1"},
    **{"scale": "head", "position": "on", "mix": "v", "axis": "keys", "dropped": "", "bug": ""},
    **{"range": "fit", "at": "1", "speed": "1"},
}
# What a photograph opens with in place of those, by its name.
OPENS = {name: {"query": "{}.{}".format(*place)} for name, place in photos.FIRST_PATCH.items()}


def at_first(photo: str) -> dict[str, str]:
    """Return the state that a photograph opens with; an address leaves out what is as here."""
    return {**DEFAULTS, "photo": photo, **OPENS.get(photo, {})}


def states() -> dict[str, list[str]]:
    """Return the values that each name of the state may take, where they can be listed."""
    return {
        "photo": list(photos.TITLES),
        "stage": [entry.id for entry in STAGES],
        "head": [*(str(n) for n in range(1, len(HEADS) + 1)), "mean"],
        "scale": ["head", "model", "off"],
        "position": ["on", "off"],
        "mix": ["v", "k"],
        "axis": ["keys", "queries"],
        "range": ["fit", "fixed"],
        "bug": list(said.BUGS),
    }


def script() -> str:
    """Return the script that tells the page: `window.vitattn.player`."""
    named = {
        photo: {"({},{})".format(*place): name for place, name in names.items()}
        for photo, names in photos.NAMED_PATCHES.items()
    }
    told: dict[str, Any] = {
        "defaults": DEFAULTS,
        "opens": OPENS,
        "states": states(),
        "stages": {entry.id: entry.title for entry in STAGES},
        "grid": {"rows": GRID.rows, "columns": GRID.columns, "prefix": GRID.prefix},
        "photos": photos.TITLES,
        "heads": list(HEADS),
        "named": named,
        **{"said": said.SAID, "changes": said.CHANGES, "joined": said.JOINED, "empty": said.EMPTY},
        "alone": {
            **{"reach": shapes.REACH, "norm_axis": shapes.NORM_AXIS},
            **{"map_levels": shapes.MAP_LEVELS, "tokens": GRID.tokens},
        },
        "shapes": {
            **{"cell": shapes.CELL, "cls_top": shapes.CLS_TOP, "axes": shapes.AXES},
            **{"collected": shapes.COLLECTED, "arrows": shapes.ARROWS, "widest": shapes.WIDEST},
            **{"rim": shapes.RIM, "nothing": shapes.NOTHING, "same": shapes.SAME},
            **{"room": shapes.ROOM, "strip": shapes.STRIP, "cross": shapes.CROSS},
            **{"levels": tokens.WEIGHT_LEVELS, "unpainted": tokens.UNPAINTED},
        },
    }
    return f"(window.vitattn ??= {{}}).player = {json.dumps(told, ensure_ascii=False)};\n"
