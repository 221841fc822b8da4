"""python -m figures_src: draw everything into build/."""

import argparse
from pathlib import Path

from . import build
from .registry import plates
from .save import BUILD, save


def main() -> None:
    """Draw, list or compare; see --help."""
    parser = argparse.ArgumentParser(prog="python -m figures_src", description=__doc__)
    parser.add_argument("--list", action="store_true", help="name the plates and what they show")
    parser.add_argument(
        "--check", action="store_true", help="compare with build/, write nothing there"
    )
    options = parser.parse_args()
    if options.list:
        for name, drawn in plates().items():
            print(f"{name:10} {', '.join(drawn.shows):12} {drawn.alt}")
        return
    if options.check:
        files = build.files()
        stale = [n for n, content in files.items() if not _same(BUILD / n, content)]
        if stale:
            parser.exit(1, f"build/ differs from what the sources draw: {', '.join(stale)}\n")
        return
    changed = save(build.files())
    print(
        f"figures_src: {len(changed)} files changed in build/"
        if changed
        else "figures_src: no change"
    )


def _same(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


if __name__ == "__main__":
    main()
