"""make elsewhere: the site built in unusual places, compared file by file. Prints a table.

    python -m tests.elsewhere [PLACE ...]                  all places, or those that are named
    python -m tests.elsewhere --against site [PLACE ...]   compared with a site that is built already

Each place is a fresh copy of the committed files with its own environment, built by `make docs`, as a
reader would. Without --against the first is a plain one; every other must give the same bytes.
Between versions of Python, compressed files are compared after decompression, and of notebooks'
pages all but what the kernel reports of itself. Takes about two minutes a place. Not part of `make test`.
"""

import argparse
import gzip
import hashlib
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
NOBODY = 65534
DAY = 1_000_000_000  # 2001-09-09; `faketime`, where it is installed, moves the clock itself
PYTHONS = ("3.11", "3.12", "3.13")


@dataclass(frozen=True)
class Place:
    """Where and how the site is built: the folder's name, variables, before the command, the Python."""

    name: str
    says: str
    folder: str = "vitattn"
    variables: dict[str, str] = field(default_factory=dict)
    before: tuple[str, ...] = ()
    python: str = sys.executable
    owner: int | None = None


def places() -> tuple[list[Place], list[str]]:
    """Return the places that this machine has, and a sentence for each that it has not."""
    found, missing = [Place("plain", "an archive without version control, this Python")], []
    spaces = "a path with spaces and letters beyond ASCII"
    found.append(Place("path", spaces, "Señor Müller’s 図 folder"))
    found.append(Place("locale", "LC_ALL=C, without UTF-8 mode", variables={"LC_ALL": "C"}))
    day = {"TZ": "Pacific/Kiritimati", "SOURCE_DATE_EPOCH": str(DAY)}
    faked = ("faketime", f"@{DAY}") if shutil.which("faketime") else ()
    clock = "the clock set to 2001" if faked else "SOURCE_DATE_EPOCH of 2001, no faketime here"
    found.append(Place("day", f"{day['TZ']}, {clock}", variables=day, before=faked))
    if os.name == "posix" and os.getuid() == 0 and shutil.which("setpriv"):
        who = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups")
        readable = next((p for p in ("/usr/bin/python3", sys.executable) if _may_all_run(p)), None)
        if readable:
            other = "another user, without a home folder"
            found.append(Place("user", other, before=who, owner=NOBODY, python=readable))
        else:
            missing.append("user: no Python that another user may run")
    else:
        missing.append("user: needs root and setpriv")
    for version in PYTHONS:
        python = _python(version)
        if python is None:
            missing.append(f"python{version}: not installed")
        elif _same_version(python, sys.executable):
            missing.append(f"python{version}: the version of this one, see plain")
        else:
            found.append(Place(f"python{version}", f"Python {version}", python=python))
    return found, missing


def _may_all_run(python: str) -> bool:
    """Return whether another user may run this Python, it is new enough, and it can make a venv."""
    command = ("setpriv", f"--reuid={NOBODY}", f"--regid={NOBODY}", "--clear-groups", python)
    code = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))"
    return subprocess.run([*command, "-c", code], check=False, capture_output=True).returncode == 0


def _same_version(one: str, other: str) -> bool:
    return _version(one) == _version(other)


def _version(python: str) -> str:
    code = "import sys; print(*sys.version_info[:2], sep='.')"
    return subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout


def _python(version: str) -> str | None:
    """Return a Python of this version: on PATH, or one that pyenv keeps and `pyenv global` hides."""
    kept = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv")) / "versions"
    every = [str(path) for path in sorted(kept.glob(f"{version}.*/bin/python3"))]
    for python in (shutil.which(f"python{version}"), *every):
        if python is None:
            continue
        minor = version.partition(".")[2]
        code = f"import sys, venv, ensurepip; sys.exit(sys.version_info[:2] != (3, {minor}))"
        if subprocess.run([python, "-c", code], check=False, capture_output=True).returncode == 0:
            return python
    return None


def archive(folder: Path, commit: str) -> None:
    """Unpack the files of a commit there, as `git archive` gives them: no .git, nothing that was made."""
    folder.mkdir(parents=True)
    packed = folder.parent / "archive.tar"
    with packed.open("wb") as file:
        subprocess.run(["git", "archive", commit], cwd=ROOT, stdout=file, check=True)
    with tarfile.open(packed) as opened:
        opened.extraction_filter = getattr(tarfile, "data_filter", None)  # since Python 3.11.4
        opened.extractall(folder)
    packed.unlink()


def build(place: Place, folder: Path, commit: str) -> str | None:
    """Build the site in a copy of its own; return None, or the end of what it said."""
    home = folder / place.folder
    archive(home, commit)
    environment = {
        **{name: text for name, text in os.environ.items() if name not in ("PYTHONPATH", "LANG")},
        "PYTHONUTF8": "0",
        **place.variables,
    }
    if place.owner is not None:
        environment["HOME"] = str(folder / "home")  # which is not there
    for name in ("MAKEFLAGS", "MAKELEVEL", "MFLAGS", "VIRTUAL_ENV"):
        environment.pop(name, None)
    if place.owner is not None:
        for path in (folder, *folder.rglob("*")):
            os.chown(path, place.owner, place.owner, follow_symlinks=False)
    done = subprocess.run(
        [*place.before, "make", "docs", f"PY={place.python}"],
        cwd=home,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        check=False,
    )
    return None if done.returncode == 0 else done.stdout.decode(errors="replace")[-2000:]


def digests(site: Path, reading: Callable[[Path], bytes] = Path.read_bytes) -> dict[str, str]:
    """Return the digest of each file of a site by name."""
    files = (path for path in sorted(site.rglob("*")) if path.is_file())
    return {
        path.relative_to(site).as_posix(): hashlib.sha256(reading(path)).hexdigest()
        for path in files
    }


def loosely(path: Path) -> bytes:
    """Return what must be the same between versions of Python: unpacked, less the kernel's version."""
    content = path.read_bytes()
    if path.suffix == ".gz":
        return gzip.decompress(content)
    if path.parent.name == "notebooks" and path.suffix in (".html", ".ipynb"):
        return re.sub(rb'("version": )?"3\.\d+\.\d+"', b"", content)
    return content


def main() -> None:
    """Build in each place, print the table, and end with 1 where a site differs."""
    parser = argparse.ArgumentParser(prog="python -m tests.elsewhere", description=__doc__)
    parser.add_argument("places", nargs="*", help="names of places; none: all")
    parser.add_argument("--against", type=Path, help="a site of the same commit to compare with")
    options = parser.parse_args()
    asked, against = options.places, options.against
    every, missing = places()
    if unknown := set(asked) - {place.name for place in every}:
        known = f"there are {', '.join(place.name for place in every)}"
        absent = "".join(f"not here: {sentence}\n" for sentence in missing)
        parser.exit(2, f"elsewhere: no place {', '.join(sorted(unknown))}: {known}\n{absent}")
    first = [] if against else ["plain"]
    chosen = [place for place in every if not asked or place.name in (*asked, *first)]
    plain = digests(against) if against else {}
    plain_loosely = digests(against, loosely) if against else {}
    if against and not plain:
        parser.exit(2, f"elsewhere: {against} holds no site: run make docs\n")
    # One commit for all places, whatever is committed meanwhile.
    named = ("git", "rev-parse", "HEAD")
    commit = subprocess.run(
        named, cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout.strip()
    failed = False
    print(f"{'place':11} {'result':34} {'seconds':>7}  how")
    for place in chosen:
        with tempfile.TemporaryDirectory(prefix="va-") as scratch:
            folder = Path(scratch)
            folder.chmod(0o755)
            begun = time.monotonic()
            wrong = build(place, folder, commit)
            seconds = time.monotonic() - begun
            site = folder / place.folder / "site"
            found, found_loosely = digests(site), digests(site, loosely)
        if place.name == "plain" and not against:
            plain, plain_loosely = found, found_loosely
        other_python = place.name.startswith("python")
        one, two = (found_loosely, plain_loosely) if other_python else (found, plain)
        differing = sorted(
            name for name in one.keys() | two.keys() if one.get(name) != two.get(name)
        )
        files = f"{len(found)} files"
        result = (
            "did not build"
            if wrong
            else f"{files}, {len(differing)} differ: {', '.join(differing[:3])}"
            if differing
            else f"{files}, the same"
        )
        failed |= bool(wrong or differing)
        print(f"{place.name:11} {result:34} {seconds:7.0f}  {place.says}", flush=True)
        if wrong:
            print(wrong)
    for sentence in missing:
        print(f"not tried: {sentence}")
    sys.exit(failed)


if __name__ == "__main__":
    main()
