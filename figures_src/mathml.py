"""Formulas: LaTeX to MathML while the page is built, as an extension of Python-Markdown.

pymdownx.arithmatex finds the formulas, math-core turns each into MathML, and here the letters of
the five roles get their role's class. A reader needs no script for it and nothing is fetched. An
extension and not a hook of the site generator, so that it outlives the generator.
"""

import re
import unicodedata
from html import unescape

from markdown import Markdown
from markdown.extensions import Extension
from markdown.postprocessors import Postprocessor
from math_core import LatexError, LatexToMathML

MACROS = {"softmax": r"\operatorname{softmax}", "LN": r"\operatorname{LN}"}
ROLES = {"q": "query", "k": "key", "v": "value", "a": "weight", "α": "weight", "o": "output"}

_LATEX = LatexToMathML(macros=MACROS, fancy_error=False)
_LETTER = re.compile(r"<mi>(.)</mi>")
_FORMULA = re.compile(r'<(?P<tag>span|div) class="arithmatex">(?P<tex>.*?)</(?P=tag)>', re.DOTALL)


def convert(tex: str, *, display: bool) -> str:
    """One formula as a <math> element; ValueError says what LaTeX does not allow, and where."""
    try:
        math = _LATEX.convert_with_local_state(tex.strip(), displaystyle=display)
    except LatexError as error:
        raise ValueError(f"bad LaTeX: {tex.strip()}: {error}") from error
    # A formula is glyphs, not words: the search index would fill with them.
    return _LETTER.sub(_with_role, math.replace("<math", "<math data-search-exclude", 1))


def element(tex: str, *, display: bool) -> str:
    """The formula as it stands on a page."""
    math = convert(tex, display=display)
    # Wide formulas scroll in their own box, which a keyboard must be able to reach.
    return f'<div class="formula" tabindex="0">{math}</div>' if display else math


def _with_role(found: re.Match[str]) -> str:
    """A letter that stands alone in <mi>, bold ones and capitals too, in the colour of its role."""
    letter = unicodedata.normalize("NFKC", found[1]).lower()
    return f'<mi class="role-{ROLES[letter]}">{found[1]}</mi>' if letter in ROLES else found[0]


class _Formulas(Postprocessor):
    def run(self, text: str) -> str:
        return _FORMULA.sub(self._one, text)

    @staticmethod
    def _one(found: re.Match[str]) -> str:
        tex = unescape(found["tex"]).strip()[2:-2]  # arithmatex writes \( … \) or \[ … \]
        return element(tex, display=found["tag"] == "div")


class MathML(Extension):
    """Register after pymdownx.arithmatex with generic: true."""

    def extendMarkdown(self, md: Markdown) -> None:
        md.postprocessors.register(_Formulas(md), "mathml", 1)


def makeExtension(**settings: object) -> MathML:
    return MathML(**settings)
