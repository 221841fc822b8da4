"""The numbers of the page on the trained model, docs/checkpoint.md."""

import math

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
    return [
        ("explorer.left", percent(learned.share_of("left", weights), 0)),
        ("explorer.right", percent(learned.share_of("right", weights), 0)),
        ("explorer.keys", fixed(effective_keys(weights), 1)),
        ("explorer.distance", fixed(learned.mean_distance(weights, learned.query()), 0)),
        ("explorer.even", fixed(captures.finding("heads.uniform_distance"), 0)),
    ]


def _heads() -> list[tuple[str, str]]:
    """States that the page links to: neighbours and their mean, the rows of CLS, a key for all."""
    tops = captures.finding("mean.query.heads")
    mean = captures.finding("mean.query.mean")[0]
    grid = captures.GRID
    below, above, left = ((8, 5), (6, 5), (7, 4))
    named = {"below": (2, below), "above": (5, above), "left_of": (6, left)}
    entries = []
    for name, (head, place) in named.items():
        key, weight = tops[head - 1]
        assert key == grid.token(*place)  # the page says which neighbour it is
        entries.append((f"explorer.{name}", fixed(weight, 2)))
    assert mean[0] == grid.token(*below)
    entries.append(("explorer.mean.below", fixed(mean[1], 3)))
    own = captures.measured("heads.cls_on_cls.chelsea")[5]  # layer 6
    entries += [(f"explorer.cls.{head}", percent(own[head - 1], 0)) for head in (1, 5)]
    shared = captures.finding("shared.coffee")
    assert shared["key"] == grid.token(4, 11)
    assert shared["top_of"] == 1  # the page says: of every row
    return [*entries, ("explorer.shared", fixed(shared["mean"], 3))]


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
