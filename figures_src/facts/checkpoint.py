"""The numbers of the page on the trained model, docs/checkpoint.md."""

import math

import numpy as np

from .. import captures, learned
from ..row import effective_keys
from ..written import fixed
from . import Fact, of, percent, whole


def entries() -> list[Fact]:
    """Return the facts of the page: sizes by formula, all else measured in the model."""
    return [
        Fact("explorer.tokens", whole(captures.TOKENS), "formula"),
        *of("checkpoint", _first() + _heads() + _kept()),
    ]


def _first() -> list[tuple[str, str]]:
    """The first view: the row of the patch under the eye."""
    head = int(learned.DEFAULTS["head"])
    weights = learned.default_rows()[head - 1]
    even = np.full(captures.TOKENS, 1 / captures.TOKENS)
    brightest = [  # of each map of the sheet
        float(captures.row(learned.DEFAULTS["photo"], layer, n, learned.query()).max())
        for layer in range(1, captures.LAYERS + 1)
        for n in range(1, captures.HEADS + 1)
    ]
    return [
        ("explorer.left", percent(learned.share_of("left", weights), 0)),
        ("explorer.right", percent(learned.share_of("right", weights), 0)),
        ("explorer.keys", fixed(effective_keys(weights), 1)),
        ("explorer.distance", fixed(learned.mean_distance(weights, learned.query()), 0)),
        ("explorer.even", fixed(captures.finding("heads.uniform_distance"), 0)),
        ("explorer.even.here", fixed(learned.mean_distance(even, learned.query()), 0)),
        ("explorer.least", fixed(min(brightest), 2)),
        ("explorer.most", fixed(max(brightest), 2)),
    ]


def _heads() -> list[tuple[str, str]]:
    """States that the page links to, as the explorer shows them: from the captures, not from findings.

    Neighbours and their mean, the rows of CLS, a key for all.
    """
    grid = captures.GRID
    rows = captures.load("chelsea", 4).weights[:, learned.query()]
    below, above, left = ((8, 5), (6, 5), (7, 4))
    named = {"below": (2, below), "above": (5, above), "left_of": (6, left)}
    entries = []
    for name, (head, place) in named.items():
        key = int(rows[head - 1].argmax())
        assert key == grid.token(*place)  # the page says which neighbour it is
        entries.append((f"explorer.{name}", fixed(rows[head - 1, key], 2)))
    mean = rows.mean(axis=0)
    assert mean.argmax() == grid.token(*below)
    entries.append(("explorer.mean.below", fixed(mean.max(), 3)))
    for head in (1, 5):
        share = captures.row("chelsea", 6, head, 0)[0]
        entries.append((f"explorer.cls.{head}", percent(float(share), 0)))
    A = captures.load("coffee", 1).weights[5]
    shared = grid.token(4, 11)
    assert (A.argmax(axis=1) == shared).all()  # the page says: of every row
    return [
        *entries,
        ("explorer.shared", fixed(A[:, shared].mean(), 3)),
        ("explorer.shared.cls", fixed(A[0, shared], 2)),
    ]


def _kept() -> list[tuple[str, str]]:
    """What eight bits a number cost, over all files."""
    lost = [file["lost"] for name, file in captures.manifest()["files"].items() if _has_keys(name)]
    weight, row = (max(one[name] for one in lost) for name in ("weight", "row"))
    top = min(one["same_top"] for one in lost)
    # The page says "at most" and "at least": rounded away from the side that would claim too much.
    return [
        ("explorer.lost.weight", fixed(math.ceil(1000 * weight) / 1000, 3)),
        ("explorer.lost.row", percent(math.ceil(1000 * row) / 1000)),
        ("explorer.lost.top", percent(math.floor(100 * top) / 100, 0)),
    ]


def _has_keys(name: str) -> bool:
    """Return whether a file of the captures holds queries and keys."""
    layers = range(1, captures.LAYERS + 1)
    return name in {captures.name_of(photo, layer) for photo in captures.PHOTOS for layer in layers}
