"""What one encoder block and a whole ViT cost, as exact integers from closed formulas.

Source: Vaswani et al. 2017, table 1, and Dosovitskiy et al. 2020, section 3.1, counted out.
Letters: N = tokens (sequence rows), D = width of the model, h = heads.

Units are in the names. A MAC is one multiply-accumulate; `flops` counts two a MAC. Biases,
layer norm, softmax, GELU and the residual sums are left out, as published counts leave them out.
The number of heads changes no MAC: h heads of width D / h do the work of one head of width D.
"""

import math
from typing import NamedTuple

from .counts import whole
from .grid import Grid


class Crossover(NamedTuple):
    """Where the pair term reaches another term of the block, for square images.

    tokens: the N at which both are equal. below, above: image sides in pixels, one patch apart;
    at `below` the sequence is shorter than `tokens`, at `above` it is not.

    The pair term of ViT-B reaches the projections between two image sides:

    >>> crossovers(768)["projections"].below, crossovers(768)["projections"].above
    (624, 640)
    """

    tokens: int
    below: int
    above: int


def _whole(request: str, **counts: int) -> list[int]:
    """Return the counts as Python's exact integers.

    Raises TypeError for a count that is no whole number, ValueError for one below 1.
    """
    return [whole(f"{request}: {name}", value, 1) for name, value in counts.items()]


def pairs(tokens: int) -> int:
    """Query-key pairs of one head, N²: every row is a query, also the rows no figure shows.

    >>> pairs(197)
    38809
    """
    (tokens,) = _whole("pairs", tokens=tokens)
    return tokens**2


def score_slots(tokens: int, heads: int) -> int:
    """Entries of the score matrices of one layer, h·N²: logical slots, stored or not.

    >>> score_slots(197, heads=12)
    465708
    """
    tokens, heads = _whole("score_slots", tokens=tokens, heads=heads)
    return heads * pairs(tokens)


def qkv_macs(tokens: int, width: int) -> int:
    """MACs of the projections to Q, K and V over all heads: (N, D) @ (D, D) three times, 3ND².

    It grows with N, not with N²: twice the rows, twice the work.

    >>> qkv_macs(5, 8), qkv_macs(10, 8)
    (960, 1920)
    """
    tokens, width = _whole("qkv_macs", tokens=tokens, width=width)
    return 3 * tokens * width**2


def scores_macs(tokens: int, width: int) -> int:
    """MACs of Q Kᵀ over all heads: each pair costs d_h a head, h·d_h = D, so N²D.

    Twice the rows, four times the work:

    >>> scores_macs(5, 8), scores_macs(10, 8)
    (200, 800)
    """
    tokens, width = _whole("scores_macs", tokens=tokens, width=width)
    return pairs(tokens) * width


def mix_macs(tokens: int, width: int) -> int:
    """MACs of the value mixture A V over all heads: N²D, as for the scores.

    As much as the scores, whatever the number of heads:

    >>> mix_macs(197, 768) == scores_macs(197, 768)
    True
    """
    tokens, width = _whole("mix_macs", tokens=tokens, width=width)
    return pairs(tokens) * width


def pair_macs(tokens: int, width: int) -> int:
    """MACs of the two products that grow with the square of N: scores and mixture, 2N²D.

    >>> pair_macs(197, 768)
    59610624
    """
    return scores_macs(tokens, width) + mix_macs(tokens, width)


def output_macs(tokens: int, width: int) -> int:
    """MACs of the output projection: joined heads (N, D) @ W_O (D, D), ND².

    A third of the projections to Q, K and V:

    >>> qkv_macs(197, 768) // output_macs(197, 768)
    3
    """
    tokens, width = _whole("output_macs", tokens=tokens, width=width)
    return tokens * width**2


def mlp_macs(tokens: int, width: int, ratio: int = 4) -> int:
    """MACs of the MLP, D -> ratio·D -> D: 2·ratio·ND², which is 8ND² at the usual ratio of 4.

    At the usual ratio twice the four projections together:

    >>> mlp_macs(5, 8) / (qkv_macs(5, 8) + output_macs(5, 8))
    2.0
    """
    tokens, width, ratio = _whole("mlp_macs", tokens=tokens, width=width, ratio=ratio)
    return 2 * ratio * tokens * width**2


def block_terms(tokens: int, width: int, ratio: int = 4) -> dict[str, int]:
    """MACs of one block by term, in the order in which a block does the work.

    >>> block_terms(5, 8)
    {'qkv': 960, 'scores': 200, 'mix': 200, 'output': 320, 'mlp': 2560}
    """
    return {
        "qkv": qkv_macs(tokens, width),
        "scores": scores_macs(tokens, width),
        "mix": mix_macs(tokens, width),
        "output": output_macs(tokens, width),
        "mlp": mlp_macs(tokens, width, ratio),
    }


def block_macs(tokens: int, width: int, ratio: int = 4) -> int:
    """MACs of one block: the sum of `block_terms`, (4 + 2·ratio)·ND² + 2N²D.

    >>> block_macs(5, 8)
    4240
    """
    return sum(block_terms(tokens, width, ratio).values())


def model_macs(
    grid: Grid, *, width: int, depth: int, classes: int, channels: int = 3, ratio: int = 4
) -> int:
    """MACs of a whole ViT on one image: patch embedding, `depth` blocks, class head on one row.

    grid: image size, patch size and the extra rows (CLS, registers). They pass through the blocks,
    but only patches are embedded. width: D. classes: outputs of the head. channels: of the image.

    >>> model_macs(Grid(224, 224, 16), width=768, depth=12, classes=1000)  # ViT-B/16
    17563828224
    """
    width, depth, classes, channels = _whole(
        "model_macs", width=width, depth=depth, classes=classes, channels=channels
    )
    patch_values = channels * grid.patch**2  # numbers in one flattened patch
    embedding = grid.patches * patch_values * width
    head = width * classes
    return embedding + depth * block_macs(grid.tokens, width, ratio) + head


def flops(macs: int) -> int:
    """Floating-point operations in so many MACs: 2·MACs, one multiplication and one addition each.

    >>> flops(4240)
    8480
    """
    (macs,) = _whole("flops", macs=macs)
    return 2 * macs


def crossovers(
    width: int, *, patch: int = 16, prefix: int = 1, ratio: int = 4
) -> dict[str, Crossover]:
    """Where the pair term 2N²D reaches other work of the block, as N and as a square image's side.

    "projections": 4ND² (Q, K, V and output), reached at N = 2D. "rest": everything else of the
    block, (4 + 2·ratio)·ND², reached at N = (2 + ratio)·D, which is 6D at the usual ratio of 4.
    patch: pixels. prefix: extra rows (1 for CLS alone, 0 for none).

    >>> crossovers(768)["projections"]
    Crossover(tokens=1536, below=624, above=640)
    """
    width, ratio = _whole("crossovers", width=width, ratio=ratio)
    return {
        "projections": sides_around(2 * width, patch=patch, prefix=prefix),
        "rest": sides_around((2 + ratio) * width, patch=patch, prefix=prefix),
    }


def sides_around(tokens: int, *, patch: int = 16, prefix: int = 1) -> Crossover:
    """The square image sides, one patch apart, between which the sequence reaches `tokens` rows.

    Raises ValueError if even the smallest image, one patch, has `tokens` rows already.

    >>> sides_around(197)
    Crossover(tokens=197, below=208, above=224)
    """
    tokens, patch = _whole("sides_around", tokens=tokens, patch=patch)
    prefix = whole("sides_around: prefix", prefix, 0)
    if tokens <= 1 + prefix:
        raise ValueError(
            f"sides_around: tokens: got {tokens}, takes {2 + prefix} or more: "
            f"an image of one patch has {1 + prefix} rows"
        )
    side = math.isqrt(tokens - prefix - 1)  # in patches: the last with side² + prefix < tokens
    return Crossover(tokens, side * patch, (side + 1) * patch)
