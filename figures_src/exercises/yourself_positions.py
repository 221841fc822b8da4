"""Test yourself, part 4: position."""

import numpy as np

from vitattn_core import AttentionWeights, add_position, multi_head_attention

from . import Exercise

PAGE = "test-yourself.md"


def entries() -> list[Exercise]:
    """Return the questions on position."""
    return [_shuffled(), _twins()]


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


def _twins() -> Exercise:
    texts = {
        "same": "they are equal in every head",
        "differ": "they differ, since their positions were added",
        "one": "they are equal in the first head only",
    }
    whys = {
        "same": "So they would be if position were dropped ([error 4](index.md#errors)).",
        "differ": "Equal pixels give equal content; the rows are content plus position. This is "
        "what parts the two equal patches of the "
        "[notebook](notebooks/follow-one-row.ipynb#from-pixels-to-a-row).",
        "one": "No head is special: each reads the whole row.",
    }

    def solve() -> str:
        content = np.tile(np.cos(np.arange(4.0)), (2, 1))
        rows = add_position(content, np.sin(np.arange(8.0)).reshape(2, 4))
        same = [np.allclose(*head[0:2]) for head in multi_head_attention(rows, head_of(4))["Q"]]
        return texts["same" if all(same) else "one" if same[0] else "differ"]

    return Exercise(
        id="test-yourself-twins",
        page=PAGE,
        question="Two patches of an image have the same pixels, at different places; the model adds a "
        "position table. What of their queries in the first layer?",
        choices=tuple((texts[key], why) for key, why in whys.items()),
        right=list(whys).index("differ"),
        solve=solve,
    )
