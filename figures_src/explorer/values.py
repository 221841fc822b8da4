"""One row of the trained model as the explorer shows it: a state in, every text and level out.

`docs/javascripts/explorer-row.js` says it, in the page and at build alike (page_scripts.py).
"""

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from figures_src.inputs import captures, photographs
from figures_src.inputs.captures import eye
from figures_src.kit.geometry import Field
from figures_src.kit.numbers import fixed
from figures_src.player import limits, page_scripts
from vitattn_core.arrays import Array

FIELD = Field(captures.GRID)
# Found by looking at all heads: the query is on the lower rim of one eye.
DEFAULTS = {
    "photo": "chelsea",
    "layer": "9",
    "head": "4",
    "query": "7.5",
    "divisor": "head",
    "dropped": "",
    "range": "fit",
}
# The patch that is picked when a photograph is opened: one eye, the spoon, the rocket's middle.
OPENS = {
    photo: {"query": "{}.{}".format(*photographs.FIRST_CAPTURED[photo])}
    for photo in captures.PHOTOS
}
TABLE = limits.Table(
    name="explorer",
    least="layer",
    defaults=DEFAULTS,
    opens=OPENS,
    limits={
        "photo": limits.choice(captures.PHOTOS),
        "layer": limits.choice([str(n) for n in range(1, captures.LAYERS + 1)]),
        "head": limits.choice([*(str(n) for n in range(1, captures.HEADS + 1)), "mean"]),
        "query": limits.ONE_ROW,
        "divisor": limits.choice(["head", "model", "none"]),
        "dropped": limits.SOME_ROWS,
        "range": limits.choice(["fit", "fixed"]),
    },
    grid=captures.GRID,
)
NAMED_MOST = 3  # of the strongest keys, how many the sentence names


def at_first(photo: str) -> dict[str, str]:
    """Return the state that a photograph opens with; an address leaves out what is as here."""
    return TABLE.at_first(photo)


def states() -> dict[str, list[str]]:
    """Return the values that each name of the state may take, where they can be listed."""
    return TABLE.choices()


def query() -> int:
    """Return the default query as a row of the sequence."""
    row, column = DEFAULTS["query"].split(".")
    return captures.GRID.token(int(row), int(column))


def default_rows() -> Array:
    """Return the default query's row in the six heads of the default layer, (6, 257)."""
    heads = range(1, captures.HEADS + 1)
    place = DEFAULTS["photo"], int(DEFAULTS["layer"])
    return np.stack([captures.row(*place, head, query()) for head in heads])


def share_of(name: str, weights: Array) -> float:
    """Return the share of a row (257,) on the patches of the "left" or the "right" eye of the cat."""
    return float(captures.GRID.field(weights)[eye(name)].sum())


def mean_distance(weights: Array, token: int) -> float:
    """Return how far a patch's row (257,) looks on the photograph: mean distance in pixels.

    From middle to middle of the patches, weighted by the row; the weight on CLS is left out. NaN for
    the row of CLS, which has no place.
    """
    grid = captures.GRID
    if token < grid.prefix:
        return math.nan
    places = np.array(list(grid.places()), dtype=np.float64)
    apart = np.linalg.norm(places - places[token - grid.prefix], axis=1)  # in patches
    on_patches = weights[grid.prefix :]
    return float(on_patches @ apart / on_patches.sum()) * grid.patch


def place(token: int) -> str:
    """Return "CLS" or "(row,column)" on the grid of 16 × 16."""
    grid = captures.GRID
    return "CLS" if token < grid.prefix else "({},{})".format(*grid.place(token))


@dataclass(frozen=True)
class Learned:
    """The row: query and key as rows of the sequence, texts by name, paint of each cell."""

    query: int
    key: int
    values: dict[str, str]
    levels: list[int]


@page_scripts.once
def scripts() -> list[page_scripts.Script]:
    """Return what has to run before a row can be read."""
    from .page_data import settings

    return [
        *page_scripts.of_docs("attention", "numbers", "grid"),
        ("assets/explorer.js", settings()),
        *page_scripts.of_docs("explorer-row"),
    ]


def row(state: dict[str, str], *, key: int | None = None) -> Learned:
    """Return the row of a state, as `docs/javascripts/explorer-row.js` says it; key: that is pointed at.

    Raises ScriptError, which names the script and the request, where the script fails.
    """
    every = range(1, captures.HEADS + 1)
    picked_heads = every if state["head"] == "mean" else [int(state["head"])]
    heads = {n: _head(state["photo"], int(state["layer"]), n) for n in every}
    picked = [heads[n] for n in picked_heads]
    row_text = scripts().call("explorerRow.readRow", state, picked)
    pointed = scripts().call("explorerRow.readKey", state, picked, row_text, key)
    values = {**row_text["values"], **pointed["values"]}
    for n, head in heads.items():
        weights = scripts().call("explorerRow.weightsOf", [head], row_text["query"], state)
        values |= scripts().call("explorerRow.mapValues", n, weights, max(weights))
    return Learned(
        query=row_text["query"], key=pointed["key"], values=values, levels=row_text["levels"]
    )


@cache
def _head(photo: str, layer: int, head: int) -> dict[str, Any]:
    """Return what stands for a head's queries and keys in a call."""
    captured = captures.load(photo, layer)
    arrays = {"Q": captured.Q[head - 1], "K": captured.K[head - 1]}
    return scripts().hold({**arrays, "mean": captured.mean_key[head - 1]})


def default() -> Learned:
    """Return the default state's row."""
    return row(DEFAULTS)


def distance_text(pixels: float) -> str:
    """Return a mean distance as the reader sees it."""
    return "–" if math.isnan(pixels) else fixed(pixels, 0)
