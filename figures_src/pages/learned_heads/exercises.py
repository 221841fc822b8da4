"""Questions of the page on learned heads."""

import math

import numpy as np

from figures_src.inputs import captures
from figures_src.inputs.captures import GRID
from figures_src.kit.numbers import fixed
from figures_src.pages.exercises import Exercise
from vitattn_core import attention, products, scale, softmax

from . import examples

PAGE = "learned-heads.md"


def entries() -> list[Exercise]:
    """Return the page's questions."""
    return [_blank(), _mean(), _bias(), _divisor()]


def _blank() -> Exercise:
    heads = {
        (4, 2): "layer 4, head 2: one patch down",
        (9, 4): "layer 9, head 4: from one eye to the other",
        (1, 6): "layer 1, head 6: nearly all to one patch",
    }
    whys = {
        (
            4,
            2,
        ): "One patch down is one patch down in every photograph. It works on flat grey as well "
        "([section 2](#shifts)).",
        (9, 4): "Where there are no eyes, it finds something else: its rows follow what is there.",
        (
            1,
            6,
        ): "The key is another one in each photograph: (3,9) on the cat, (4,11) on the cup. A row "
        "with one large weight is sharp; that does not make it blind.",
    }

    def solve() -> str:
        """Compare each head's rows on the cat with those on the cup: how much weight has to move."""
        moved = {}
        for layer, head in heads:
            cat, cup = (captures.load(p, layer).weights[head - 1] for p in ("chelsea", "coffee"))
            moved[layer, head] = float(np.abs(cat - cup).sum(axis=1).mean() / 2)
        return heads[min(moved, key=lambda one: moved[one])]

    return Exercise(
        id="learned-heads-blank",
        page=PAGE,
        question="The photograph of the cat is exchanged for that of the cup. Whose rows of weights "
        "change least?",
        choices=tuple((heads[key], whys[key]) for key in ((1, 6), (9, 4), (4, 2))),
        right=2,
        solve=solve,
    )


def _mean() -> Exercise:
    A = captures.load(examples.PHOTO, examples.SHIFT_LAYER).weights[:, examples.QUERY]
    below = GRID.token(8, 5)
    column = A[:, below]
    right = fixed(float(column.mean()), 3)

    def solve() -> str:
        """Run all six heads through `attention`, with values that mark the one key."""
        layer = captures.load(examples.PHOTO, examples.SHIFT_LAYER)
        mark = np.zeros((captures.TOKENS, 1))
        mark[below] = 1.0
        q = layer.Q[:, examples.QUERY : examples.QUERY + 1]
        found = [attention(q[h], layer.K[h], mark)[0].item() for h in range(captures.HEADS)]
        return fixed(math.fsum(found) / len(found), 3)

    return Exercise(
        id="learned-heads-mean",
        page=PAGE,
        question=f"Head 2 of layer 4 gives {fixed(float(column[1]), 3)} of a row to one key. The five "
        f"other heads together give it {fixed(float(np.delete(column, 1).sum()), 3)}. What does the "
        "mean of the six give it?",
        choices=(
            (
                fixed(float(column.max()), 3),
                "That is the largest over the heads, another picture that is often drawn. It is no row "
                "of weights: such largest weights sum to more than 1.",
            ),
            (right, "The sum over the heads, divided by 6. No head has such a row."),
            (
                fixed(float(column.sum()), 3),
                "That is the sum over the heads. A mean divides it by their number.",
            ),
        ),
        right=1,
        solve=solve,
    )


def _bias() -> Exercise:
    texts = {
        (True, False, False): "the scores, but neither weights nor outputs",
        (True, True, False): "the scores and the weights, but no output",
        (True, True, True): "scores, weights and outputs",
    }
    whys = {
        (
            True,
            False,
            False,
        ): "All scores of row $i$ change by the same number, $q_i$ times the vector, "
        "divided by $\\sqrt{d_h}$. Softmax does not see it ([section 7](#biases)).",
        (
            True,
            True,
            False,
        ): "Where weights change, a mixture of different values changes with them.",
        (
            True,
            True,
            True,
        ): "That would be so if the vector were added to the queries: then each key "
        "would change it by another number.",
    }

    def solve() -> str:
        """Add a vector to all keys and look."""
        rng = np.random.default_rng(5)
        Q, K, V = rng.normal(size=(3, 9, 4))
        moved = K + np.array([3.0, -1.0, 2.0, 5.0])
        scores = [scale(products(Q, keys), 4) for keys in (K, moved)]
        outputs = [attention(Q, keys, V)[0] for keys in (K, moved)]
        pairs = (scores, [softmax(s) for s in scores], outputs)
        key = [bool(np.abs(one - other).max() > 1e-9) for one, other in pairs]
        return texts[key[0], key[1], key[2]]

    return Exercise(
        id="learned-heads-bias",
        page=PAGE,
        question="The same vector is added to all keys of a head. What changes, in general?",
        choices=tuple((texts[key], whys[key]) for key in texts),
        right=0,
        solve=solve,
    )


def _divisor() -> Exercise:
    heads, head_width = captures.HEADS, captures.HEAD_WIDTH
    width = heads * head_width

    def solve() -> str:
        """Take scores with either divisor from the same products."""
        found = products(np.array([[2.0, 1.0]]), np.array([[3.0, 4.0]]))
        return fixed(float((scale(found, head_width) / scale(found, width)).item()), 2)

    return Exercise(
        id="learned-heads-divisor",
        page=PAGE,
        question=f"The trained model has {heads} heads and $D = {width}$. Someone divides by $\\sqrt{{D}}$. "
        "By which factor are the scores too small?",
        choices=(
            (
                fixed(heads, 2),
                "That is $D / d_h$. Both divisors are roots, and so is their ratio.",
            ),
            (
                fixed(math.sqrt(head_width), 2),
                "That is the right divisor itself. Without any divisor the scores are this much too "
                "*large*.",
            ),
            (
                fixed(math.sqrt(heads), 2),
                "$\\sqrt{D / d_h} = \\sqrt{h}$. With one head the error is invisible, which is why it "
                "passes tests on a single head ([error 1](index.md#errors)).",
            ),
        ),
        right=2,
        solve=solve,
    )
