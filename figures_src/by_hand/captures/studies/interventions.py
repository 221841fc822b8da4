"""What moves when one patch is taken away: its key hidden, or its pixels replaced. Whole passes.

hide_last: key j hidden from the query of CLS in the last layer only.
hide_all: key j hidden from every other row, in every layer and head.
pixels: the patch's pixels set to the photograph's mean colour.
Measured on the row of CLS (`cls`: length of the change, as a share of the row's), on the saliency
logits (`saliency`: mean absolute change) and on the other patches' rows (`rows`: mean share).
"""

from collections.abc import Callable

import numpy as np

from figures_src.by_hand.captures.passes import LAYERS, TOKENS, Model, Seen
from vitattn_core import Grid
from vitattn_core.arrays import Array, Mask

GRID = Grid(224, 224, 14)
MEASURES = ("cls", "saliency", "rows")


def effect(model: Model, seen: Seen, rows: Array, key: int) -> tuple[float, float, float]:
    """Return the three measures of final rows against the photograph's own; row `key` left out."""
    lengths = np.linalg.norm(seen.rows, axis=1)
    moved = np.linalg.norm(rows - seen.rows, axis=1) / lengths
    others = np.arange(TOKENS)
    others = others[(others > 0) & (others != key)]
    logits = model.decoder.logits(rows)
    return (
        float(moved[0]),
        float(np.abs(logits - seen.logits).mean()),
        float(moved[others].mean()),
    )


def hidden_from_others(key: int) -> Mask:
    """Return a mask (1, N, N), True = keep: key hidden from every row but its own."""
    mask = np.ones((1, TOKENS, TOKENS), dtype=bool)
    mask[0, :, key] = False
    mask[0, key, key] = True
    return mask


def hidden_from_cls(key: int) -> Mask:
    """Return a mask (1, N, N), True = keep: key hidden from CLS alone."""
    mask = np.ones((1, TOKENS, TOKENS), dtype=bool)
    mask[0, 0, key] = False
    return mask


def without_patch(image: Array, key: int) -> Array:
    """Return the image with the patch of row `key` in the image's mean colour."""
    changed = image.copy()
    down, across = GRID.pixels(key)
    changed[:, down, across] = image.mean(axis=(1, 2), dtype=np.float64)[:, None, None]
    return changed


def interventions(model: Model, seen: Seen) -> dict[str, Callable[[int], Array]]:
    """Return what turns a key into final rows (257, D), by intervention."""
    X = seen.traces[0].X
    return {
        "hide_all": lambda key: model.onwards(
            X, masks=dict.fromkeys(range(LAYERS), hidden_from_others(key))
        ),
        "pixels": lambda key: model.onwards(model.start(without_patch(seen.image, key))),
    }


def hide_last(model: Model, seen: Seen) -> Array:
    """Return how far CLS moves, (256,), when a key is hidden from it in the last layer alone.

    No other row moves, so one pass of one block holds the whole effect.
    """
    last, X = LAYERS - 1, seen.traces[-1].X
    length = np.linalg.norm(seen.rows[0])
    moved = [
        np.linalg.norm(model.onwards(X, last, {last: hidden_from_cls(key)})[0] - seen.rows[0])
        for key in range(1, TOKENS)
    ]
    return np.array(moved) / length


def effects(model: Model, seen: Seen) -> dict[str, Array]:
    """Return the effect of every patch, (256,) each, by intervention and measure."""
    found = {"hide_last.cls": hide_last(model, seen)}
    for name, run in interventions(model, seen).items():
        measured = np.array([effect(model, seen, run(key), key) for key in range(1, TOKENS)])
        for measure, column in zip(MEASURES, measured.T, strict=True):
            found[f"{name}.{measure}"] = column
        print(f"{seen.name}: {name} done", flush=True)
    return found
