"""A head removed, a key hidden from all in one head, and the row of CLS cut off: what moves."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from figures_src.by_hand.captures.findings import Finding, Findings
from figures_src.by_hand.captures.passes import HEAD_WIDTH, HEADS, LAYERS, TOKENS, Model, Seen
from vitattn_core import block
from vitattn_core.arrays import Array
from vitattn_core.reading import rank_correlation


def without_head(model: Model, seen: Seen, layer: int, head: int) -> Array:
    """Return final rows with one head's rows of W_O set to 0; layer and head from 0."""
    weights = model.vit.blocks[layer]
    w_o = weights.attention.w_o.copy()
    w_o[head * HEAD_WIDTH : (head + 1) * HEAD_WIDTH] = 0
    changed = replace(weights, attention=replace(weights.attention, w_o=w_o))
    return model.onwards(block(seen.traces[layer].X, changed).Z, layer + 1)


def moved(model: Model, seen: Seen, rows: Array) -> tuple[float, float]:
    """Return mean share by which final rows move, and mean absolute change of the saliency logits."""
    share = np.linalg.norm(rows - seen.rows, axis=1) / np.linalg.norm(seen.rows, axis=1)
    return float(share.mean()), float(np.abs(model.decoder.logits(rows) - seen.logits).mean())


def heads(model: Model, seen: Seen) -> Findings:
    """Return the effect of removing each head, and how it goes with the head's largest weights."""
    effects = np.zeros((2, LAYERS, HEADS))
    for layer in range(LAYERS):
        for head in range(HEADS):
            effects[:, layer, head] = moved(model, seen, without_head(model, seen, layer, head))
    rows, saliency = effects
    top = seen.weights.max(axis=-1).mean(axis=-1)
    name = seen.name
    return {
        f"removed.rows.{name}": Finding(
            rows, 1e-3, "a head removed: mean share rows move; layer, head"
        ),
        f"removed.saliency.{name}": Finding(
            saliency, 2e-3, "a head removed: mean change of saliency logits; layer, head"
        ),
        f"removed.rho.{name}": Finding(
            rank_correlation(top.ravel(), saliency.ravel()),
            0.01,
            "rank correlation over 72 heads: mean largest weight, and change of saliency logits",
        ),
    }


def sigmoid(logits: Array) -> Array:
    """Return the saliency map of its logits, 0 to 1."""
    found: Array = 1 / (1 + np.exp(-logits))
    return found


def shared_key(model: Model, seen: Seen) -> Findings:
    """Return what happens when layer 1, head 6 loses the key that all its rows look at."""
    layer, head = 0, 5
    A = seen.traces[layer].A[head].astype(np.float64)
    key = int(A.mean(axis=0).argmax())
    mask = np.ones((HEADS, TOKENS, TOKENS), dtype=bool)
    mask[head, :, key] = False
    hidden = block(seen.traces[layer].X, model.vit.blocks[layer], mask)
    after = hidden.A[head].mean(axis=0, dtype=np.float64)
    final = model.onwards(hidden.Z, layer + 1)
    gone = without_head(model, seen, layer, head)
    maps = [sigmoid(model.decoder.logits(rows)) for rows in (seen.rows, final, gone)]
    return {
        f"shared.{seen.name}": Finding(
            {
                "key": key,
                "mean": float(A[:, key].mean()),
                "cls": float(A[0, key]),
                "top_of": float((A.argmax(axis=-1) == key).mean()),
                "next_key": int(after.argmax()),
                "next_mean": float(after.max()),
                "rows": moved(model, seen, final)[0],
                "saliency": float(np.abs(maps[1] - maps[0]).mean()),
                "head_rows": moved(model, seen, gone)[0],
                "head_saliency": float(np.abs(maps[2] - maps[0]).mean()),
            },
            2e-3,
            "layer 1, head 6: its shared key (row of the sequence), that key hidden, the head removed; "
            "saliency on the scale from 0 to 1",
        )
    }


def cut_off(model: Model, seen: Seen) -> Findings:
    """Return what moves when, in the last layer, CLS sees no patch, or no patch sees CLS.

    By the core's block, as in `seen`: only one and the same arithmetic can show that nothing changes.
    """
    X, weights, count = seen.traces[-1].X, model.vit.blocks[-1], len(seen.rows)
    blind, unseen = (np.ones((1, count, count), dtype=bool) for _ in range(2))
    blind[0, 0, 1:] = False
    unseen[0, 1:, 0] = False
    without, other = (model.vit.normed(block(X, weights, mask).Z) for mask in (blind, unseen))
    cls = np.linalg.norm(without[0] - seen.rows[0]) / np.linalg.norm(seen.rows[0])
    patches = np.abs(without[1:] - seen.rows[1:]).max()
    largest = np.abs(model.decoder.logits(without) - seen.logits).max()
    entries = {
        "cls": (cls, 1e-3, "CLS sees no patch in layer 12: share by which its final row moves"),
        "patches": (patches, 0, "the same: largest change of any number of the final patch rows"),
        "saliency": (largest, 0, "the same: largest change of any saliency logit"),
        "unseen": (
            moved(model, seen, other)[1],
            1e-3,
            "no patch sees CLS in layer 12: mean change of saliency logits",
        ),
    }
    return {
        f"cut.{name}.{seen.name}": Finding(float(value), tolerance, says)
        for name, (value, tolerance, says) in entries.items()
    }


def found(model: Model, photos: Mapping[str, Seen]) -> Findings:
    """Return the findings on what is removed."""
    entries: Findings = {}
    for seen in photos.values():
        entries |= heads(model, seen) | shared_key(model, seen) | cut_off(model, seen)
        print(f"{seen.name}: heads removed", flush=True)
    return entries
