"""What the build can see, the build says: mistakes as data, see mistake_data.py for their form."""

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from figures_src.publish import captions, markup
from figures_src.publish.checks import pages as check_pages
from tests.conftest import ROOT
from tests.publish import mistake_data
from tests.publish.mistake_data import HEAD, Kind, Mistake

KINDS = mistake_data.kinds()
MISTAKES = [mistake for kind in KINDS for mistake in kind.mistakes]
WRITTEN = [one for one in MISTAKES if not (one.code or one.file)]
MANY = "many-mistakes.md"
CELLS = "notebooks/many-mistakes.ipynb"


@pytest.fixture(scope="module")
def manifest() -> dict[str, Any]:
    return markup.load_manifest(ROOT / "build")


def notebook(*cells: str) -> str:
    """A notebook file with these Markdown cells."""
    return json.dumps(
        {
            "nbformat": 4,
            "nbformat_minor": 5,
            "metadata": {"title": "Mistakes", "description": "Mistakes for a test."},
            "cells": [
                {"id": f"c{n}", "cell_type": "markdown", "metadata": {}, "source": text}
                for n, text in enumerate(cells, start=1)
            ],
        }
    )


def write(docs: Path, mistakes: Iterable[Mistake]) -> dict[str, list[Mistake]]:
    """The mistakes on their pages, several on one; returns which stand where, as `file:line`."""
    expected: dict[str, list[Mistake]] = {}
    text, cells = HEAD, []
    for one in mistakes:
        if one.cell:
            cells.append(one.text)
            where = f"docs/{CELLS}, cell {len(cells)}, line {one.line}"
        elif one.figure:
            room = docs.parent / "figures_src" / "pages" / "heads"
            room.mkdir(parents=True, exist_ok=True)
            file = f"figures_{len(list(room.iterdir()))}.py"
            (room / file).write_text(one.text, encoding="utf-8")
            where = f"figures_src/pages/heads/{file}:{one.line}"
        elif one.page:
            content = bytes.fromhex(one.hex) if one.hex else one.text.encode()
            (docs / one.page).parent.mkdir(parents=True, exist_ok=True)
            (docs / one.page).write_bytes(content + bytes(one.size))
            where = one.where or f"docs/{one.page}" + (f":{one.line}" if one.line else "")
        else:
            where = f"docs/{MANY}:{text.count(chr(10)) + one.line}"
            text += f"{one.text}\n\n"
        expected.setdefault(where, []).append(one)
    (docs / MANY).write_text(text, encoding="utf-8")
    if cells:
        (docs / CELLS).parent.mkdir(exist_ok=True)
        (docs / CELLS).write_text(notebook(*cells), encoding="utf-8")
    return expected


def told_of(docs: Path, manifest: dict[str, Any]) -> list[str]:
    """All that the build says about these pages and the sections beside them."""
    pages_told = check_pages.faults(docs, manifest, ROOT / "build")
    captions_told = captions.faults(manifest["facts"], docs.parent / "figures_src")
    return sorted(str(fault) for fault in (*pages_told, *captions_told))


def compare(docs: Path, manifest: dict[str, Any], mistakes: Iterable[Mistake]) -> list[str]:
    """What is missing among the faults that the build tells, and what is told in vain."""
    expected = write(docs, mistakes)
    told = told_of(docs, manifest)
    wrong = []
    for where, here in expected.items():
        for one in here:
            found = [said for said in told if said.startswith(f"{where}: ") and one.says in said]
            if not found:
                near = [said for said in told if one.says in said]
                wrong.append(f"not told: {one.kind}: {where}: … {one.says} …; told: {near}")
            told = [said for said in told if said not in found]
    return wrong + [f"told in vain: {said}" for said in told]


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    """A folder with what right texts point to: a page with an anchor, and a small picture."""
    return start(tmp_path / "docs")


def start(docs: Path) -> Path:
    docs.mkdir(parents=True)
    (docs / "index.md").write_text(HEAD + "## A part {#part}\n\nWords.\n", encoding="utf-8")
    (docs / "small.png").write_bytes(bytes(70))
    return docs


def test_all_mistakes_on_all_pages_are_told_at_once(docs: Path, manifest: dict[str, Any]) -> None:
    wrong = compare(docs, manifest, [one for one in WRITTEN if not one.alone])
    assert not wrong, "\n".join(wrong)


def test_mistakes_that_would_hide_others_are_told(tmp_path: Path, manifest: dict[str, Any]) -> None:
    wrong = []
    for number, one in enumerate(one for one in WRITTEN if one.alone):
        wrong += compare(start(tmp_path / str(number) / "docs"), manifest, [one])
    assert not wrong, "\n".join(wrong)


def test_the_correct_neighbours_build_without_a_word(docs: Path, manifest: dict[str, Any]) -> None:
    texts = [text for kind in KINDS for text in kind.right]
    (docs / "right.md").write_text(HEAD + "\n\n".join(texts) + "\n", encoding="utf-8")
    for kind in KINDS:
        for name, text in kind.right_pages.items():
            (docs / name).parent.mkdir(parents=True, exist_ok=True)
            (docs / name).write_text(text, encoding="utf-8")
    room = docs.parent / "figures_src" / "pages" / "heads"
    room.mkdir(parents=True)
    for number, kind in enumerate(KINDS):
        (room / f"figures_{number}.py").write_text(kind.right_figure, encoding="utf-8")
    assert told_of(docs, manifest) == []


def test_every_kind_has_its_correct_neighbour() -> None:
    alone = [
        kind.name
        for kind in KINDS
        if not (kind.right or kind.right_pages or kind.right_figure or kind.right_code)
    ]
    assert not alone
    names = [kind.name for kind in KINDS]
    assert len(set(names)) == len(names)
    assert len(MISTAKES) >= 59


def run(*arguments: str, root: Path = ROOT) -> str:
    done = subprocess.run(
        [sys.executable, *arguments], cwd=root, capture_output=True, text=True, check=False
    )
    return f"{done.stdout}{done.stderr}" if done.returncode else ""


def last(code: str) -> str:
    """The last line of what Python says to this code: its error; empty when it ends well."""
    return (run("-c", code).strip().splitlines() or [""])[-1]


CODE = [one for one in MISTAKES if one.code]


@pytest.mark.parametrize("one", CODE, ids=lambda one: one.kind)
def test_a_mistake_in_python_is_told_in_one_sentence(one: Mistake) -> None:
    said = last(one.code)
    assert one.says in said, said
    assert one.where in said, said


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind.right_code], ids=lambda k: k.name)
def test_right_python_passes(kind: Kind) -> None:
    assert last(kind.right_code) == ""


EDITS = [one for one in MISTAKES if one.file]


@pytest.mark.parametrize("one", EDITS, ids=lambda one: one.kind)
def test_an_edit_of_the_project_is_told(one: Mistake, tmp_path: Path) -> None:
    ignore = shutil.ignore_patterns("__pycache__")
    for room in ("figures_src", "vitattn_core", "docs", "build"):
        shutil.copytree(ROOT / room, tmp_path / room, ignore=ignore)
    for name in ("requirements-docs.txt", "mkdocs.yml"):
        shutil.copy(ROOT / name, tmp_path)
    path = tmp_path / one.file
    before = path.read_text(encoding="utf-8")
    assert before.count(one.old) == 1, one.kind
    path.write_text(before.replace(one.old, one.new), encoding="utf-8")
    said = run(*one.run, root=tmp_path)
    assert re.search(rf"^{re.escape(one.where)}.*{re.escape(one.says)}", said, re.MULTILINE), said
    assert "Traceback" not in said


def test_at_most_five_mistakes_pass_unseen_each_with_its_reason(
    docs: Path, manifest: dict[str, Any]
) -> None:
    unseen = tomllib.loads((mistake_data.FOLDER / "unseen.toml").read_text(encoding="utf-8"))[
        "unseen"
    ]
    assert len(unseen) <= 5
    assert all(len(one["reason"]) > 20 for one in unseen)
    (docs / "unseen.md").write_text(
        HEAD + "\n\n".join(one["text"] for one in unseen) + "\n", encoding="utf-8"
    )
    told = [str(fault) for fault in check_pages.faults(docs, manifest, ROOT / "build")]
    assert told == []  # what is seen now has its place among the mistakes
