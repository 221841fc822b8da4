"""One row of the trained model as the explorer shows it: a state in, every text and level out.

`docs/javascripts/explorer.js` computes the same names in the page; a test compares the two.
"""

import math
from dataclasses import dataclass

import numpy as np

from figures_src.inputs import captures
from figures_src.inputs.captures import eye
from figures_src.kit.colours import weight_level
from figures_src.kit.geometry import Field, order_by_weight
from figures_src.kit.numbers import MINUS, fixed
from figures_src.player import limits, page_scripts
from vitattn_core import products, scale, softmax
from vitattn_core.arrays import Array
from vitattn_core.reading import effective_keys, entropy

FIELD = Field(captures.GRID)
# Found by looking at all heads: the query is on the lower rim of one eye.
DEFAULTS = {
    **{"photo": "chelsea", "layer": "9", "head": "4", "query": "7.5"},
    **{"divisor": "head", "dropped": "", "range": "fit"},
}
# The patch that is picked when a photograph is opened: one eye, the spoon, the rocket's middle.
OPENS = {"chelsea": {"query": "7.5"}, "coffee": {"query": "11.9"}, "rocket": {"query": "10.7"}}
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


def weight_text(weight: float) -> str:
    """Return a weight as the page's script writes it."""
    text: str = scripts().call("written.weightText", float(weight))
    return text


def sentence(weights: Array, token: int) -> str:
    """Return what the row reads most from."""
    parts = [
        f"{'itself' if key == token else place(key)} {weight_text(weights[key])}"
        for key in order_by_weight(weights)[:NAMED_MOST]
    ]
    return f"{place(token)} reads most from {', '.join(parts[:-1])} and {parts[-1]}."


@dataclass(frozen=True)
class Learned:
    """The row: query and key as rows of the sequence, texts by name, paint of each cell."""

    query: int
    key: int
    values: dict[str, str]
    levels: list[int]


@page_scripts.once
def scripts() -> list[page_scripts.Script]:
    """Return what has to run before a line of arithmetic can be written."""
    return page_scripts.of_docs("attention", "written")


def default() -> Learned:
    """Return the default state's row."""
    photo, layer, head = DEFAULTS["photo"], int(DEFAULTS["layer"]), int(DEFAULTS["head"])
    token, captured = query(), captures.load(photo, layer)
    q, keys = captured.Q[head - 1, [token]], captured.K[head - 1]
    product = products(q, keys + captured.mean_key[head - 1])[0]
    scores = scale(product[None], captures.HEAD_WIDTH)[0]
    weights = softmax(scale(products(q, keys), captures.HEAD_WIDTH))[0]
    ranked = order_by_weight(weights)
    key = next(other for other in ranked if other != token)
    largest = float(weights.max())
    top = float(scores.max())
    divisor = math.sqrt(captures.HEAD_WIDTH)
    steps = {
        **{"q": [], "k": [], "value": [], "takenOut": False, "divisor": divisor, "top": top},
        **{"product": float(product[key]), "score": float(scores[key])},
        **{"total": float(np.exp(scores - top).sum()), "weight": float(weights[key])},
    }
    line = scripts().call("written.chain", steps)
    values = {
        "layer": str(layer),
        "head": f"head {head}",
        "query": place(token),
        "key": place(key),
        "say": sentence(weights, token),
        "row.sum": fixed(weights.sum(), 3),
        "weight.largest": weight_text(largest),
        "weight.largest.key": place(ranked[0]),
        "cls.share": weight_text(weights[0]),
        "entropy": fixed(entropy(weights), 2),
        "keys": fixed(effective_keys(weights), 1),
        "distance": distance_text(mean_distance(weights, token)),
        "range.end": weight_text(largest),
        "score": line["score"],
        "weight": line["weight"],
        "divisor": f"√{captures.HEAD_WIDTH}",
        "line.product": line["product"],
        "line.score": line["score"],
        "line.top": f"({line['top']})" if line["top"].startswith(MINUS) else line["top"],
        "line.exponential": line["exponential"],
        "line.total": line["total"],
        "line.weight": line["weight"],
        **{f"line.sign.{name}": text for name, text in line["signs"].items()},
        "taken": "",
    }
    for h, row in enumerate(default_rows(), start=1):
        values[f"map.{h}.cls"] = weight_text(row[0])
        values[f"map.{h}.largest"] = weight_text(row.max())
    levels = [weight_level(float(weight), largest) for weight in weights]
    return Learned(query=token, key=key, values=values, levels=levels)


def distance_text(pixels: float) -> str:
    """Return a mean distance as the reader sees it."""
    return "–" if math.isnan(pixels) else fixed(pixels, 0)
