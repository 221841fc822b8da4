"""The files to take away, by name: what `python -m figures_src` writes and the site links."""

from vitattn_core import STAGES

from . import moving, sheet

FOLDER = "assets/take"
MOST = 60_000  # bytes of a file, so that it can be sent around; a test holds it


def still(stage_id: str) -> str:
    """Return where a stage's picture stands."""
    return f"{FOLDER}/{stage_id}.svg"


def chapter(stage_id: str) -> str:
    """Return where a stage's moving picture stands."""
    return f"{FOLDER}/{stage_id}-moving.svg"


FILM = f"{FOLDER}/film-moving.svg"


def files() -> dict[str, str]:
    """Return every file: name, text."""
    made = {}
    for entry in STAGES:
        made[still(entry.id)] = sheet.still(entry.id)
        made[chapter(entry.id)] = moving.chapter(entry.id)
    made[FILM] = moving.film()
    return made
