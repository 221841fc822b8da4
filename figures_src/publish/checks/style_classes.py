"""The classes that a style sheet knows: another one does nothing, and is most likely misspelt."""

import re
from functools import cache
from pathlib import Path

import material

ROOT = Path(__file__).resolve().parents[3]
CLASS = re.compile(r"\.(-?[A-Za-z_][\w-]*)")
# Written by Python-Markdown and its extensions, or read by a script alone.
OTHERS = {"arithmatex", "fact", "headerlink", "highlight", "footnote"}
OTHERS |= {"footnote-ref", "footnote-backref"}


@cache
def known() -> frozenset[str]:
    """Return the classes of the site's own style sheets and of the theme's."""
    theirs = Path(material.__file__).parent / "templates" / "assets" / "stylesheets"
    sheets = [*(ROOT / "docs" / "stylesheets").glob("*.css"), *theirs.glob("*.css")]
    texts = (sheet.read_text(encoding="utf-8") for sheet in sheets)
    return frozenset(OTHERS) | frozenset(name for text in texts for name in CLASS.findall(text))
