"""The sentences of figures and plates, caption and alternative text: they quote numbers as pages do.

They stand in the modules of sections/ and plates/, as `caption="… {{ key = 0.364 }} …"`. Read from the
source, so that a fault has its line; put in when the figure is drawn.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from bs4 import BeautifulSoup

from figures_src import facts, prose_numbers, published, quotes, scan
from figures_src.faults import CodeError

HERE = Path(__file__).resolve().parent
ROOMS = ("sections", "plates")
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


def sentences(folder: Path = HERE) -> Iterator[Sentence]:
    """Yield every caption and alternative text of the modules of a folder like figures_src."""
    for room in ROOMS:
        for path in sorted((folder / room).glob("[!.]*.py")):
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
        if given.arg in ("caption", "alt"):
            first, last = given.value.lineno, given.value.end_lineno or given.value.lineno
            parts = [node for node in ast.walk(given.value) if isinstance(node, ast.Constant)]
            text = "".join(str(part.value) for part in parts)
            yield Sentence(file, first, tuple(lines[first - 1 : last]), text)


def faults(numbers: dict[str, Any], folder: Path = HERE) -> Iterator[CodeError]:
    """Yield what is wrong in any of the sentences; `numbers` are the facts of the manifest."""
    for sentence in sentences(folder):
        for found in scan.EXPRESSION.finditer(sentence.text):
            try:
                quotes.plain(found[0], numbers)
            except ValueError as error:
                yield sentence.error(found[0], error)
        for block in published.texts(_tree(sentence.text)):
            for _, number in prose_numbers.bare(block.text):
                yield sentence.error(number, prose_numbers.unquoted(number))
            for _, words in prose_numbers.counts(block.text):
                yield sentence.error(words, prose_numbers.uncounted(words))


def _tree(text: str) -> BeautifulSoup:
    return BeautifulSoup(scan.EXPRESSION.sub(published.HOLE, text), "html.parser")


@cache
def known() -> dict[str, Any]:
    """Return the facts, as the manifest has them."""
    return {key: {"text": f.text, "origin": f.origin} for key, f in facts.facts().items()}


def shown(caption: str) -> str:
    """Return a caption as HTML, its quotes marked as on pages."""
    return quotes.marked(caption, known())


def spoken(alt: str) -> str:
    """Return an alternative text, its quotes as plain numbers."""
    return quotes.plain(alt, known())


def rewrite(numbers: dict[str, Any], folder: Path = HERE) -> list[str]:
    """Bring every quote of every sentence up to date in place; returns what changed, as file:line."""
    report = []
    for sentence in list(sentences(folder)):
        path = folder / sentence.file
        before = path.read_text(encoding="utf-8")
        lines = before.splitlines(keepends=True)
        for number in range(sentence.line - 1, sentence.line - 1 + len(sentence.lines)):
            lines[number], changes = quotes.rewrite(lines[number], numbers)
            report += [f"{folder.name}/{sentence.file}:{number + 1}: {said}" for _, said in changes]
        if (after := "".join(lines)) != before:
            path.write_text(after, encoding="utf-8")
    return report
