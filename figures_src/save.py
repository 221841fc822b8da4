"""The only place that writes: into `build/`, and only what changed."""

from pathlib import Path

BUILD = Path(__file__).resolve().parents[1] / "build"


def save(files: dict[str, bytes], folder: Path = BUILD) -> list[str]:
    """Make `folder` hold exactly these files (name: content); return the names that changed.

    A file is replaced in one move, and only if its content differs; others are removed.
    """
    changed = []
    for name, content in files.items():
        path = folder / name
        if path.is_file() and path.read_bytes() == content:
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        fresh = path.with_name(path.name + ".new")
        fresh.write_bytes(content)
        fresh.replace(path)
        changed.append(name)
    for path in sorted(folder.rglob("*")):
        if path.is_file() and path.relative_to(folder).as_posix() not in files:
            path.unlink()
            changed.append(path.relative_to(folder).as_posix())
    return changed
