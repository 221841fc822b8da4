"""The plates and the photograph's panel as built: each mark has the place, length and colour of its value.

`row.js` says the values, and tests/player/test_row.py holds it to NumPy. Here it is held that a mark
shows the value that its place promises: kinds of marks are read on all plates, and compared with the core.
"""

import re
from functools import cache

import numpy as np
import pytest
from bs4 import BeautifulSoup, Tag

from figures_src.inputs import photographs
from tests.drawn.marks import ROOT, levels
from vitattn_core import teaching_weights

EYE = 75
NUMBER = re.compile(r"−?[\d.]+")


@cache
def player() -> Tag:
    markup = (ROOT / "build" / "player.html").read_text("utf-8")
    # What waits in templates, the heads side by side, is read like what is shown.
    open_ = markup.replace("<template", "<div").replace("</template>", "</div>")
    return BeautifulSoup(open_, "html.parser")


@cache
def trace():
    return photographs.trace("chelsea")


def number(text: str) -> float:
    return float(text.replace("−", "-").rstrip("%"))


def at(mark: Tag, *names: str) -> list[float]:
    return [number(str(mark.get(name, "0"))) for name in names]


def drawn(mark: Tag) -> float:
    """The value that a bar, a column or a line across it is drawn with."""
    found = re.search(r"--v:(-?[\d.]+)", str(mark["style"]))
    assert found
    return float(found[1])


def one(within: Tag, selector: str) -> Tag:
    found = within.select_one(selector)
    assert found is not None, selector
    return found


def plate(name: str) -> Tag:
    (found,) = player().select(f"#stage-{name}")
    return found


def box(mark: Tag) -> list[float]:
    return [float(n) for n in str(mark["viewbox"]).split()]


def test_each_bar_of_a_row_is_that_of_the_number_over_it() -> None:
    """It begins in the middle of its cell, fills half of it at most, and all have one scale."""
    panels = player().select(".va-numbers")
    for panel in panels:
        bars, texts = panel.select("rect.va-bar"), panel.select("text")
        lengths = [drawn(bar) for bar in bars]
        n = max(range(len(bars)), key=lambda n: abs(lengths[n]) if abs(lengths[n]) < 1 else 0)
        scale = number(texts[n].text) / lengths[n] if abs(lengths[n]) > 0.05 else None
        for n, (bar, text) in enumerate(zip(bars, texts, strict=True)):
            middle = 100 * (n + 0.5) / len(bars)
            assert at(bar, "x", "width") == pytest.approx([middle, 50 / len(bars) - 1], abs=0.01)
            assert at(text, "x") == pytest.approx([middle], abs=0.01)
            assert str(bar["data-v"]).removeprefix("bar.") == str(text["data-t"]).removeprefix(
                "line."
            )
            value, length = number(text.text), lengths[n]
            if scale is not None:
                wanted = max(-1.0, min(1.0, value / scale))
                assert length == pytest.approx(wanted, abs=0.01 / scale + 1e-3), text["data-t"]
            assert length * value >= 0
    assert len(panels) >= 30


def test_a_mean_of_pixels_has_the_bar_of_its_own_number() -> None:
    (means,) = plate("patches").select(".va-means")
    strips = means.select(".va-strip")
    patch = photographs.image("chelsea")[:, 80:96, 64:80].astype(float)
    inside = np.zeros((16, 16), dtype=bool)
    inside[4:12, 4:12] = True
    expected = [*patch.mean(axis=(1, 2)), patch[:, inside].mean(), patch[:, ~inside].mean()]
    for strip, value in zip(strips, expected, strict=True):
        (bar,), (text,) = strip.select("rect.va-bar"), strip.select("[data-t]")
        assert bar["data-v"] == f"bar.{text['data-t']}"
        assert at(bar, "x", "width") == [0, 100]
        assert drawn(bar) == pytest.approx(value / 255, abs=6e-4)
        assert number(text.text) == pytest.approx(value, abs=0.051)
    (crop,) = plate("patches").select(".va-enlarged")
    assert box(crop) == [64, 80, 16, 16]


def test_the_numbers_under_an_axis_stand_at_their_places() -> None:
    """Evenly from its left end to its right one, and each axis is that of the plot above it."""
    axes = player().select(".va-axis")
    for axis in axes:
        texts = axis.select("text")
        assert [at(text, "x")[0] for text in texts] == [0, 25, 50, 75, 100]
        values = [number(text.text) for text in texts]
        assert np.diff(values) == pytest.approx([(values[4] - values[0]) / 4] * 4, abs=0.06)
        plots = axis.find_all_previous("svg", attrs={"data-box": True}, limit=1)
        left, _, width, _ = box(plots[0])
        assert [left, left + width] == pytest.approx([values[0], values[4]], abs=0.006), values
    assert len(axes) >= 8


def test_a_key_that_is_lifted_out_stands_on_its_own_tick() -> None:
    """Its number is its place on the axis, and a tick is there; a stick is as high as its number."""
    seen = 0
    for over in player().select("svg.va-over"):
        panel, text = over.find_parent("svg"), over.select_one("[data-t]")
        path = panel and panel.select_one("svg[data-box] path.va-tick")
        if not path or text is None or not NUMBER.fullmatch(text.text):
            continue
        plot = path.find_parent("svg")
        assert plot is not None
        left, _, width, _ = box(plot)
        value, place = number(text.text), left + width * at(over, "x")[0] / 100
        role = "query" if "own" in str(text["data-t"]) else "key"
        assert f"role-{role}" in over["class"], text["data-t"]
        assert one(over, "text").text.startswith("itself" if role == "query" else "key")
        assert over["data-x"] == f"x.{text['data-t']}"
        marks = np.array(re.findall(r"M(\S+) [01]v(-?[\d.]+)", str(path["d"])), dtype=float)
        near = marks[abs(marks[:, 0] - place) < 0.006 * width]
        if path["data-d"] == "sticks":
            (stick,) = over.select(".va-rise")
            assert drawn(stick) == pytest.approx(value, abs=6e-4)
            assert abs(near[:, 1] + value).min() < 6e-4, "a stick of this height"
        else:
            assert place == pytest.approx(value, abs=0.006 + 1e-4 * width), text["data-t"]
            assert abs(near[:, 0] - value).min() < 0.011, "a tick at this place"
        seen += 1
    assert seen >= 20


def test_a_stick_of_height_one_ends_at_the_top_of_its_plot() -> None:
    """And begins where its plot has 0: so that the stick and the curve behind it have one scale."""
    sticks = [s for s in player().select(".va-over .va-rise") if at(s, "width") == [3.5]]
    for stick in sticks:
        panel = stick.find_parent("svg", class_="va-panel")
        assert panel is not None
        plot = one(panel, "svg[data-box]")
        top, height = at(plot, "y", "height")
        _, low, _, high = box(plot)
        foot, full = at(stick, "y", "height")
        assert foot - full == pytest.approx(top)
        zero = 1 if (low, high) == (0, 1) else -low / high  # sticks of weights grow from the foot
        assert foot == pytest.approx(top + zero * height), stick["data-v"]
    assert len(sticks) >= 4


def test_scores_are_drawn_on_the_axis_of_the_products() -> None:
    for head, selector in ((0, "ticks"), *((h, f"h{h}.ticks") for h in range(3))):
        for what, name in (("P", "products"), ("S", "scores")):
            expected = trace()[what][head, EYE]
            for path in player().select(f'path[data-d="{selector}.{name}"]'):
                found = np.array(re.findall(r"M(\S+) 0v1", str(path["d"])), dtype=float)
                np.testing.assert_allclose(found, expected, atol=0.0051)
    boxes = [plot["data-box"] for plot in plate("scale").select(".va-one-head svg[data-box]")]
    assert boxes == ["box.products", "box.products"]
    ticks = [path["data-d"] for path in plate("scale").select(".va-one-head path.va-tick")]
    assert ticks == ["ticks.products", "ticks.scores"]


def test_what_is_added_starts_where_the_row_ends_and_both_reach_the_sum() -> None:
    x, m, y = (trace()[name][EYE] for name in "XMY")
    columns = plate("residual").select(".va-rises")
    for group, svg in enumerate(columns):
        rises, ends, texts = (
            svg.select("rect.va-rise"),
            svg.select("line.va-end"),
            svg.select("text"),
        )
        zero = one(svg, "line.va-zero")
        for n in range(4):
            c, left = 4 * group + n, 25 * n
            base, added, end = rises[2 * n], rises[2 * n + 1], ends[n]
            assert [drawn(mark) for mark in (base, added, end)] == pytest.approx(
                [x[c] / 6, m[c] / 6, y[c] / 6], abs=6e-4
            )
            moved = added.find_parent("g", class_="va-added")
            start = moved and re.fullmatch(r"--x:(-?[\d.]+)", str(moved["style"]))
            assert start
            assert float(start[1]) == drawn(base)
            assert [at(mark, "x", "width") for mark in (base, added)] == [
                [left + 5, 7],
                [left + 13, 7],
            ]
            assert at(end, "x1", "x2") == [left + 3, left + 22]
            for mark in (base, added):
                assert at(mark, "y", "height") == at(zero, "y1") * 2
            assert at(end, "y1", "y2") == at(zero, "y1", "y2")
            said = [number(text.text) for text in texts[3 * n : 3 * n + 3]]
            assert said == pytest.approx([x[c], m[c], y[c]], abs=0.0051)
    assert len(columns) == 3


def test_the_matrix_of_the_heads_is_w_o() -> None:
    w_o = teaching_weights().block.attention.w_o
    (matrix,) = plate("heads").select("svg.va-matrix")
    found = np.zeros((12, 12))
    for rect in matrix.select("rect"):
        x, y, width, height = at(rect, "x", "y", "width", "height")
        assert width == height
        line, channel = int((y + height / 2) / 10), int((x + width / 2) / 10)
        assert [x, y] == pytest.approx([10 * n + 5 - width / 2 for n in (channel, line)], abs=0.11)
        kind = " ".join(rect["class"])
        found[line, channel] = ({"va-plus": 1, "va-minus": -1}[kind]) * width**2
    expected = np.sign(w_o) * 81 * abs(w_o) / abs(w_o).max()
    np.testing.assert_allclose(found, expected, atol=1.0)
    np.testing.assert_array_equal(found == 0, w_o == 0)


def test_a_small_map_of_a_head_paints_brighter_what_weighs_more() -> None:
    maps = plate("heads").select(".va-map-paint")
    for head, svg in enumerate(maps):
        weights = trace().A[head, EYE]
        found = np.zeros(196, dtype=int)
        for path in svg.select("path"):
            level = int(path["class"][0].removeprefix("w"))
            for column, row in re.findall(r"M(\d+) (\d+)h1v1h-1z", str(path["d"])):
                found[14 * int(row) + int(column)] = level
        np.testing.assert_array_equal(found, levels(weights[1:], weights.max()))
    assert len(maps) == 3


def test_each_strip_of_a_mixture_has_its_own_level_and_bands_of_both_roles() -> None:
    strips = plate("mix").select(".va-one-head .va-output")
    for c, strip in enumerate(strips):
        (level,) = strip.select("[data-level]")
        height = re.fullmatch(r"translate\(0 (-?[\d.]+)\)", str(level["transform"]))
        assert height
        assert float(height[1]) == pytest.approx(-trace().O[0, EYE, c], abs=6e-4)
        assert number(one(strip, ".va-result b").text) == pytest.approx(
            trace().O[0, EYE, c], abs=0.0051
        )
        (values,) = strip.select("path.va-values")
        assert values["data-d"] == f"strip.{c}"
        bands = {str(band["data-d"]): band["class"] for band in strip.select("path.va-band")}
        assert bands == {f"band.{who}": ["va-band", f"role-{who}"] for who in ("query", "key")}
    assert len(strips) == 4


def test_the_unit_bar_is_the_row_end_to_end() -> None:
    row = trace().A[0, EYE]
    falling = [int(t) for t in (-row[1:]).argsort(kind="stable") + 1 if row[t] >= 0.018]
    expected = [0, *falling]
    key = int(np.where(np.arange(197) == EYE, 0, row).argmax())
    bars = player().select("svg.va-unit")
    for bar in bars:
        segments = bar.select("g.va-segment")
        assert [int(str(one["data-token"])) for one in segments] == expected
        start = 0.0
        for token, part in zip(expected, segments, strict=True):
            (rect,), (patch,) = part.select("rect"), part.select("svg.va-thumb")
            place = [100 * start, 100 * row[token]]
            assert at(rect, "x", "width") == pytest.approx(place, abs=0.0051)
            assert f"w{max(1, int(levels(row[token], row.max())))}" in part["class"]
            assert ("is-query" in part["class"]) == (token == EYE)
            assert ("is-key" in part["class"]) == (token == key)
            corner = [16 * ((token - 1) % 14), 16 * ((token - 1) // 14)] if token else [0, -18]
            assert box(patch) == [*corner, 16, 16]
            assert f"{row[token]:.3f}" in one(part, "text.va-width").text
            start += row[token]
        (rest,) = bar.select("rect.va-rest")
        assert at(rest, "x", "width") == pytest.approx([100 * start, 100 * (1 - start)], abs=0.0051)
    assert len(bars) == 2


def test_the_panel_has_the_squares_of_its_stage_and_the_paint_of_the_row() -> None:
    (panel,) = player().select("#va-panel")
    for stage, name in (("scores", "P"), ("scale", "S"), ("mask", "masked")):
        (group,) = panel.select(f'.va-paint[data-for="{stage}"]')
        values = trace()[name][0, EYE, 1:]
        for kind, sign in (("va-above", 1), ("va-below", -1)):
            (path,) = group.select(f"path.{kind}")
            sides = np.zeros(196)
            for x, y, side in re.findall(r"M(\S+) (\S+?)h(\d+\.\d)v", str(path["d"])):
                middle = np.array([float(y), float(x)]) + float(side) / 2
                row, column = (middle // 16).astype(int)
                if row >= 0:
                    sides[14 * row + column] = float(side)
            wanted = 16 * np.sqrt(np.clip(sign * values / 12, 0, 1))
            np.testing.assert_allclose(sides, wanted, atol=0.11)
    weights = trace().A[0, EYE]
    cells = panel.select("rect.va-square")
    painted = [int((re.findall(r"w(\d+)", " ".join(cell["class"])) or ["0"])[0]) for cell in cells]
    np.testing.assert_array_equal(painted, levels(weights, weights.max()))


def test_the_key_to_the_squares_shows_each_kind_beside_its_words() -> None:
    (told,) = player().select(".va-key-squares")
    words = [
        (chip["class"][1], str(chip.next_sibling).split()[0]) for chip in told.select("i.va-chip")
    ]
    assert words == [("is-above", "above"), ("is-below", "below")]
