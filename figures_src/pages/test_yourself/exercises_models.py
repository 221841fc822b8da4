"""Test yourself, part 5: several heads and layers, maps, and weights from elsewhere."""

import numpy as np

from figures_src.kit.numbers import fixed
from figures_src.pages.exercises import Exercise
from vitattn_core import mix, multi_head_attention, rollout

from .exercises_positions import head_of

PAGE = "test-yourself.md"


def entries() -> list[Exercise]:
    """Return the questions on heads, layers and maps."""
    return [_order(), _rollout(), _detour()]


def _order() -> Exercise:
    texts = {
        (False, False): "the outputs of the heads, and what the layer adds",
        (True, False): "the outputs of the heads change places, what the layer adds stays",
        (True, True): "nothing changes, not even the order of the heads' outputs",
    }
    whys = {
        (False, False): "Each output still meets the lines of $W_O$ that were made for it.",
        (
            True,
            False,
        ): "Side by side they stand in another order, and so do the lines of $W_O$: the "
        "heads are added up, and a sum has no order ([the sum](heads.md#sum)).",
        (True, True): "Head 1 now computes what head 2 did; its output stands where head 1 writes.",
    }

    def solve() -> str:
        weights, rows = head_of(4), np.sin(np.arange(20.0)).reshape(5, 4)
        order = [2, 3, 0, 1]
        exchanged = type(weights)(
            w_q=weights.w_q[:, order],
            w_k=weights.w_k[:, order],
            w_v=weights.w_v[:, order],
            w_o=weights.w_o[order],
            heads=2,
        )
        one, other = (multi_head_attention(rows, w) for w in (weights, exchanged))
        return texts[np.allclose(one["M"], other["M"]), np.allclose(one["O"], other["O"])]

    return Exercise(
        id="test-yourself-order",
        page=PAGE,
        question="Two heads change places: their columns of $W_Q$, $W_K$, $W_V$, and with them their "
        "lines of $W_O$. What changes?",
        choices=tuple((texts[key], why) for key, why in whys.items()),
        right=list(whys).index((True, False)),
        solve=solve,
    )


def _rollout() -> Exercise:
    weights = np.array([[0.4, 0.6], [0.5, 0.5]])
    right = float(rollout([weights])[0, 1])
    weight, share = fixed(float(weights[0, 1]), 2), fixed(right, 2)
    whys = {
        share: "Half of the weight: the other half of the row is the identity "
        "([rollout](maps.md#rollout)).",
        weight: "That is the weight. A rollout adds the identity first, for the "
        "skip connection, and brings the row back to sum 1.",
        fixed(1 - right, 2): "That is the share of row 0 in itself.",
    }
    return Exercise(
        id="test-yourself-rollout",
        page=PAGE,
        question="A model with one block and two rows. Row 0 gives itself "
        f"{fixed(float(weights[0, 0]), 1)} and row 1 {fixed(float(weights[0, 1]), 1)}. What does the "
        "rollout of row 0 say about row 1?",
        choices=tuple(whys.items()),
        right=list(whys).index(share),
        solve=lambda: fixed((float(weights[0, 1]) + 0) / (float(weights[0].sum()) + 1), 2),
    )


def _detour() -> Exercise:
    texts = {
        "never": "no: nothing of it can reach CLS",
        "skip": "only through the skip connection of CLS",
        "detour": "yes, through a third row",
    }
    whys = {
        "never": "Nothing came *directly*. A weight of 0 speaks of one head in one layer "
        "([what weights are good for](maps.md#good-for)).",
        "skip": "The skip connection of CLS carries CLS, and nothing of the patch is in it.",
        "detour": "In the first layer another row reads the patch; in the second, CLS reads that row. So a "
        "patch can matter and be dark in the last map, as the "
        "[notebook](notebooks/train-a-tiny-vit.ipynb#take-a-key-away) counts.",
    }

    def solve() -> str:
        """CLS, a third row, the patch: change what the patch holds and follow it."""
        first = np.array([[0.5, 0.5, 0.0], [0.2, 0.4, 0.4], [0.3, 0.3, 0.4]])
        second = np.array([[0.5, 0.5, 0.0], [0.1, 0.8, 0.1], [0.3, 0.3, 0.4]])
        last = []
        for held in (1.0, -1.0):
            rows = np.array([[1.0], [2.0], [held]])
            middle = rows + mix(first, rows)
            last.append([float((middle + mix(second, middle))[0, 0]), float(middle[0, 0])])
        if last[0][1] != last[1][1]:
            return texts["skip"]
        return texts["detour" if last[0][0] != last[1][0] else "never"]

    return Exercise(
        id="test-yourself-detour",
        page=PAGE,
        question="Two layers, one head each. In both, CLS gives a certain patch the weight 0, exactly. Can "
        "what the patch holds still change the row of CLS that leaves the second layer?",
        choices=tuple((texts[key], why) for key, why in whys.items()),
        right=list(whys).index("detour"),
        solve=solve,
    )
