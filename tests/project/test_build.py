"""python -m figures_src: the same bytes everywhere, only what changed is written, and it follows the core."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from figures_src import build, stamp
from figures_src.__main__ import main
from figures_src.save import BUILD, save

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


def test_a_second_run_writes_nothing_that_is_there_already(tmp_path: Path) -> None:
    folder = tmp_path / "build"
    shutil.copytree(BUILD, folder)
    (folder / stamp.NAME).write_text("{}")  # so that everything is drawn again
    times = {path: path.stat().st_mtime_ns for path in folder.rglob("*") if path.name != stamp.NAME}
    assert "1 files changed" in draw(folder)
    assert "no change" in draw(folder)
    assert times == {path: path.stat().st_mtime_ns for path in times}


def test_what_was_drawn_from_these_sources_is_not_drawn_again(tmp_path: Path) -> None:
    root, into = tmp_path / "project", tmp_path / "build"
    for room in stamp.READ:
        (root / room).mkdir(parents=True)
        (root / room / "a.py").write_text("1", encoding="utf-8")
    for name in stamp.READ_FILES:
        (root / name).write_text("numpy", encoding="utf-8")

    def make() -> None:
        files = {"a": b"1", "b/c": b"2"}
        save(files | {stamp.NAME: stamp.stamp(files, root)}, into)

    assert not stamp.is_current(into, root)
    make()
    assert stamp.is_current(into, root)
    for changed, text in [
        *((root / room / "a.py", "2") for room in stamp.READ),
        *((root / room / "new.bin", "2") for room in stamp.READ),
        *((root / name, "numpy 2") for name in stamp.READ_FILES),
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


def test_save_replaces_what_differs_and_removes_what_is_left_over(tmp_path: Path) -> None:
    assert save({"a": b"1", "b/c": b"2"}, tmp_path) == ["a", "b/c"]
    assert save({"a": b"1", "b/c": b"3"}, tmp_path) == ["b/c"]
    assert save({"a": b"1"}, tmp_path) == ["b/c"]
    assert contents(tmp_path) == {"a": b"1"}


# What a number of the weights reaches: the player, the page's own copy of the weights, quoted numbers.
FOLLOWS = """
import json
from figures_src.pages.facts import known
from figures_src.player import element, page_data
drawn = {"player": element.player(), "teaching": page_data.scripts()["assets/teaching.js"]}
print(json.dumps(drawn | {"facts": known()}))
"""


def followed(root: Path) -> dict[str, Any]:
    """What is drawn of the weights from the sources in a folder."""
    made = subprocess.run(
        [sys.executable, "-c", FOLLOWS],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root)},
        check=True,
        capture_output=True,
        text=True,
    )
    return dict(json.loads(made.stdout))


@pytest.fixture(scope="module")
def as_it_is() -> dict[str, Any]:
    return followed(ROOT)


@pytest.mark.parametrize(
    ("before", "after"),
    [("TURN = 4.0, 4.0, 20.0", "TURN = 4.0, 4.0, 21.0"), ('{"light": 1.5},', '{"light": 1.6},')],
)
def test_changing_one_number_of_the_weights_changes_the_figures(
    tmp_path: Path, as_it_is: dict[str, Any], before: str, after: str
) -> None:
    for room in stamp.READ:
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    source = tmp_path / "vitattn_core" / "teaching.py"
    text = source.read_text(encoding="utf-8")
    assert text.count(before) == 1
    source.write_text(text.replace(before, after), encoding="utf-8")
    changed = followed(tmp_path)
    assert changed["player"] != as_it_is["player"]
    assert changed["teaching"] != as_it_is["teaching"]
    facts = changed["facts"], as_it_is["facts"]
    moved = [key for key in facts[0] if facts[0][key] != facts[1][key]]
    assert moved, "no quoted number follows the weights"
    assert all(facts[1][key]["origin"] == "teaching" for key in moved)


def test_check_tells_a_stale_build(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What would be drawn is what was drawn: the drawing itself is not what is asked about here."""
    folder = tmp_path / "build"
    shutil.copytree(BUILD, folder)
    made = {name: content for name, content in contents(BUILD).items() if name != stamp.NAME}
    monkeypatch.setattr(build, "files", lambda: dict(made))
    monkeypatch.setattr(sys, "argv", ["figures_src", "--check", "--into", str(folder)])
    main()
    (folder / "player.html").write_text("old")
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 1
    assert "player.html" in capsys.readouterr().err
    assert (folder / "player.html").read_text() == "old"
