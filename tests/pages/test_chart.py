"""Charts by matplotlib: the same bytes whatever a reader's settings, themed, and true to their numbers."""

import json
import os
import re
import subprocess
import sys
from functools import cache, partial
from pathlib import Path

import pytest
from matplotlib.axes import Axes

from figures_src.inputs.models import MODELS
from figures_src.kit import chart
from figures_src.pages import registry
from figures_src.pages.cost import figures
from figures_src.publish import markup as pages
from tests.built import ROOT, Tags
from tests.publish.test_site_colours import raw_colours
from vitattn_core import Grid, cost

DRAW = """
import json, sys
from figures_src.pages import registry
json.dump({name: registry.figures()[name].draw() for name in sys.argv[1:]}, sys.stdout)
"""
# Each line would show in a drawing that starts from the user's settings.
HOSTILE = """
font.size: 30
font.family: serif
axes.grid: True
axes.facecolor: red
lines.linewidth: 9
lines.dashed_pattern: 1, 9
figure.dpi: 300
figure.autolayout: True
savefig.bbox: tight
savefig.pad_inches: 2
svg.fonttype: path
svg.hashsalt: other
axes.formatter.use_locale: True
path.simplify: False
xtick.minor.visible: True
text.usetex: False
"""


@cache
def charts() -> dict[str, str]:
    """The figures that are charts among those that are built, as they are drawn here."""
    built = pages.load_manifest(ROOT / "build")["figures"]
    names = [
        name
        for name, figure in built.items()
        if 'class="va-chart"' in (ROOT / "build" / figure["file"]).read_text(encoding="utf-8")
    ]
    return {name: registry.figures()[name].draw() for name in names}


def drawn_by(**environment: str) -> dict[str, str]:
    """All charts as another interpreter draws them."""
    done = subprocess.run(
        [sys.executable, "-c", DRAW, *charts()],
        cwd=ROOT,
        env={**os.environ, **environment},
        capture_output=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_there_are_charts() -> None:
    assert {"cost-crossovers", "cost-memory"} <= set(charts())


def test_bytes_do_not_depend_on_a_matplotlibrc_or_a_hash_seed(tmp_path: Path) -> None:
    (tmp_path / "matplotlibrc").write_text(HOSTILE, encoding="utf-8")
    plain = drawn_by(PYTHONHASHSEED="1", MATPLOTLIBRC=os.devnull)
    hostile = drawn_by(PYTHONHASHSEED="2", MATPLOTLIBRC=str(tmp_path), TZ="Asia/Tokyo")
    assert plain == hostile == charts()
    again = {name: registry.figures()[name].draw() for name in charts()}
    assert again == charts()  # twice in one process, too


def test_the_hostile_settings_are_read_and_would_show(tmp_path: Path) -> None:
    """Without `rcdefaults` the drawing would be another one: the test above can fail."""
    (tmp_path / "matplotlibrc").write_text(HOSTILE, encoding="utf-8")
    without = (
        "import matplotlib; matplotlib.rcdefaults = lambda: None\nmatplotlib.use('svg')\n" + DRAW
    )
    name = next(iter(charts()))
    done = subprocess.run(
        [sys.executable, "-c", without, name],
        cwd=ROOT,
        env={**os.environ, "MATPLOTLIBRC": str(tmp_path)},
        capture_output=True,
        check=False,
    )
    assert done.returncode or json.loads(done.stdout)[name] != charts()[name]


def test_a_chart_can_stand_in_a_page() -> None:
    for name, markup in charts().items():
        stands_in_a_page(name, markup)


def stands_in_a_page(name: str, markup: str) -> None:
    assert raw_colours(markup) == []
    tags = Tags(markup).tags
    ids = [attributes["id"] for _, attributes in tags if "id" in attributes]
    assert len(ids) == len(set(ids)) and all(i.startswith(f"{name}--") for i in ids)
    targets = [a["href"].removeprefix("#") for tag, a in tags if tag == "use"]
    targets += re.findall(r"url\(#([^)]+)\)", markup)
    assert set(targets) <= set(ids)
    assert not re.search(r"<(style|metadata|image|script)|<!|style=|xlink|\d\.\d\d\d", markup)
    assert len(markup) < 20_000
    assert all(a.get("fill", "").startswith("var(") for tag, a in tags if tag == "text")


def test_a_colour_that_is_no_token_is_refused() -> None:
    def draw(axes: Axes) -> None:
        axes.plot([0, 1], [0, 1], color="#123456")

    line = draw.__code__.co_firstlineno + 1
    said = rf"^tests/pages/test_chart\.py:{line}: chart x: stroke #123456 is no colour of colours\.py; takes "
    with pytest.raises(ValueError, match=said + "page, panel, rule, ink"):
        chart.chart("x", draw, place=(50, 50, 300, 200))


def test_the_line_is_found_whatever_was_drawn() -> None:
    def foreign(axes: Axes, kind: str) -> None:
        match kind:
            case "dots":
                axes.plot([0, 1], [0, 1], color=chart.COLOUR["ink"])
                axes.scatter([0, 1], [0, 1], color="#123456")
            case "words":
                axes.text(0.5, 0.5, "x", color="red")
            case "note":
                axes.annotate("x", (0, 0), color="red")
            case "bars":
                axes.bar([0], [1])

    lines = Path(__file__).read_text(encoding="utf-8").splitlines()
    for kind, made in (
        ("dots", "axes.scatter("),
        ("words", "axes.text("),
        ("note", "axes.annotate("),
        ("bars", "axes.bar("),
    ):
        with pytest.raises(
            ValueError, match=r"^tests/pages/test_chart\.py:\d+: chart x: "
        ) as found:
            chart.chart("x", partial(foreign, kind=kind), place=(50, 50, 300, 200))
        line = int(str(found.value).split(":")[1])
        assert lines[line - 1].strip().startswith(made), kind


# --- what the two charts say ---------------------------------------------------------------------


def words(name: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", registry.figures()[name].draw())


def lines(name: str) -> list[list[tuple[float, float]]]:
    """The points of every drawn line of a chart, in its units."""
    found = re.findall(
        r'<path d="([^"]+)"[^>]*fill="none"[^>]*stroke=', registry.figures()[name].draw()
    )
    return [
        [(float(x), float(y)) for x, y in re.findall(r"[ML] ([-\d.]+) ([-\d.]+)", d)] for d in found
    ]


def test_the_curves_are_the_shares_and_the_bars_lie_where_they_cross() -> None:
    left, bottom, width, height = 50, chart.HEIGHT - 26, 296, 258

    def place(side: float, percent: float) -> tuple[float, float]:
        across = (side - 224) / (2048 - 224)
        return left + width * across, bottom - height * percent / 100

    every = lines("cost-crossovers")
    curves = [line for line in every if len(line) > 8]
    assert len(curves) == len(MODELS)
    for model, curve in zip(MODELS.values(), curves, strict=True):
        for x, y in curve:
            side = 224 + (x - left) / width * (2048 - 224)
            rows = (side / model.patch) ** 2 + 1
            share = 100 * rows / (6 * model.width + rows)
            assert place(side, share)[1] == pytest.approx(y, abs=0.5)
    for name, level in (("projections", 25), ("rest", 50)):
        crossing = cost.crossovers(768)[name]
        ends = [place(side, level) for side in (crossing.below, crossing.above)]
        assert any(
            len(line) == 2
            and all(p == pytest.approx(q, abs=0.11) for p, q in zip(line, ends, strict=True))
            for line in every
        )
        assert f"B: {crossing.below:,}–{crossing.above:,} px" in words("cost-crossovers")


def test_the_shares_at_the_levels_are_a_quarter_and_a_half() -> None:
    for n, level in ((2, 25), (6, 50)):
        pair, block = cost.pair_macs(n * 768, 768), cost.block_macs(n * 768, 768)
        assert 100 * pair == level * block


def test_the_memory_is_that_of_real_arrays() -> None:
    import numpy as np

    for tokens in (197, 12_545):
        weights = np.broadcast_to(np.float32(0), (12, tokens, tokens))
        outputs = np.broadcast_to(np.float32(0), (12, tokens, 64))
        block = np.broadcast_to(np.float32(0), (min(tokens, 400), min(tokens, 400)))
        assert figures.matrix_bytes(tokens) == weights.size * weights.itemsize
        held = (outputs.size + block.size) * 4
        assert figures.blocked_bytes(tokens) == held
        for size in (weights.size * 4, held):
            assert figures.written_bytes(size) in words("cost-memory")
    assert Grid(1792, 1792, 16).tokens == figures.ROWS[-1]
