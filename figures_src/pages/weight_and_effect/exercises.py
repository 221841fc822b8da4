"""Questions of the page on weight and effect."""

import numpy as np

from figures_src.kit.numbers import fixed
from figures_src.pages.exercises import Exercise
from vitattn_core import (
    AttentionWeights,
    BlockWeights,
    attention,
    block,
    delete_key,
    zero_value,
)
from vitattn_core.arrays import Array
from vitattn_core.reading import rank_correlation

PAGE = "weight-and-effect.md"


def entries() -> list[Exercise]:
    """Return the page's questions."""
    return [_path(), _idle(), _ranks()]


def _random_block(rng: np.random.Generator) -> BlockWeights:
    w_q, w_k, w_v, w_o = rng.normal(size=(4, 4, 4))
    return BlockWeights(
        attention=AttentionWeights(w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, heads=2),
        w_1=rng.normal(size=(4, 16)),
        w_2=rng.normal(size=(16, 4)),
        eps=1e-6,
    )


def _path() -> Exercise:
    texts = {
        0: "of none",
        11: "of layers 1 to 11",
        12: "of all 12 layers",
    }
    whys = {
        0: "In all layers but the last, patches read the row of CLS in a later layer, and with it what "
        "CLS has read.",
        11: "In layer 12 nothing follows that could carry it to a patch; in every earlier layer the next "
        "one does.",
        12: "That is so for a class head that reads CLS. Here the output is made of patch rows: the map of "
        "layer 12 looks the same and reaches nothing ([section 5](#no-path)).",
    }

    def solve() -> str:
        """Make CLS blind in one of twelve layers at a time and look at the mean of the patch rows."""
        rng = np.random.default_rng(7)
        blocks, rows = [_random_block(rng) for _ in range(12)], rng.normal(size=(6, 4))
        mask = np.ones((6, 6), dtype=bool)
        mask[0, 1:] = False

        def output(blind: int | None) -> Array:
            z: Array = rows
            for layer, weights in enumerate(blocks):
                z = block(z, weights, mask if layer == blind else None).Z
            return z[1:].mean(axis=0)

        right = output(None)
        felt = [not np.allclose(output(layer), right, rtol=0, atol=1e-12) for layer in range(12)]
        assert all(felt[: sum(felt)])
        return texts[sum(felt)]

    return Exercise(
        id="weight-and-effect-path",
        page=PAGE,
        question="A ViT of 12 layers with CLS classifies by the *mean of its patch rows*. Of which layers "
        "can the weights in the row of CLS make any difference to the output?",
        choices=tuple((texts[key], whys[key]) for key in texts),
        right=1,
        solve=solve,
    )


def _idle() -> Exercise:
    weights, values = np.array([[0.9, 0.1]]), np.array([[2.0], [2.5]])
    output = weights @ values
    moved = float(abs(delete_key(weights, 0) @ values - output)[0, 0])
    zeroed = float(abs(weights @ zero_value(values, 0) - output)[0, 0])

    def solve() -> str:
        """Mask the key before softmax, from scores that give these weights."""
        keys, keep = np.log(weights.T), np.array([[False, True]])
        before, _ = attention([[1.0]], keys, values)
        after, _ = attention([[1.0]], keys, values, keep)
        return fixed(float(abs(after - before)[0, 0]), 2)

    shares = " and ".join(fixed(weight, 1) for weight in weights[0])
    brought = " and ".join(fixed(value, 1) for value in values[:, 0])
    return Exercise(
        id="weight-and-effect-idle",
        page=PAGE,
        question=f"A row has two keys, with weights {shares}; their values have one channel: {brought}. "
        "The first key is hidden by a mask. How far does the output move?",
        choices=(
            (
                fixed(moved, 2),
                f"From {fixed(float(output[0, 0]), 2)} to {fixed(float(values[1, 0]), 1)}: the other key "
                "takes over. A large weight, and a value close to the rest.",
            ),
            (
                fixed(float(weights[0, 0]), 2),
                "That is the weight, taken for an effect: [error 6](index.md#errors).",
            ),
            (
                fixed(zeroed, 2),
                "That is what happens if the *value* is emptied, or the mask comes after softmax: then "
                "the other weight does not grow.",
            ),
        ),
        right=0,
        solve=solve,
    )


def _ranks() -> Exercise:
    weight, effect = np.array([4.0, 3.0, 2.0, 1.0]), np.array([9.0, 1.0, 0.5, 2.0])
    right = rank_correlation(weight, effect)
    plain = float(np.corrcoef(weight, effect)[0, 1])

    def solve() -> str:
        """By the formula 1 − 6 Σ d² / (n (n² − 1)), for ranks without ties."""
        apart = np.argsort(np.argsort(weight)) - np.argsort(np.argsort(effect))
        n = len(weight)
        return fixed(1 - 6 * float((apart**2).sum()) / (n * (n * n - 1)), 2)

    moves = ", ".join(fixed(value, 1) for value in effect)
    return Exercise(
        id="weight-and-effect-ranks",
        page=PAGE,
        question="Four patches have weights in the ratio 4 : 3 : 2 : 1, and taken away they move the output "
        f"by {moves}. What is the rank correlation of weight and effect?",
        choices=(
            (
                fixed(plain, 2),
                "That is the correlation of the numbers themselves, which the one large effect decides. "
                "Ranks ask for the order alone.",
            ),
            (
                fixed(right, 2),
                "The orders are 1, 2, 3, 4 and 1, 3, 4, 2: three of four stand elsewhere.",
            ),
            (
                fixed(rank_correlation(weight, -effect), 2),
                "That is what comes out when one list is ranked from the top and the other from the bottom.",
            ),
        ),
        right=1,
        solve=solve,
    )
