"""Whether `build/` still is what the sources draw: then nothing has to be computed again.

The stamp is a file in `build/` with the digest of all that a drawing depends on (the source files, the
version of Python and the lock of the packages) and the digest of each file that was made. A figure
that takes no input but these comes out the same, byte for byte (tests/project/test_places.py), so equal
digests mean equal files. `python -m figures_src --check` does not look at the stamp: it draws.
"""

import hashlib
import json
import sys
from pathlib import Path

from figures_src.save import held

NAME = ".stamp.json"  # hidden, so that the site does not publish it
ROOT = Path(__file__).resolve().parents[1]
# What a drawing reads, and it alone: what is made by hand is read where it is committed.
READ = ("vitattn_core", "figures_src", "docs/javascripts", "docs/assets/take")
READ_FILES = ("requirements-docs.txt", "pyproject.toml", "LICENSE")
NOT_READ = ("__pycache__", "by_hand")


def sources(root: Path = ROOT) -> str:
    """Return the digest of what a drawing depends on, in hexadecimal digits."""
    seen = hashlib.sha256(sys.version.encode())
    files = [
        *(root / name for name in READ_FILES),
        *(p for room in READ for p in (root / room).rglob("*")),
    ]
    for path in sorted(files):
        if is_source(path) and not any(part in NOT_READ for part in path.relative_to(root).parts):
            seen.update(f"\n{path.relative_to(root).as_posix()}\n".encode())
            seen.update(path.read_bytes())
    return seen.hexdigest()


def is_source(path: Path) -> bool:
    """Return whether a path is a file of ours: no lock, backup or swap file that an editor leaves.

    A lock of Emacs is a link to nothing, named `.#grid.py`: who opens it gets an error.
    """
    return path.is_file() and not path.name.startswith((".", "#")) and not path.name.endswith("~")


def stamp(files: dict[str, bytes], root: Path = ROOT) -> bytes:
    """Return the stamp of these files (name: content), drawn from the sources at `root`."""
    made = {name: hashlib.sha256(content).hexdigest() for name, content in files.items()}
    told = {"sources": sources(root), "files": made}
    return (json.dumps(told, indent=1, sort_keys=True) + "\n").encode()


def is_current(folder: Path, root: Path = ROOT) -> bool:
    """Return whether `folder` holds exactly what its stamp names, drawn from the sources at `root`."""
    path = folder / NAME
    if not path.is_file():
        return False
    try:
        told = json.loads(path.read_text(encoding="utf-8"))
        drawn, made = told["sources"], told["files"]
    except (ValueError, KeyError, TypeError):
        return False
    there = held(folder)
    if there.pop(NAME, None) != path or set(there) != set(made):
        return False
    try:
        same = all(_digest(file) == made[name] for name, file in there.items())
    except FileNotFoundError:  # a run beside this one has just replaced what was there
        return False
    return same and drawn == sources(root)


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
