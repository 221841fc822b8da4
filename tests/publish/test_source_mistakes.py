"""Mistakes in the sources of a drawing, each made in a copy: one sentence, with file, line and what is
allowed. The mistakes are data, tests/mistakes/sources.toml; each has a neighbour that is right."""

import compileall
import json
import py_compile
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import ROOT

MISTAKES = tomllib.loads((ROOT / "tests/mistakes/sources.toml").read_text("utf-8"))["mistake"]
# Runs each demand in a child of its own, which has the libraries already and reads our sources anew.
ASKED = """
import json, os, sys
sys.dont_write_bytecode = True
import ast, html, importlib, json, markdown, matplotlib.figure, numpy, PIL.Image, xml.etree.ElementTree
import matplotlib.backends.backend_svg
for line in sys.stdin:
    root, (path, after, before), asks = json.loads(line)
    reading, writing = os.pipe()
    if os.fork() == 0:
        if after is None:
            os.unlink(path)
        else:
            with open(path, "wb") as file:
                file.write(bytes.fromhex(after))
        sys.path.insert(0, root)
        try:
            import figures_src.source_fault
            rooms = {
                "captures": "inputs.captures", "colours": "kit.colours", "discovery": "discovery",
                "exercises": "pages.exercises", "facts": "pages.facts", "photographs": "inputs.photographs",
                "player": "player.registry", "registry": "pages.registry", "timeline": "player.film.timeline",
            }
            for name, room in rooms.items():
                if name + "." in asks:
                    globals()[name] = importlib.import_module("figures_src." + room)
            eval(asks)
            told = ""
        except figures_src.source_fault.SourceFault as fault:
            told = str(fault)
        except BaseException as error:
            told = "no sentence: " + repr(error)
        os.write(writing, told.encode())
        os._exit(0)
    os.close(writing)
    told = os.fdopen(reading, "rb").read().decode()
    os.wait()
    with open(path, "wb") as file:
        file.write(bytes.fromhex(before))
    print(json.dumps(told), flush=True)
"""


def content(mistake: dict[str, Any], new: str) -> bytes | None:
    """What the file holds after an edit; None: nothing, it is gone."""
    if new.startswith("copy of "):
        return (ROOT / new.removeprefix("copy of ")).read_bytes()
    if not mistake["old"]:
        return new.encode() or None
    text = (ROOT / mistake["file"]).read_text(encoding="utf-8")
    assert text.count(mistake["old"]) == 1, f"{mistake['kind']}: {mistake['old']} stands not once"
    return text.replace(mistake["old"], new).encode()


def expected(mistake: dict[str, Any], after: bytes | None) -> str:
    """The beginning of the sentence, with the number of its line."""
    says: str = mistake["says"]
    if "{line}" not in says:
        return says
    path = ROOT / says.partition(":")[0]
    same = path == ROOT / mistake["file"]
    text = after.decode() if same and after else path.read_text(encoding="utf-8")
    at = mistake.get("at", mistake["new"])
    assert text.count(at) == 1, f"{mistake['kind']}: {at} stands not once"
    line = text.count("\n", 0, text.index(at)) + 1 - mistake.get("up", 0)
    return says.replace("{line}", str(line))


@pytest.fixture(scope="module")
def told(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, str]]:
    """For each mistake what is said of it, and what is said of its right neighbour."""
    root = tmp_path_factory.mktemp("sources")
    for room in ("vitattn_core", "figures_src"):
        shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "docs" / "stylesheets", root / "docs" / "stylesheets")
    # With the hash of the source in place of its time: a file that is edited is read anew, no other.
    checked = py_compile.PycInvalidationMode.CHECKED_HASH
    compileall.compile_dir(root, quiet=1, invalidation_mode=checked)
    lines, asked = [], [(one, new) for one in MISTAKES for new in (one["new"], one["right"])]
    for mistake, new in asked:
        after, before = content(mistake, new), (ROOT / mistake["file"]).read_bytes()
        edit = [str(root / mistake["file"]), None if after is None else after.hex(), before.hex()]
        lines.append(json.dumps([str(root), edit, mistake["asks"]]))
    done = subprocess.run(
        [sys.executable, "-c", ASKED],
        cwd=root,
        input="\n".join(lines),
        capture_output=True,
        text=True,
        check=True,
    )
    found = [str(json.loads(line)) for line in done.stdout.splitlines()]
    assert len(found) == len(lines)
    return list(zip(found[::2], found[1::2], strict=True))


def test_each_mistake_is_told_in_one_sentence_and_its_neighbour_is_not(
    told: list[tuple[str, str]],
) -> None:
    wrong = []
    for mistake, (said, neighbour) in zip(MISTAKES, told, strict=True):
        wanted = expected(mistake, content(mistake, mistake["new"]))
        if not said.startswith(wanted) or "\n" in said:
            wrong.append(f"{mistake['kind']}: said {said!r}, takes {wanted!r}")
        if neighbour:
            wrong.append(f"{mistake['kind']}: the right neighbour: {neighbour}")
    assert not wrong, "\n".join(wrong)


def test_the_command_prints_the_sentence_alone(tmp_path: Path) -> None:
    for room in ("vitattn_core", "figures_src"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "docs" / "stylesheets", tmp_path / "docs" / "stylesheets")
    shutil.copy(ROOT / "requirements-docs.txt", tmp_path)
    command = [sys.executable, "-m", "figures_src", "--into", str(tmp_path / "build")]

    def said(*options: str) -> str:
        run = [*command, *options]
        done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=False)
        assert done.returncode == 1 and done.stderr.count("\n") == 1, done.stderr
        return done.stderr

    picture = tmp_path / "figures_src" / "inputs" / "photographs" / "rocket.png"
    kept = picture.read_bytes()
    picture.unlink()
    assert said().startswith("figures_src: figures_src/inputs/photographs/__init__.py:")
    picture.write_bytes(kept)
    module = tmp_path / "figures_src" / "pages" / "masks" / "figures.py"
    module.write_text("x = = 1\n", encoding="utf-8")
    for options in ((), ("--quote",)):
        assert said(*options) == (
            "figures_src: figures_src/pages/masks/figures.py:1: no Python: invalid syntax: x = = 1\n"
        )
