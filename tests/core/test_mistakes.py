"""The list of mistakes: one line each, and a copy of the core in which it is made."""

import shutil
from pathlib import Path

import numpy as np
import pytest

import vitattn_core
from tests.built import ROOT
from vitattn_core import mistakes
from vitattn_core.mistakes import MISTAKES, WHAT_IFS, core_with, write_core


def test_the_list():
    assert len(MISTAKES) >= 11
    for mistake in MISTAKES.values():
        assert mistake.short and len(mistake.short) <= 18  # it stands in a narrow table
        assert mistake.title
        assert mistake.damage.endswith(".")
        assert mistake.report is None or mistake.report.count("#") == 1
    assert len({mistake.title for mistake in MISTAKES.values()}) == len(MISTAKES)
    assert len({mistake.short for mistake in MISTAKES.values()}) == len(MISTAKES)


@pytest.mark.parametrize("id", [*MISTAKES, *WHAT_IFS])
def test_a_mistake_is_one_line_of_the_core(id, tmp_path):
    change = (MISTAKES | WHAT_IFS)[id]
    right = (ROOT / "vitattn_core" / f"{change.module}.py").read_text(encoding="utf-8")
    wrong = (write_core(tmp_path, [change]) / f"{change.module}.py").read_text(encoding="utf-8")
    lines = zip(right.splitlines(), wrong.splitlines(), strict=True)
    assert [(a.count(change.right), b.count(change.wrong)) for a, b in lines if a != b] == [(1, 1)]
    compile(wrong, id, "exec")


def test_a_copy_makes_the_mistake_and_the_core_does_not():
    row = [0.5, 0.05, 0.1, 0.15, 0.2]
    core = core_with("offset")
    np.testing.assert_array_equal(core.Grid(2, 2, 1).field(row), [[0.5, 0.05], [0.1, 0.15]])
    right = [[0.05, 0.1], [0.15, 0.2]]
    np.testing.assert_array_equal(vitattn_core.Grid(2, 2, 1).field(row), right)
    np.testing.assert_array_equal(core_with().Grid(2, 2, 1).field(row), right)


def test_a_package_that_may_not_be_written_to_has_copies_that_may(tmp_path, monkeypatch):
    """As another user has it, or a system's package manager; with an editor's lock file in it."""
    source = tmp_path / "vitattn_core"
    shutil.copytree(mistakes._SOURCE, source, ignore=shutil.ignore_patterns("__pycache__"))
    (source / ".#grid.py").symlink_to("nobody@nowhere.1")
    for path in (*source.glob("[!.]*"), source):
        path.chmod(0o555 if path.is_dir() else 0o444)
    monkeypatch.setattr(mistakes, "_SOURCE", source)
    (tmp_path / "copy").mkdir()
    package = write_core(tmp_path / "copy", [MISTAKES["offset"]])
    written = [package, *package.iterdir()]
    assert all(path.stat().st_mode & 0o200 for path in written)  # by its owner, whoever runs this
    assert core_with("one-row").cost.pairs(197) == 197
    source.chmod(0o755)
    assert {path.name for path in package.iterdir()} == {
        path.name for path in source.glob("[!.]*.py") if not path.name.startswith("torch_")
    }


def test_copies_do_not_share_modules():
    one, other = core_with("merge"), core_with("merge")
    assert len({one.attention, other.attention, vitattn_core.attention}) == 3
    assert not Path(one.__file__ or "").exists()  # the copy lives in memory only


def test_two_mistakes_at_once():
    core = core_with("offset", "one-row")
    assert core.cost.pairs(197) == 197
    assert core.Grid(1, 2, 1).field([0.5, 0.2, 0.3]).tolist() == [[0.5, 0.2]]


def test_what_is_no_mistake_is_refused():
    with pytest.raises(KeyError, match="got 'roll-out', takes one of sqrt-model, axis"):
        core_with("roll-out")
    with pytest.raises(ValueError, match=r"attention\.py: .* stands there 0 times, takes 1"):
        core_with("sqrt-model", "no-divisor")
