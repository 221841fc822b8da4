"""The sentences of figures and plates, caption and alternative text: they quote numbers as pages do.

They stand in the pages' figures and in the player's plates, as `caption="… {{ key = 0.364 }} …"`. They
are read from the source, so that a fault has its line; the build puts the numbers in.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup

from . import markdown_spans, quoted_numbers
from .checks import bare_numbers, published_tree
from .page_faults import CodeError

FIGURES = Path(__file__).resolve().parents[1]
MODULES = ("pages/*/figures*.py", "player/plates/[!.]*.py")
DECORATORS = ("figure", "plate")


@dataclass(frozen=True)
class Sentence:
    """One caption or alternative text: its file from figures_src, its lines, its text."""

    file: str
    line: int
    lines: tuple[str, ...]
    text: str

    def error(self, fragment: str, reason: object) -> CodeError:
        """The fault, at the line of the fragment: a sentence runs over several."""
        first = fragment.split()[0] if fragment.split() else fragment
        for part in (fragment, first):
            for number, line in enumerate(self.lines):
                if part in line:
                    return CodeError(self.file, self.line + number, reason)
        return CodeError(self.file, self.line, reason)


def sentences(folder: Path = FIGURES) -> Iterator[Sentence]:
    """Yield every caption and alternative text of the modules of a folder like figures_src."""
    for modules in MODULES:
        for path in sorted(folder.glob(modules)):
            source = path.read_text(encoding="utf-8")
            lines = source.splitlines()
            for call in (
                node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)
            ):
                if isinstance(call.func, ast.Name) and call.func.id in DECORATORS:
                    file = path.relative_to(folder).as_posix()
                    yield from _of_call(call, file, lines)


def _of_call(call: ast.Call, file: str, lines: list[str]) -> Iterator[Sentence]:
    for given in call.keywords:
        if given.arg in ("caption", "alt", "mean_alt"):
            first, last = given.value.lineno, given.value.end_lineno or given.value.lineno
            parts = [node for node in ast.walk(given.value) if isinstance(node, ast.Constant)]
            text = "".join(str(part.value) for part in parts)
            yield Sentence(file, first, tuple(lines[first - 1 : last]), text)


def faults(numbers: dict[str, Any], folder: Path = FIGURES) -> Iterator[CodeError]:
    """Yield what is wrong in any of the sentences; `numbers` are the facts of the manifest."""
    for sentence in sentences(folder):
        for found in markdown_spans.EXPRESSION.finditer(sentence.text):
            try:
                quoted_numbers.plain(found[0], numbers)
            except ValueError as error:
                yield sentence.error(found[0], error)
        for block in published_tree.texts(_tree(sentence.text)):
            for _, number in bare_numbers.bare(block.text):
                yield sentence.error(number, bare_numbers.unquoted(number))
            for _, words in bare_numbers.counts(block.text):
                yield sentence.error(words, bare_numbers.uncounted(words))


def _tree(text: str) -> BeautifulSoup:
    return BeautifulSoup(markdown_spans.EXPRESSION.sub(published_tree.HOLE, text), "html.parser")


def rewrite(numbers: dict[str, Any], folder: Path = FIGURES) -> list[str]:
    """Bring every quote of every sentence up to date in place; returns what changed, as file:line."""
    report = []
    for sentence in list(sentences(folder)):
        path = folder / sentence.file
        before = path.read_text(encoding="utf-8")
        lines = before.splitlines(keepends=True)
        for number in range(sentence.line - 1, sentence.line - 1 + len(sentence.lines)):
            lines[number], changes = quoted_numbers.rewrite(lines[number], numbers)
            report += [f"{folder.name}/{sentence.file}:{number + 1}: {said}" for _, said in changes]
        if (after := "".join(lines)) != before:
            path.write_text(after, encoding="utf-8")
    return report
