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
# What touches a formula: an opening bracket, punctuation, a hyphenated word; also across the end of a link.
_TOUCHED = re.compile(
    r"(?P<before>[^\s<>]*)(?P<math><math\b.*?</math>)"
    r"(?P<ends>(?:</(?:a|em|strong|span)>)*)(?P<after>[^\s<]*)",
    re.DOTALL,
)
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


def kept_together(page_html: str) -> str:
    """The page's HTML with each formula on one line with what touches it.

    A browser takes a formula for a box that a line may end before and after, so that a full stop could
    stand alone at the beginning of the next line.
    """
    return _TOUCHED.sub(_on_one_line, page_html)


def _on_one_line(match: re.Match[str]) -> str:
    before, math, ends, after = match.group("before", "math", "ends", "after")
    if not before and not after:
        return match[0]
    return f'<span class="va-kept-together">{before}{math}{after}</span>{ends}'


def _with_role(match: re.Match[str]) -> str:
    """A letter that stands alone in <mi>, bold ones and capitals too, in the colour of its role."""
    letter = unicodedata.normalize("NFKC", match[1]).lower()
    return f'<mi class="role-{ROLES[letter]}">{match[1]}</mi>' if letter in ROLES else match[0]


class _Formulas(Postprocessor):
    def run(self, text: str) -> str:
        return _FORMULA.sub(self._as_mathml, text)

    @staticmethod
    def _as_mathml(match: re.Match[str]) -> str:
        tex = unescape(match["tex"]).strip()[2:-2]  # arithmatex writes \( … \) or \[ … \]
        return element(tex, display=match["tag"] == "div")


class MathML(Extension):
    """Register after pymdownx.arithmatex with generic: true."""

    def extendMarkdown(self, md: Markdown) -> None:
        md.postprocessors.register(_Formulas(md), "mathml", 1)


def makeExtension(**settings: object) -> MathML:
    return MathML(**settings)
