"""Questions of the page on bugs."""

import math

import numpy as np

from figures_src.inputs.models import BASE
from figures_src.kit.numbers import fixed
from figures_src.pages.exercises import Exercise
from vitattn_core import (
    CHECKS,
    MISTAKES,
    AttentionWeights,
    core_with,
    multi_head_attention,
    outcome,
    softmax,
)

PAGE = "bug-lab.md"


def entries() -> list[Exercise]:
    """Return the page's questions."""
    return [_invariances(), _one_head(), _find_the_fault(), _root()]


def _invariances() -> Exercise:
    whys = {
        "merge": "A merge by reshape ties what a row gets to its place in memory: rows no longer move "
        "along when patches do, and the equivariance check sees it.",
        "sqrt-model": "All scores shrink by one factor, in every row, head and image alike. Nothing "
        "that should stay moves, so of the seven checks only parity can tell.",
        "residual": "With zero weights the block would return LN(X) and not its input, and a check asks "
        "just that.",
    }

    def solve() -> str:
        """Look for the one that every check but parity lets through."""
        others = [check for check in CHECKS if check != "parity"]
        (found,) = (id for id in whys if all(outcome(c, id) != "caught" for c in others))
        return _name(found)

    return Exercise(
        id="bug-lab-invariances",
        page=PAGE,
        question="A block passes all checks of this page but parity, which nobody has run. Which bug "
        "may it still have?",
        choices=tuple((_name(id), why) for id, why in whys.items()),
        right=list(whys).index("sqrt-model"),
        solve=solve,
    )


def _name(id: str) -> str:
    return MISTAKES[id].title.replace("d_h", "head width")


def _one_head() -> Exercise:
    whys = {
        "sqrt-model": "With one head the width of the head *is* the width of the model: both roots are "
        "the same.",
        "axis": "Rows and columns differ with one head as with many: the sums of the rows give it away.",
        "merge": "With one head the axis of the heads has length 1, and a reshape moves nothing.",
    }

    def solve() -> str:
        """Run one head with each bug and see whose weights or outputs differ."""
        n = np.arange(5)
        rows = np.stack([np.sin(n), np.cos(2 * n), n / 4, 1 - n / 5], axis=1)
        eye = np.eye(4)
        w = AttentionWeights(w_q=eye, w_k=eye + np.eye(4, k=1), w_v=eye[::-1], w_o=eye, heads=1)
        right = multi_head_attention(rows, w)["M"]
        seen = (
            id
            for id in whys
            if not np.allclose(core_with(id).multi_head_attention(rows, w)["M"], right)
        )
        (found,) = seen
        return _name(found)

    return Exercise(
        id="bug-lab-one-head",
        page=PAGE,
        question="All tests of a layer use one head, as wide as the model. Which bug can they see?",
        choices=tuple((_name(id), why) for id, why in whys.items()),
        right=list(whys).index("axis"),
        solve=solve,
    )


def _find_the_fault() -> Exercise:
    scores = np.log([[1.0, 3.0], [1.0, 1.0]])
    faulty = softmax(scores, axis=-2)
    keys = ("keys-mixed", "axis", "mask")
    whys = {
        "keys-mixed": "Mixing comes after the weights and cannot change them.",
        "axis": "Each column sums to 1. Along the other axis the rows would: "
        + " and ".join(
            ", ".join(fixed(weight, 2) for weight in row) for row in softmax(scores).tolist()
        )
        + ".",
        "mask": "A mask, right or wrong, makes some weights exactly 0, and the rest of the row sums "
        "to 1.",
    }

    def solve() -> str:
        """Put each line into the core and look whether the weights come out like this."""
        queries, rows = scores * math.sqrt(2), np.eye(2)
        found = []
        for id in keys:
            w = AttentionWeights(w_q=queries, w_k=np.eye(2), w_v=np.eye(2), w_o=np.eye(2), heads=1)
            weights = core_with(id).multi_head_attention(rows, w)["A"][0]
            if np.allclose(weights, faulty):
                found.append(id)
        (one,) = found
        return MISTAKES[one].wrong

    shown = " / ".join(", ".join(fixed(weight, 2) for weight in row) for row in faulty.tolist())
    return Exercise(
        id="bug-lab-find",
        page=PAGE,
        question=f"A layer with two rows prints its weights, row by row: {shown}. Which line of the code "
        "is wrong?",
        choices=tuple((MISTAKES[id].wrong, whys[id]) for id in keys),
        right=keys.index("axis"),
        solve=solve,
    )


def _root() -> Exercise:
    head_width = BASE.width // BASE.heads
    right = math.sqrt(BASE.width) / math.sqrt(head_width)
    return Exercise(
        id="bug-lab-root",
        page=PAGE,
        question=f"A layer has {BASE.heads} heads of width {head_width} and divides by the root of the "
        "model’s width. By which factor are its scores too small?",
        choices=(
            (
                fixed(BASE.heads, 2),
                "The widths differ by that factor, but both stand under a root.",
            ),
            (
                fixed(right, 2),
                f"The root of {BASE.heads}, the number of heads: the more heads, the flatter the rows.",
            ),
            (
                fixed(1 / right, 2),
                "That is what is left of each score. Divided by more, scores get smaller and rows "
                "flatter, not sharper.",
            ),
        ),
        right=1,
        solve=lambda: fixed(math.sqrt(BASE.heads), 2),
    )
