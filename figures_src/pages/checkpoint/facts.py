"""The numbers of the page on the trained model, docs/checkpoint.md.

Of states that the page links to, as the explorer shows them: from the captures, not from findings.
"""

import math
from collections.abc import Callable

import numpy as np

from figures_src.explorer import values
from figures_src.inputs import captures
from figures_src.inputs.captures import GRID, HEADS, LAYERS
from figures_src.kit.geometry import Floats
from figures_src.kit.numbers import fixed, percent, with_commas
from figures_src.pages.claims import Claim, claim, facts_of
from figures_src.pages.facts import Fact, of
from vitattn_core.reading import effective_keys

PHOTO = values.DEFAULTS["photo"]
LAYER, HEAD = (int(values.DEFAULTS[name]) for name in ("layer", "head"))
NEIGHBOURS = {"below": (2, (8, 5)), "above": (5, (6, 5)), "left_of": (6, (7, 4))}  # of layer 4
SHARED = (4, 11)  # the key that all rows read on the cup, in layer 1, head 6


def entries() -> list[Fact]:
    """Return the facts of the page: sizes and even weights by formula, all else measured in the model."""
    even = np.full(captures.TOKENS, 1 / captures.TOKENS)
    places = [values.mean_distance(even, token) for token in range(GRID.prefix, captures.TOKENS)]
    counted = [
        ("explorer.tokens", with_commas(captures.TOKENS)),
        ("explorer.even", fixed(float(np.mean(places)), 0)),
        ("explorer.even.here", fixed(values.mean_distance(even, values.query()), 0)),
    ]
    return [*of("formula", counted), *facts_of(claims())]


def claims() -> list[Claim]:
    """Return what the page says of the trained model."""
    return [*_first(), *_sheet(), *_neighbours(), *_cls(), *_shared(), *_kept()]


def _first() -> list[Claim]:
    """The first view: the row of the patch under the eye."""

    def row() -> Floats:
        return captures.row(PHOTO, LAYER, HEAD, values.query())

    file = captures.name_of(PHOTO, LAYER)
    return [
        claim("explorer.left", file, lambda: percent(values.share_of("left", row()), 0)),
        claim("explorer.right", file, lambda: percent(values.share_of("right", row()), 0)),
        claim("explorer.keys", file, lambda: fixed(effective_keys(row()), 1)),
        claim(
            "explorer.distance",
            file,
            lambda: fixed(values.mean_distance(row(), values.query()), 0),
        ),
    ]


def _sheet() -> list[Claim]:
    """The largest weight of each map of the sheet: the least of them and the most."""

    def end(choose: Callable[[Floats], np.intp], layer: int) -> str:
        found = np.array(
            [
                [captures.row(PHOTO, n, head, values.query()).max() for head in range(1, HEADS + 1)]
                for n in range(1, LAYERS + 1)
            ]
        )
        assert choose(found) // HEADS + 1 == layer  # the file that the claim names
        return fixed(float(found.flat[choose(found)]), 2)

    return [
        claim("explorer.least", captures.name_of(PHOTO, 4), end, np.argmin, 4),
        claim("explorer.most", captures.name_of(PHOTO, 3), end, np.argmax, 3),
    ]


def _neighbours() -> list[Claim]:
    def rows() -> Floats:
        return captures.load(PHOTO, 4).weights[:, values.query()]

    def read(row: Floats, place: tuple[int, int], digits: int) -> str:
        key = int(row.argmax())
        assert key == GRID.token(*place)  # the page says which neighbour it is
        return fixed(row[key], digits)

    def one(head: int, place: tuple[int, int]) -> str:
        return read(rows()[head - 1], place, 2)

    file = captures.name_of(PHOTO, 4)
    return [
        *(claim(f"explorer.{name}", file, one, *what) for name, what in NEIGHBOURS.items()),
        claim("explorer.mean.below", file, lambda: read(rows().mean(axis=0), (8, 5), 3)),
    ]


def _cls() -> list[Claim]:
    def share(head: int) -> str:
        return percent(float(captures.row(PHOTO, 6, head, 0)[0]), 0)

    file = captures.name_of(PHOTO, 6)
    return [claim(f"explorer.cls.{head}", file, share, head) for head in (1, 5)]


def _shared() -> list[Claim]:
    def column() -> Floats:
        A = captures.load("coffee", 1).weights[5]
        assert (A.argmax(axis=1) == GRID.token(*SHARED)).all()  # the page says: of every row
        return A[:, GRID.token(*SHARED)]

    file = captures.name_of("coffee", 1)
    return [
        claim("explorer.shared", file, lambda: fixed(column().mean(), 3)),
        claim("explorer.shared.cls", file, lambda: fixed(column()[0], 2)),
    ]


def _kept() -> list[Claim]:
    """What eight bits a number cost: the worst of all files, and the file it is."""

    def worst(part: str, choose: Callable[..., str], file: str) -> float:
        files = captures.manifest()["files"]
        lost = {name: files[name]["lost"][part] for name in _with_keys()}
        assert choose(lost, key=lost.__getitem__) == file  # the file that the claim names
        return float(lost[file])

    # The page says "at most" and "at least": rounded away from the side that would claim too much.
    def up(part: str, file: str) -> float:
        return math.ceil(1000 * worst(part, max, file)) / 1000

    def same_top(file: str) -> str:
        return percent(math.floor(100 * worst("same_top", min, file)) / 100, 0)

    most, least = captures.name_of("rocket", 3), captures.name_of("rocket", 2)
    return [
        claim("explorer.lost.weight", most, lambda: fixed(up("weight", most), 3)),
        claim("explorer.lost.row", most, lambda: percent(up("row", most))),
        claim("explorer.lost.top", least, same_top, least),
    ]


def _with_keys() -> list[str]:
    """Return the files of the captures that hold queries and keys."""
    layers = range(1, LAYERS + 1)
    return [captures.name_of(photo, layer) for photo in captures.PHOTOS for layer in layers]
