"""The picked row as the reader sees it: the core's trace in, every text, path and level of the plates out.

Nothing is said here: `docs/javascripts/row.js`, which fills the plates in the page, runs at build too
(page_scripts.py), with the core's arrays in place of those of the page's own pass.
"""

from dataclasses import asdict, dataclass
from typing import Any, TypeAlias

import numpy as np

from figures_src.kit.geometry import Segment
from vitattn_core import Trace
from vitattn_core.teaching import GRID

from . import page_data, page_scripts
from .styles.mark_sizes import Arrow

Values: TypeAlias = dict[str, str]

# What row.js needs of the page, in the order of the page.
SCRIPTS = ("attention", "numbers", "grid", "row-words")


@dataclass(frozen=True)
class State:
    """What is picked: photograph, query and key as rows of the sequence, head from 1, colour range.

    `head` 0 is the mean of the heads' weights, a display choice. `scale`, `position`, `mix`, `axis`
    and `bug` say how the pass was made, as the player's attributes do.
    """

    photo: str = "chelsea"
    query: int = GRID.token(5, 4)
    head: int = 1
    key: int | None = None  # None: the strongest key that is not the query itself
    range: str = "fit"
    scale: str = "head"
    position: str = "on"
    mix: str = "v"
    axis: str = "keys"
    bug: str = ""


@dataclass(frozen=True)
class Row:
    """The picked row: texts, paths and places by name, and what is drawn key by key.

    `levels`: paint of each cell; `segments`: of the unit bar, which ends at `bar_end`: at 1, or at
    the row's sum if that is more; `total`: that sum; `arrows`: towards the query.
    """

    query: int
    key: int
    values: Values
    levels: list[int]
    range_end: float
    segments: list[Segment]
    total: float
    bar_end: float
    arrows: list[Arrow]


@page_scripts.once
def scripts() -> list[page_scripts.Script]:
    """Return what has to run before a row can be read."""
    return [
        *page_scripts.of_docs(*SCRIPTS),
        ("assets/teaching.js", page_data.scripts()["assets/teaching.js"]),
        *page_scripts.of_docs("row"),
    ]


def row(state: State, trace: Trace, standard: Trace | None = None) -> Row:
    """Return the picked row of a pass, in written form.

    `standard` is the pass with nothing switched, to compare with; None: it is this one.
    Raises ScriptError, which names the script and the request, where the script fails.
    """
    current = _in_engine(trace, state.scale, state.axis)
    before = current if standard is None else _in_engine(standard, "head", "keys")
    picked = {**asdict(state), "sums": {**current, "of": "sums"}}
    written_row = scripts().call("row.readRow", picked, current, before)
    return Row(
        query=written_row["query"],
        key=written_row["key"],
        values=written_row["values"],
        levels=written_row["levels"],
        range_end=written_row["rangeEnd"],
        segments=[(token, start, width) for token, start, width in written_row["segments"]],
        total=written_row["total"],
        bar_end=written_row["barEnd"],
        arrows=[(shaft, head, width) for shaft, head, width in written_row["arrows"]],
    )


# The passes that the engine holds, the last one used at the end: the trace, how it was made, and what
# stands for it there. Each takes some ten megabytes.
_handed: list[tuple[Trace, str, str, dict[str, Any]]] = []
MOST = 8


def _in_engine(trace: Trace, scale: str, axis: str) -> dict[str, Any]:
    """Return what stands for a pass in a call: the trace, and what the softmax divided by."""
    matches = [entry for entry in _handed if entry[0] is trace and entry[1:3] == (scale, axis)]
    if not matches:
        sums = np.array(page_data.sums_of_pixels(trace.pixels))
        arrays = {**_arrays(trace), **_softmax(trace, scale, axis), "sums": sums}
        matches = [(trace, scale, axis, scripts().hold(arrays))]
    _handed[:] = [entry for entry in _handed if entry is not matches[0]] + matches
    for *_, old in _handed[:-MOST]:
        scripts().drop(old)
    del _handed[:-MOST]
    return matches[0][3]


def _arrays(trace: Trace) -> dict[str, Any]:
    return {name: array for name, array in trace.items() if name != "pixels"}


def _softmax(trace: Trace, scale: str, axis: str) -> dict[str, Any]:
    """Return what products were divided by, and of each row what was subtracted and divided by."""
    heads, _, width = trace.Q.shape
    under = {"head": width, "model": heads * width, "off": 1}[scale]
    along = -1 if axis == "keys" else -2
    largest = trace.masked.max(axis=along, keepdims=True)
    top = np.where(np.isfinite(largest), largest, 0.0)
    total = np.exp(trace.masked - top).sum(axis=along)
    return {"divisor": np.sqrt(under), "top": np.squeeze(top, axis=along), "total": total}
