"""Tests of the tests: each known mistake, put into the core, makes at least one other test fail.

A copy of the core with one line swapped and a copy of its quick tests run in a folder of their
own. No test is picked for a mistake by hand: all of them run, until one fails.
"""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.built import ROOT
from vitattn_core.mistakes import MISTAKES, write_core

QUICK = ("grid", "cost", "patches", "masks", "attention", "block", "interventions", "checks")


def run_quick_tests(folder: Path, *ids: str) -> subprocess.CompletedProcess[str]:
    """Run the quick tests on a copy of the core with these mistakes in it."""
    write_core(folder, [MISTAKES[id] for id in ids])
    (folder / "tests" / "core").mkdir(parents=True)
    for name in ("strategies", *(f"test_{name}" for name in QUICK)):
        shutil.copy(ROOT / "tests" / "core" / f"{name}.py", folder / "tests" / "core")
    (folder / "pytest.ini").write_text("[pytest]\n")  # the folder is a project of its own
    settings = {"VITATTN_EXAMPLES": "8", "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    outside = {k: v for k, v in os.environ.items() if not k.startswith(("PYTHONPATH", "PYTEST_"))}
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "tests"],
        cwd=folder,
        env=outside | settings,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize("id", MISTAKES)
def test_a_mistake_makes_a_test_fail(tmp_path: Path, id: str) -> None:
    done = run_quick_tests(tmp_path, id)
    assert done.returncode == 1, done.stdout + done.stderr  # 1: tests failed; 2 to 5: none ran
    assert re.search(r"\b1 failed\b", done.stdout), done.stdout
    assert not re.search(r"\b\d+ errors?\b", done.stdout), done.stdout


def test_without_a_mistake_the_same_tests_pass(tmp_path: Path) -> None:
    done = run_quick_tests(tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr
    passed = re.search(r"\b(\d+) passed\b", done.stdout)
    assert passed
    assert int(passed[1]) > 100
