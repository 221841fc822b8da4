"""What takes long and follows from its inputs alone is kept from build to build, under their digest."""

import hashlib
import json
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
CACHE = ROOT / ".cache"


def digest(inputs: Iterable[str | bytes]) -> str:
    """Return what stands for all inputs; each counts with its length: none runs into the next."""
    seen = hashlib.sha256()
    for one in inputs:
        content = one.encode() if isinstance(one, str) else one
        seen.update(f"{len(content)}\n".encode())
        seen.update(content)
    return seen.hexdigest()[:24]


def kept(room: str, key: str, make: Callable[[], Any], folder: Path = CACHE) -> Any:
    """Return what `make` gave for this key before, or gives now; it is whatever JSON can hold.

    A folder that cannot be written keeps nothing, and a file that was broken off is made anew.
    """
    path = folder / room / f"{key}.json"
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        made = make()
    fresh = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh.write_text(json.dumps(made), encoding="utf-8")
        fresh.replace(path)  # in one move: a build beside this one reads all of it or nothing
    except OSError:
        pass
    return made
