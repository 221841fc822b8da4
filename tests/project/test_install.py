"""`pip install .` takes the core and its licence, and leaves the checkout as it was.

Without network: the wheel is built by the backend that stands in the lock of the tests. It is used in an
environment of its own that has NumPy and no torch, from an empty folder.
"""

import os
import shutil
import subprocess
import sys
import sysconfig
import venv
from email.parser import Parser
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest

from tests.built import ROOT


class Installed(NamedTuple):
    """An environment with the core: its Python, its packages, and the checkout before and after."""

    python: Path
    packages: Path
    before: dict[str, tuple[int, int]]
    after: dict[str, tuple[int, int]]


def listing(folder: Path) -> dict[str, tuple[int, int]]:
    """Every file and folder with its size and its time: what is written shows, and what is removed."""
    found = {}
    for path in sorted(folder.rglob("*")):
        told = path.lstat()
        found[str(path.relative_to(folder))] = (told.st_size, told.st_mtime_ns)
    return found


def bare(folder: Path) -> tuple[Path, Path]:
    """An environment with NumPy from here and nothing else: its Python, its packages."""
    venv.create(folder, symlinks=os.name != "nt")
    scheme = {"base": str(folder), "platbase": str(folder)}
    packages = Path(sysconfig.get_path("purelib", "venv", scheme))
    for part in Path(np.__file__).parents[1].glob("numpy*"):
        (packages / part.name).symlink_to(part)
    python = Path(sysconfig.get_path("scripts", "venv", scheme)) / Path(sys.executable).name
    return python, packages


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    """From a checkout that cannot be written to and has been built in: `build/` is there too."""
    folder = tmp_path_factory.mktemp("install")
    checkout = folder / "a checkout"
    for name in ("vitattn_core", "figures_src"):
        shutil.copytree(ROOT / name, checkout / name, ignore=shutil.ignore_patterns("captures"))
    for name in ("pyproject.toml", "LICENSE", "NOTICE", "README.md", ".gitignore", "conftest.py"):
        shutil.copy(ROOT / name, checkout)
    (checkout / "build" / "lib" / "other").mkdir(parents=True)
    (checkout / "build" / "lib" / "other" / "__init__.py").write_text("not of the core\n")
    paths = [checkout, *checkout.rglob("*")]
    before = listing(checkout)
    for path in paths:
        path.chmod(path.stat().st_mode & ~0o222)
    python, packages = bare(folder / "environment")
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--no-cache-dir", "install"]
    offline = ["--no-index", "--no-build-isolation", "--no-deps", "--no-compile"]
    done = subprocess.run(
        [*pip, *offline, "--target", str(packages), str(checkout)],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    for path in paths:
        path.chmod(path.stat().st_mode | 0o200)
    assert done.returncode == 0, done.stdout + done.stderr
    return Installed(python, packages, before, listing(checkout))


def run(installed: Installed, code: str, cwd: Path) -> str:
    done = subprocess.run(
        [installed.python, "-I", "-W", "error", "-c", code],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_the_checkout_stays_as_it_was(installed: Installed) -> None:
    assert installed.after == installed.before
    assert "vitattn_core/attention.py" in installed.before


def test_the_core_and_its_licence_are_installed_and_nothing_else(installed: Installed) -> None:
    here = {p.name for p in installed.packages.iterdir() if not p.name.startswith("numpy")}
    (about,) = (name for name in here if name.endswith(".dist-info"))
    assert here == {"vitattn_core", about}
    modules = {path.name for path in (installed.packages / "vitattn_core").iterdir()}
    assert modules == {path.name for path in (ROOT / "vitattn_core").glob("*.py")}
    licence = installed.packages / about / "licenses" / "LICENSE"
    assert licence.read_bytes() == (ROOT / "LICENSE").read_bytes()
    metadata = Parser().parsestr((installed.packages / about / "METADATA").read_text("utf-8"))
    told = {name: metadata[name] for name in ("Name", "License-Expression", "Requires-Python")}
    assert told == {
        "Name": "vitattn-core",
        "License-Expression": "MIT",
        "Requires-Python": ">=3.11",
    }
    assert metadata["Version"] and metadata["Summary"] and metadata.get_payload()
    (needs,) = metadata.get_all("Requires-Dist") or []
    assert needs.startswith("numpy")


def test_it_runs_from_an_empty_folder_without_torch(installed: Installed, tmp_path: Path) -> None:
    code = """
import sys, importlib.util
import numpy as np
import vitattn_core as core
assert importlib.util.find_spec("torch") is None
assert "packages" in core.__file__, core.__file__
output, weights = core.attention(np.zeros((2, 2)), np.eye(2), np.array([[10.0, 0], [20, 6]]))
print(output.tolist(), core.model_macs(core.Grid(224, 224, 16), width=768, depth=12, classes=1000))
print(core.core_with("keys-mixed").__name__ != "vitattn_core", core.outcome("parity", "merge"))
"""
    assert run(installed, code, tmp_path).split("\n")[:2] == [
        "[[15.0, 3.0], [15.0, 3.0]] 17563828224",
        "True caught",
    ]
    assert list(tmp_path.iterdir()) == []
