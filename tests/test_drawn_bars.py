"""Bars of the figures, read back: as long as the numbers beside them, and as what the core computes."""

import math
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree

import numpy as np
import pytest

from figures_src.inputs import photographs
from figures_src.kit import number_row
from figures_src.pages import registry
from figures_src.publish import markup as pages
from tests.conftest import ROOT
from vitattn_core import Grid, cost
from vitattn_core.teaching import GRID

EYE = GRID.token(5, 4)


def read(markup: str) -> ElementTree.Element:
    return ElementTree.fromstring(f"<figure>{markup}</figure>")


@cache
def figure(name: str) -> ElementTree.Element:
    return read(registry.figures()[name].draw())


def classed(root: ElementTree.Element, name: str) -> list[ElementTree.Element]:
    return [mark for mark in root.iter() if name in mark.get("class", "").split()]


def share(mark: ElementTree.Element, name: str = "width") -> float:
    return float(mark.get(name, "").rstrip("%")) / 100


def number(text: str | None) -> float:
    return float((text or "").rstrip("%").replace("−", "-"))


def signed_bars(root: ElementTree.Element) -> list[tuple[float, float]]:
    """Of every row of signed numbers: the number that is printed, and how far its bar reaches."""
    found = []
    for panel in classed(root, "va-numbers"):
        printed = {text.get("x"): number(text.text) for text in panel.iter("text")}
        for mark in classed(panel, "va-bar"):
            reached = float(mark.get("style", "").removeprefix("--v:"))
            found.append((printed[mark.get("x")], reached))
    return found


def test_a_row_of_numbers_draws_each_as_a_share_of_its_reach() -> None:
    values = (1.0, -0.5, 0.25, 5.0, -7.0)
    found = signed_bars(read(number_row.numbers(values, reach=2.0)))
    assert [printed for printed, _ in found] == list(values)
    assert [reached for _, reached in found] == pytest.approx([0.5, -0.25, 0.125, 1, -1])


def test_in_a_figure_all_signed_bars_have_one_scale() -> None:
    """So that bars of two rows can be compared by eye: the printed number over the bar is one for all."""
    seen = 0
    drawn = pages.load_manifest(ROOT / "build")["figures"]
    texts = {
        name: (ROOT / "build" / of["file"]).read_text(encoding="utf-8")
        for name, of in drawn.items()
    }
    for name in (name for name, text in texts.items() if "va-numbers" in text):
        bars = signed_bars(figure(name))
        seen += len(bars)
        ends = [printed / reached for printed, reached in bars if 0.2 < abs(reached) < 1]
        (scale,) = {round(end) for end in ends}
        for printed, reached in bars:
            limited = max(-1.0, min(1.0, printed / scale))
            assert reached == pytest.approx(limited, abs=0.006), (name, printed)
    assert seen >= 80


@pytest.mark.parametrize(
    ("name", "parts"), [("cost-shares", "va-share"), ("three-divisors", "va-segment")]
)
def test_the_parts_of_a_whole_lie_end_to_end(name: str, parts: str) -> None:
    panels = [panel for panel in figure(name).iter("svg") if classed(panel, parts)]
    assert len(panels) == 3
    for panel in panels:
        rects = list(panel.iter("rect"))
        for one, following in pairwise(rects):
            assert share(one, "x") + share(one) == pytest.approx(share(following, "x"), abs=2e-4)
        assert share(rects[0], "x") == 0
        assert sum(map(share, rects)) == pytest.approx(1, abs=1e-3)


def test_the_shares_of_the_cost_are_the_cores() -> None:
    strips = classed(figure("cost-shares"), "va-strip")
    for side, strip in zip((224, 384, 1024), strips, strict=True):
        tokens = Grid(side, side, 16).tokens
        block = cost.block_macs(tokens, 768)
        pair, mlp = cost.pair_macs(tokens, 768) / block, cost.mlp_macs(tokens, 768) / block
        kinds = {"is-ink": 1 - pair - mlp, "is-weight": pair, "is-quiet": mlp}
        for kind, expected in kinds.items():
            (mark,) = classed(strip, kind)
            assert share(mark) == pytest.approx(expected, abs=6e-5), (side, kind)
        (printed,) = [mark for mark in strip.iter("b") if mark.text]
        assert number(printed.text) == pytest.approx(100 * pair, abs=0.051)


def test_the_bars_of_the_three_divisors_are_the_softmax_of_the_scores() -> None:
    products = photographs.trace("chelsea").P[0, EYE]
    strips = classed(figure("three-divisors"), "va-strip")
    for divisor, strip in zip((1.0, 2.0, math.sqrt(12)), strips, strict=True):
        powers = np.exp((products - products.max()) / divisor)
        weights = powers / powers.sum()
        order = np.argsort(-weights[GRID.prefix :], kind="stable") + GRID.prefix
        drawn = [share(rect) for mark in classed(strip, "va-segment") for rect in mark.iter("rect")]
        # CLS has its own segment, at its place; the patches fall.
        expected = sorted([weights[0], *weights[order[: len(drawn) - 1]]])
        np.testing.assert_allclose(sorted(drawn), expected, rtol=0, atol=6e-5)
        (result,) = classed(strip, "va-result")
        keys = math.exp(-float((weights * np.log(weights)).sum()))
        assert number(next(result.iter("b")).text) == pytest.approx(keys, abs=0.051)
