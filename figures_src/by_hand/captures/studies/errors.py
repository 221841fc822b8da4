"""Mistakes and facts on trained weights, in float64: divisor, axis, keys for values, biases, order."""

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np

from figures_src.by_hand.captures.findings import Finding, Findings
from figures_src.by_hand.captures.passes import HEAD_WIDTH, Model, Seen
from vitattn_core import AttentionWeights, add_position, block, embed, patchify, sequence, softmax
from vitattn_core.arrays import Array
from vitattn_core.reading import entropy, rank_correlation

DIVISORS = {"head": HEAD_WIDTH**0.5, "none": 1.0, "model": 384**0.5}
SEED = 0  # of the shuffled order, by NumPy's default generator


def cosine(one: Array, other: Array) -> Array:
    """Return the cosine of each pair of rows."""
    lengths = np.linalg.norm(one, axis=-1) * np.linalg.norm(other, axis=-1)
    found: Array = (one * other).sum(axis=-1) / lengths
    return found


def _mapped(model: Model, change: Callable[[AttentionWeights], AttentionWeights]) -> Model:
    """Return the model with the attention of every block changed."""
    blocks = tuple(replace(b, attention=change(b.attention)) for b in model.vit.blocks)
    return model.changed(blocks)


def divisors(model: Model, photos: Mapping[str, Seen]) -> Findings:
    """Return the same scores under three divisors, and the network run again with each."""
    entries: Findings = {}
    scores = [trace.S for seen in photos.values() for trace in seen.traces]
    order = True
    for name, divisor in DIVISORS.items():
        factor = DIVISORS["head"] / divisor

        def scaled(a: AttentionWeights, factor: float = factor) -> AttentionWeights:
            return replace(a, w_q=a.w_q * factor, b_q=None if a.b_q is None else a.b_q * factor)

        sums = np.zeros(3)
        for S in scores:
            rows = softmax(S * factor)[:, 1:]  # patch queries
            top = rows.max(axis=-1)
            sums += entropy(rows).mean(), top.mean(), (top > 0.9).mean()
            order &= bool(
                (np.argsort(S * factor, kind="stable") == np.argsort(S, kind="stable")).all()
            )
        other = _mapped(model, scaled)
        final = [(other.onwards(seen.traces[0].X), seen.rows) for seen in photos.values()]
        entries[f"divisor.{name}"] = Finding(
            dict(zip(("entropy", "top", "above"), sums / len(scores), strict=True))
            | {
                "cls_cosine": float(np.mean([cosine(a[0], b[0]) for a, b in final])),
                "patch_cosine": float(np.mean([cosine(a[1:], b[1:]).mean() for a, b in final])),
            },
            1e-3,
            "the trained scores under a divisor: mean entropy (nats), mean largest weight, share of "
            "rows with one above 0.9; the network run with it: cosine with the true final rows",
        )
    spread = float(np.mean([S.std(axis=-1).mean() for S in scores]))
    entries["divisor.order"] = Finding(order, 0, "the order of keys is the same in every row")
    entries["divisor.spread"] = Finding(
        [spread * DIVISORS["head"], spread], 1e-3, "mean spread of a row of products, and of scores"
    )
    return entries


def axes(seen: Seen) -> Findings:
    """Return the sums of rows when the softmax runs over queries, layer 12; and keys mixed for values."""
    last = seen.traces[-1]
    sums = softmax(last.S, axis=-2).sum(axis=-1)
    right, wrong = last.O, last.A @ last.K
    return {
        f"axis.{seen.name}": Finding(
            [float(sums.min()), float(sums.max())],
            0.01,
            "softmax over the queries, layer 12: smallest and largest sum of a row",
        ),
        f"keys_mixed.{seen.name}": Finding(
            {
                "cosine": float(cosine(right, wrong).mean()),
                "lengths": float(
                    np.linalg.norm(wrong, axis=-1).mean() / np.linalg.norm(right, axis=-1).mean()
                ),
            },
            1e-3,
            "A·K for A·V, layer 12: mean cosine with the true output, and mean length as its multiple",
        ),
    }


def key_biases(model: Model, seen: Seen) -> Findings:
    """Return what all key biases set to 0 change: the scores, and nothing else."""
    without = _mapped(model, lambda attention: replace(attention, b_k=None))
    rows, largest = seen.traces[0].X, np.zeros(2)
    for weights, trace in zip(without.vit.blocks, seen.traces, strict=True):
        other = block(rows, weights)
        change = np.abs(other.S - trace.S).max(), np.abs(other.A - trace.A).max()
        largest = np.maximum(largest, change)
        rows = other.Z
    return {
        f"key_biases.scores.{seen.name}": Finding(
            largest[0], 0.01, "all key biases 0: largest change of a score"
        ),
        f"key_biases.weights.{seen.name}": Finding(
            largest[1], 1e-12, "all key biases 0, float64: largest change of a weight"
        ),
    }


def value_lengths(seen: Seen) -> Findings:
    """Return what weights times lengths of values change: the top key often, the order hardly."""
    A = seen.weights
    lengths = np.linalg.norm(np.stack([t.V for t in seen.traces]), axis=-1)
    parts = A * lengths[:, :, None]
    flips = (A.argmax(-1) != parts.argmax(-1)).mean(axis=-1)  # (12, 6)
    alike = [
        rank_correlation(A[layer, head, query], parts[layer, head, query])
        for layer in range(A.shape[0])
        for head in range(A.shape[1])
        for query in range(0, A.shape[2], 8)
    ]
    return {
        f"lengths.flips.{seen.name}": Finding(
            flips, 0.01, "share of rows whose top key by a·‖v‖ is another; layer, head"
        ),
        f"lengths.alike.{seen.name}": Finding(
            float(np.mean(alike)), 1e-3, "mean rank correlation of a and a·‖v‖ over a row"
        ),
    }


def shuffled(model: Model, single: Model, seen: Seen) -> Findings:
    """Return how final rows differ when the patch rows are shuffled, with and without positions."""
    order = np.random.default_rng(SEED).permutation(256)
    whole = np.concatenate([[0], order + 1])

    def both(m: Model, *, position: bool) -> tuple[Array, Array]:
        vit = m.vit
        patches = patchify(seen.image.astype(m.dtype), 14)
        final = []
        for rows in (patches, patches[order]):
            content = sequence(embed(rows, vit.embedding, vit.bias), cls=vit.cls)
            table = vit.positions(vit.grid(224, 224))
            final.append(m.onwards(add_position(content, table) if position else content))
        return final[0][whole], final[1]

    right, mixed = both(model, position=True)
    alike = cosine(right, mixed)
    return {
        f"shuffled.{seen.name}": Finding(
            {
                "float64": _largest(*both(model, position=False)),
                "float32": _largest(*both(single, position=False)),
            },
            1e-3,
            "patch rows shuffled, no positions: largest difference of final rows once put back",
        ),
        f"shuffled_table.{seen.name}": Finding(
            {"cls": float(alike[0]), "patches": float(alike[1:].mean())},
            1e-3,
            "patch rows shuffled under the position table: cosine of final rows once put back",
        ),
    }


def _largest(one: Array, other: Array) -> float:
    return float(np.abs(one - other).max())


def found(model: Model, single: Model, photos: Mapping[str, Seen]) -> Findings:
    """Return all findings of this module; model and photos in float64, `single` in float32."""
    if model.dtype != np.float64 or len(photos) != 3:
        raise ValueError("errors: takes the model in float64 and three photographs")
    entries = divisors(model, photos)
    for seen in photos.values():
        entries |= axes(seen) | key_biases(model, seen) | value_lengths(seen)
        entries |= shuffled(model, single, seen)
        print(f"{seen.name}: mistakes measured", flush=True)
    return entries
