"""The only place that writes: into `build/`, and only what changed."""

import os
import shutil
import tempfile
import time
from pathlib import Path

BUILD = Path(__file__).resolve().parents[1] / "build"
FRESH = ".new-"  # begins the name of the folder in which a run writes its files before they move
ABANDONED = 3600  # seconds after which such a folder belongs to a run that was stopped


def save(files: dict[str, bytes], folder: Path = BUILD) -> list[str]:
    """Make `folder` hold exactly these files (name: content); return the names that changed.

    A file is replaced in one move, and only if its content differs; others are removed. Each run
    writes under names of its own, so two runs into one folder do not disturb each other.
    """
    changed = [name for name, content in files.items() if not _holds(folder / name, content)]
    if changed:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=FRESH, dir=folder) as fresh:
            for n, name in enumerate(changed):
                (path := folder / name).parent.mkdir(parents=True, exist_ok=True)
                temporary = Path(fresh) / str(n)
                temporary.write_bytes(files[name])
                temporary.replace(path)
    for name in sorted(held(folder).keys() - files.keys()):
        (folder / name).unlink(missing_ok=True)  # another run may have been here first
        changed.append(name)
    for left in folder.glob(f"{FRESH}*"):
        if _age(left) > ABANDONED:
            shutil.rmtree(left, ignore_errors=True)
    return changed


def held(folder: Path) -> dict[str, Path]:
    """Return what stands in a folder by name, but for what a run beside this one writes just now."""
    contents = {}
    for place, rooms, names in os.walk(
        folder
    ):  # passes over a folder that is gone when it comes there
        rooms[:] = [room for room in rooms if not room.startswith(FRESH)]
        for path in (Path(place, name) for name in names):
            contents[path.relative_to(folder).as_posix()] = path
    return contents


def _holds(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


def _age(path: Path) -> float:
    try:
        return time.time() - path.stat().st_mtime
    except FileNotFoundError:  # its run has just ended
        return 0
