"""Test yourself, part 4: position."""

import numpy as np

from figures_src.pages.exercises import Exercise
from vitattn_core import AttentionWeights, multi_head_attention

PAGE = "test-yourself.md"


def entries() -> list[Exercise]:
    """Return the questions on position."""
    return [_shuffled()]


def head_of(width: int) -> AttentionWeights:
    """Two heads whose matrices are no more special than any others."""
    n = np.arange(width * width).reshape(width, width)
    matrices = (np.sin(n), np.cos(2 * n), np.sin(3 * n + 1), np.cos(n / 2))
    return AttentionWeights(
        **dict(zip(("w_q", "w_k", "w_v", "w_o"), matrices, strict=True)), heads=2
    )


def _shuffled() -> Exercise:
    texts = {
        (True, True): "CLS reads the same; each patch row reads what it read, at its new place",
        (True, False): "CLS reads the same; the patch rows read something else",
        (False, False): "all rows read something else",
    }
    whys = {
        (True, True): "Without position the layer is permutation-equivariant "
        "([order](patches.md#order)). A [notebook](notebooks/train-a-tiny-vit.ipynb"
        "#with-positions-and-without) shows what a trained classifier makes of it.",
        (False, False): "Then the layer would have to know the order. It knows rows only.",
        (True, False): "A patch row is the same row at another place, and meets the same rows.",
    }

    def solve() -> str:
        rows = np.sin(np.arange(20.0)).reshape(5, 4) * 2
        order = np.array([0, 3, 1, 4, 2])  # CLS stays in front
        before = multi_head_attention(rows, head_of(4))["M"]
        after = multi_head_attention(rows[order], head_of(4))["M"]
        cls, patches = np.allclose(after[0], before[0]), np.allclose(after, before[order])
        return texts[bool(cls), bool(patches)]

    return Exercise(
        id="test-yourself-shuffled",
        page=PAGE,
        question="A model without any kind of position: the patches of an image are shuffled, CLS stays in "
        "front. What becomes of what attention reads?",
        choices=tuple((texts[key], why) for key, why in whys.items()),
        right=list(whys).index((True, True)),
        solve=solve,
    )
