"""Seeded faults: one wrong line each, planted in a copy of the tree, and the tests that must see it.

`make faults` plants every entry of tests/seeded/*.toml in turn and runs the tests it names until one
fails. What failed is run again on the sound tree and must pass there, so that a test which fails
anyway catches nothing. The checkout itself is never changed. What was seen is kept in
.cache/faults.json: a run that was broken off goes on, and an entry runs again when it, the file it
spoils or one of its tests has changed. `python -m tests.faults NAME ...` runs some of them anew.
FAULT_WORKERS says how many run side by side.
"""

import hashlib
import json
import os
import queue
import re
import shutil
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
SEEN = ROOT / ".cache" / "faults.json"
WORKERS = int(os.environ.get("FAULT_WORKERS", "2"))
# Not part of a tree, or too large to copy: what tests need of it is linked.
LEFT_OUT = (
    ".git",
    ".cache",
    ".pytest_cache",
    ".mypy_cache",
    ".ruff_cache",
    ".hypothesis",
    "__pycache__",
)
LINKED = (".venv", "node_modules")
# mkdocs copies these into the site as they are.
COPIED = ("docs/javascripts/", "docs/stylesheets/")
# Changed, these need no new build: tests read them where they stand.
UNBUILT = (*COPIED, "tests/", "vitattn_core/")
BUILD = (("-m", "figures_src"), ("-m", "mkdocs", "build", "--strict", "--quiet"))


@dataclass(frozen=True)
class Fault:
    """A line of a file, what it becomes, and the test files of which one must fail then."""

    name: str
    file: str
    old: str
    new: str
    caught_by: tuple[str, ...]

    def key(self, root: Path) -> str:
        """What an answer depends on: the file, its tests, and what those read of the tests' folder."""
        paths = {root / path for path in (self.file, *self.caught_by)}
        for test in self.caught_by:
            text = (root / test).read_text("utf-8")
            for package, names in re.findall(r"^from (tests[\w.]*) import ([\w, ]+)", text, re.M):
                folder = root / package.replace(".", "/")
                read = {
                    folder.with_suffix(".py"),
                    *(folder / f"{n.strip()}.py" for n in names.split(",")),
                }
                paths |= {path for path in read if path.is_file()}
        content = [path.read_bytes() for path in sorted(paths)]
        return hashlib.sha256(b"\0".join([repr(asdict(self)).encode(), *content])).hexdigest()

    def steps(self, root: Path) -> tuple[tuple[str, ...], ...]:
        """What must be built anew for its tests to see it: nothing, the figures, or the site too."""
        if self.file.startswith(UNBUILT):
            return ()
        tests = [(root / path).read_text(encoding="utf-8") for path in self.caught_by]
        if any("browser/" in path for path in self.caught_by) or any(
            re.search(r"\bsite\b", text) for text in tests
        ):
            return BUILD
        figures = any(re.search(r"\b(build|manifest)\b", text) for text in tests)
        return BUILD[:1] if figures else ()


def load(folder: Path = ROOT / "tests" / "seeded") -> list[Fault]:
    """All entries, in the order of files and lines."""
    return [
        Fault(**{**entry, "caught_by": tuple(entry["caught_by"])})
        for path in sorted(folder.glob("*.toml"))
        for entry in tomllib.loads(path.read_text(encoding="utf-8")).get("fault", [])
    ]


def wrong(faults: list[Fault], root: Path = ROOT) -> list[str]:
    """What keeps entries from being planted, or makes them say nothing."""
    found = [f"{name}: {n} entries" for name, n in Counter(f.name for f in faults).items() if n > 1]
    for fault in faults:
        path = root / fault.file
        count = path.read_text(encoding="utf-8").count(fault.old) if path.is_file() else 0
        if count != 1:
            found.append(f"{fault.name}: {fault.file} has {count} of {fault.old!r}, takes 1")
        if "\n" in fault.old or fault.old == fault.new:
            found.append(f"{fault.name}: takes one line and another one for it")
        found += [f"{fault.name}: no {t}" for t in fault.caught_by if not (root / t).is_file()]
        if not fault.caught_by:
            found.append(f"{fault.name}: names no test")
    return found


class Tree:
    """A copy of the tree, in which one fault at a time is planted and taken out."""

    def __init__(self, root: Path, folder: Path) -> None:
        self.folder, self.built = folder / "tree", folder / "built"
        shutil.copytree(root, self.folder, ignore=shutil.ignore_patterns(*LEFT_OUT, *LINKED))
        for name in LINKED:
            if (root / name).exists():
                (self.folder / name).symlink_to((root / name).resolve())
        for name in ("build", "site"):
            if (root / name).is_dir():
                shutil.copytree(root / name, self.built / name)

    def _python(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        settings = {"PYTHONDONTWRITEBYTECODE": "1", "OPENBLAS_NUM_THREADS": "1", "CI": "true"}
        outside = {k: v for k, v in os.environ.items() if not k.startswith(("PYTEST_", "SITE"))}
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=self.folder,
            env=outside | settings | {"NO_MKDOCS_2_WARNING": "1"},
            capture_output=True,
            text=True,
            check=False,
        )

    def _tests(self, fault: Fault, cache: str, *options: str) -> subprocess.CompletedProcess[str]:
        return self._python(
            "-m", "pytest", "-x", "-q", "-o", f"cache_dir={cache}", *options, *fault.caught_by
        )

    def _write(self, fault: Fault, text: str) -> None:
        (self.folder / fault.file).write_text(text, encoding="utf-8")
        if fault.file.startswith(COPIED) and (self.folder / "site").is_dir():
            shutil.copy(
                self.folder / fault.file, self.folder / "site" / fault.file.removeprefix("docs/")
            )

    def _mend_built(self) -> None:
        for name in ("build", "site"):
            shutil.rmtree(self.folder / name, ignore_errors=True)
            if (self.built / name).is_dir():
                shutil.copytree(self.built / name, self.folder / name)

    def try_(self, fault: Fault) -> str:
        """Plant a fault, run its tests, take it out: "caught", "caught by the build", or what is amiss."""
        sound = (self.folder / fault.file).read_text(encoding="utf-8")
        steps = fault.steps(self.folder)
        with tempfile.TemporaryDirectory() as cache:
            self._write(fault, sound.replace(fault.old, fault.new))
            try:
                if any(self._python(*step).returncode for step in steps):
                    return "caught by the build"
                done = self._tests(fault, cache)
            finally:
                self._write(fault, sound)
                if steps:
                    self._mend_built()
            if done.returncode == 0:
                return "survived"
            if done.returncode not in (1, 2):  # 1: a test failed, 2: one could not be read
                return f"its tests did not run: {done.stdout[-2000:]}{done.stderr[-2000:]}"
            again = self._tests(fault, cache, "--last-failed")
            if again.returncode == 0:
                return "caught"
            return f"what failed fails without the fault too: {again.stdout[-2000:]}"


def run(faults: list[Fault], *, root: Path = ROOT, seen: Path = SEEN, anew: bool = False) -> int:
    """Try those that have no answer yet; print each; return how many are not caught."""
    known: dict[str, str] = json.loads(seen.read_text()) if seen.is_file() and not anew else {}
    left = [fault for fault in faults if fault.key(root) not in known]
    print(
        f"{len(faults)} seeded faults, {len(faults) - len(left)} of them caught in an earlier run"
    )
    amiss = []
    with tempfile.TemporaryDirectory(prefix="faults-") as scratch:
        trees: queue.Queue[Tree] = queue.Queue()
        for n in range(min(WORKERS, len(left))):
            trees.put(Tree(root, Path(scratch) / str(n)))

        def answer(fault: Fault) -> tuple[str, float]:
            tree, start = trees.get(), time.monotonic()
            try:
                return tree.try_(fault), time.monotonic() - start
            finally:
                trees.put(tree)

        with ThreadPoolExecutor(WORKERS) as pool:
            for fault, (found, seconds) in zip(left, pool.map(answer, left), strict=True):
                print(f"{seconds:5.0f} s  {fault.name}: {found}", flush=True)
                if found.startswith("caught"):
                    known[fault.key(root)] = f"{fault.name}: {found}"
                    seen.parent.mkdir(parents=True, exist_ok=True)
                    seen.write_text(json.dumps(known, indent=1))
                else:
                    amiss.append(fault.name)
    if amiss:
        print(f"not caught: {', '.join(amiss)}")
    return len(amiss)


def main(names: list[str]) -> int:
    faults = load()
    unknown = set(names) - {fault.name for fault in faults}
    if found := wrong(faults) + [f"{name}: no entry of this name" for name in sorted(unknown)]:
        print("\n".join(found))
        return 1
    asked = [fault for fault in faults if not names or fault.name in names]
    return min(1, run(asked, anew=bool(names)))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
