"""Grids, matrices and arrays to scale: which cells are filled, which numbers stand in them."""

import re

import numpy as np

from figures_src.pages.global_local import examples
from vitattn_core import rollout, stack
from vitattn_core.constructed import STORIES, stack_blocks, stack_rows

from . import marks
from .marks import Element, Figure, at, written
from .panels import Panel, check
from .register import reads

ROW, COLUMN = np.divmod(np.arange(196), 14)
APART = np.maximum(abs(ROW[:, None] - ROW), abs(COLUMN[:, None] - COLUMN))
NAMES = {
    "conv3": "convolution 3 × 3",
    "conv7": "convolution 7 × 7",
    "windows": "attention in windows",
    "everywhere": "global attention",
}


def window(shift: int = 0) -> np.ndarray:
    line, column = (ROW - shift) // 7, (COLUMN - shift) // 7
    same: np.ndarray = (line[:, None] == line) & (column[:, None] == column)
    return same


MOVES = {"conv3": APART <= 1, "conv7": APART <= 3, "windows": window(), "everywhere": APART >= 0}


def cells(figure: Figure, svg: Element, side: int, size: float) -> dict[tuple[int, int], str]:
    """The class of each cell (row, column) of a grid of rects of one size, each in its place once."""
    found = {}
    inset = (1 - size) / 2 if size == 0.88 else 0
    for rect in figure.marks("rect", svg):
        x, y, width, height = at(rect, "x", "y", "width", "height")
        if (width, height) == (size, size):
            place = round(y - inset), round(x - inset)
            assert abs(y - inset - place[0]) + abs(x - inset - place[1]) < 1e-9
            assert place not in found
            found[place] = rect.get("class", "")
    assert set(found) == set(np.ndindex(side, side))
    return found


@reads("influence", "which cells are reached, the marked one, counts")
def influence(figure: Figure) -> None:
    row, column = np.divmod(np.arange(36), 6)
    reached = {
        "convolution, 3 × 3": np.maximum(abs(row - 2), abs(column - 2)) <= 1,
        "attention in windows": (row < 3) & (column < 3),
        "global attention": row >= 0,
    }
    for panel, (name, found) in zip(figure.classed("va-grid-line"), reached.items(), strict=True):
        assert figure.said("b", panel) == [name]
        assert figure.said("small", panel) == [f"{found.sum()} of 36 rows"]
        drawn = cells(figure, panel, 6, 0.88)
        kinds = [drawn[place] for place in np.ndindex(6, 6)]
        assert kinds == ["va-reached" if one else "va-unreached" for one in found]
        assert at(figure.one("va-marked-cell", panel), "x", "y", "width", "height") == [2, 2, 1, 1]


@reads("masks-axis", "which cells are kept on both axes")
def masks_axis(figure: Figure) -> None:
    titles = {"(B, 1, 1, N): keys": "right", "(B, 1, N, 1): queries": "wrong, and it broadcasts"}
    panels = figure.classed("va-show")
    for axis, (panel, (title, words)) in enumerate(zip(panels, titles.items(), strict=True)):
        assert figure.said("b", panel) == [title] and figure.said("small", panel) == [words]
        for place, kind in cells(figure, panel, 6, 0.88).items():
            assert kind == ("va-kept" if place[1 - axis] < 4 else "va-unreached"), place


@reads("global-local-influence", "areas and dark patches of four operators, counts")
def global_influence(figure: Figure) -> None:
    check(
        figure,
        [influence_panel(name, f"{MOVES[name][60 + 14].sum()} of 196 rows") for name in NAMES],
    )


def influence_panel(
    name: str, words: str, photo: str = "chelsea", full: float | None = None
) -> Panel:
    """One row of an influence; the matrices are recomputed in test_operators.py."""
    row = examples.influence(name, photo)[5 * 14 + 4]
    still = ~MOVES[name][5 * 14 + 4]
    assert (row[still] <= 1e-12).all() and (row[~still] > 1e-12).all()
    return Panel(
        NAMES[name],
        [words],
        photo=photo,
        sizes=row.reshape(14, 14),
        full=np.delete(row, 5 * 14 + 4).max() if full is None else full,
        hidden=still.reshape(14, 14),
        frames=[("query", 5, 4)],
    )


@reads("global-local-content", "areas and dark patches of two operators on two photographs")
def content(figure: Figure) -> None:
    panels = []
    for name in ("conv7", "everywhere"):
        photos = {"chelsea": "the cat", "coffee": "a cup"}
        full = max(examples.influence(name, photo)[74].max() for photo in photos)
        panels += [influence_panel(name, words, photo, full) for photo, words in photos.items()]
    check(figure, panels)


@reads("global-local-matrices", "each cell of four matrices, counts")
def matrices(figure: Figure) -> None:
    for panel, (name, moves) in zip(figure.classed("va-show"), MOVES.items(), strict=True):
        assert figure.said("b", panel) == [NAMES[name]]
        assert figure.said("small", panel) == [f"{moves.sum():,} of 38,416"]
        svg = figure.one("va-show-field", panel)
        assert svg.get("viewBox") == "0 0 196 196"
        np.testing.assert_array_equal(marks.covered(figure, svg, "va-filled", (196, 196)), moves)
        (ground,) = figure.marks("rect", svg, "va-empty-cells")
        assert at(ground, "x", "y", "width", "height") == [0, 0, 196, 196]


def table_of_grids(figure: Figure, heads: list[str], lines, *, marked: bool) -> None:
    """A table of 14 × 14 grids: its names, what each has filled, and how many."""
    tables = figure.classed("va-grid-table")
    assert figure.said("b", tables[0]) == heads
    assert [words for words, _ in lines] == [figure.words(*t.findall("span")) for t in tables[1:]]
    for line, (words, found) in zip(tables[1:], lines, strict=True):
        for cell, filled in zip(line.findall("div"), found, strict=True):
            np.testing.assert_array_equal(
                marks.covered(figure, cell, "va-filled", (14, 14)), filled.reshape(14, 14), words
            )
            assert figure.said("small", cell) == [str(filled.sum())]
            (ground,) = figure.marks("rect", cell, "va-empty-cells")
            assert at(ground, "x", "y", "width", "height") == [0, 0, 14, 14]
            for kind in ("va-marked-ground", "va-marked-cell"):
                boxes = [
                    at(r, "x", "y", "width", "height") for r in figure.marks("rect", cell, kind)
                ]
                assert boxes == ([[4, 5, 1, 1]] if marked else [])


@reads("global-local-order", "which rows follow, for four operators and three orders")
def order(figure: Figure) -> None:
    lines = []
    for words, shift in (("one column on", 1), ("seven columns on", 7), ("mixed up", None)):
        found = []
        for reach in (1, 3):
            here, came = COLUMN, (COLUMN - (shift or 0)) % 14
            inside = [(reach <= one) & (one <= 13 - reach) for one in (here, came)]
            # No row but may lie right by chance when all are mixed up; see test_operators.py.
            name = f"conv{2 * reach + 1}"
            found.append(inside[0] & inside[1] if shift else examples.follows(name, "any"))
        found += [np.full(196, shift == 7), np.full(196, True)]
        lines.append((words, found))
    heads = ["conv. 3 × 3", "conv. 7 × 7", "windows", "global"]
    table_of_grids(figure, heads, lines, marked=False)


@reads("global-local-layers", "which rows reach the framed one after one, two and three layers")
def layers(figure: Figure) -> None:
    stacks = {
        NAMES["conv3"]: [MOVES["conv3"]],
        NAMES["conv7"]: [MOVES["conv7"]],
        NAMES["windows"]: [window()],
        "shifted windows": [window(), window(3)],
        NAMES["everywhere"]: [MOVES["everywhere"]],
    }
    lines = []
    for words, moves in stacks.items():
        reached, found = np.arange(196) == 5 * 14 + 4, []
        for n in range(3):
            reached = moves[n % len(moves)][reached].any(axis=0)
            found.append(reached)
        lines.append((words, found))
    table_of_grids(figure, ["layer 1", "layer 2", "layer 3"], lines, marked=True)


@reads("maps-rollout", "levels of four matrices, pairs of bars and numbers")
def rolled(figure: Figure) -> None:
    traces = stack(stack_rows(), stack_blocks())
    together = rollout([trace.A for trace in traces])
    shown = {f"block {n + 1}": trace.A[0] for n, trace in enumerate(traces)} | {"rollout": together}
    panels = figure.one("va-matrices").findall("div")
    for panel, (name, weights) in zip(panels, shown.items(), strict=True):
        assert figure.said("small", panel) == [name]
        levels = marks.levels(weights, 1)
        for place, kind in cells(figure, panel, 5, 0.94).items():
            assert kind == (f"w{levels[place]}" if levels[place] else "va-square"), (name, place)
    last = traces[-1].Z[0]
    stories = ("value passed on", "in no value", "added, taken away", "raised by the MLP")
    strips = figure.classed("va-strip")
    assert len(strips) == len(stories) == len(STORIES)
    for patch, (strip, words) in enumerate(zip(strips, stories, strict=True)):
        label = figure.words(figure.one("va-label", strip))
        assert label == "({},{})".format(*divmod(patch, 2)) + words
        rows = stack_rows()
        rows[1 + patch, 5 + 2 * patch : 7 + 2 * patch] *= -1
        moved = np.linalg.norm(stack(rows, stack_blocks())[-1].Z[0] - last) / np.linalg.norm(last)
        values = (together[0, 1 + patch], moved)
        bars, texts = figure.marks("rect", strip, "va-fill"), figure.marks("text", strip)
        for n, (bar, text, value) in enumerate(zip(bars, texts, values, strict=True)):
            assert marks.classes(bar)[1] == ("role-weight", "role-output")[n]
            np.testing.assert_allclose(
                at(bar, "x", "y", "width"), [0, 16 * n, 86 * value], atol=0.006
            )
            np.testing.assert_allclose(
                at(text, "x", "y"), [86 * value + 1, 16 * n + 11], atol=0.006
            )
            assert text.text == written(value, 3)


@reads("rows-of-a-grid", "place, row of the sequence and (row, column) of each cell")
def rows_of_a_grid(figure: Figure) -> None:
    expected = {(0.0, 0.0): ("va-front", "0", "CLS")}
    for patch in range(8):
        row, column = divmod(patch, 4)
        expected[44 * (1.5 + column), 44.0 * row] = (
            "va-patch",
            str(patch + 1),
            f"({row},{column})",
        )
    found = {}
    for group in figure.root.iter("g"):
        (rect,) = figure.marks("rect", group)
        number, place = figure.marks("text", group)
        x, y = at(rect, "x", "y")
        assert at(number, "x", "y") == [x + 20.5, y + 20] and at(place, "x", "y") == [
            x + 20.5,
            y + 34,
        ]
        found[x, y] = (group.get("class"), number.text, place.text)
    assert found == expected


@reads("questions-row-column", "numbers of both matrices, which cells are lit, sums")
def row_column(figure: Figure) -> None:
    weights = np.array([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.25, 0.25, 0.5]])
    words = ("from where query 1 reads", "who reads key 1")
    for n, panel in enumerate(figure.classed("va-reading")):
        sides = [figure.words(one) for one in figure.classed("va-side", panel)]
        assert sides == [f"{what} {k}" for what in ("key", "query") for k in range(3)]
        drawn = figure.classed("va-weight-cell", panel)
        assert [figure.words(one) for one in drawn] == [written(w, 2) for w in weights.ravel()]
        lit = np.array(["is-lit" in marks.classes(one) for one in drawn]).reshape(3, 3)
        expected = np.zeros((3, 3), dtype=bool)
        expected[(1, slice(None)) if n == 0 else (slice(None), 1)] = True
        np.testing.assert_array_equal(lit, expected)
        total = written(weights[expected].sum(), 2)
        (line,) = panel.findall("p")
        assert figure.words(line) == f"sum {total} {words[n]}"
        assert figure.said("strong", panel) == [("row", "column")[n]]
    assert n == 1


@reads("patches-order", "numbers of two channels and of the row in both orders, which are filled")
def patches_order(figure: Figure) -> None:
    image = np.arange(16).reshape(2, 2, 4)
    corner = image[:, :2, :2]
    expected = {
        "channel 0": (image[0], {0, 1, 4, 5}, ""),
        "channel 1": (image[1], {0, 1, 4, 5}, ""),
        "channel, line, column": (corner.ravel(), set(range(8)), "patch 0 as a row of numbers"),
        "line, column, channel": (
            np.stack([corner[:, y, x] for y in (0, 1) for x in (0, 1)]).ravel(),
            set(),
            "the same numbers, another order",
        ),
    }
    for panel, (title, (values, lit, words)) in zip(
        figure.classed("va-show"), expected.items(), strict=True
    ):
        assert figure.said("b", panel) == [title]
        assert figure.said("small", panel) == ([words] if words else [])
        drawn = figure.one("va-cells-of-numbers", panel)
        spans = list(drawn.iter("span"))
        assert [figure.words(one) for one in spans] == [str(n) for n in values.ravel()]
        assert {n for n, one in enumerate(spans) if "is-lit" in marks.classes(one)} == lit
        assert drawn.get("style") == f"--n:{values.shape[-1]}"
        assert len(drawn.findall("div")) == values.size // values.shape[-1]


@reads("implementation-shapes", "size, colour and lifted row of each array, signs between them")
def shapes(figure: Figure) -> None:
    n, d, h, own = 197, 768, 12, 64
    lines = (
        (
            "project: q, and k and v alike",
            f"x·w_q=q {n},{d} {d},{own} {n},{own}",
            "none none query",
        ),
        (
            "compare, and divide by √64",
            f"q·kᵀ=scores {n},{own} {own},{n} {n},{n}",
            "query key none",
        ),
        ("softmax over each row", f"scores→weights {n},{n} {n},{n}", "none weight"),
        ("mix", f"weights·v=output {n},{n} {n},{own} {n},{own}", "weight value output"),
        (
            "join 12 heads, and map back",
            f"joined·w_o=what attention adds {n},{d} {d},{d} {n},{d}",
            "output none output",
        ),
    )
    assert [figure.words(one) for one in figure.root.iter("p")] == [line[0] for line in lines]
    for product, (_, drawn, roles) in zip(figure.classed("va-product"), lines, strict=True):
        found, sizes, of = [], [], []
        for part in product:
            if part.tag == "span":
                found.append(figure.words(part))
                continue
            found += figure.said("code", part)
            rows, columns = map(int, re.findall(r"\d+", figure.said("small", part)[0]))
            sizes.append(f"{rows},{columns}")
            (extent,) = figure.marks("rect", part, "va-extent")
            of.append(marks.classes(extent)[1].removeprefix("role-"))
            size = [0.18 * columns, 0.18 * rows]
            (svg,) = part.iter("svg")
            for one in (svg, extent):
                np.testing.assert_allclose(at(one, "width", "height"), size, atol=0.006)
            lifted = figure.marks("rect", part, "va-one-row")
            assert len(lifted) == (rows == n)
            for one in lifted:
                assert marks.classes(one)[1] == marks.classes(extent)[1]
                place = [0, 0.38 * size[1], size[0], 4]
                np.testing.assert_allclose(at(one, "x", "y", "width", "height"), place, atol=0.006)
            borders = [at(line, "x1", "x2") for line in figure.marks("line", part, "va-head-line")]
            heads = [[0.18 * own * k] * 2 for k in range(1, h)] if "joined" in found[-1:] else []
            np.testing.assert_allclose(borders, heads, atol=0.006)
        assert " ".join(["".join(found), *sizes]) == drawn
        assert " ".join(of) == roles
