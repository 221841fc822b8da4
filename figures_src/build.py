"""Everything that `python -m figures_src` makes, by file name."""

import json
import types
from typing import Any

import vitattn_core
from vitattn_core import STAGES

from . import (
    api,
    captions,
    captures,
    explorer,
    film_rules,
    learned,
    learned_data,
    photo_texts,
    photos,
    player,
    player_data,
    print_rules,
    registry,
    settings,
    stage_rules,
    timeline,
    tokens,
)
from .exercises import exercises
from .faults import Faults
from .marks import tag
from .sections import gallery

GRID = vitattn_core.teaching.GRID


def public_names() -> list[str]:
    """Return what a page may name: vitattn_core.x, its modules, and what stands in them."""
    names = [f"vitattn_core.{name}" for name in vitattn_core.__all__]
    for module in vars(vitattn_core).values():
        if isinstance(module, types.ModuleType) and module.__name__.startswith("vitattn_core."):
            names.append(module.__name__)
            names += [f"{module.__name__}.{name}" for name in vars(module) if name[0] != "_"]
    names += [f"vitattn_core.{name}" for name in ("cost", "mistakes", "torch_reference")]
    names += [f"vitattn_core.{entry.module}.{entry.name}" for entry in api.names()]
    return sorted(set(names))


def manifest() -> dict[str, Any]:
    """Return what pages may quote and point to."""
    known = captions.known()
    if wrong := list(captions.faults(known)):
        raise Faults(wrong)
    drawn = registry.plates()
    stages = [
        {
            **{"id": entry.id, "title": entry.title, "symbol": entry.symbol},
            **{"formula": entry.formula, "shape": entry.shape, "sentence": entry.sentence},
            **{"section": entry.section, "drawn": entry.id in drawn},
        }
        for entry in STAGES
    ]
    return {
        "facts": known,
        "figures": {
            name: {"file": file_of(name), "alt": captions.spoken(f.alt)}
            for name, f in registry.figures().items()
        },
        "exercises": {
            id: {"page": asked.page, "text": asked.markdown()} for id, asked in exercises().items()
        },
        "api": api.markdown(),
        "stages": stages,
        "states": {**settings.states(), "grid": [GRID.rows, GRID.columns]},
        "explorer": {
            **learned.states(),
            "grid": [captures.GRID.rows, captures.GRID.columns],
        },
        "public": public_names(),
    }


def section_figure(drawn: registry.SectionFigure) -> str:
    """Return a section's figure: its panels, its sentence, and words for those who listen."""
    unseen = tag("p", captions.spoken(drawn.alt), class_="va-unseen")
    return drawn.draw() + unseen + tag("figcaption", captions.shown(drawn.caption))


def file_of(name: str) -> str:
    """Return where a section's figure stands in `build/`."""
    return f"figures/{name}.html"


def files() -> dict[str, bytes]:
    """Return every file of `build/`: name, content; Faults for sentences that cannot be shown."""
    captures.check_photographs()
    told = manifest()
    made = {
        "manifest.json": json.dumps(told, ensure_ascii=False, sort_keys=True, indent=1),
        "player.html": player.player(),
        "explorer.html": explorer.explorer(),
        "assets/explorer.js": learned_data.settings(),
        **player_data.scripts(),
        **photo_texts.scripts(),
        **player.late_folds(),
        "assets/timeline.js": timeline.script(),
        **gallery.old_addresses(),
        "assets/unscripted.css": stage_rules.unscripted_css() + film_rules.css(),
        "assets/tokens.css": tokens.css() + stage_rules.css() + print_rules.css(),
    }
    for name, drawn in registry.figures().items():
        made[file_of(name)] = section_figure(drawn)
    pictures = {f"assets/photos/{name}.webp": photos.picture(name) for name in photos.TITLES}
    pictures |= {
        f"assets/pictures/{name}.webp": make() for name, make in registry.pictures().items()
    }
    written = {name: text.encode() for name, text in made.items()}
    return written | pictures | learned_data.files()
