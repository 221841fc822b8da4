"""Text in a picture that measures nothing: runs of words, their estimated widths, and lines of them.

A font of the reader's own may be narrower or wider; widths are those of a wide one, so that lines
end early rather than late.
"""

from dataclasses import dataclass, replace

from ..cascade import Style, resolved, style
from ..tree import Node

# Widths in shares of the size, of DejaVu Sans; bold is wider by a tenth.
NARROW = dict.fromkeys("iljI|!.,:;'’", 0.31) | dict.fromkeys("frt()[]/ ‹›", 0.4)
WIDE = dict.fromkeys("mwMW−+=→×÷∞", 0.86) | dict.fromkeys("ABCDEFGHKNOPQRSTUVXYZ&", 0.7)
USUAL = 0.62
WORDS = ("size", "weight", "slant", "family", "colour")


@dataclass(frozen=True)
class Run:
    """Words of one kind. shift: raised (up) or lowered, in pixels; gap: pixels before it."""

    text: str
    size: float
    colour: str
    weight: str = "400"
    slant: str = "normal"
    family: str = ""
    shift: float = 0
    gap: float = 0
    node: Node | None = None
    line: bool = False  # underlined

    @property
    def width(self) -> float:
        widths = (NARROW.get(letter, WIDE.get(letter, USUAL)) for letter in self.text)
        bold = 1.1 if self.weight in ("700", "bold") else 1.0
        slim = 0.85 if self.family else 1.0
        return self.gap + sum(widths) * self.size * bold * slim


def run(text: str, own: Style, **more: object) -> Run:
    """Return words in a computed style."""
    return Run(
        text,
        size=float(own["font-size"].removesuffix("px")),
        colour=resolved(own, "color"),
        weight=own.get("font-weight", "400"),
        slant=own.get("font-style", "normal"),
        family="serif" if "serif" in own.get("font-family", "") else "",
        **more,  # type: ignore[arg-type]
    )


def runs(node: Node, above: Style) -> list[Run]:
    """Return the words of an element, with what stands in it; what is not shown is left out."""
    own = style(node, above)
    if own.get("display") == "none" or "hidden" in node.attrs or "va-unseen" in node.classes:
        return []
    if node.tag == "button" and "va-phrase" not in node.classes:
        return []  # it does nothing in a picture
    if node.tag in ("b", "strong"):
        own["font-weight"] = "700"
    elif node.tag in ("i", "em") and "font-style" not in own:
        own["font-style"] = "italic"
    found: list[Run] = []
    for child in node.children:
        if isinstance(child, Node):
            found += runs(child, own)
        elif child:
            found.append(run(child, own, node=node))
    if node.tag in ("sub", "sup"):
        by = 0.3 if node.tag == "sub" else -0.42
        size = float(above["font-size"].removesuffix("px"))
        found = [replace(part, shift=part.shift + by * size) for part in found]
    return found


def lines(parts: list[Run], width: float) -> list[list[Run]]:
    """Return runs in lines that are at most `width` wide, cut at spaces."""
    words: list[Run] = []
    for part in parts:
        pieces = part.text.split(" ")
        for n, piece in enumerate(pieces):
            text = piece + (" " if n < len(pieces) - 1 else "")
            if text:
                words.append(replace(part, text=text, gap=0 if n else part.gap))
    made: list[list[Run]] = [[]]
    full = 0.0
    for n, word in enumerate(words):
        # A word may be made of several runs: it goes to the next line as a whole.
        starts = n == 0 or words[n - 1].text.endswith(" ") or word.gap > 0
        whole = word.width
        if starts:
            for later in words[n + 1 :]:
                if words[n].text.endswith(" ") or later.gap > 0:
                    break
                whole += later.width
                if later.text.endswith(" "):
                    break
        if made[-1] and starts and full + whole > width:
            made.append([])
            full = 0.0
            word = replace(word, gap=0)
        made[-1].append(word)
        full += word.width
    return [_joined(line) for line in made if line]


def _joined(line: list[Run]) -> list[Run]:
    """Return a line with neighbours of one kind made one run."""
    made: list[Run] = []
    for word in line:
        if made and not word.gap and replace(made[-1], text="", gap=0) == replace(word, text=""):
            made[-1] = replace(made[-1], text=made[-1].text + word.text)
        else:
            made.append(word)
    made[-1] = replace(made[-1], text=made[-1].text.rstrip())
    return made
