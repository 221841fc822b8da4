"""Rows of weights of the teaching pass, painted on photographs."""

import numpy as np

from figures_src.inputs import photographs
from figures_src.pages.maps import examples as maps
from vitattn_core import resize_positions, sine_positions, teaching_weights
from vitattn_core.grid import Grid

from . import marks
from .marks import Figure, at, percent, written
from .panels import Panel, check, keys
from .register import reads

EYE, TWIN = 75, 1 + 14 * 6 + 11
PICKED = [("query", 5, 4)]
ROW, COLUMN = np.divmod(np.arange(196), 14)
HEADS = ("like me", "near me", "opposite")


def cat():
    return photographs.trace("chelsea")


def soft(scores: np.ndarray) -> np.ndarray:
    powers = np.exp(scores - scores.max(axis=-1, keepdims=True))
    return powers / powers.sum(axis=-1, keepdims=True)


def grid(row: np.ndarray) -> np.ndarray:
    """The patches of a row (197,) on their grid."""
    return row[1:].reshape(14, 14)


def merged_wrong() -> np.ndarray:
    """What attention adds (197, 12) when heads are joined by a reshape of the memory alone."""
    return cat().O.ravel().reshape(197, 12) @ teaching_weights().block.attention.w_o


@reads("masks-kinds", "levels, dark patches, CLS, numbers of four rows")
def masks_kinds(figure: Figure) -> None:
    token = np.arange(197)
    down, across = np.divmod(token - 1, 14)
    kept = {
        "no mask": token >= 0,
        "padding": (token == 0) | (down < 10),
        "causal": token <= EYE,
        "window": (token == 0) | ((down < 7) & (across < 7)),
    }
    rows = {kind: np.where(keep, cat().A[0, EYE], 0) for kind, keep in kept.items()}
    rows = {kind: row / row.sum() for kind, row in rows.items()}
    largest = max(row.max() for row in rows.values())
    check(
        figure,
        [
            Panel(
                kind,
                [
                    f"{keep.sum()} keys kept",
                    f"itself {written(rows[kind][EYE], 3)}",
                    f"other eye {written(rows[kind][TWIN], 3) if keep[TWIN] else 'hidden: 0'}",
                ],
                front=[("CLS", rows[kind][0])],
                weights=grid(rows[kind]),
                largest=largest,
                hidden=~grid(keep),
                frames=PICKED,
            )
            for kind, keep in kept.items()
        ],
    )


@reads("heads-opposite", "levels of three maps, brightness")
def heads_opposite(figure: Figure) -> None:
    sides = np.where(ROW < 7, -1.0, 1.0)
    weights = soft(np.array([[-2.0], [2.0]]) * sides)
    bright = (photographs.trace("coffee").pixels.mean(axis=1) + 1) / 2
    said = [f"brightness {written(row @ bright, 2)}" for row in weights] + ["every weight 1/196"]
    rows = [*weights, weights.mean(axis=0)]
    check(
        figure,
        [
            Panel(
                title,
                [words],
                photo="coffee",
                weights=row.reshape(14, 14),
                largest=weights.max(),
            )
            for title, words, row in zip(
                ("head 1", "head 2", "their mean"), said, rows, strict=True
            )
        ],
    )


@reads("heads-photograph", "levels, CLS and numbers of four rows")
def heads_photograph(figure: Figure) -> None:
    each = cat().A[:, EYE]
    titles = [*(f"head {n + 1}, {name}" for n, name in enumerate(HEADS)), "mean of the three"]
    check(
        figure,
        [
            Panel(
                title,
                [f"largest {written(row.max(), 3)}", f"as spread as {written(keys(row), 1)} keys"],
                front=[("CLS", row[0])],
                weights=grid(row),
                largest=row.max(),
                frames=PICKED,
            )
            for title, row in zip(titles, [*each, each.sum(axis=0) / 3], strict=True)
        ],
    )


def sources() -> tuple[int, list[tuple[int, int]]]:
    """Head and patches whose numbers stand where the eye's row is read, joined by a reshape."""
    places = np.arange(EYE * 12, EYE * 12 + 12)
    (head,) = set(places // (197 * 4))
    tokens = sorted(set(places % (197 * 4) // 4))
    return int(head) + 1, [(int(t - 1) // 14, int(t - 1) % 14) for t in tokens]


def merge_panels(titles: tuple[str, str], damage: list[str]) -> list[Panel]:
    head, others = sources()
    listed = ", ".join(f"({r},{c})" for r, c in others)
    off = np.linalg.norm(merged_wrong() - cat().M, axis=1)
    return [
        Panel(titles[0], ["heads 1, 2, 3 of (5,4)"], frames=PICKED),
        Panel(
            titles[1],
            [f"head {head} of {listed}"],
            frames=[*(("key", r, c) for r, c in others), *PICKED],
        ),
        Panel("the damage", damage, sizes=grid(off), full=off.max(), frames=PICKED),
    ]


@reads("heads-merge", "frames, areas of the damage, numbers")
def heads_merge(figure: Figure) -> None:
    off = np.linalg.norm(merged_wrong() - cat().M, axis=1)
    said = f"at the eye {written(off[EYE], 2)}, largest {written(off.max(), 2)}"
    check(figure, merge_panels(("exchanged, then reshaped", "reshaped only"), [said]))


@reads("cls-offset", "levels of three pictures, brightest patch, CLS")
def cls_offset(figure: Figure) -> None:
    row = cat().A[0, EYE]
    registers = np.concatenate([[0, 0, 0, 0], row[1:193]])
    pictures = (row[1:], row[:196], registers)
    titles = ("CLS left out, as it must be", "CLS left in", "registers left in")
    above = ("", "CLS is painted on (0,0)", "registers on (0,0) to (0,3)")
    check(
        figure,
        [
            Panel(
                title,
                ["brightest: ({},{})".format(*divmod(int(picture.argmax()), 14))],
                above=words,
                front=[] if words else [("CLS", row[0])],
                weights=picture.reshape(14, 14),
                largest=row.max(),
                frames=PICKED,
            )
            for title, picture, words in zip(titles, pictures, above, strict=True)
        ],
    )


@reads("cls-share", "levels of three columns, median, largest")
def cls_share(figure: Figure) -> None:
    column = cat().A[:, 1:, 0]
    check(
        figure,
        [
            Panel(
                f"head {n + 1}, {name}",
                [f"median {written(np.median(one), 3)}", f"largest {written(one.max(), 3)}"],
                weights=one.reshape(14, 14),
                largest=column.max(),
            )
            for n, (name, one) in enumerate(zip(HEADS, column, strict=True))
        ],
    )


@reads("cls-pooling", "levels, CLS and outputs of three rows")
def cls_pooling(figure: Figure) -> None:
    rows, outputs = cat().A[:, 0], cat().O[:, 0]
    check(
        figure,
        [
            Panel(
                f"head {n + 1}, {name}",
                [
                    f"as spread as {written(keys(row), 1)} equal weights",
                    f"o = ({', '.join(written(x, 2) for x in outputs[n, :3])}, …)",
                ],
                front=[("CLS", row[0])],
                weights=grid(row),
                largest=row.max(),
            )
            for n, (name, row) in enumerate(zip(HEADS, rows, strict=True))
        ],
    )


@reads("maps-two-maps", "levels, the square, shares, outputs")
def maps_two_maps(figure: Figure) -> None:
    near = (abs(ROW - 5) <= 4) & (abs(COLUMN - 4) <= 4)
    other = maps.two_maps()[1]  # recomputed in test_map_figures.py
    rows = (cat().A[1, EYE], other)
    largest = max(row[1:].max() for row in rows)
    panels = [
        Panel(
            title,
            [f"{percent(row[1:][near].sum())} of the weight inside the square"],
            weights=grid(row),
            largest=largest,
            frames=PICKED,
        )
        for title, row in zip(
            ("head 2, as computed", "another row, same output"), rows, strict=True
        )
    ]
    for svg in check(figure, panels):
        (limit,) = figure.marks("rect", svg, "va-limit")
        assert at(limit, "x", "y", "width", "height") == [0, 16, 144, 144]
    lines = list(figure.one("va-outputs"))
    for sign, line, row in zip("←→", lines, rows, strict=True):
        said = [written(value, 6) for value in row @ cat().V[1]]
        assert figure.said("b", line) == said
        assert figure.words(*line.iter("small")) == f"output {sign}"


# --- position tables -------------------------------------------------------------------------------


def plain_grid(figure: Figure, expected: list[Panel]) -> None:
    """Panels on an empty grid, whose cells are all drawn."""
    for svg, panel in zip(check(figure, expected), expected, strict=True):
        cells = marks.covered(figure, svg, "va-empty-cells", panel.shape, panel.cell)
        assert cells.all()


def close(table: np.ndarray, patch: int) -> np.ndarray:
    return soft(table[1:] @ table[1 + patch])


@reads("patches-tables", "levels of two tables, neighbours")
def patches_tables(figure: Figure) -> None:
    line = sine_positions(Grid(16, 196 * 16, 16, cls=False), 128)[:, 64:]
    tables = {
        "sine along the list": np.concatenate([np.zeros((1, 64)), line]),
        "sine of row and column": sine_positions(Grid(224, 224, 16), 64),
    }
    panels = []
    for title, table in tables.items():
        row = close(table, EYE - 1)
        words = f"to the right {written(row[EYE], 3)}, below {written(row[EYE + 13], 3)}"
        panels.append(
            Panel(
                title,
                [words],
                photo=None,
                weights=row.reshape(14, 14),
                largest=row.max(),
                frames=PICKED,
            )
        )
    plain_grid(figure, panels)


@reads("patches-bias", "levels for two queries")
def patches_bias(figure: Figure) -> None:
    panels = []
    for r, c in ((5, 4), (9, 9)):
        row = soft(-((ROW - r) ** 2 + (COLUMN - c - 2) ** 2) / 4)
        panels.append(
            Panel(
                f"query ({r},{c})",
                photo=None,
                weights=row.reshape(14, 14),
                largest=row.max(),
                frames=[("query", r, c)],
            )
        )
    plain_grid(figure, panels)


@reads("patches-resized", "levels on a wide grid, right and with height and width mixed up")
def patches_resized(figure: Figure) -> None:
    table, square = sine_positions(Grid(224, 224, 16), 64), Grid(224, 224, 16)
    panels = []
    for title, size in (("resized", (224, 384)), ("height and width mixed up", (384, 224))):
        row = close(resize_positions(table, square, Grid(*size, 16)), 5 * 24 + 4)
        panels.append(
            Panel(
                title,
                ["shape 337 × 64"],
                photo=None,
                weights=row.reshape(14, 24),
                largest=row.max(),
                frames=PICKED,
                shape=(14, 24),
            )
        )
    plain_grid(figure, panels)


# --- cut and order ---------------------------------------------------------------------------------


def scrambled_lines() -> tuple[int, int]:
    """First and last image line of the numbers 74·768 to 75·768 of the green channel."""
    start = 74 * 768 - 224 * 224
    return start // 224, (start + 767) // 224


def band_is(figure: Figure, svg: marks.Element) -> None:
    first, last = scrambled_lines()
    (band,) = figure.marks("path", svg, "va-lit-band")
    assert band.get("d") == f"M0 {first}H224V{last + 1}H0z"


def stripes_are(figure: Figure, svg: marks.Element) -> None:
    (image,) = (one for one in svg.iter("image") if "pictures" in one.get("href", ""))
    figure.note(image)
    assert image.get("href") == "assets/pictures/patches-scrambled.webp"
    assert at(image, "x", "y", "width", "height") == [0, 0, 224, 224]


@reads("patches-scrambled", "square, band, stripes, shapes")
def patches_scrambled(figure: Figure) -> None:
    first, last = scrambled_lines()
    one, back = "one row comes from", "all rows, put back"
    lines = f"row 74: green, image lines {first} to {last}"
    drawn = check(
        figure,
        [
            Panel("right cut", ["row 74: the square (5,4)"], one, frames=PICKED),
            Panel("scrambled cut", [lines], one),
            Panel("right cut", ["shape 196 × 768"], back, dim=False, frames=PICKED),
            Panel("scrambled cut", ["shape 196 × 768"], back, photo=None, frames=PICKED),
        ],
    )
    band_is(figure, drawn[1])
    stripes_are(figure, drawn[3])


@reads("patches-shuffled", "each patch at its new place, frames, bars of the differences")
def patches_shuffled(figure: Figure) -> None:
    order = [pow(2, n, 197) - 1 for n in range(196)]
    new = order.index(5 * 14 + 4)
    drawn = check(
        figure,
        [
            Panel("in order", dim=False, frames=PICKED),
            Panel("in another order", photo=None, frames=[("query", *divmod(new, 14))]),
        ],
    )
    crops = [one for one in drawn[1].iter("svg") if one is not drawn[1]]
    for place, (patch, crop) in enumerate(zip(order, crops, strict=True)):
        assert at(crop, "x", "y", "width", "height") == [place % 14 * 16, place // 14 * 16, 16, 16]
        assert crop.get("viewBox") == f"{patch % 14 * 16} {patch // 14 * 16} 16 16"
        assert [use.get("href") for use in figure.marks("use", crop)] == ["#patches-shuffled-photo"]
    bars = figure.classed("va-strip")
    said = [figure.words(figure.one("va-result", strip)) for strip in bars]
    widths = [at(figure.marks("rect", strip, "va-rest-bar")[0], "width")[0] for strip in bars]
    names = [figure.words(figure.one("va-label", strip)) for strip in bars]
    assert names == ["no position", "one position row for all", "a position row for each"]
    assert said[:2] == ["< 10⁻¹²"] * 2 and widths == [0, 0, 100]
    moved = np.array([0, *(1 + n for n in order)])
    x, position = cat().content, teaching_weights().position
    again = teaching_pass_of(x[moved] + position) - teaching_pass_of(x + position)[moved]
    assert said[2] == written(np.abs(again).max(), 2)


def teaching_pass_of(rows: np.ndarray) -> np.ndarray:
    """What attention adds to rows (197, 12), by the formula."""
    weights = teaching_weights().block
    x = rows - rows.mean(axis=1, keepdims=True)
    x = x / np.sqrt((x**2).mean(axis=1, keepdims=True) + 1e-6)
    own = weights.attention
    out = []
    for h in range(3):
        part = slice(4 * h, 4 * h + 4)
        q, k, v = (x @ w[:, part] for w in (own.w_q, own.w_k, own.w_v))
        out.append(soft(q @ k.T / 2) @ v)
    return np.hstack(out) @ own.w_o
