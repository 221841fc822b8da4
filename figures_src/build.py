"""Everything that `python -m figures_src` makes, by file name."""

import json
import types
from typing import Any

import vitattn_core
from figures_src.explorer import element, page_data, values
from figures_src.inputs import captures, photographs
from figures_src.kit import colours
from figures_src.kit.elements import tag
from figures_src.pages import registry
from figures_src.pages.exercises import exercises
from figures_src.pages.facts import known
from figures_src.pages.gallery import figures
from figures_src.player import element as player
from figures_src.player import page_data as player_data
from figures_src.player import photographs_as_text, state
from figures_src.player.film import film_css, timeline
from figures_src.player.styles import print_css, stage_css
from figures_src.publish import api_page, captions
from figures_src.publish.code import wheel
from figures_src.publish.page_faults import Faults
from figures_src.publish.quoted_numbers import marked, plain
from vitattn_core import STAGES

GRID = vitattn_core.teaching.GRID


def public_names() -> list[str]:
    """Return what a page may name: vitattn_core.x, its modules, and what stands in them."""
    names = [f"vitattn_core.{name}" for name in vitattn_core.__all__]
    for module in vars(vitattn_core).values():
        if isinstance(module, types.ModuleType) and module.__name__.startswith("vitattn_core."):
            names.append(module.__name__)
            names += [f"{module.__name__}.{name}" for name in vars(module) if name[0] != "_"]
    names += [f"vitattn_core.{name}" for name in ("cost", "mistakes", "torch_reference")]
    names += [f"vitattn_core.{entry.module}.{entry.name}" for entry in api_page.names()]
    return sorted(set(names))


def manifest() -> dict[str, Any]:
    """Return what pages may quote and point to."""
    if wrong := list(captions.faults(known())):
        raise Faults(wrong)
    stages = [
        {
            "id": entry.id,
            "title": entry.title,
            "symbol": entry.symbol,
            "formula": entry.formula,
            "shape": entry.shape,
            "sentence": entry.sentence,
            "section": entry.section,
        }
        for entry in STAGES
    ]
    return {
        "facts": known(),
        "figures": {
            name: {"file": file_of(name), "alt": plain(f.alt, known())}
            for name, f in registry.figures().items()
        },
        "exercises": {
            id: {"page": asked.page, "text": asked.markdown()} for id, asked in exercises().items()
        },
        "api": api_page.markdown(),
        "stages": stages,
        "states": {"state": state.TABLE.as_data(), "explore": values.TABLE.as_data()},
        "public": public_names(),
        "wheel": wheel.file()[0],
    }


def section_figure(drawn: registry.SectionFigure) -> str:
    """Return a section's figure: its panels, its sentence, and words for those who listen."""
    unseen = tag("p", drawn.alt, class_="va-unseen")
    caption = tag("figcaption", marked(drawn.caption, known()))
    return plain(drawn.draw() + unseen, known()) + caption


def file_of(name: str) -> str:
    """Return where a section's figure stands in `build/`."""
    return f"figures/{name}.html"


def files() -> dict[str, bytes]:
    """Return every file of `build/`: name, content; Faults for sentences that cannot be shown."""
    captures.check_photographs()
    told = manifest()
    made = {
        "manifest.json": json.dumps(told, ensure_ascii=False, sort_keys=True, indent=1),
        "player.html": plain(player.player(), known()),
        "explorer.html": element.explorer(),
        "assets/explorer.js": page_data.settings(),
        **player_data.scripts(),
        **photographs_as_text.scripts(),
        **player.late_folds(),
        "assets/timeline.js": timeline.script(),
        **figures.old_addresses(),
        "assets/unscripted.css": stage_css.unscripted_css() + film_css.css(),
        "assets/tokens.css": colours.css() + stage_css.css() + print_css.css(),
    }
    for name, drawn in registry.figures().items():
        made[file_of(name)] = section_figure(drawn)
    pictures = {
        f"assets/photos/{name}.webp": photographs.picture(name) for name in photographs.TITLES
    }
    pictures |= {
        f"assets/pictures/{name}.webp": make() for name, make in registry.pictures().items()
    }
    written = {name: text.encode() for name, text in made.items()}
    return written | pictures | page_data.files() | dict([wheel.file()])
