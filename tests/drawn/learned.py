"""Figures of the trained model: rows of its captures painted, needles, clouds of heads and patches."""

import re
from typing import Any

import numpy as np

from figures_src.inputs import captures
from figures_src.pages.learned_heads import facts as learned

from . import marks
from .marks import Element, Figure, at, axis, percent, written
from .panels import Panel, check
from .photographs import soft
from .register import reads

QUERY = 1 + 16 * 7 + 5
PICKED = [("query", 7, 5)]
SIZE: dict[str, Any] = {"shape": (16, 16), "cell": 14}
PHOTOS = {"chelsea": "cat", "coffee": "cup", "rocket": "rocket"}
SHIFTS = {(int(key[0]), int(key[2])) for key in learned.WORDS}  # held in test_learned_figures.py
ROW, COLUMN = np.divmod(np.arange(256), 16)


def layer(photo: str, number: int) -> np.ndarray:
    """Weights (6, 257, 257) of a layer, from its queries and keys."""
    stored = captures.load(photo, number)
    return soft(stored.Q @ stored.K.transpose(0, 2, 1) / 8)


def grid(row: np.ndarray) -> np.ndarray:
    return row[1:].reshape(16, 16)


def finding(name: str) -> np.ndarray:
    return np.array(captures.finding(name), dtype=float)


@reads("learned-heads-eyes", "levels, CLS and shares of four rows")
def eyes(figure: Figure) -> None:
    panels = []
    for number, head in ((7, 6), (9, 4), (11, 1), (12, 3)):
        row = layer("chelsea", number)[head - 1, QUERY]
        left, right = grid(row)[4:9, 3:8].sum(), grid(row)[6:10, 11:15].sum()
        panels.append(
            Panel(
                f"layer {number}, head {head}",
                [
                    f"left eye {percent(left, 0)}",
                    f"right eye {percent(right, 0)}",
                    f"largest {written(row.max(), 2)}",
                ],
                front=[("CLS", row[0])],
                weights=grid(row),
                largest=row.max(),
                frames=PICKED,
                **SIZE,
            )
        )
    check(figure, panels)


@reads("learned-heads-mean", "levels, CLS and largest weight of four rows")
def mean(figure: Figure) -> None:
    rows = layer("chelsea", 4)[:, QUERY]
    shown = {f"head {head}": rows[head - 1] for head in (2, 5, 6)} | {
        "mean of six": rows.mean(axis=0)
    }
    top = max(row.max() for row in list(shown.values())[:3])
    check(
        figure,
        [
            Panel(
                title,
                [f"largest {written(row.max(), 2)}"],
                front=[("CLS", row[0])],
                weights=grid(row),
                largest=top,
                frames=PICKED,
                **SIZE,
            )
            for title, row in shown.items()
        ],
    )


@reads("learned-heads-shifts", "foot and direction of each needle, shares")
def shifts(figure: Figure) -> None:
    heads = layer("chelsea", 4)
    mean_ = heads.mean(axis=0)
    steps = {"below": (1, 0), "above": (-1, 0), "to the left": (0, -1)}

    def share(weights: np.ndarray, step: tuple[int, int]) -> float:
        top = weights[1:, 1:].argmax(axis=1)
        inside = (ROW + step[0] >= 0) & (ROW + step[0] < 16) & (COLUMN + step[1] >= 0)
        return float((top == (ROW + step[0]) * 16 + COLUMN + step[1])[inside].mean())

    stated = captures.finding("shift.chelsea")
    panels = [
        Panel(f"head {head}", [f"{percent(stated[f'4.{head}'][0], 0)} to the patch {side}"], **SIZE)
        for head, side in zip((2, 5, 6), steps, strict=True)
    ]
    said = (f"{percent(share(mean_, step), 0)} {side}" for side, step in steps.items())
    panels.append(Panel("mean of six", [", ".join(said)], **SIZE))
    for svg, weights in zip(
        check(figure, panels), [*(heads[head - 1] for head in (2, 5, 6)), mean_], strict=True
    ):
        top = weights[1:, 1:].argmax(axis=1)
        steps_ = np.stack([top % 16 - COLUMN, top // 16 - ROW], axis=1).astype(float)
        length = np.linalg.norm(steps_, axis=1)
        feet = 14 * (np.stack([COLUMN, ROW], axis=1) + 0.5)
        (dots,) = figure.marks("path", svg, "va-needle-foot")
        np.testing.assert_allclose(marks.dots(dots), feet, atol=0.051)
        needles = figure.marks("path", svg, "va-needle")
        assert ["is-halo" in marks.classes(one) for one in needles] == [True, False]
        away = length > 0
        expected = np.hstack([feet[away], 9 * steps_[away] / length[away, None]])
        for needle in needles:
            found = re.findall(r"M(\S+) (\S+?)l(\S+) ([-\d.]+)", needle.get("d", ""))
            np.testing.assert_allclose(np.array(found, dtype=float), expected, atol=0.051)


# --- clouds ----------------------------------------------------------------------------------------


def field_of(panel: Element) -> Element:
    (inner,) = (one for one in panel.iter("svg") if one.get("preserveAspectRatio") == "none")
    return inner


def dots_are(
    figure: Figure, svg: Element, kind: str, x, y, places: np.ndarray, height: float
) -> None:
    """The dots of a class are at the given places (n, 2) in the values of both axes."""
    found = [p for p in figure.marks("path", svg) if set(marks.classes(p)) == set(kind.split())]
    assert len(found) == 1, kind
    expected = 100 * np.stack([x(places[:, 0]), 1 - y(places[:, 1])], axis=1)
    np.testing.assert_allclose(marks.dots(found[0]), expected, atol=0.051)
    assert field_of(svg).get("height") == f"{height:g}"


@reads("learned-heads-distance", "a thread and three dots a head, level lines, numbers of the axes")
def distance(figure: Figure) -> None:
    even = float(captures.finding("heads.uniform_distance"))
    charts = (
        (
            "distance",
            "mean distance, pixels",
            axis(0, 140),
            [0, 40, 80],
            even,
            18,
            f"{even:.0f} px",
        ),
        ("keys", "keys in use", axis(0.9, 300, log=True), [1, 4, 16, 64], 257, 4, "257"),
    )
    for panel, (name, title, up, numbers, level, above, words) in zip(
        figure.classed("va-cloud"), charts, strict=True
    ):
        assert figure.said("b", panel) == [title] and figure.said("small", panel) == ["layer"]
        across = axis(-0.4, 12.6)
        marks.ticks(figure, panel, 260, across=(across, [1, 3, 5, 7, 9, 11]), up=(up, numbers))
        values = np.array([finding(f"heads.{name}.{photo}") for photo in PHOTOS])
        for strong in (False, True):
            heads = [
                (n, h) for n in range(12) for h in range(6) if ((n + 1, h + 1) in SHIFTS) == strong
            ]
            if strong:
                heads = [(n - 1, h - 1) for n, h in SHIFTS_IN_ORDER]
            places = np.array(
                [[(n + 1 + 0.24 * (k - 1), values[k, n, h]) for k in range(3)] for n, h in heads]
            )
            kind = " is-row" if strong else ""
            dots_are(figure, panel, f"va-dots{kind}", across, up, places.reshape(-1, 2), 260)
            (lines,) = (
                path
                for path in panel.iter("path")
                if set(marks.classes(path)) == set(f"va-thread{kind}".split())
            )
            figure.note(lines)
            expected = 100 * np.stack([across(places[..., 0]), 1 - up(places[..., 1])], axis=-1)
            np.testing.assert_allclose(marks.threads(lines), expected, atol=0.051)
        (line,) = figure.marks("line", panel, "va-even")
        (text,) = figure.marks("text", panel, "at-4")
        down = 260 * (1 - float(up(level)))
        np.testing.assert_allclose(
            at(line, "x1", "x2", "y1", "y2"), [0, 100, down, down], atol=0.051
        )
        np.testing.assert_allclose(at(text, "x", "y"), [99.5, down - above], atol=0.051)
        assert text.text == f"even weights: {words}"


SHIFTS_IN_ORDER = [(int(key[0]), int(key[2])) for key in learned.WORDS]


def rank_correlation(x: np.ndarray, y: np.ndarray) -> float:
    return float(np.corrcoef(x.argsort().argsort(), y.argsort().argsort())[0, 1])


def rho_is(text: str, x: np.ndarray, y: np.ndarray) -> None:
    """Ranks of values rounded for the file differ a little from those they were measured on."""
    found = re.fullmatch(r"rank correlation(?: with the weight)? (−?[\d.]+)", text)
    assert found and abs(marks.number(found[1]) - rank_correlation(x, y)) < 0.006, text


@reads("weight-and-effect-clouds", "a dot a patch, rank correlations, numbers of the axes")
def clouds(figure: Figure) -> None:
    ways = {"hide_last.cls": "hidden in this layer", "pixels.cls": "pixels painted over"}
    cases = [(effect, photo) for effect in ways for photo in PHOTOS]
    x, y = axis(1e-4, 0.1, log=True), axis(1e-4, 0.2, log=True)
    for panel, (effect, photo) in zip(figure.classed("va-cloud"), cases, strict=True):
        assert figure.said("b", panel) == [f"{PHOTOS[photo]}: {ways[effect]}"]
        weight, moved = finding(f"score.cls_last.{photo}"), finding(f"effect.{effect}.{photo}")
        above, below, rho = figure.said("small", panel)
        assert (above, below) == ("CLS moves", "weight")
        rho_is(rho, weight, moved)
        marks.ticks(figure, panel, 190, across=(x, [0.001, 0.01, 0.1]), up=(y, [0.001, 0.01, 0.1]))
        dots_are(figure, panel, "va-dots", x, y, np.stack([weight, moved], axis=1), 190)


@reads("weight-and-effect-heads", "a dot a head, the ring, numbers of the axes")
def heads(figure: Figure) -> None:
    x, y = axis(-0.16, 1), axis(0.01, 2, log=True)
    for panel, (photo, noun) in zip(figure.classed("va-cloud"), PHOTOS.items(), strict=True):
        top, moved = (
            finding(f"{name}.{photo}").ravel() for name in ("heads.top", "removed.saliency")
        )
        least = int(moved.argmin())
        weight, change = written(top[least], 2), written(moved[least], 3)
        said = f"layer 1, head 6: a row’s largest weight {weight} on average, output moves {change}"
        assert least == 5
        assert figure.said("b", panel) == [noun]
        assert figure.said("small", panel) == ["output moves", "a row’s largest weight, mean", said]
        marks.ticks(
            figure, panel, 230, across=(x, [0, 0.25, 0.5, 0.75, 1]), up=(y, [0.03, 0.1, 0.3, 1])
        )
        dots_are(figure, panel, "va-dots", x, y, np.stack([top, moved], axis=1), 230)
        (ring,) = figure.marks("circle", panel, "va-ring")
        expected = [100 * float(x(top[least])), 230 * (1 - float(y(moved[least])))]
        np.testing.assert_allclose(at(ring, "cx", "cy"), expected, atol=0.051)


@reads("weight-and-effect-lengths", "a dot a head and photograph, mean, numbers of the axes")
def lengths(figure: Figure) -> None:
    panel = figure.one("va-cloud")
    x, y = axis(0.3, 12.7), axis(0, 0.75)
    marks.ticks(figure, panel, 230, across=(x, [1, 3, 5, 7, 9, 11]), up=(y, [0, 0.25, 0.5]))
    shares = np.array([finding(f"lengths.flips.{photo}") for photo in PHOTOS])
    photo, number = np.indices(shares.shape)[:2]
    places = np.stack([(number + 1 + 0.24 * (photo - 1)).ravel(), shares.ravel()], axis=1)
    dots_are(figure, panel, "va-dots", x, y, places, 230)
    assert figure.said("b", panel) == ["another key first"]
    assert figure.said("small", panel) == ["layer", f"mean {percent(shares.mean(), 0)} of the rows"]


@reads("weight-and-effect-rho", "a tick and a number for each of 105 rank correlations")
def rhos(figure: Figure) -> None:
    effects = {
        "hide_last.cls": "hidden from CLS in layer 12: CLS",
        "hide_all.cls": "hidden everywhere: CLS",
        "pixels.cls": "pixels painted over: CLS",
        "pixels.rows": "pixels painted over: other patches",
        "pixels.saliency": "pixels painted over: output",
    }
    scores = {
        "cls_last": "CLS, layer 12",
        "cls_last_lengths": "the same, times ‖v‖",
        "one_layer": "one-layer formula",
        "cls_all": "CLS, mean of layers",
        "rollout": "rollout, row of CLS",
        "received": "received from all patches",
        "contrast": "no attention: contrast",
    }
    head = figure.words(figure.one("va-rho-head"))
    assert head == "".join(words.replace(": ", "moves: ") for words in effects.values())
    stated = {photo: captures.finding(f"rho.{photo}") for photo in PHOTOS}
    for line, (score, name) in zip(figure.classed("va-rho-line"), scores.items(), strict=True):
        assert figure.said("b", line) == [name]
        for field, (effect, words) in zip(line.findall("div"), effects.items(), strict=True):
            values = np.array([stated[photo][score][effect] for photo in PHOTOS])
            assert figure.said("small", field) == [words]
            assert figure.said("i", field) == [written(value, 2) for value in values]
            base, zero, *ticks = figure.marks("line", field)
            assert at(base, "x1", "x2") == [0, 100] and marks.classes(zero) == ["va-rho-zero"]
            for mark, value in zip([zero, *ticks], [0, *values], strict=True):
                place = 1 + 98 * (value + 0.3) / 1.3
                np.testing.assert_allclose(at(mark, "x1", "x2"), [place, place], atol=0.051)


# --- on photographs --------------------------------------------------------------------------------


@reads("weight-and-effect-maps", "levels, areas of two effects, rank correlations")
def maps(figure: Figure) -> None:
    weights = finding("score.cls_last.chelsea")
    front = captures.cls_rows("chelsea")[-1, :, 0].mean()
    said = [f"largest on a patch {written(weights.max(), 3)}", f"on CLS {written(front, 3)}"]
    panels = [Panel("weight", said, weights=weights.reshape(16, 16), largest=weights.max(), **SIZE)]
    for title, name in (("hidden in this layer", "hide_last"), ("pixels painted over", "pixels")):
        moved = finding(f"effect.{name}.cls.chelsea")
        rho = captures.finding("rho.chelsea")["cls_last"][f"{name}.cls"]
        said = [
            f"rank correlation with the weight {written(rho, 2)}",
            f"CLS moves by up to {percent(moved.max())}",
        ]
        rho_is(said[0], weights, moved)
        panels.append(Panel(title, said, sizes=moved.reshape(16, 16), full=moved.max(), **SIZE))
    check(figure, panels)


@reads("weight-and-effect-idle", "levels, CLS and brightest patch of three rows")
def idle(figure: Figure) -> None:
    weights = layer("coffee", 1)[5]
    rows = {
        "row of CLS": weights[0],
        "row of patch (8,8)": weights[1 + 8 * 16 + 8],
        "mean of all rows": weights.mean(axis=0),
    }
    check(
        figure,
        [
            Panel(
                title,
                [
                    "({},{}) has ".format(*divmod(int(row[1:].argmax()), 16))
                    + written(row[1:].max(), 3)
                ],
                front=[("CLS", row[0])],
                photo="coffee",
                weights=grid(row),
                largest=1,
                frames=[("query", 8, 8)] if "(8,8)" in title else [],
                **SIZE,
            )
            for title, row in rows.items()
        ],
    )


@reads("weight-and-effect-patches", "levels, frames and ranks of four patches")
def patches(figure: Figure) -> None:
    found = []
    for panel in figure.classed("va-show"):
        (title,) = (marks.words(one) for one in figure.one("va-show-say", panel).iter("b"))
        (href,) = (one.get("href", "") for one in panel.iter("image"))
        place, kind = title.split(": ")
        row, column = map(int, re.findall(r"\d+", place))
        found.append((kind, href.split("/")[-1].removesuffix(".webp"), row, column))
    panels = []
    for kind, photo, row, column in found:
        weights, moved = finding(f"score.cls_last.{photo}"), finding(f"effect.pixels.cls.{photo}")
        patch = row * 16 + column
        ranks = [int((values > values[patch]).sum()) + 1 for values in (weights, moved)]
        assert (ranks[0] <= 20 and ranks[1] > 128) == (kind == "bright, idle"), ranks
        assert (ranks[0] > 128 and ranks[1] <= 20) == (kind == "dim, busy"), ranks
        panels.append(
            Panel(
                f"({row},{column}): {kind}",
                [f"by weight {ranks[0]}", f"by effect {ranks[1]}"],
                photo=photo,
                weights=weights.reshape(16, 16),
                largest=weights.max(),
                frames=[("key", row, column)],
                **SIZE,
            )
        )
    assert len(check(figure, panels)) == 4


@reads("checkpoint-sheet", "72 small maps: levels in eight steps, CLS, frame, number, address")
def sheet(figure: Figure) -> None:
    (image,) = figure.marks("image", figure.root)
    assert (image.get("id"), image.get("href")) == ("va-sheet", "assets/photos/chelsea.webp")
    labels = [figure.words(one) for one in figure.one("va-sheet").findall("span")]
    assert labels == ["", *"123456", *(str(n) for n in range(1, 13))]
    maps_ = iter(figure.one("va-sheet").findall("a"))
    for number in range(1, 13):
        rows = layer("chelsea", number)[:, QUERY]
        for head, row in enumerate(rows, start=1):
            link = next(maps_)
            share = written(row[0], 2)
            assert link.get("id") == f"sheet-{number}-{head}"
            assert link.get("data-state") == f"#layer={number}&head={head}"
            assert link.get("aria-label") == f"layer {number}, head {head}: {share} on CLS"
            assert figure.words(link) == share
            small_map_is(figure, figure.one("va-small-map", link), row)
    assert next(maps_, None) is None


def small_map_is(figure: Figure, svg: Element, row: np.ndarray) -> None:
    """A patch lies in the path of the level that its weight has on the range 0 to the row's largest."""
    (paint,) = figure.classed("va-map-paint", svg)
    assert paint.get("transform") == "scale(14)" and svg.get("viewBox") == "0 -16 224 240"
    found = np.zeros((16, 16), dtype=int)
    for path in figure.marks("path", paint):
        (kind,) = marks.classes(path)
        for place in marks.squares(path, 1):
            assert not found[place]
            found[place] = int(kind.removeprefix("w"))
    np.testing.assert_array_equal(found, marks.levels(row[1:], row.max()).reshape(16, 16))
    ground, cls = (rect for rect in figure.marks("rect", svg) if rect.get("y") == "-16")
    assert marks.classes(ground) == ["va-cls"]
    level = int(marks.levels(row[0], row.max()))
    assert marks.classes(cls) == ["va-square", *([f"w{level}"] if level else [])]
    assert marks.frames(figure, svg, 14) == PICKED
    assert [one.get("href") for one in figure.marks("use", svg)] == ["#va-sheet"]
    (taken,) = figure.marks("path", svg, "va-taken")
    assert not taken.get("d")
