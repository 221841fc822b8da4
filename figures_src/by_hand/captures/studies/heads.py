"""The 72 heads by numbers: how far they look, how evenly, at what, and how they differ."""

from collections.abc import Mapping
from itertools import combinations

import numpy as np

from figures_src.by_hand.captures.findings import Finding, Findings
from figures_src.by_hand.captures.passes import HEADS, SIDE, Seen
from vitattn_core.arrays import Array
from vitattn_core.reading import entropy, rank_correlation

PLACES = np.array([divmod(place, SIDE) for place in range(SIDE * SIDE)])  # (256, 2)
DISTANCES = np.linalg.norm(PLACES[:, None] - PLACES[None], axis=-1)  # in patches
PIXELS = 14


def distance(A: Array) -> Array:
    """Return the mean distance in pixels that patch queries look on patches, by head (…,)."""
    on_patches = A[..., 1:, 1:]
    shares = on_patches / on_patches.sum(axis=-1, keepdims=True)
    return (shares * DISTANCES).sum(axis=-1).mean(axis=-1) * PIXELS


def by_head(seen: Seen) -> dict[str, tuple[Array, float, str]]:
    """Return (12, 6) of each measure: values, tolerance, words."""
    A = seen.weights.astype(np.float64)
    queries = A[..., 1:, :]
    mean_columns = queries.mean(axis=-2)  # (12, 6, 257)
    lengths = np.linalg.norm(np.stack([t.V for t in seen.traces]), axis=-1)  # (12, 6, 257)
    return {
        "distance": (distance(A), 0.05, "mean distance in pixels, patch queries, patch keys"),
        "entropy": (entropy(queries).mean(-1), 1e-3, "mean entropy of patch queries, nats"),
        "keys": (np.exp(entropy(queries).mean(-1)), 0.2, "exp of the mean entropy: keys in use"),
        "on_cls": (queries[..., 0].mean(-1), 1e-3, "mean weight of patch queries on CLS"),
        "cls_on_cls": (A[..., 0, 0], 1e-3, "weight of CLS on itself"),
        "top": (A.max(-1).mean(-1), 1e-3, "mean largest weight of a row, all queries"),
        "shared_weight": (mean_columns.max(-1), 1e-3, "largest mean weight of one key"),
        "shared_key": (mean_columns.argmax(-1), 0, "that key, a row of the sequence"),
        "cls_value": (
            lengths[..., 0] / np.median(lengths[..., 1:], axis=-1),
            1e-3,
            "length of the value of CLS, as a share of the median patch's",
        ),
    }


def spread(A: Array) -> Array:
    """Return how far the heads of each layer differ: Jensen-Shannon, nats, mean over rows, (12,)."""
    mean = A.mean(axis=1)
    return (entropy(mean) - entropy(A).mean(axis=1)).mean(axis=-1)


def found(photos: Mapping[str, Seen]) -> Findings:
    """Return the findings on heads."""
    entries: Findings = {}
    measured = {name: by_head(seen) for name, seen in photos.items()}
    for name, measures in measured.items():
        for measure, (value, tolerance, says) in measures.items():
            entries[f"heads.{measure}.{name}"] = Finding(value, tolerance, f"{says}; layer, head")
    for measure in ("distance", "entropy"):
        alike = {
            f"{one}-{other}": rank_correlation(
                measured[one][measure][0].ravel(), measured[other][measure][0].ravel()
            )
            for one, other in combinations(photos, 2)
        }
        entries[f"heads.alike.{measure}"] = Finding(
            alike, 0.01, f"rank correlation of the 72 heads' {measure} between photographs"
        )
    entries["heads.uniform_distance"] = Finding(
        float(DISTANCES.mean() * PIXELS), 1e-6, "mean distance of even weights, pixels"
    )
    return entries | averaged(photos) | norms(photos)


def averaged(photos: Mapping[str, Seen]) -> Findings:
    """Return what a mean over heads does."""
    entries: Findings = {}
    for name, seen in photos.items():
        A = seen.weights.astype(np.float64)
        tops, mean_top = A.argmax(-1), A.mean(1).argmax(-1)  # (12, 6, 257), (12, 257)
        nobody = (tops != mean_top[:, None]).all(axis=1).mean(axis=-1)
        entries[f"mean.spread.{name}"] = Finding(
            spread(A), 1e-3, f"Jensen-Shannon spread of the heads, nats; layer (limit ln {HEADS})"
        )
        entries[f"mean.nobody.{name}"] = Finding(
            nobody, 0.01, "share of rows whose mean's top key is the top of no head; layer"
        )
    A = photos["chelsea"].weights[3, :, 1 + 7 * SIDE + 5].astype(np.float64)  # (6, 257)
    for label, rows in (("heads", A), ("mean", A.mean(axis=0)[None])):
        entries[f"mean.query.{label}"] = Finding(
            [[int(row.argmax()), float(row.max())] for row in rows],
            1e-3,
            "cat, query (7, 5), layer 4: top key (row of the sequence) and its weight",
        )
    return entries


def norms(photos: Mapping[str, Seen]) -> Findings:
    """Return the lengths of rows: no outliers, and what attention and MLP add."""
    entries: Findings = {}
    for name, seen in photos.items():
        lengths = {
            part: np.stack([np.linalg.norm(t[part], axis=-1)[1:] for t in seen.traces])
            for part in ("X", "Y", "Z")
        }
        added = {
            "attention": [np.linalg.norm(t.Y - t.X, axis=-1)[1:] for t in seen.traces]
            / lengths["X"],
            "mlp": [np.linalg.norm(t.Z - t.Y, axis=-1)[1:] for t in seen.traces] / lengths["Y"],
        }
        entries[f"norms.largest.{name}"] = Finding(
            lengths["Z"].max(-1) / np.median(lengths["Z"], axis=-1),
            1e-3,
            "longest patch row after a block, as a multiple of the median; layer",
        )
        for part, share in added.items():
            entries[f"added.{part}.{name}"] = Finding(
                np.median(share, axis=-1),
                1e-3,
                f"median length of what {part} adds, as a share of the row it is added to; layer",
            )
    return entries
