"""What the player can be set to: names, values and defaults of its state, in one place.

Python reads it to draw and to check links, the page gets it as `window.vitattn.player`.
"""

import json
from typing import Any

from figures_src.inputs import photographs
from figures_src.kit import colours, geometry
from vitattn_core import STAGES
from vitattn_core.teaching import GRID, HEADS

from . import switch_words

DEFAULTS = {
    **{"photo": "chelsea", "stage": "softmax", "query": "5.4", "head": "1"},
    **{"scale": "head", "position": "on", "mix": "v", "axis": "keys", "dropped": "", "bug": ""},
    **{"range": "fit", "at": "1", "speed": "1"},
}
# What a photograph opens with in place of those, by its name.
OPENS = {name: {"query": "{}.{}".format(*place)} for name, place in photographs.FIRST_PATCH.items()}


def at_first(photo: str) -> dict[str, str]:
    """Return the state that a photograph opens with; an address leaves out what is as here."""
    return {**DEFAULTS, "photo": photo, **OPENS.get(photo, {})}


def states() -> dict[str, list[str]]:
    """Return the values that each name of the state may take, where they can be listed."""
    return {
        "photo": list(photographs.TITLES),
        "stage": [entry.id for entry in STAGES],
        "head": [*(str(n) for n in range(1, len(HEADS) + 1)), "mean"],
        "scale": ["head", "model", "off"],
        "position": ["on", "off"],
        "mix": ["v", "k"],
        "axis": ["keys", "queries"],
        "range": ["fit", "fixed"],
        "bug": list(switch_words.BUGS),
    }


def script() -> str:
    """Return the script that tells the page: `window.vitattn.player`."""
    named = {
        photo: {"({},{})".format(*place): name for place, name in names.items()}
        for photo, names in photographs.NAMED_PATCHES.items()
    }
    told: dict[str, Any] = {
        "defaults": DEFAULTS,
        "opens": OPENS,
        "states": states(),
        "stages": {entry.id: entry.title for entry in STAGES},
        "grid": {"rows": GRID.rows, "columns": GRID.columns, "prefix": GRID.prefix},
        "photos": photographs.TITLES,
        "heads": list(HEADS),
        "named": named,
        **{
            "said": switch_words.SAID,
            "changes": switch_words.CHANGES,
            "joined": switch_words.JOINED,
            "empty": switch_words.EMPTY,
        },
        "alone": {
            **{"reach": geometry.REACH, "norm_axis": geometry.NORM_AXIS},
            **{"map_levels": geometry.MAP_LEVELS, "tokens": GRID.tokens},
        },
        "shapes": {
            **{"cell": geometry.CELL, "cls_top": geometry.CLS_TOP, "axes": geometry.AXES},
            **{
                "collected": geometry.COLLECTED,
                "arrows": geometry.ARROWS,
                "widest": geometry.WIDEST,
            },
            **{"rim": geometry.RIM, "nothing": geometry.NOTHING, "same": geometry.SAME},
            **{"room": geometry.ROOM, "strip": geometry.STRIP, "cross": geometry.CROSS},
            **{"levels": colours.WEIGHT_LEVELS, "unpainted": colours.UNPAINTED},
        },
    }
    return f"(window.vitattn ??= {{}}).player = {json.dumps(told, ensure_ascii=False)};\n"
