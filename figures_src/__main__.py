"""python -m figures_src: draw everything into build/, from what the core computes."""

import argparse
import os
from pathlib import Path

from . import stamp
from .save import BUILD, save
from .source_fault import SourceFault

DOCS = Path(__file__).resolve().parents[1] / "docs"


def main() -> None:
    """Draw, list, compare or quote; a fault of the sources is told in one sentence."""
    try:
        _run()
    except SourceFault as fault:
        raise SystemExit(f"figures_src: {fault}") from None


def _run() -> None:
    parser = argparse.ArgumentParser(prog="python -m figures_src", description=__doc__)
    parser.add_argument("--list", action="store_true", help="name the plates and what they show")
    parser.add_argument("--check", action="store_true", help="compare with build/, write nothing")
    parser.add_argument("--quote", action="store_true", help="write the current numbers into docs/")
    parser.add_argument("--into", type=Path, default=BUILD, help="another folder than build/")
    options = parser.parse_args()
    if not (options.list or options.check or options.quote) and stamp.is_current(options.into):
        print("figures_src: no change")
        return
    if not (options.list or options.check) and not _may_write(options.into):
        parser.exit(
            1,
            f"figures_src: {options.into} cannot be written: draw where you may write, or name another"
            " folder for what is drawn: --into FOLDER\n",
        )
    from . import build  # all that draws; to see that nothing has changed it is not needed
    from .quotes import rewrite_pages
    from .registry import plates

    if options.list:
        for name, drawn in plates().items():
            print(f"{name:10} {', '.join(drawn.shows):22} {drawn.alt}")
        return
    files = build.files()
    files[stamp.NAME] = stamp.stamp(files)
    if options.check:
        stale = [name for name, content in files.items() if not _same(options.into / name, content)]
        if stale:
            parser.exit(1, f"build/ differs from what the sources draw: {', '.join(stale)}\n")
        return
    if options.quote:
        for change in rewrite_pages(DOCS, build.manifest()["facts"]):
            print(f"{change}: read the sentence again")
    changed = save(files, options.into)
    say = f"{len(changed)} files changed in {options.into.name}/" if changed else "no change"
    print(f"figures_src: {say}")


def _may_write(folder: Path) -> bool:
    """Return whether the folder, or the nearest one above it that is there, may be written into."""
    there = next(path for path in (folder, *folder.resolve().parents) if path.exists())
    return os.access(there, os.W_OK | os.X_OK)


def _same(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


if __name__ == "__main__":
    main()
