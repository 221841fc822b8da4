"""python -m figures_src: draw everything into build/, from what the core computes."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from figures_src import stamp
from figures_src.publish.page_faults import CodeError, Faults
from figures_src.save import BUILD, save
from figures_src.source_fault import SourceFault, at

DOCS = Path(__file__).resolve().parents[1] / "docs"


def main() -> None:
    """Draw, list, compare or quote; a fault of the sources is told in one sentence."""
    try:
        _run()
    except SourceFault as fault:
        raise SystemExit(f"figures_src: {fault}") from None
    except SyntaxError as error:
        place = at(error.filename or "?", error.lineno or 0)
        line = (error.text or "").strip()
        raise SystemExit(f"figures_src: {place}: no Python: {error.msg}: {line}") from None


def _run() -> None:
    parser = argparse.ArgumentParser(prog="python -m figures_src", description=__doc__)
    parser.add_argument("--list", action="store_true", help="name the plates and what they show")
    parser.add_argument("--check", action="store_true", help="compare with build/, write nothing")
    parser.add_argument("--quote", action="store_true", help="write the current numbers into texts")
    parser.add_argument(
        "--pages", action="store_true", help="tell all faults of all pages, build none"
    )
    parser.add_argument("--into", type=Path, default=BUILD, help="another folder than build/")
    options = parser.parse_args()
    drawing = not (options.list or options.check or options.quote or options.pages)
    if drawing and stamp.is_current(options.into):
        print("figures_src: no change")
        return
    if drawing and not _may_write(options.into):
        parser.exit(
            1,
            f"figures_src: {options.into} cannot be written: draw where you may write, or name another"
            " folder for what is drawn: --into FOLDER\n",
        )
    if options.quote:
        _quote(options.into)
        return
    # All that draws: to see that nothing has changed it is not needed.
    from figures_src import build
    from figures_src.pages.facts import known
    from figures_src.player.registry import plates
    from figures_src.publish import quoted_numbers

    if options.list:
        for name, drawn in plates().items():
            print(
                f"{name:10} {', '.join(drawn.shows):22} {quoted_numbers.plain(drawn.alt, known())}"
            )
        return
    try:
        if options.pages:
            _look(options.into)
            return
        files = build.files()
    except (Faults, CodeError) as error:
        parser.exit(1, f"{error}\n")
    files[stamp.NAME] = stamp.stamp(files)
    if options.check:
        stale = [name for name, content in files.items() if not _same(options.into / name, content)]
        if stale:
            parser.exit(1, f"build/ differs from what the sources draw: {', '.join(stale)}\n")
        return
    changed = save(files, options.into)
    say = f"{len(changed)} files changed in {options.into.name}/" if changed else "no change"
    print(f"figures_src: {say}")


def _quote(into: Path) -> None:
    """Write the current numbers into pages and captions, say where, and draw."""
    from figures_src.pages.facts import known
    from figures_src.publish import captions, quoted_numbers

    numbers = known()
    for change in [*quoted_numbers.rewrite_pages(DOCS, numbers), *captions.rewrite(numbers)]:
        print(f"{change}: read the sentence again", flush=True)
    # In a process of its own: this one has read the captions as they were.
    done = subprocess.run([sys.executable, "-m", "figures_src", "--into", str(into)], check=False)
    sys.exit(done.returncode)


def _look(build: Path) -> None:
    """Tell every fault of every page, as `mkdocs build` does before it builds the first."""
    from figures_src.publish import markup
    from figures_src.publish.checks import pages as check_pages

    try:
        manifest = markup.load_manifest(build)
    except FileNotFoundError as error:
        sys.exit(str(error))
    if found := check_pages.faults(DOCS, manifest, build):
        raise Faults(found)
    print("figures_src: no fault in any page")


def _may_write(folder: Path) -> bool:
    """Return whether the folder, or the nearest one above it that is there, may be written into."""
    there = next(path for path in (folder, *folder.resolve().parents) if path.exists())
    return os.access(there, os.W_OK | os.X_OK)


def _same(path: Path, content: bytes) -> bool:
    return path.is_file() and path.read_bytes() == content


if __name__ == "__main__":
    main()
