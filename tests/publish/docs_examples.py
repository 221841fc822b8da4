"""The Python blocks of the pages, run as tests: one namespace a page, in the order of the page.

A block with `>>>` is checked line by line: `...` stands for anything, and numbers are compared to
the digits written. Other blocks are run, and show what they claim with assert. Sybil's own Markdown
parser passes over `pycon`, `py` and any fence with options after the language, so ours replaces it.
"""

import re
from collections.abc import Iterator
from doctest import ELLIPSIS
from pathlib import Path

from sybil import Document, Region, Sybil
from sybil.evaluators.doctest import NUMBER, DocTestEvaluator
from sybil.evaluators.python import PythonEvaluator
from sybil.parsers.abstract.doctest import DocTestStringParser
from sybil.parsers.markdown import SkipParser
from sybil.parsers.markdown.lexers import DirectiveInHTMLCommentLexer, RawFencedCodeBlockLexer

DOCS = Path(__file__).resolve().parents[2] / "docs"
INFO = re.compile(r"[ \t]*(?:\{[ \t]*\.)?(?P<language>python|py|pycon)\b(?![-+#])[^\n]*\n")


class PythonFences:
    """Every python, py or pycon fence at any indent, whatever options follow the language."""

    def __init__(self) -> None:
        self.lexers = (
            RawFencedCodeBlockLexer(INFO),
            DirectiveInHTMLCommentLexer(r"(invisible-)?code(-block)?", "python"),
        )
        self.doctests = DocTestStringParser(DocTestEvaluator(ELLIPSIS | NUMBER))
        self.run = PythonEvaluator()

    def __call__(self, document: Document) -> Iterator[Region]:
        for lexer in self.lexers:
            for region in lexer(document):
                source = region.lexemes["source"]
                if source.lstrip().startswith(">>>"):
                    yield from self._lines(document, region)
                else:
                    region.parsed, region.evaluator = source, self.run
                    yield region

    def _lines(self, document: Document, region: Region) -> Iterator[Region]:
        """The `>>>` examples of one fence, at their places in the page."""
        source = region.lexemes["source"]
        rest = document.text[region.start :]
        # Places count the text without its indent: put the indent of each line back.
        pad = len(rest) - len(rest.lstrip(" \t"))
        base = region.start + source.offset
        for example in self.doctests(source, document.path):
            example.start += base + pad * (source.count("\n", 0, example.start) + 1)
            example.end += base + pad * source.count("\n", 0, example.end)
            yield example


sybil = Sybil(parsers=[PythonFences(), SkipParser()], patterns=["*.md"], path=str(DOCS))
pytest_collect_file = sybil.pytest()
