"""Bars: parts of a whole laid end to end, signed numbers over their bars, pairs of bars."""

import math
from collections.abc import Mapping, Sequence

import numpy as np

from . import marks
from .marks import Element, Figure, at, percent, written
from .photographs import EYE, cat, soft
from .register import reads


def group_of_numbers(
    figure: Figure,
    group: Element,
    names: Sequence[str],
    lines: Mapping[str, np.ndarray],
    reach: float,
) -> None:
    """Lines of signed numbers under one line of names."""
    assert figure.said("span", figure.one("va-names", group)) == list(names)
    strips = [one for one in figure.classed("va-strip", group) if figure.classed("va-numbers", one)]
    for (title, values), strip in zip(lines.items(), strips, strict=True):
        assert figure.words(figure.one("va-label", strip)) == title
        printed = marks.signed(figure, figure.one("va-numbers", strip), reach)
        assert printed == [written(value, 2) for value in values], title


def shares_of_macs(
    figure: Figure,
    strip: Element,
    pair: int,
    tokens: int,
    width: int,
    words: str,
    least: tuple[float, float],
) -> float:
    """A block's MACs as one bar: projections, pairs, MLP, each at its place. Return the pairs' share.

    least: from which share on a part has room for its name; the second is that of the pairs.
    """
    projections, mlp = 4 * tokens * width**2, 8 * tokens * width**2
    total = projections + pair + mlp
    (svg,) = strip.iter("svg")
    found = marks.end_to_end(figure, svg, "is-ink", "is-weight", "is-quiet")
    expected = [("is-ink", projections), ("is-weight", pair), ("is-quiet", mlp)]
    assert [kind for kind, _ in found] == [kind for kind, _ in expected]
    for (_, share), (_, macs) in zip(found, expected, strict=True):
        assert abs(share - macs / total) < 6e-5
    assert figure.words(figure.one("va-label", strip)) == words
    start = 0.0
    middles = {}
    for name, (_, macs) in zip(("projections", "pairs", "MLP"), expected, strict=True):
        middles[name] = 100 * (start + macs / total / 2)
        start += macs / total
        if macs / total > least[name == "pairs"]:
            continue
        del middles[name]
    for text in figure.marks("text", svg):
        assert abs(at(text, "x")[0] - middles.pop(text.text or "")) < 0.011
    assert not middles
    return pair / total


@reads("cost-shares", "parts of three bars, their names, shares")
def cost_shares(figure: Figure) -> None:
    for side, strip in zip((224, 384, 1024), figure.classed("va-strip"), strict=True):
        n, d = (side // 16) ** 2 + 1, 768
        share = shares_of_macs(
            figure, strip, 2 * n**2 * d, n, d, f"{side:,}px, N = {n:,}", (0.22, 0.1)
        )
        assert figure.words(figure.one("va-result", strip)) == f"{percent(share)}pairs"


@reads("three-divisors", "parts of three bars, their levels and numbers, equal keys")
def three_divisors(figure: Figure) -> None:
    products = cat().P[0, EYE]
    letters = ("÷ 1no divisor", "÷ √dh= 2", "÷ √D= √12")
    for words, divisor, strip in zip(
        letters, (1, 2, math.sqrt(12)), figure.classed("va-strip"), strict=True
    ):
        weights = soft(products / divisor)
        assert figure.words(figure.one("va-label", strip)) == words
        patches = np.sort(weights[1:])[::-1]
        drawn = [weights[0], *patches[patches >= 0.018]]
        (svg,) = strip.iter("svg")
        segments = figure.classed("va-segment", svg)
        assert [marks.classes(one)[1] for one in segments] == [
            f"w{max(1, level)}" for level in marks.levels(drawn, weights.max())
        ]
        starts = np.concatenate([[0], np.cumsum(drawn)])
        rects = figure.marks("rect", svg)
        for rect, start, width in zip(rects, starts, [*drawn, 1 - sum(drawn)], strict=True):
            np.testing.assert_allclose(
                at(rect, "x", "width"), [100 * start, 100 * width], atol=0.006
            )
        assert [marks.classes(rect) for rect in rects] == [[]] * len(drawn) + [["va-rest"]]
        said = [
            (written(width, 3), start + width / 2)
            for start, width in zip(starts, drawn, strict=False)
            if width > 0.09
        ]
        if starts[-1] < 0.85:
            said.append((f"{197 - len(drawn)} more", (1 + starts[-1]) / 2))
        texts = figure.marks("text", svg)
        assert [text.text for text in texts] == [words for words, _ in said]
        middles = [at(text, "x")[0] for text in texts]
        np.testing.assert_allclose(middles, [100 * middle for _, middle in said], atol=0.006)
        equal = math.exp(-float((weights * np.log(weights)).sum()))
        assert figure.words(figure.one("va-result", strip)) == f"{written(equal, 1)}equal keys"


@reads("masks-where", "parts of five bars, which is the hidden key's, sums")
def masks_where(figure: Figure) -> None:
    lines = {
        "no mask": (1 / 8, 3 / 8, 4 / 8),
        "scores to −∞": (1 / 4, 3 / 4, 0),
        "scores × 0": (1 / 5, 3 / 5, 1 / 5),
        "weights × 0": (1 / 8, 3 / 8, 0),
        "weights × 0, ÷ their sum": (1 / 4, 3 / 4, 0),
    }
    for (words, weights), strip in zip(lines.items(), figure.classed("va-strip"), strict=True):
        assert figure.words(figure.one("va-label", strip)) == words
        (svg,) = strip.iter("svg")
        (whole,) = figure.marks("rect", svg, "va-empty-bar")
        assert at(whole, "x", "width") == [0, 100]
        parts = figure.marks("rect", svg, "va-part")
        hidden = ["is-hidden" in marks.classes(part) for part in parts]
        assert hidden == [False, False, True][: len(parts)]
        found = [width for _, width in marks.end_to_end(figure, svg, "va-part")]
        np.testing.assert_allclose(found, [weight for weight in weights if weight], atol=6e-5)
        texts = figure.marks("text", svg)
        assert [float(text.text or "") for text in texts] == [w for w in weights if w]
        middles = np.cumsum(found) - np.array(found) / 2
        np.testing.assert_allclose([at(t, "x")[0] for t in texts], 100 * middles, atol=0.01)
        assert figure.words(figure.one("va-result", strip)) == f"{written(sum(weights), 2)}sum"


@reads("cls-rows", "cells of three sequences: names, row numbers, which stand in front")
def cls_rows(figure: Figure) -> None:
    kinds = (("patches only", 0), ("with CLS", 1), ("with CLS and registers", 5))
    width = 100 / 11
    for (words, front), strip in zip(kinds, figure.classed("va-strip"), strict=True):
        assert figure.words(figure.one("va-label", strip)) == words
        assert figure.words(figure.one("va-result", strip)) == f"{196 + front}rows"
        rects = figure.marks("rect", strip)
        expected = ["is-front" if n < front else "" for n in range(8)] + ["is-here"]
        assert [rect.get("class", "") for rect in rects] == expected
        lefts = [*(n * width for n in range(8)), 9 * width]
        np.testing.assert_allclose([at(rect, "x")[0] for rect in rects], lefts, atol=0.006)
        names = ["C", "R", "R", "R", "R"][:front] + [f"0,{n}" for n in range(8 - front)] + ["5,4"]
        rows = [*range(8), 5 * 14 + 4 + front]
        texts = figure.marks("text", strip)
        below = [text for text in texts if "va-index" in marks.classes(text)]
        inside = [text for text in texts if "va-index" not in marks.classes(text)]
        assert [text.text for text in below] == [str(row) for row in rows]
        assert [text.text for text in inside] == [*names[:8], "…", "5,4"]
        middles = [*(left + width / 2 for left in lefts[:8]), 9 * width + 0.8 * width]
        np.testing.assert_allclose([at(text, "x")[0] for text in below], middles, atol=0.006)
        middles.insert(8, 8.5 * width)
        np.testing.assert_allclose([at(text, "x")[0] for text in inside], middles, atol=0.006)
