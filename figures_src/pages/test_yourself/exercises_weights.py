"""Test yourself, part 2: from products to weights."""

import numpy as np

from figures_src.kit.numbers import fixed
from figures_src.pages.exercises import Exercise
from vitattn_core import attention, delete_key, hide, scale, softmax

PAGE = "test-yourself.md"


def entries() -> list[Exercise]:
    """Return the questions on scores, softmax and masks."""
    return [_scale(), _axis(), _shift(), _deleted(), _nothing()]


def _scale() -> Exercise:
    product, width, heads = 12.0, 64, 4
    numbers = [float(scale([[product]], width // heads)[0, 0]), product, product / width**0.5]
    whys = [
        "$d_h = D / h$, and its root divides ([scale](index.md#scale)).",
        "Nothing has been divided: the wider the head, the sharper every row would be.",
        "This divides by $\\sqrt{D}$, the width of the model ([error 1](index.md#errors)).",
    ]
    return Exercise(
        id="test-yourself-scale",
        page=PAGE,
        question=f"$D = {width}$, $h = {heads}$ heads of the usual width. A query and a key have the "
        f"product {fixed(product, 0)}. What is the score?",
        choices=tuple((fixed(n, 1), why) for n, why in zip(numbers, whys, strict=True)),
        right=0,
        solve=lambda: fixed(product / next(r for r in range(99) if r * r * heads == width), 1),
    )


def _axis() -> Exercise:
    scores = np.log([[1.0, 3.0], [1.0, 1.0]])
    right, wrong = (fixed(float(softmax(scores, axis=axis)[0, 0]), 2) for axis in (-1, -2))
    whys = {
        wrong: "Here the *column* sums to 1: softmax over the queries "
        "([error 2](index.md#errors)).",
        fixed(1.0, 2): "An exponential that was not divided by the sum of its row.",
        right: "1 against 3, in this row alone: softmax goes over the keys, for each query by "
        "itself ([softmax](index.md#softmax)).",
    }
    return Exercise(
        id="test-yourself-axis",
        page=PAGE,
        question="Two queries, two keys. Row 0 of the scores is (0, ln 3), row 1 is (0, 0). What is the "
        "first weight of row 0?",
        choices=tuple(whys.items()),
        right=list(whys).index(right),
        solve=lambda: fixed(1 / (1 + 3), 2),
    )


CHANGES = {
    "same": "no weight changes",
    "sharper": "the row gets sharper, the order of the keys stays",
    "flatter": "the row gets flatter, the order of the keys stays",
}


def _change(after: np.ndarray, before: np.ndarray) -> str:
    """Return which of the three changes it is; both rows must have the same order."""
    assert np.array_equal(after.argsort(), before.argsort())
    if np.allclose(after, before):
        return CHANGES["same"]
    return CHANGES["sharper" if after.max() > before.max() else "flatter"]


def _shift() -> Exercise:
    scores = np.array([0.5, 2.0, -1.0, 1.2])
    whys = {
        "sharper": "Only differences between scores count, and they are what they were.",
        "same": "The factor $e^3$ stands above and below the fraction line. That is why the largest "
        "score may be subtracted ([softmax](index.md#softmax)).",
        "flatter": "That would need smaller differences between the scores.",
    }
    return Exercise(
        id="test-yourself-shift",
        page=PAGE,
        question="3 is added to every score of one row. What becomes of its weights?",
        choices=tuple((CHANGES[key], why) for key, why in whys.items()),
        right=list(whys).index("same"),
        solve=lambda: _change(softmax(scores + 3), softmax(scores)),
    )


def _deleted() -> Exercise:
    weights = np.array([0.5, 0.3, 0.2])
    right, kept = fixed(float(delete_key(weights[None], 2)[0, 0]), 3), fixed(weights[0], 3)
    whys = {
        kept: "The row would sum to less than 1: so it is when a mask comes after the "
        "softmax ([masks](masks.md#where)).",
        right: "What is left grows in proportion ([interventions](maps.md#interventions)).",
        fixed(weights[0] + weights[2] / 2, 3): "The freed weight is not handed out in equal parts: "
        "every key that is left keeps its exponential, and only the sum shrinks.",
    }

    def solve() -> str:
        keep = np.array([True, True, False])
        return fixed(float(softmax(hide(np.log(weights), keep))[0]), 3)

    return Exercise(
        id="test-yourself-deleted",
        page=PAGE,
        question=f"A row has the weights {', '.join(fixed(w, 1) for w in weights)}. A mask takes out the "
        "third key. What is the first weight then?",
        choices=tuple(whys.items()),
        right=list(whys).index(right),
        solve=solve,
    )


def _nothing() -> Exercise:
    texts = {
        "nan": "NaN, everywhere",
        "mean": "the mean of all values",
        "zeros": "zeros",
    }
    whys = {
        "nan": "A plain softmax over nothing but $-\\infty$ does this, and the NaN spreads. Our core and "
        "`scaled_dot_product_attention` treat such a row apart.",
        "mean": "So it is when one large negative number stands in for $-\\infty$: the row that may "
        "read nothing reads everything ([masks](masks.md#empty)).",
        "zeros": "A row that may read nothing has no distribution, and receives nothing "
        "([masks](masks.md#empty)).",
    }

    def solve() -> str:
        output, _ = attention(np.ones((1, 2)), np.eye(3, 2), np.eye(3) + 1, np.zeros((1, 3), bool))
        kind = "nan" if np.isnan(output).any() else "mean" if output.any() else "zeros"
        return texts[kind]

    return Exercise(
        id="test-yourself-nothing",
        page=PAGE,
        question="A mask leaves a row no key at all. What does attention give for it in the core of "
        "this site?",
        choices=tuple((texts[key], why) for key, why in whys.items()),
        right=list(whys).index("zeros"),
        solve=solve,
    )
