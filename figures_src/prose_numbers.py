"""No number in prose that nobody computed: finds decimals, percentages and integers of three digits
or more that are not quoted from facts/.
"""

import re
from collections.abc import Iterator

from figures_src import scan

NUMBER = re.compile(
    r"(?<![\w.])"
    r"(?:\d{1,3}(?:(?:,|\{,\}|\\,|[\u00a0\u2009\u202f])\d{3})+(?:\.\d+)?"  # 465,708
    r"|\d*\.\d+"  # 0.364
    r"|\d+(?:\.\d+)?[\s\u00a0\u202f]?(?:\\?%|per\s+cent\b)"  # 36 %
    r"|\d{3,})"  # 197
    r"(?:[\s\u00a0\u202f]?\\?%)?"
)

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
)
EXCEPTION = re.compile("|".join(f"(?:{pattern})" for pattern, _ in EXCEPTIONS), re.MULTILINE)

# Parts of prose that are not read as prose.
UNREAD = re.compile(
    r"""
    (?<=\])\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)   # the target of a link or an image
    | ^[ ]{0,3}\[[^\]\n]+\]:[ \t]*\S+               # a reference's address
    | <(?:https?|mailto):[^>\s]+>                   # an address in angle brackets
    | \bhttps?://[^\s)>\]]+
    | </?[a-zA-Z][^<>]*>                            # an HTML tag with its attributes
    | \{:?[ ]*[.\#][^{}\n]*\}                       # an attribute list
    | \[\^[^\]\n]+\]                                # a footnote's mark
    | &\#?\w+;                                      # an entity
    """,
    re.VERBOSE | re.MULTILINE,
)


def bare_numbers(text: str) -> Iterator[tuple[int, str]]:
    """(place, number) of every number that should be a quote; maths count as prose."""
    parts = []
    for span in scan.spans(text):
        part = text[span.start : span.end]
        if span.kind in ("fence", "code", "comment"):
            part = scan.blank(part)
        elif span.kind == "expression":
            part = _words_only(part)
        elif span.kind in ("inline", "display"):
            part = scan.EXPRESSION.sub(lambda m: scan.blank(m[0]), part)
        parts.append(part)
    read = UNREAD.sub(lambda m: scan.blank(m[0]), "".join(parts))
    read = EXCEPTION.sub(lambda m: scan.blank(m[0]), read)
    for found in NUMBER.finditer(read):
        yield found.start(), found[0].strip()


def _words_only(expression: str) -> str:
    """An expression without what is not prose: a link to a state keeps its words."""
    head, colon, words = expression.partition(" : ")
    return scan.blank(head + colon) + (words if colon else "")
