"""Test yourself, part 3: mixtures, residual and norm."""

import numpy as np

from figures_src.kit.numbers import fixed
from figures_src.pages.exercises import Exercise
from vitattn_core import (
    attention,
    layer_norm,
    mix,
    swap_values,
)
from vitattn_core.arrays import Array

PAGE = "test-yourself.md"


def entries() -> list[Exercise]:
    """Return the questions on what is done with the weights."""
    return [_mixture(), _alike(), _exchange(), _residual(), _norm()]


def _mixture() -> Exercise:
    queries, keys, values = np.zeros((1, 1)), np.array([[2.0], [6.0]]), np.array([[1.0], [9.0]])
    right = fixed(float(attention(queries, keys, values)[0][0, 0]), 0)
    wrong = fixed(float(mix(attention(queries, keys, values)[1], keys)[0, 0]), 0)
    whys = {
        wrong: "These are keys, mixed ([error 3](index.md#errors)). Keys decide how much, "
        "values are what is taken.",
        right: "A query of 0 has the score 0 with every key, so both weigh the same; the mean "
        "of the values comes out ([the mixture](index.md#mixture)).",
        fixed(float(values.sum()), 0): "The values are added in shares that sum to 1, not in full.",
    }
    return Exercise(
        id="test-yourself-mixture",
        page=PAGE,
        question="One channel: the query is 0, the keys are 2 and 6, the values 1 and 9. What is the "
        "output?",
        choices=tuple(whys.items()),
        right=list(whys).index(right),
        solve=lambda: fixed(sum(v for v in (1, 9)) / len((1, 9)), 0),
    )


def _alike() -> Exercise:
    texts = {
        "map": "only if its map is flat",
        "never": "no, it depends on the map",
        "always": "yes, whatever the map",
    }
    whys = {
        "always": "Shares that sum to 1, of one and the same row: the map is idle "
        "([same map, another output](maps.md#same-map)).",
        "map": "Any shares of one and the same thing add up to that thing.",
        "never": "The map decides between values, and there is nothing to decide between.",
    }

    def solve() -> str:
        values = np.ones((3, 1)) * [2.0, 5.0]
        flat, sharp = np.full((2, 3), 1 / 3), np.array([[0.9, 0.1, 0.0], [0.0, 0.2, 0.8]])
        same = [np.allclose(mix(weights, values), values[0]) for weights in (flat, sharp)]
        return texts["always" if all(same) else "map" if same[0] else "never"]

    return Exercise(
        id="test-yourself-alike",
        page=PAGE,
        question="In one head, all rows have the same value. Do all rows then receive the same from it?",
        choices=tuple((texts[key], why) for key, why in whys.items()),
        right=list(whys).index("always"),
        solve=solve,
    )


def _exchange() -> Exercise:
    weights, values = np.array([[0.6, 0.3, 0.1]]), np.array([[1.0], [4.0], [4.0]])
    moved = [
        float(abs(mix(weights, swap_values(values, *pair)) - mix(weights, values))[0, 0])
        for pair in ((1, 2), (0, 1), (0, 2))
    ]
    names = ["keys 1 and 2", "keys 0 and 1", "keys 0 and 2"]
    whys = [
        f"The output does not move ({fixed(moved[0], 1)}): both hold the same. That their weights "
        "differ does not help.",
        f"The output moves by {fixed(moved[1], 1)}. These have the largest weights, but what counts is "
        "the *difference* of two weights, times that of two values.",
        f"The output moves by {fixed(moved[2], 1)}: the difference of the weights, times the "
        "difference of the values ([interventions](maps.md#interventions)).",
    ]

    def solve() -> str:
        def effect(pair: tuple[int, int]) -> float:
            i, j = pair
            return float(abs(weights[0, i] - weights[0, j]) * abs(values[i, 0] - values[j, 0]))

        return "keys {} and {}".format(*max(((1, 2), (0, 1), (0, 2)), key=effect))

    return Exercise(
        id="test-yourself-exchange",
        page=PAGE,
        question=f"A row has the weights {', '.join(fixed(w, 1) for w in weights[0])} on keys 0, 1 and 2, "
        "whose values are 1, 4 and 4. Two of the values change places. Which exchange moves the output "
        "most?",
        choices=tuple(zip(names, whys, strict=True)),
        right=2,
        solve=solve,
    )


def _residual() -> Exercise:
    x, read = np.array([[7.0, 3.0]]), np.array([[0.5, -1.0]])
    normed = layer_norm(x, eps=0)

    def written(row: Array) -> str:
        return f"({', '.join(fixed(n, 1) for n in row[0])})"

    whys = {
        written(read): "That is what attention gives, alone. The row itself would be forgotten.",
        written(normed + read): "The normed row has taken the place of the raw one "
        "([error 11](index.md#errors)): mean and spread of the row are lost.",
        written(x + read): "What is read is added to the raw row; the norm only stands in front of "
        "attention ([residual](index.md#residual)).",
    }
    return Exercise(
        id="test-yourself-residual",
        page=PAGE,
        question=f"A row of width 2 is {written(x)}; its norm, without gain and shift, is "
        f"{written(normed)}. Attention, with $W_O$, gives {written(read)} for it. What is the row after the "
        "residual sum?",
        choices=tuple(whys.items()),
        right=list(whys).index(written(x + read)),
        solve=lambda: written(np.array([[a + b for a, b in zip(x[0], read[0], strict=True)]])),
    )


def _norm() -> Exercise:
    row = np.array([1.0, 1.0, 1.0, 5.0])
    away = row - row.mean()
    right = fixed(float(layer_norm(row[None], eps=0)[0, 3]), 2)
    narrow = fixed(float(away[3] / row.std(ddof=1)), 2)
    whys = {
        right: "Less the mean, 2, and divided by the root of the mean square of what is left.",
        narrow: "The variance was divided by $D - 1$. Layer norm divides by $D$ "
        "([counting](notation.md#counting)).",
        fixed(float(away[3]), 2): "Only the mean is taken off; the spread is not divided out.",
    }

    def solve() -> str:
        spread = (sum(a * a for a in away) / len(away)) ** 0.5
        return fixed(float(away[3] / spread), 2)

    return Exercise(
        id="test-yourself-norm",
        page=PAGE,
        question="Layer norm of the row (1, 1, 1, 5), without gain, shift and $\\varepsilon$: what "
        "becomes of the 5?",
        choices=tuple(whys.items()),
        right=list(whys).index(right),
        solve=solve,
    )
