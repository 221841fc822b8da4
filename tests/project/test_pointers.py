"""Comments and docstrings name no file that is not there: a reader who follows one finds it."""

import ast
import io
import re
import subprocess
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

from figures_src.save import BUILD
from tests.built import ROOT

READ = ("figures_src", "vitattn_core", "tests", "docs/javascripts", "docs/stylesheets")
FILE = re.compile(r"(?<![\w./<*{-])[\w./-]*\w\.(?:py|js|mjs|css|toml|ipynb|md)\b(?!\()")
EXAMPLES = {
    "page.md",
    "own.md",
}  # stand for any file, where the shape of a link or of an entry is told


def remarks(path: Path) -> Iterator[tuple[int, str]]:
    """The comments and docstrings of a source, each with its line."""
    text = path.read_text(encoding="utf-8")
    if path.suffix != ".py":
        for found in re.finditer(r"/\*.*?\*/|(?<!:)//[^\n]*", text, re.S):
            yield text[: found.start()].count("\n") + 1, found[0]
        return
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            yield token.start[0], token.string
    for node in ast.walk(ast.parse(text)):
        if not isinstance(node, ast.Module | ast.FunctionDef | ast.ClassDef):
            continue
        if told := ast.get_docstring(node, clean=False):
            yield node.body[0].lineno, told


def lost(path: Path, there: set[str]) -> list[str]:
    """The files that the remarks of one source name and that are not there."""
    return [
        f"{path.name}:{line}: {name}"
        for line, told in remarks(path)
        for name in FILE.findall(told)
        if name not in EXAMPLES and not any(f"/{file}".endswith(f"/{name}") for file in there)
    ]


@pytest.fixture(scope="module")
def there() -> set[str]:
    """Every file that git keeps, and those that a build makes."""
    listed = subprocess.run(
        ["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    made = {path.relative_to(BUILD).as_posix() for path in BUILD.rglob("*")}
    return set(listed.stdout.splitlines()) | made


def test_every_file_that_a_remark_names_is_there(there: set[str]) -> None:
    told, read = [], 0
    for folder in READ:
        for path in sorted((ROOT / folder).rglob("*")):
            if path.suffix in (".py", ".js", ".css") and path.relative_to(ROOT).as_posix() in there:
                told += lost(path, there)
                read += 1
    assert told == []
    assert read > 300


def test_a_lost_file_is_told(tmp_path: Path, there: set[str]) -> None:
    source = tmp_path / "a.py"
    source.write_text(
        '"""Read by nowhere.py, as save.py is."""\n# See docs/lost.md.\n', encoding="utf-8"
    )
    assert sorted(lost(source, there)) == ["a.py:1: nowhere.py", "a.py:2: docs/lost.md"]
