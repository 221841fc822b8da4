"""Questions of the page on maps."""

from dataclasses import replace

import numpy as np

from figures_src.inputs.models import BASE
from figures_src.kit.numbers import fixed
from figures_src.pages.exercises import Exercise
from vitattn_core import (
    AttentionWeights,
    Grid,
    attention,
    delete_key,
    multi_head_attention,
    rollout,
    stack,
    zero_value,
)
from vitattn_core.constructed import stack_blocks, stack_rows

PAGE = "maps.md"


def entries() -> list[Exercise]:
    """Return the page's questions."""
    return [_delete(), _matrix(), _sign(), _freedom()]


def _delete() -> Exercise:
    weights, values, key = np.array([[0.5, 0.3, 0.2]]), np.array([[4.0], [2.0], [-3.0]]), 2
    output = weights @ values
    deleted = float(abs(delete_key(weights, key) @ values - output)[0, 0])
    zeroed = float(abs(weights @ zero_value(values, key) - output)[0, 0])

    def solve() -> str:
        """Hide the key before the softmax, from scores that give these weights."""
        keys, keep = np.log(weights.T), np.array([[True, True, False]])
        before, _ = attention([[1.0]], keys, values)
        after, _ = attention([[1.0]], keys, values, keep)
        return fixed(float(abs(after - before)[0, 0]), 2)

    shown = ", ".join(fixed(weight, 1) for weight in weights[0])
    brought = ", ".join(fixed(value, 0) for value in values[:, 0])
    return Exercise(
        id="maps-delete",
        page=PAGE,
        question=f"A row has the weights {shown}; the values have one channel: {brought}. The third "
        "key is deleted. How far does the output move?",
        choices=(
            (
                fixed(float(weights[0, key]), 2),
                "That is its weight. A weight is a share of the mixture, not an effect: "
                "[error 6](index.md#errors).",
            ),
            (
                fixed(zeroed, 2),
                "That is what zeroing the value does, or a mask that comes after the softmax: the other "
                "weights have not grown to make up for it.",
            ),
            (
                fixed(deleted, 2),
                f"The output was {fixed(float(output[0, 0]), 2)}. The other two weights grow until they "
                "sum to 1, and give "
                f"{fixed(float((delete_key(weights, key) @ values)[0, 0]), 2)}.",
            ),
        ),
        right=2,
        solve=solve,
    )


def _matrix() -> Exercise:
    names = {
        "that of the queries": "w_q",
        "that of the keys": "w_k",
        "that of the values": "w_v",
    }
    whys = {
        "w_q": "Queries make the scores, and the maps agree: nothing says that the queries differ.",
        "w_k": "Keys make the scores, and the maps agree. What keys do not do is carry content: that "
        "is [error 3](index.md#errors) the other way round.",
        "w_v": "The outputs are mixtures of values in the same shares, and they differ: so do the values. "
        "The scores know nothing of them ([section 2](#same-map)).",
    }

    def solve() -> str:
        """Change one matrix at a time and look at A and O."""
        rows = np.array([[1.0, 0.0, 2.0], [0.5, -1.0, 0.0], [2.0, 1.0, -1.0]])
        eye = np.eye(3)
        right = AttentionWeights(w_q=eye, w_k=eye, w_v=eye, w_o=eye, heads=1)
        before, found = multi_head_attention(rows, right), []
        for name, field in names.items():
            matrices = {"w_q": eye, "w_k": eye, "w_v": eye, field: eye + np.eye(3, k=1)}
            after = multi_head_attention(rows, AttentionWeights(**matrices, w_o=eye, heads=1))
            same_map = np.allclose(before["A"], after["A"], rtol=0, atol=1e-12)
            if same_map and not np.allclose(before["O"], after["O"]):
                found.append(name)
        return " or ".join(found)

    return Exercise(
        id="maps-matrix",
        page=PAGE,
        question="Two heads of one layer paint the same map on every image, to the last bit, and their "
        "outputs differ. Which of their matrices certainly differs?",
        choices=tuple((name, whys[field]) for name, field in names.items()),
        right=list(names.values()).index("w_v"),
        solve=solve,
    )


def _sign() -> Exercise:
    texts = {
        (True, False): "the rollout stays, the last row of CLS changes",
        (True, True): "both stay",
        (False, False): "both change",
    }
    whys = {
        (
            True,
            False,
        ): "The map is formed before $W_O$ acts, and the rollout reads nothing but maps. (With "
        "more blocks, later maps would change, since the rows they read do.)",
        (
            True,
            True,
        ): "The row of CLS becomes what it was minus what it read, in place of plus: it stays "
        "only if it read nothing.",
        (False, False): "A rollout would have to know signs to change. It multiplies shares, which "
        "have none; whoever expects this reads a rollout as an account of causes.",
    }

    def solve() -> str:
        """Run both stacks and compare."""
        right = stack_blocks()[:1]
        turned = [replace(b, attention=replace(b.attention, w_o=-b.attention.w_o)) for b in right]
        one, other = (stack(stack_rows(), blocks) for blocks in (right, turned))
        shares = [rollout([trace.A for trace in traces]) for traces in (one, other)]
        same_rows = np.allclose(one[-1].Z[0], other[-1].Z[0])
        return texts[bool(np.allclose(shares[0], shares[1], rtol=0, atol=1e-12)), bool(same_rows)]

    order = [(False, False), (True, False), (True, True)]
    return Exercise(
        id="maps-sign",
        page=PAGE,
        question="A model has one block. The sign of its $W_O$ is turned round. What becomes, in general, "
        "of the rollout, and of the last row of CLS?",
        choices=tuple((texts[key], whys[key]) for key in order),
        right=1,
        solve=solve,
    )


def _freedom() -> Exercise:
    grid = Grid(384, 384, 16)
    head_width = BASE.width // BASE.heads
    right = grid.tokens - head_width - 1

    def solve() -> str:
        """Count the directions that leave the sum and every channel of the output alone."""
        n = np.arange(grid.tokens)[:, None]
        values = np.cos((0.37 + np.arange(head_width)) * n + n**2 / 7)
        conditions = np.column_stack([values, np.ones(len(n))])
        return str(len(n) - int(np.linalg.matrix_rank(conditions)))

    return Exercise(
        id="maps-freedom",
        page=PAGE,
        question=f"ViT-B/16 at {grid.height} × {grid.width} pixels, with CLS, {BASE.heads} heads. In how "
        "many independent directions, at least, can a row of weights be changed without its output "
        "and its sum noticing?",
        choices=(
            (
                str(grid.patches - head_width - 1),
                "CLS is a row of the sequence too, and has a weight: [error 10](index.md#errors).",
            ),
            (
                "0",
                "That is what the width of the model would give, which is larger than the number of "
                "rows: [error 1](index.md#errors). A head is only $D / h$ channels wide.",
            ),
            (
                str(right),
                f"$N = 24^2 + 1$ weights, less {head_width} conditions for the output and one for "
                "the sum.",
            ),
            (
                str(grid.tokens - head_width),
                "The sum of the row is a condition as well.",
            ),
        ),
        right=2,
        solve=solve,
    )
