"""No number in prose that nobody computed: decimals, percentages, integers of three digits or more and
counts in words that are not quoted from a page's facts.

It reads what a reader reads: the text of published_tree.py, a formula, a caption, an alternative text.
"""

import re
from collections.abc import Iterator
from functools import cache

from figures_src.kit.numbers import ONES, TENS

NUMBER = re.compile(
    r"(?<![\w.])"
    r"(?:\d{1,3}(?:(?:,|\{,\}|\\,|[\u00a0\u2009\u202f])\d{3})+(?:\.\d+)?"  # 465,708
    r"|\d*\.?\d+[eE][+−-]?\d+"  # 3e-4
    r"|\d*\.\d+"  # 0.364
    r"|\d+(?:\.\d+)?[\s\u00a0\u202f]?(?:\\?%|‰|per\s?cent\b|per\s?mil(?:le)?\b)"  # 36 %
    r"|\d*[¼½¾⅐-⅞]"  # 2½
    r"|\d{3,})"  # 197
    r"(?:[\s\u00a0\u202f]?(?:\\?%|‰))?"
)
# What the core or a registry counts: a count of it in words goes stale as digits do.
COUNTED = "stage patch row head layer key bug error check photograph chart page question channel"


@cache
def _count_of(among: str) -> re.Pattern[str]:
    ones = rf"(?:-(?:{'|'.join(ONES[1:10])}))?"
    words = rf"(?:{'|'.join(TENS)}){ones}|{'|'.join(ONES[3:])}|(?:a\s+|one\s+)?(?:hundred|thousand)"
    words += r"|(?:half\s+)?(?:a\s+)?dozen"
    gap = r"(?:[\s-]+[^\s.;:!?()]+){0,2}?[\s-]+"
    things = "|".join(among.split())
    return re.compile(rf"\b(?P<count>{words}){gap}(?:{things})(?:e?s)?\b", re.IGNORECASE)


# What may stand unquoted, and why. A pattern takes part in whole: its digits are not looked at.
EXCEPTIONS: tuple[tuple[str, str], ...] = (
    (r"\barXiv:\s?\d{4}\.\d{4,5}(?:v\d+)?", "the name of a paper"),
    (r"\b(?:doi:\s?)?10\.\d{4,9}/\S+", "the name of a paper"),
    (r"\b(?:pp?|pages?)\.?\s\d+(?:[–-]\d+)?", "pages of a publication"),
    (
        r"(?:\(|,\s|et al\.\s|\b[A-Z][A-Za-z]+\s)(?:19[5-9]\d|20[0-3]\d)[a-z]?\b(?![,.]\d)",
        "the year of a citation",
    ),
    (r"\b20\d\d-\d\d-\d\d\b", "a date"),
    (
        r"\bViT-[A-Z][a-z]?/\d+(?:\s?(?:at|@)\s?\d+)?",
        "the name of a model, its image side included",
    ),
    (r"§+\s?\d+(?:\.\d+)*", "a section of a publication"),
    (
        r"\b(?:[Ss]ections?|[Ff]igures?|[Tt]ables?|[Ee]quations?|[Cc]hapters?)\s\d+(?:\.\d+)*",
        "a part of a publication",
    ),
    (r"\bv?\d+\.\d+\.\d+(?:\.\d+)*\b", "a version or a success criterion"),
    (
        r"\b(?:Python|NumPy|PyTorch|WCAG|CC BY|HTTP|ISO|RFC|CC0)[ /-]?\d[\d.]*\d",
        "a version or a standard",
    ),
    (r"\bImageNet-\d+k?\b", "the name of a data set"),
    (r"\bA ConvNet for the 2020s\b", "the title of a paper"),
    (r"\b[Dd]eleting, zeroing and swapping a key are three\b", "counted in the sentence itself"),
    (r"\bThree rows of\b", "the rows that a picture shows, named behind the colon"),
    (r"\ba row with three keys\b", "the size of an example that the block below it runs"),
)
EXCEPTION = re.compile("|".join(f"(?:{pattern})" for pattern, _ in EXCEPTIONS), re.MULTILINE)


def bare(text: str) -> Iterator[tuple[int, str]]:
    """(place, number) of every number of a text that should be a quote."""
    read = EXCEPTION.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for found in NUMBER.finditer(read):
        yield found.start(), found[0].strip()


def counts(text: str, among: str = COUNTED) -> Iterator[tuple[int, str]]:
    """(place, words) of every count of such things in words, as in `eleven bugs`, that should be a quote."""
    read = EXCEPTION.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for found in _count_of(among).finditer(read):
        yield found.start(), found[0]


def unquoted(number: str) -> str:
    """What to do about a number that is not quoted."""
    return f"{number} is quoted from no fact: write {{{{ key = {number} }}}}"


def uncounted(words: str) -> str:
    """What to do about a count in words that is not quoted."""
    count = _count_of(COUNTED).match(words)
    number = count["count"] if count else words
    return f"{' '.join(words.split())}: a count in words: write {{{{ key.word = {number} }}}}"
