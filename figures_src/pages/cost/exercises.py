"""Questions of the page on cost."""

import numpy as np

from figures_src.inputs.models import MODELS
from figures_src.kit.numbers import fixed, percent, with_commas
from figures_src.pages.exercises import Exercise
from vitattn_core import Grid, blocked_attention, core_with, cost

PAGE = "cost.md"


def entries() -> list[Exercise]:
    """Return the page's questions."""
    return [_doubled(), _narrow(), _counter(), _rescale()]


def _multiplied(*shapes: tuple[int, int, int]) -> int:
    """Return the MACs of products (n, k) @ (k, m), given as (n, k, m)."""
    return sum(n * k * m for n, k, m in shapes)


def _doubled() -> Exercise:
    model = MODELS["s"]
    sides = model.sides[1], 2 * model.sides[1]
    one, two = (model.tokens(side) for side in sides)
    wide = model.width

    def growth(macs: float, other: float) -> str:
        return f"{fixed(macs / other, 2)} times"

    def solve() -> str:
        """Count the two products of all heads at both sizes."""
        d_h = wide // model.heads
        counts = [
            model.heads * _multiplied((n, d_h, n), (n, n, d_h))
            for n in (1 + 24 * 24, 1 + 48 * 48)  # patches a side
        ]
        return growth(counts[1], counts[0])

    return Exercise(
        id="cost-doubled",
        page=PAGE,
        question=f"ViT-S/16, with CLS, gets images of {sides[1]} × {sides[1]} pixels in place of "
        f"{sides[0]} × {sides[0]}. By what factor does the pair term of a block grow?",
        choices=(
            (
                growth(two, one),
                "That is how $N$ grows, and with it the projections and the MLP. Charging $N$ for a "
                "pair term is [error 5](index.md#errors).",
            ),
            (
                growth(cost.pair_macs(two, wide), cost.pair_macs(one, wide)),
                "The square of the growth of $N$: a little less than 16, since CLS does not multiply.",
            ),
            (
                growth(cost.block_macs(two, wide), cost.block_macs(one, wide)),
                "That is the whole block: most of it grows with $N$ alone.",
            ),
        ),
        right=1,
        solve=solve,
    )


def _narrow() -> Exercise:
    side, wide = 768, MODELS["ti"].width
    n = Grid(side, side, 16).tokens
    right = cost.pair_macs(n, wide) / cost.block_macs(n, wide)
    other = MODELS["b"].width
    attention_only = cost.qkv_macs(n, wide) + cost.output_macs(n, wide) + cost.pair_macs(n, wide)
    one_row = core_with("one-row").cost

    def solve() -> str:
        """Count every product of a block of ViT-Ti."""
        heads, d_h = MODELS["ti"].heads, wide // MODELS["ti"].heads
        pair = heads * _multiplied((n, d_h, n), (n, n, d_h))
        projections = 3 * heads * _multiplied((n, wide, d_h)) + _multiplied((n, wide, wide))
        mlp = _multiplied((n, wide, 4 * wide), (n, 4 * wide, wide))
        return percent(pair / (pair + projections + mlp))

    return Exercise(
        id="cost-narrow",
        page=PAGE,
        question=f"A block of ViT-Ti/16 ($D = {wide}$) sees an image of {side} × {side} pixels: "
        f"$N = {with_commas(n).replace(',', '{,}')}$. Which share of its MACs is the pair term?",
        choices=(
            (
                percent(cost.pair_macs(n, other) / cost.block_macs(n, other)),
                "That is ViT-B at this size. The share is $N / (6D + N)$: a width that is four times "
                "smaller makes it much larger.",
            ),
            (
                percent(cost.pair_macs(n, wide) / attention_only),
                "That leaves the MLP out, which is twice the four projections.",
            ),
            (
                percent(one_row.pair_macs(n, wide) / one_row.block_macs(n, wide)),
                "That charges one row in place of all: [error 5](index.md#errors).",
            ),
            (
                percent(right),
                f"$N / (6D + N)$ with $6D = {with_commas(6 * wide).replace(',', '{,}')}$: "
                "twice as much as everything else together.",
            ),
        ),
        right=3,
        solve=solve,
    )


def _counter() -> Exercise:
    model = MODELS["b"]
    side = model.sides[1]
    n = model.tokens(side)
    block, pair = cost.block_macs(n, model.width), cost.pair_macs(n, model.width)

    def solve() -> str:
        """Take the products that are operators of their own, and leave out those inside one call."""
        d = model.width
        seen = 3 * _multiplied((n, d, d)) + _multiplied((n, d, d), (n, d, 4 * d), (n, 4 * d, d))
        return with_commas(seen)

    return Exercise(
        id="cost-counter",
        page=PAGE,
        question=f"A block of ViT-B/16 at {side} × {side} pixels runs under a counter that does not know "
        "the fused attention call. The counter prints MACs. What does it print?",
        choices=(
            (
                "0",
                "Only a bare call of the kernel prints that. The projections and the MLP are seen.",
            ),
            (
                with_commas(block - pair),
                "All but the two products inside the call, and no warning.",
            ),
            (with_commas(block), "That is the right count, which this counter cannot reach."),
            (
                with_commas(cost.flops(block - pair)),
                "In FLOPs, two for each MAC: the unit is the other thing to ask a counter about.",
            ),
        ),
        right=1,
        solve=solve,
    )


def _rescale() -> Exercise:
    first, second = np.log([[2.0, 1.0]]), np.log([[12.0]])
    values = np.array([[3.0], [6.0], [9.0]])
    e_first, e_second = (np.exp(s - s.max()) for s in (first, second))
    shrink = float(np.exp(first.max() - second.max()))
    sums = float(e_first.sum()), float((e_first @ values[:2]).sum())

    def answer(total: float, mixed: float) -> str:
        return fixed(mixed / total, 2)

    def solve() -> str:
        """Let the core do it, key by key."""
        keys = np.concatenate([first, second], axis=1).T
        return fixed(float(blocked_attention([[1.0]], keys, values, key_block=1)[0, 0]), 2)

    last = float(values[2, 0])
    return Exercise(
        id="cost-rescale",
        page=PAGE,
        question="A row is taken in two blocks. The first has $e^{s} = 2, 1$ and the values 3, 6; the "
        "second has $e^{s} = 12$ and the value 9. Each block subtracts its own largest score. What is "
        "the output?",
        choices=(
            (
                answer(sums[0] + 1, sums[1] + last),
                "The sums of the first block were left as they are: they count in units of its largest "
                "score, and weigh six times too much, since $e^{s}$ is at most 2 there and 12 here.",
            ),
            (
                answer(sums[0] * shrink + 1, sums[1] * shrink + last),
                "Both sums of the first block are multiplied by $2 / 12$. With the value 9 added, and 1 "
                "to the sum, this is the row as if it had been taken at once.",
            ),
            (
                fixed((sums[1] / sums[0] + last / float(e_second.sum())) / 2, 2),
                "The mean of two outputs: a softmax for each block, as if each had half of the weight.",
            ),
        ),
        right=1,
        solve=solve,
    )
