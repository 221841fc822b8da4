"""python -m figures_src: the same bytes everywhere, only what changed is written, and it follows the core."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from figures_src import stamp
from figures_src.save import save

ROOT = Path(__file__).resolve().parents[2]


def draw(into: Path, root: Path = ROOT, **environment: str) -> str:
    made = subprocess.run(
        [sys.executable, "-m", "figures_src", "--into", str(into)],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root), **environment},
        check=True,
        capture_output=True,
        text=True,
    )
    return made.stdout


def contents(folder: Path) -> dict[str, bytes]:
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


def test_bytes_are_the_same_under_another_hash_seed_and_time_zone(tmp_path: Path) -> None:
    draw(tmp_path / "a", PYTHONHASHSEED="1", TZ="Pacific/Kiritimati", LC_ALL="C")
    draw(tmp_path / "b", PYTHONHASHSEED="2", TZ="America/New_York", LC_ALL="C.UTF-8")
    first, second = contents(tmp_path / "a"), contents(tmp_path / "b")
    assert {"manifest.json", "player.html", "assets/tokens.css", "assets/teaching.js"} <= set(first)
    assert first == second


def test_a_second_run_changes_nothing(tmp_path: Path) -> None:
    assert "changed" in draw(tmp_path / "build")
    times = {path: path.stat().st_mtime_ns for path in (tmp_path / "build").rglob("*")}
    assert "no change" in draw(tmp_path / "build")
    assert times == {path: path.stat().st_mtime_ns for path in (tmp_path / "build").rglob("*")}


def test_what_was_drawn_from_these_sources_is_not_drawn_again(tmp_path: Path) -> None:
    root, into = tmp_path / "project", tmp_path / "build"
    for room in stamp.READ:
        (root / room).mkdir(parents=True)
        (root / room / "a.py").write_text("1", encoding="utf-8")
    (root / "requirements-docs.txt").write_text("numpy", encoding="utf-8")

    def make() -> None:
        files = {"a": b"1", "b/c": b"2"}
        save(files | {stamp.NAME: stamp.stamp(files, root)}, into)

    assert not stamp.is_current(into, root)
    make()
    assert stamp.is_current(into, root)
    for changed, text in [
        *((root / room / "a.py", "2") for room in stamp.READ),
        *((root / room / "new.bin", "2") for room in stamp.READ),
        (root / "requirements-docs.txt", "numpy 2"),
        (into / "a", "3"),
        (into / "left-over", "4"),
        (into / stamp.NAME, "{}"),
        (into / stamp.NAME, "no stamp"),
    ]:
        changed.write_text(text, encoding="utf-8")
        assert not stamp.is_current(into, root), changed
        make()
        assert stamp.is_current(into, root), changed
    (into / "b" / "c").unlink()
    assert not stamp.is_current(into, root)


def test_the_stamp_covers_whatever_a_drawing_reads(tmp_path: Path) -> None:
    """In a copy of the project that holds what the stamp covers and nothing else, it draws the same."""
    for room in stamp.READ:
        without = shutil.ignore_patterns("__pycache__")
        shutil.copytree(ROOT / room, tmp_path / room, ignore=without)
    shutil.copy(ROOT / "requirements-docs.txt", tmp_path)
    draw(tmp_path / "alone", tmp_path)
    draw(tmp_path / "here")
    assert contents(tmp_path / "alone") == contents(tmp_path / "here")


def test_save_replaces_what_differs_and_removes_what_is_left_over(tmp_path: Path) -> None:
    assert save({"a": b"1", "b/c": b"2"}, tmp_path) == ["a", "b/c"]
    assert save({"a": b"1", "b/c": b"3"}, tmp_path) == ["b/c"]
    assert save({"a": b"1"}, tmp_path) == ["b/c"]
    assert contents(tmp_path) == {"a": b"1"}


@pytest.mark.parametrize(
    ("before", "after"),
    [("TURN = 4.0, 4.0, 20.0", "TURN = 4.0, 4.0, 21.0"), ('{"light": 1.5},', '{"light": 1.6},')],
)
def test_changing_one_number_of_the_weights_changes_the_figures(
    tmp_path: Path, before: str, after: str
) -> None:
    for room in stamp.READ:
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "requirements-docs.txt", tmp_path)
    source = tmp_path / "vitattn_core" / "teaching.py"
    text = source.read_text(encoding="utf-8")
    assert text.count(before) == 1
    source.write_text(text.replace(before, after), encoding="utf-8")
    draw(tmp_path / "changed", tmp_path)
    draw(tmp_path / "same")
    changed, same = contents(tmp_path / "changed"), contents(tmp_path / "same")
    for name in ("player.html", "assets/teaching.js"):
        assert changed[name] != same[name], name
    facts = [json.loads(made["manifest.json"])["facts"] for made in (changed, same)]
    moved = [key for key in facts[0] if facts[0][key] != facts[1][key]]
    assert moved, "no quoted number follows the weights"
    assert all(facts[1][key]["origin"] == "teaching" for key in moved)


def test_check_tells_a_stale_build(tmp_path: Path) -> None:
    draw(tmp_path / "build")
    command = [sys.executable, "-m", "figures_src", "--check", "--into", str(tmp_path / "build")]
    assert subprocess.run(command, cwd=ROOT, check=False).returncode == 0
    (tmp_path / "build" / "player.html").write_text("old")
    stale = subprocess.run(command, cwd=ROOT, check=False, capture_output=True, text=True)
    assert stale.returncode == 1
    assert "player.html" in stale.stderr
    assert (tmp_path / "build" / "player.html").read_text() == "old"
