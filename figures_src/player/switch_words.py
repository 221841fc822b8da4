"""What the plates say where the mechanism can be switched: the words of a model, and the true ones.

Each entry names a switch of the player's state and its choice, and for each bound name the words
that stand otherwise and the words with that choice. The page gets the same table (state.py).
"""

from typing import TypeAlias

# Bugs of vitattn_core.mistakes that are no switch, and what has happened, for the line "changed".
BUGS = {
    "merge": "heads merged by reshape without transpose",
    "mask": "mask inverted",
    "residual": "residual adds LN(X)",
    "offset": "weights painted without leaving out CLS",
}

# What has been changed, switch by switch; of dropped keys the number is said.
CHANGES = {
    "scale": {"model": "÷ √D", "off": "no divisor"},
    "position": {"off": "position left out"},
    "mix": {"k": "keys mixed"},
    "axis": {"queries": "softmax over the queries"},
    "bug": BUGS,
}

JOINED = "three heads, four numbers each"

Words: TypeAlias = dict[str, tuple[str, str]]

SWITCH_WORDS: list[tuple[str, str, Words]] = [
    (
        "position",
        "off",
        {"place.words": ("four from its place", "none from its place, which is left out")},
    ),
    (
        "axis",
        "queries",
        {
            "whole": ("one whole", "197 different wholes, one a key"),
            "top.words": (
                "the largest score",
                "the largest score that this key gets from any query",
            ),
            "total.words": ("sum", "its sum"),
            "words.m": (
                "m cancels in the quotient; it is subtracted so that no e grows too large.",
                "Each key has an m of its own here: this m and the curve are those of the pointed key.",
            ),
            "settle": (
                "The line across is their weighted mean, the output of",
                "The widths do not sum to 1, so this is a sum and no mean: the output of",
            ),
        },
    ),
    (
        "mix",
        "k",
        {
            "mixed.name": ("Values", "Keys"),
            "mixed.height": ("height is value", "height is key"),
            "mixed.letter": ("v", "k"),
        },
    ),
    (
        "bug",
        "merge",
        {
            "joined.words": ("stand side by side", "should stand side by side and do not"),
        },
    ),
    (
        "bug",
        "residual",
        {
            "base.keeps": ("keeps", "takes"),
            "base.what": ("what it was", "its normed form"),
            "mlp.why": (
                "out came in as 0, so diff − out is what diff was, in spreads: the mean is taken back.",
                "out came in normed, and not as 0, so diff − out is no longer what diff was.",
            ),
            "base.letter": (" x, as it entered", " u, its normed form"),
            "base.note": (
                "What is added to is x itself, not its normed form; the place channels stay as they "
                "were.",
                "That is the bug: x itself, with its mean and its spread, is lost.",
            ),
        },
    ),
]


EMPTY = "nothing: every key is taken out, and all weights are 0"  # what a row of zeros becomes
