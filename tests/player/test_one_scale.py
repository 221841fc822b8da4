"""One row on one scale is one picture: player, folds, small maps, explorer and the figures of the pages.

The page's scripts run in the embedded engine; a small map is painted into an element that only notes
what it is told. Every picture is read back as the level of paint of each patch.
"""

import re
from functools import cache
from typing import Any

import numpy as np
import pytest

from figures_src.explorer import values
from figures_src.inputs import captures
from figures_src.kit import photographs, small_map
from figures_src.kit.colours import weight_level
from figures_src.player import page_scripts, row
from figures_src.player.panels import segment
from tests.player.picked_rows import random_rows
from tests.player.pictures import level, picture
from tests.player.row_truth import range_end, row_of
from vitattn_core import Grid
from vitattn_core.teaching import GRID

Levels = dict[tuple[int, int], int]

# Stands for the drawn map of small_map.py in the engine: what paintMap writes is read off it.
NOTED = """
window.vitattn.noted = (sizes, weights, how) => {
  const marks = {};
  const mark = (name) => (marks[name] ??= {
    set innerHTML(text) { this.told = text; },
    setAttribute(attribute, text) { this[attribute] = text; },
  });
  window.vitattn.places(sizes).paintMap({ querySelector: mark }, weights, how);
  return { patches: marks[".va-map-paint"].told, cls: marks["[data-cls]"].class };
};
window.vitattn.cells = (sizes, weights, end) =>
  weights.map((weight) => window.vitattn.places(sizes).level(weight, end));
"""


@cache
def engine() -> page_scripts.PageScripts:
    scripts = page_scripts.of_docs("attention", "numbers", "grid")
    return page_scripts.PageScripts([*scripts, ("what stands for a drawn map", NOTED)])


def sizes(grid: Grid) -> dict[str, Any]:
    told = {"rows": grid.rows, "columns": grid.columns, "prefix": grid.prefix, "cell": grid.patch}
    return told | {"cls_top": -grid.patch - 2, "levels": 64, "unpainted": 0.004}


def of_cls(kinds: str) -> int:
    found = re.search(r"\bw(\d+)\b", kinds)
    return int(found[1]) if found else 0


def pictures(weights: np.ndarray, end: float, grid: Grid) -> dict[str, tuple[int, Levels]]:
    """The level of CLS and of each painted patch, in every way in which a row is drawn."""
    field = grid.field(weights)
    told = sizes(grid), weights.tolist()
    noted = engine().call("noted", *told, {"end": end, "query": 3})
    cells = engine().call("cells", *told, end)
    on_patches = np.array(cells[grid.prefix :]).reshape(field.shape)
    figure = photographs.cells_painted(field, end, 1)
    front = photographs.in_front(("CLS", float(weights[0])), largest=end)
    found = {
        "the cells of player and explorer": (cells[0], places(on_patches)),
        "a small map that a script paints": (of_cls(noted["cls"]), picture(noted["patches"])),
        "a figure of a page": (of_cls(front.partition("</svg>")[0]), picture(figure)),
    }
    if end == weights.max():
        drawn = small_map.drawing(
            small_map.TEACHING if grid == GRID else values.FIELD, "p", weights
        )
        group = re.search(r'<g [^>]*class="va-map-paint">(.*?)</g>', drawn)
        kinds = re.search(r'<rect [^>]*class="([^"]*)" data-cls=""', drawn)
        assert group is not None and kinds is not None
        found["a small map as it is drawn"] = of_cls(kinds[1]), picture(group[1])
    return found


def places(levels: np.ndarray) -> Levels:
    return {(int(r), int(c)): int(n) for (r, c), n in np.ndenumerate(levels) if n}


def teaching_rows() -> list[tuple[np.ndarray, float]]:
    return [
        (row_of(state, trace), range_end(state, trace))
        for state, trace, _ in random_rows(21, passes=18, rows=4)
    ]


def learned_rows() -> list[tuple[np.ndarray, float]]:
    found = []
    for layer, query in ((1, 0), (4, 100), (9, values.query()), (12, 256)):
        weights = captures.load("coffee", layer).weights[:, query]
        found += [(one, float(one.max())) for one in weights]
        found += [(weights.mean(axis=0), float(weights.max()))]
    return found


@pytest.mark.parametrize(
    ("grid", "rows"),
    [(GRID, teaching_rows), (captures.GRID, learned_rows)],
    ids=["teaching", "learned"],
)
def test_a_row_has_one_picture_wherever_it_is_drawn(grid: Grid, rows: Any) -> None:
    seen = set()
    for weights, end in rows():
        truth = [level(float(weight), end) for weight in weights]
        expected = truth[0], places(np.array(truth[grid.prefix :]).reshape(grid.rows, grid.columns))
        for where, found in pictures(weights, end, grid).items():
            assert found == expected, where
            seen.add(where)
    assert len(seen) == 4


def test_the_plate_of_the_heads_paints_each_row_as_the_photograph_does() -> None:
    """The photograph shows the picked head up to the row's largest weight, as the plate's map of it does."""
    compared = 0
    for state, trace, standard in random_rows(22, passes=18, rows=4):
        shown = row.row(state, trace, standard)
        if state.head == 0 or state.range != "fit":
            continue
        levels = np.array(shown.levels[GRID.prefix :]).reshape(GRID.rows, GRID.columns)
        assert picture(shown.values[f"map.{state.head - 1}"]) == places(levels), state
        for token, x, width in shown.segments:
            if state.bug != "offset":
                part = segment(shown, token, x, width)
                # A part of the bar is drawn even where its cell is too faint to be.
                assert of_cls(part) == max(1, shown.levels[token]), state
        compared += 1
    assert compared > 15


def test_levels_of_weights_between_two_are_rounded_alike() -> None:
    """Half-way between two levels as well: what rounds to even there differs from what rounds up."""
    halves = np.array([(2 * n + 1) / 126 for n in range(63)])
    in_page = engine().call("cells", sizes(GRID), halves.tolist(), 1.0)
    assert in_page == [weight_level(float(weight), 1.0) for weight in halves]


def test_a_picture_is_read_back_as_it_is() -> None:
    drawn = photographs.cells_painted(np.array([[0.0, 0.5], [1.0, 0.003]]), 1.0, 1)
    assert picture(drawn) == {(0, 1): 32, (1, 0): 63}
    with pytest.raises(AssertionError, match="painted twice"):
        picture(drawn + drawn.replace("w63", "w62").replace("w32", "w31"))
