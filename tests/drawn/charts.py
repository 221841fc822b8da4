"""Charts and lists: curves and labels at their values, dots of a small scene, keys in order, files."""

import math
import re
from collections.abc import Mapping

import numpy as np

from figures_src.inputs import captures
from figures_src.inputs.models import MODELS
from figures_src.pages.checkpoint import facts as checkpoint
from figures_src.pages.learned_heads import facts as learned_heads
from figures_src.pages.weight_and_effect import facts as weight_and_effect
from figures_src.player.film.timeline import chapters
from figures_src.player.registry import plates
from vitattn_core import STAGES

from . import marks
from .learned import rank_correlation
from .marks import ROOT, Figure, at, axis, percent, written
from .photographs import EYE, cat, soft
from .register import reads


@reads("maps-worth", "order, numbers and lines of six keys by three measures")
def worth(figure: Figure) -> None:
    a, v, o = cat().A[0, EYE], cat().V[0], cat().O[0, EYE]
    places = ((6, 11), (4, 4), (5, 11), (6, 5), (11, 8))
    keys = {f"({r},{c})": 1 + 14 * r + c for r, c in places} | {"CLS": 0}
    index = list(keys.values())
    measures = {
        "weight": (a[index], lambda x: written(x, 3)),
        "value": (a[index] * np.linalg.norm(v[index], axis=1), lambda x: written(x, 3)),
        "output": (
            a[index] / (1 - a[index]) * np.linalg.norm(v[index] - o, axis=1) / np.linalg.norm(o),
            percent,
        ),
    }
    heads = figure.one("va-worth-head")
    assert [one.get("class") for one in heads] == [f"role-{role}" for role in measures]
    order = {role: (-values).argsort().argsort() for role, (values, _) in measures.items()}
    texts = {}
    for text in figure.marks("text", figure.root):
        (tspan,) = text.iter("tspan")
        figure.note(tspan)
        texts[(*at(text, "x", "y"), tspan.get("class"))] = marks.words(text)
    expected = {
        (x, 30.0 * order[role][n] + 16, f"role-{role}"): f"{name} {write(values[n])}"
        for x, (role, (values, write)) in zip((16.0, 50.0, 84.0), measures.items(), strict=True)
        for n, name in enumerate(keys)
    }
    assert texts == expected
    lines = {
        (*at(line, "x1", "x2", "y1", "y2"), "is-cls" in marks.classes(line))
        for line in figure.marks("line", figure.root, "va-slope")
    }
    places_ = list(order.values())
    assert lines == {
        (
            *((28, 38), (62, 72))[k],
            *(30 * places_[k + side][n] + 11 for side in (0, 1)),
            name == "CLS",
        )
        for n, name in enumerate(keys)
        for k in (0, 1)
    }


@reads("maps-scatter", "a dot a pair, a row, the ring, numbers of the axes, rank correlations")
def scatter(figure: Figure) -> None:
    tokens = [1 + 14 * r + c for r in range(3, 7) for c in range(2, 6)]
    q, k, v = (cat()[name][0][tokens] for name in "QKV")
    weights = soft(q @ k.T / 2)
    away = np.linalg.norm(v[None] - (weights @ v)[:, None], axis=-1)
    effects = {
        "delete key j": weights / (1 - weights) * away,
        "zero value j": weights * np.linalg.norm(v, axis=-1),
        "swap value j with value i": abs(weights - np.diag(weights)[:, None])
        * np.linalg.norm(v[None] - v[:, None], axis=-1),
    }
    x, y = axis(10**-4.6, 1, log=True), axis(1e-4, 10, log=True)
    off = ~np.eye(16, dtype=bool)
    for panel, (title, effect) in zip(figure.classed("va-cloud"), effects.items(), strict=True):
        chosen = off if title.startswith("swap") else np.full((16, 16), True)
        weight, moved = weights[chosen], effect[chosen]
        assert figure.said("b", panel) == [title]
        rho = written(rank_correlation(weight, moved), 2)
        assert figure.said("small", panel) == [
            "how far the output moves",
            "weight",
            f"rank correlation {rho}",
        ]
        powers = [10.0**n for n in range(-4, 1)]
        marks.ticks(
            figure,
            panel,
            210,
            across=(x, powers),
            up=(y, powers[1:]),
            unnumbered=[1e-4, 10],
            rules_across=True,
        )
        clouds = [("", weight, moved)]
        if title.startswith("delete"):
            row = tokens.index(1 + 14 * 6 + 2)
            order = (-weights[row]).argsort()
            clouds.append(("is-row", weights[row, order], effect[row, order]))
            (ring,) = figure.marks("circle", panel, "va-ring")
            brightest = order[0]
            place = [100 * x(weights[row, brightest]), 210 * (1 - y(effect[row, brightest]))]
            np.testing.assert_allclose(at(ring, "cx", "cy"), place, atol=0.051)
        for path, (kind, across, up) in zip(
            figure.marks("path", panel, "va-dots"), clouds, strict=True
        ):
            assert (kind == "is-row") == ("is-row" in marks.classes(path))
            expected = 100 * np.stack([x(across), 1 - y(up)], axis=1)
            np.testing.assert_allclose(marks.dots(path), expected, atol=0.051)


# --- charts by matplotlib ---------------------------------------------------------------------------


class Chart:
    """A chart's curves, tick marks and texts, in the units of its axes."""

    def __init__(self, figure: Figure, place: tuple[float, ...], x, y) -> None:
        self.left, self.bottom, self.width, self.height = place
        self.x, self.y, self.figure = x, y, figure
        self.texts = figure.marks("text", figure.root)
        self.uses = figure.marks("use", figure.root)
        for rect in figure.marks("rect", figure.root):  # what curves are cut off at
            box = at(rect, "x", "y", "width", "height")
            assert box == [self.left, self.bottom - self.height, self.width, self.height]
        self.lines = []
        for path in figure.marks("path", figure.root):
            points = re.findall(r"[ML] ([-\d.]+) ([-\d.]+)", path.get("d", ""))
            if path.get("fill") == "none" and path.get("stroke"):
                colour = path.get("stroke", "")[len("var(--va-") : -1]
                self.lines.append((colour, np.array(points, dtype=float), path))

    def at(self, x, y) -> np.ndarray:
        across, up = self.x(x), self.y(y)
        return np.stack([self.left + self.width * across, self.bottom - self.height * up], axis=-1)

    def ticks_are(self, across: Mapping[str, float], up: Mapping[str, float]) -> None:
        """A tick and its text at each value; `up` may have ticks without a text."""
        found: list[tuple[str | None, float, float]] = []
        for text in self.texts:
            x, y = at(text, "x", "y")
            found.append((text.text, x, y))
        for words, value in across.items():
            (x,) = {x for said, x, y in found if said == words and y == 294.1}
            assert abs(x - (self.left + self.width * float(self.x(value)))) < 0.06, words
        for words, value in up.items():
            (y,) = {y for said, x, y in found if said == words and x == self.left - 7}
            assert abs(y - 5.3 - (self.bottom - self.height * float(self.y(value)))) < 0.06, words

    def tick_marks_are(self, across: list[float], up: list[float]) -> None:
        places = [at(use, "x", "y") for use in self.uses]
        at_foot = sorted(x for x, y in places if y == self.bottom and x != self.left)
        at_side = sorted(y for x, y in places if x == self.left)
        expected = sorted(self.left + self.width * float(self.x(value)) for value in across)
        np.testing.assert_allclose(at_foot, [x for x in expected if x != self.left], atol=0.06)
        expected = sorted(self.bottom - self.height * float(self.y(value)) for value in up)
        if any(float(self.x(value)) == 0 for value in across):
            expected = sorted([*expected, self.bottom])
        np.testing.assert_allclose(at_side, expected, atol=0.06)

    def text(self, words: str) -> tuple[float, float, str]:
        (found,) = (text for text in self.texts if text.text == words)
        x, y = at(found, "x", "y")
        return x, y, found.get("fill", "")[len("var(--va-") : -1]


@reads("cost-crossovers", "curves, level lines, bars, names and numbers at their values")
def crossovers(figure: Figure) -> None:
    chart = Chart(figure, (50, 274, 296, 258), axis(224, 2048), axis(0, 100))
    across = {"224": 224, "1,024": 1024, "2,048 px": 2048}
    up = {"0": 0, "25": 25, "50": 50, "75": 75, "100%": 100}
    chart.ticks_are(across, up)
    chart.tick_marks_are(list(across.values()), list(up.values()))
    curves = [(colour, line) for colour, line, _ in chart.lines if len(line) > 8]
    ends = {}
    for model, (colour, line) in zip(MODELS.values(), curves, strict=True):
        sides = np.arange(224, 2049, model.patch)
        n = (sides // model.patch) ** 2 + 1
        shares = 100 * n / (6 * model.width + n)
        for x, y in line:
            side = 224 + (x - 50) / 296 * 1824
            assert abs(chart.at(side, np.interp(side, sides, shares))[1] - y) < 0.5, model.name
        assert abs(chart.at(sides[-1], shares[-1]) - line[-1]).max() < 0.06
        assert (colour == "weight") == (model.name == "ViT-B/16")
        ends[model.name.removeprefix("ViT-")] = shares[-1]
    for name, share in ends.items():
        x, y, colour = chart.text(name)
        assert abs(x - chart.at(2075, 0)[0]) < 0.06 and (colour == "weight") == (name == "B/16")
        assert abs(y - 5 - chart.at(2075, share)[1]) < 17, "beside the end of its curve"
    heights = sorted(chart.text(name)[1] for name in ends)
    assert min(np.diff(heights)) > 9, "no name lies on another"
    three = [chart.text(name)[1] for name in ("Ti/16", "S/16", "B/16")]
    assert heights[:3] == three, "the other two curves end close together, below"
    shorter = [(colour, line) for colour, line, _ in chart.lines if len(line) == 2]
    for level, more in ((25, 2), (50, 6)):
        rows = more * 768  # the pair term then is the four projections, or all the rest
        between = [16 * math.floor(math.sqrt(rows - 1)), 16 * math.ceil(math.sqrt(rows - 1))]
        dashes = chart.at(np.array([224, 2048]), np.array([level, level]))
        bar = chart.at(np.array(between), np.array([level, level]))
        for colour, expected in (("quiet", dashes), ("ink", bar)):
            assert any(
                of == colour and abs(line - expected).max() < 0.11 for of, line in shorter
            ), (level, colour)
        _, y, _ = chart.text(f"B: {between[0]:,}–{between[1]:,} px")
        assert 0 < y - dashes[0][1] < 50, "under its line"
    named = [chart.text(words)[1] for words in ("pairs = projections", "pairs = all the rest")]
    assert [0 < y - chart.at(224, level)[1] < 25 for y, level in zip(named, (25, 50), strict=True)]


@reads("cost-memory", "lines, dots, sizes, numbers of the axes")
def memory(figure: Figure) -> None:
    x, y = axis(180, 13500, log=True), axis(1e5, 2e10, log=True)
    chart = Chart(figure, (64, 274, 292, 258), x, y)
    rows = np.array([197, 785, 3137, 12545])
    across = {"N = 197": 197, "785": 785, "3,137": 3137, "12,545": 12545}
    up = {"1 MB": 1e6, "100 MB": 1e8, "10 GB": 1e10}
    chart.ticks_are(across, up)
    sizes = {
        "weight": 4.0 * 12 * rows**2,
        "output": 4.0 * (rows * 768 + np.minimum(rows, 400) ** 2),
    }
    dots = []
    for colour, values in sizes.items():
        (line,) = (line for of, line, _ in chart.lines if of == colour and len(line) == 4)
        np.testing.assert_allclose(line, chart.at(rows, values), atol=0.11)
        dots += chart.at(rows, values).tolist()
        for n, size in ((0, values[0]), (3, values[-1])):
            words = f"{size / 1e9:.2g} GB" if size >= 1e9 else f"{size / 1e6:.2g} MB"
            at_x, at_y, _ = chart.text(words)
            place = chart.at(rows[n], size)
            assert abs(at_x - place[0]) < 0.06 and abs(at_y - place[1]) < 40, words
            assert (at_y < place[1]) == (colour == "weight") or n == 3
    ticks = [[x_, 274.0] for x_ in chart.at(rows, np.full(4, 1e5))[:, 0]]
    ticks += [[64.0, y_] for y_ in chart.at(np.full(6, 180), 10.0 ** np.arange(5, 11))[:, 1]]
    found = sorted(at(use, "x", "y") for use in chart.uses)
    np.testing.assert_allclose(found, sorted([*dots, *ticks]), atol=0.06)


# --- lists -----------------------------------------------------------------------------------------


def entries_are(figure: Figure, claims) -> None:
    """Every source of every number of the page, under the manifest's own words, and no other."""
    manifest = captures.manifest()["findings"]
    expected = {}
    for claim in claims:
        for source in claim.sources:
            expected[source] = manifest.get(source, {}).get(
                "says", "queries and keys, one byte each"
            )
    found: dict[str, str] = {}
    figure.words(*figure.root.iter("summary"))
    for line in figure.root.iter("li"):
        (says,) = figure.said("span", line)
        found |= dict.fromkeys(figure.said("code", line), says)
    assert found == expected


@reads("checkpoint-entries", "name and meaning of each entry")
def checkpoint_entries(figure: Figure) -> None:
    entries_are(figure, checkpoint.claims())


@reads("learned-heads-entries", "name and meaning of each entry")
def learned_entries(figure: Figure) -> None:
    entries_are(figure, learned_heads.claims())


@reads("weight-and-effect-entries", "name and meaning of each entry")
def effect_entries(figure: Figure) -> None:
    entries_are(figure, weight_and_effect.claims())


def size_is(figure: Figure, link: marks.Element, kind: str, title: str) -> None:
    size = (ROOT / "docs" / link.get("href", "")).stat().st_size
    words = f"{size / 1e6:.1f} MB" if size > 1e6 else f"{size / 1e3:.0f} kB"
    assert figure.words(link) == f"{title}, {kind}, {words}"


@reads("gallery-stages", "picture, words and weight of each file")
def gallery(figure: Figure) -> None:
    for entry, stage in zip(figure.classed("va-take-entry"), STAGES, strict=True):
        (image,), (link,) = entry.iter("img"), entry.iter("a")
        assert entry.get("id") == f"still-{stage.id}"
        assert image.get("src") == link.get("href") == f"assets/take/{stage.id}.svg"
        assert image.get("alt", "") and len(plates()[stage.id].alt) > 20
        assert figure.said("strong", entry) == [stage.title]
        size_is(figure, link, "SVG", stage.title)


@reads("gallery-film", "file, weight, and when each chapter begins")
def film(figure: Figure) -> None:
    (video,) = figure.root.iter("video")
    assert video.get("src") == "assets/take/film.mp4"
    (link,) = figure.one("va-take-files").iter("a")
    size_is(figure, link, "MP4", "The film")
    start = 0
    for line, stage in zip(figure.root.iter("li"), STAGES, strict=True):
        (title,) = figure.said("strong", line)
        assert title == f"{start // 60000}:{round(start / 1000) % 60:02d} {stage.title}."
        told = figure.words(line).removeprefix(title)
        assert len(told) > 40 and "{" not in told
        start += chapters()[stage.id].ms
