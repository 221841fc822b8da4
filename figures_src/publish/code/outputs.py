"""What the code on the pages prints, so that it stands under the code: run at build, never typed.

The Python blocks of a page are run in its order, in one namespace, by a process of its own. What they
print is kept in `.cache/` under a key of the blocks, the core and the packages: a changed word of the
text runs nothing. A block that is followed by a fence `output` keeps what is written there and is not
run here: it needs what `make docs` does not install, and a test runs it (tests/publish/test_kept_outputs.py).
"""

import ast
import contextlib
import io
import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from figures_src.publish import markdown_spans
from figures_src.publish.kept import digest, kept
from figures_src.stamp import is_source

PYTHON = re.compile(r"[ \t]*(?:`{3,}|~{3,})[ \t]*(?:\{[ \t]*\.)?(?:python|py)\b(?![-+#])")
GIVEN = re.compile(r"[ \t]*(?:`{3,}|~{3,})[ \t]*output\b")
# What a block that is run at build may import, besides Python's own library.
INSTALLED = {"numpy", "vitattn_core", "matplotlib", "PIL"}
MOST_LINES = 12
NEEDS_TORCH = ("vitattn_core.torch_reference",)
HERE = "<page>"  # the file of a block's code, in a traceback


@dataclass(frozen=True)
class Block:
    """A Python block of a page. start: its place in the text. line: of its first line of code, from 1."""

    start: int
    line: int
    code: str


class CodeStops(Exception):
    """A block that stops with an error: the place of the block, and the line within the page's text."""

    def __init__(self, start: int, line: int, reason: str) -> None:
        super().__init__(reason)
        self.start, self.line, self.reason = start, line, reason


def blocks(text: str) -> list[Block]:
    """Return the Python blocks of a page that are run at build."""
    fences = [span for span in markdown_spans.spans(text) if span.kind == "fence"]
    given = {span.start for span in fences if GIVEN.match(text, span.start)}
    found = []
    for span in fences:
        fence = text[span.start : span.end]
        code = textwrap.dedent("".join(fence.splitlines(keepends=True)[1:-1]))
        if not markdown_spans.is_closed(fence):  # markup.py says so
            continue
        if not PYTHON.match(fence) or code.lstrip().startswith(">>>") or not _is_python(code):
            continue
        if _after(text, span.end) not in given:
            found.append(Block(span.start, markdown_spans.line_of(text, span.start) + 1, code))
    return found


def _is_python(code: str) -> bool:
    """Return whether the code can be read: where it cannot, checks/structure.py says so."""
    try:
        ast.parse(code)
    except SyntaxError:
        return False
    return True


def _after(text: str, place: int) -> int:
    """Return where the next line begins that is not blank."""
    while place < len(text) and text[place : (text.find("\n", place) + 1) or None].isspace():
        place = text.index("\n", place) + 1
    return place


def outputs(text: str, root: Path) -> dict[int, str]:
    """Return what each block of a page prints, by its place; CodeStops for the first that fails."""
    runs = blocks(text)
    if not runs:
        return {}
    for block in runs:
        if (lines := block.code.count("\n")) > MOST_LINES:
            reason = f"{lines} lines of code: a block shows one idea in at most {MOST_LINES}"
            raise CodeStops(block.start, block.line, reason)
        for line, name in _foreign(block):
            raise CodeStops(
                block.start,
                line,
                f"{name} is not installed by make docs: write what this code prints below it, in a fence"
                f" that begins with ```output {name.partition('.')[0]} and its version",
            )
    printed = kept("outputs", _key(runs, root), lambda: _run_apart(runs, root), root / ".cache")
    for block, words in zip(runs, printed, strict=True):
        if not words.strip():
            reason = (
                "code that prints nothing: end it with print(), so that a reader sees what it does"
            )
            raise CodeStops(block.start, block.line, reason)
    return {block.start: words for block, words in zip(runs, printed, strict=True)}


def _foreign(block: Block) -> Iterator[tuple[int, str]]:
    """Yield line and name of what a block imports that is not there when the site is built."""
    imported: list[tuple[int, str]] = []
    for node in ast.walk(ast.parse(block.code)):
        if isinstance(node, ast.Import):
            imported += [(node.lineno, alias.name) for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            imported.append((node.lineno, node.module or ""))
    for line, name in imported:
        top = "torch" if name in NEEDS_TORCH else name.partition(".")[0]
        if top not in INSTALLED | sys.stdlib_module_names:
            yield block.line + line - 1, top


def _key(runs: list[Block], root: Path) -> str:
    core = (path for path in (root / "vitattn_core").rglob("*.py") if is_source(path))
    files = [root / "requirements-docs.txt", *sorted(core)]
    code = (block.code for block in runs)
    return digest([sys.version, *(path.read_bytes() for path in files), *code])


def _run_apart(runs: list[Block], root: Path) -> list[str]:
    paths = [str(root), *os.environ.get("PYTHONPATH", "").split(os.pathsep)]
    process = subprocess.run(
        [sys.executable, "-m", "figures_src.publish.code.outputs"],
        input=json.dumps([asdict(block) for block in runs]),
        env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    if process.returncode:
        raise CodeStops(runs[0].start, runs[0].line, process.stderr.strip() or "it ended by itself")
    answer = json.loads(process.stdout)
    if "reason" in answer:
        raise CodeStops(**answer)
    return list(answer["printed"])


def run(runs: list[Block]) -> Iterator[str]:
    """Yield what each block prints, one after the other in one namespace."""
    names: dict[str, Any] = {"__name__": "__page__"}
    for block in runs:
        printed = io.StringIO()
        try:
            with contextlib.redirect_stdout(printed):
                tree = ast.increment_lineno(ast.parse(block.code, HERE), block.line - 1)
                exec(compile(tree, HERE, "exec"), names)
        except Exception as error:
            raise CodeStops(block.start, _line(error, block), _told(error)) from error
        yield printed.getvalue()


def _line(error: Exception, block: Block) -> int:
    """Return the line of the page at which the code stopped."""
    line, here = block.line, error.__traceback__
    while here:
        if here.tb_frame.f_code.co_filename == HERE:
            line = here.tb_lineno
        here = here.tb_next
    return line


def _told(error: Exception) -> str:
    return f"the code stops with {type(error).__name__}{': ' if str(error) else ''}{error}"


def main() -> None:
    """Run the blocks that standard input names; answer with what they print, or with where one stops."""
    runs = [Block(**block) for block in json.load(sys.stdin)]
    try:
        answer: dict[str, Any] = {"printed": list(run(runs))}
    except CodeStops as stop:
        answer = {"start": stop.start, "line": stop.line, "reason": stop.reason}
    json.dump(answer, sys.stdout)


if __name__ == "__main__":
    main()
