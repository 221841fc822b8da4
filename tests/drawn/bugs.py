"""The figures of the bug lab: right rows and wrong ones, ledgers, damage, and the table of checks."""

import re

import numpy as np

from figures_src.inputs import photographs
from figures_src.pages.bug_lab import examples
from vitattn_core import CHECKS, MISTAKES, core_with, outcome, teaching_weights
from vitattn_core.teaching import VALUE_CHANNELS

from .bars import group_of_numbers, shares_of_macs
from .marks import Figure, percent, written
from .panels import Panel, check, keys
from .photographs import (
    EYE,
    PICKED,
    TWIN,
    band_is,
    cat,
    grid,
    merge_panels,
    scrambled_lines,
    soft,
    stripes_are,
)
from .register import reads

TITLES = ("as it should be", "with the bug")
IMAGE_LINES = "green, image lines {} to {}"


def under(figure: Figure, id: str) -> None:
    """The line, right and wrong, and the sentence on the checks: of the lists of the core."""
    mistake = MISTAKES[id]
    swap = figure.one("va-swap")
    assert figure.said("code", swap) == [
        " ".join(line.split()) for line in (mistake.right, mistake.wrong)
    ]
    assert figure.said("small", swap) == [f"one line of vitattn_core/{mistake.module}.py"]
    told = figure.words(figure.one("va-caught"))
    parts = dict.fromkeys(("caught", "let through", "not run"), "")
    for words, kind in (
        ("Caught by", "caught"),
        ("Let through by", "let through"),
        ("Never asked:", "not run"),
    ):
        found = re.search(rf"{words} ([^.]*)\.", told)
        parts[kind] = found[1] if found else ""
    for kind, names in parts.items():
        asked = [check.title for check in CHECKS.values() if outcome(check.id, id) == kind]
        assert names == ", ".join(asked), kind


def two(figure: Figure, rows, *says: tuple[str, str], hidden=None) -> None:
    largest = max(row.max() for row in rows)
    check(
        figure,
        [
            Panel(
                title,
                [pair[n] for pair in says],
                front=[("CLS", row[0])],
                weights=grid(row),
                largest=largest,
                hidden=hidden,
                frames=PICKED,
            )
            for n, (title, row) in enumerate(zip(TITLES, rows, strict=True))
        ],
    )


def both(rows, words: str, of, digits: int = 3, unit: str = "") -> tuple[str, str]:
    one, other = (f"{words} {written(of(row), digits)}{unit}" for row in rows)
    return one, other


def largest(rows) -> tuple[str, str]:
    return both(rows, "largest", np.max)


def spread(rows) -> tuple[str, str]:
    return both(rows, "as spread as", keys, 1, " keys")


@reads("bug-lab-sqrt-model", "levels, CLS, numbers, line, checks")
def sqrt_model(figure: Figure) -> None:
    rows = cat().A[0, EYE], soft(cat().P[0, EYE] / np.sqrt(12))
    two(figure, rows, largest(rows), spread(rows))
    under(figure, "sqrt-model")


@reads("bug-lab-axis", "levels, CLS, sums, line, checks")
def axis(figure: Figure) -> None:
    powers = np.exp(cat().S[0] - cat().S[0].max())
    rows = cat().A[0, EYE], (powers / powers.sum(axis=0))[EYE]
    two(figure, rows, largest(rows), both(rows, "sum", np.sum))
    under(figure, "axis")


@reads("bug-lab-keys-mixed", "levels, CLS, outputs as bars, line, checks")
def keys_mixed(figure: Figure) -> None:
    row = cat().A[0, EYE]
    two(figure, (row, row), largest((row, row)))
    outputs = row @ cat().V[0], row @ cat().K[0]
    group_of_numbers(
        figure,
        figure.one("va-lines-below"),
        VALUE_CHANNELS,
        dict(zip(TITLES, outputs, strict=True)),
        4,
    )
    under(figure, "keys-mixed")


@reads("bug-lab-no-position", "levels, CLS, numbers, line, checks")
def no_position(figure: Figure) -> None:
    rows = (
        cat().A[1, EYE],
        core_with("no-position").teaching_pass(photographs.image("chelsea")).A[1, EYE],
    )
    assert np.ptp(rows[1]) < 0.01
    two(figure, rows, largest(rows), spread(rows))
    under(figure, "no-position")


@reads("bug-lab-mask", "levels, dark patches, CLS, shares, line, checks")
def mask(figure: Figure) -> None:
    keep = np.arange(197) <= 140
    powers = np.exp(cat().S[0, EYE])
    rows = [np.where(kept, powers, 0) / powers[kept].sum() for kept in (keep, ~keep)]
    right, turned = (f"on padding {percent(row[~keep].sum())}" for row in rows)
    two(figure, rows, (right, turned), both(rows, "sum", np.sum), hidden=~grid(keep))
    under(figure, "mask")


@reads("bug-lab-offset", "levels of two pictures, brightest patch, line, checks")
def offset(figure: Figure) -> None:
    row = cat().A[0, EYE]
    check(
        figure,
        [
            Panel(
                title,
                [
                    "brightest: ({},{})".format(*divmod(int(picture.argmax()), 14)),
                    f"on (0,0) {written(picture[0], 3)}",
                ],
                weights=picture.reshape(14, 14),
                largest=row[1:].max(),
                frames=PICKED,
            )
            for title, picture in zip(TITLES, (row[1:], row[:196]), strict=True)
        ],
    )
    under(figure, "offset")


@reads("bug-lab-one-row", "parts of two bars, shares, line, checks")
def one_row(figure: Figure) -> None:
    n, d = 64 * 64 + 1, 768
    for pairs, words, strip in zip((n**2, n), TITLES, figure.classed("va-strip"), strict=True):
        found = shares_of_macs(figure, strip, 2 * pairs * d, n, d, words, least=(0.15, 0.15))
        assert figure.words(figure.one("va-result", strip)) == f"{percent(found, 2)}pairs"
    under(figure, "one-row")


@reads("bug-lab-reading", "levels, CLS, areas of the effects, numbers")
def reading(figure: Figure) -> None:
    a, v = cat().A[0, EYE], cat().V[0]
    moved = np.array(
        [
            np.linalg.norm(np.delete(a, key) / (1 - a[key]) @ np.delete(v, key, axis=0) - a @ v)
            for key in range(197)
        ]
    ) / np.linalg.norm(a @ v)
    shown = np.where(np.arange(197) == EYE, 0, moved)
    check(
        figure,
        [
            Panel(
                "what the map says",
                [f"(6,11): weight {written(a[TWIN], 3)}"],
                front=[("CLS", a[0])],
                weights=grid(a),
                largest=a.max(),
                frames=PICKED,
            ),
            Panel(
                "what deleting does",
                [f"(6,11): moves it by {percent(moved[TWIN])}", "the patch itself left out"],
                above=f"CLS {percent(moved[0])}",
                sizes=grid(shown),
                full=shown.max(),
                frames=PICKED,
            ),
        ],
    )


@reads("bug-lab-merge", "frames, areas of the damage, line, checks")
def merge(figure: Figure) -> None:
    check(figure, merge_panels(TITLES, ["all rows"]))
    under(figure, "merge")


@reads("bug-lab-patchify", "frames, band, stripes, line, checks")
def patchify(figure: Figure) -> None:
    drawn = check(
        figure,
        [
            Panel(TITLES[0], ["the square (5,4)"], frames=PICKED),
            Panel(TITLES[1], [IMAGE_LINES.format(*scrambled_lines())]),
            Panel("the damage", ["all rows, put back"], frames=PICKED),
        ],
    )
    band_is(figure, drawn[1])
    stripes_are(figure, drawn[2])
    under(figure, "patchify")


CHANNELS = (
    "light",
    "red green",
    "blue yellow",
    "spot",
    "row cos",
    "row sin",
    "col cos",
    "col sin",
    "keel",
    "cls",
    "diff",
    "out",
)


def three_groups(figure: Figure, lines: dict[str, np.ndarray], reach: float) -> None:
    """Twelve channels in three groups of four."""
    for n, group in enumerate(figure.classed("va-lines-below")):
        own = slice(4 * n, 4 * n + 4)
        values = {name: row[own] for name, row in lines.items()}
        group_of_numbers(figure, group, CHANNELS[own], values, reach)
    assert n == 2


@reads("bug-lab-residual", "bars and numbers of three rows, line, checks")
def residual(figure: Figure) -> None:
    normed = cat().U[EYE] + cat().M[EYE]
    three_groups(figure, {"goes in": cat().X[EYE], TITLES[0]: cat().Y[EYE], TITLES[1]: normed}, 6)
    under(figure, "residual")


@reads("cls-summaries", "bars and numbers of two rows")
def cls_summaries(figure: Figure) -> None:
    z = cat().Z
    three_groups(figure, {"CLS": z[0], "mean of the patches": z[1:].sum(axis=0) / 196}, 4)


@reads("heads-sum", "bars and numbers of three parts and their sum")
def heads_sum(figure: Figure) -> None:
    w_o = teaching_weights().block.attention.w_o
    shown = [CHANNELS.index(name) for name in ("light", "red green", "blue yellow", "diff")]
    lines = {
        f"head {h + 1}, {name}": (cat().O[h, EYE] @ w_o[4 * h : 4 * h + 4])[shown]
        for h, name in enumerate(("like me", "near me", "opposite"))
    }
    total = {"sum": sum(lines.values())}
    group_of_numbers(
        figure, figure.one("va-lines-below"), [CHANNELS[c] for c in shown], lines | total, 2
    )


@reads("bug-lab-rollout", "levels of two rows, sums, areas of what is missing, line, checks")
def rollout(figure: Figure) -> None:
    both_, off = examples.rollouts(), None
    rows = [matrix[EYE] for matrix in both_]  # matrices recomputed in test_bug_figures.py
    off = abs(both_[1].sum(axis=1) - 1)
    top = max(row.max() for row in rows)
    panels = [
        Panel(
            title, [f"sum {written(row.sum(), 3)}"], weights=grid(row), largest=top, frames=PICKED
        )
        for title, row in zip(TITLES, rows, strict=True)
    ]
    damage = Panel(
        "the damage",
        [f"largest {written(off[1:].max(), 3)}"],
        sizes=grid(off),
        full=off[1:].max(),
        frames=PICKED,
    )
    check(figure, [*panels, damage])
    under(figure, "rollout")


@reads("bug-lab-matrix", "sign, words and colour of each cell")
def matrix(figure: Figure) -> None:
    heads = figure.root.findall(".//thead//th")
    assert [figure.words(head) for head in heads] == [one.title for one in CHECKS.values()]
    assert [head.get("data-check") for head in heads] == list(CHECKS)
    lines = figure.root.findall(".//tbody/tr")
    ids = [*list(MISTAKES)[:5], "reading", *list(MISTAKES)[5:]]
    looks = {
        "caught": ("is-caught", "●caught"),
        "let through": ("is-passed", "○passes"),
        "not run": ("is-unasked", "–"),
    }
    for n, (id, line) in enumerate(zip(ids, lines, strict=True)):
        assert line.get("data-mistake") == id
        name = line.find("th/a")
        assert name is not None and name.get("href") == f"#{id}"
        short = "map as cause" if id == "reading" else MISTAKES[id].short.replace("_", "")
        assert figure.words(name) == f"{n + 1} {short}"
        for check_id, cell in zip(CHECKS, line.findall("td"), strict=True):
            found = "not run" if id == "reading" else outcome(check_id, id)
            assert (cell.get("class"), figure.words(cell)) == looks[found], (check_id, id)
