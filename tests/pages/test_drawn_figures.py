"""Every figure, as built: its lengths, places, levels and colours are what the core computes.

`pytest -s tests/pages/test_drawn_figures.py::test_every_figure_is_read` prints what is read of each.
"""

import importlib
from pathlib import Path

import pytest

from figures_src.kit import number_row
from figures_src.pages import registry
from figures_src.publish import markup as pages
from tests.drawn import marks
from tests.drawn.register import READERS, WHAT

for path in sorted((Path(__file__).parents[1] / "drawn").glob("*.py")):
    importlib.import_module(f"tests.drawn.{path.stem}")
BUILD = marks.ROOT / "build"


@pytest.fixture(scope="module")
def built() -> dict[str, str]:
    entries = pages.load_manifest(BUILD)["figures"]
    return {name: (BUILD / of["file"]).read_text(encoding="utf-8") for name, of in entries.items()}


def test_every_figure_is_read(built: dict[str, str]) -> None:
    assert set(registry.figures()) <= set(built)
    for name in sorted(WHAT):
        print(f"{name}: {WHAT[name]}")
    assert sorted(READERS) == sorted(built)


@pytest.mark.parametrize("name", sorted(READERS))
def test_what_is_drawn_is_what_is_computed(name: str, built: dict[str, str]) -> None:
    figure = marks.Figure(built[name])
    READERS[name](figure)
    assert not figure.unread(), "nobody reads these marks"


def test_a_row_of_numbers_draws_each_as_a_share_of_its_reach_and_no_longer() -> None:
    figure = marks.Figure(number_row.numbers((1.0, -0.5, 0.25, 5.0, -7.0), reach=2.0))
    lengths = [bar.get("style") for bar in figure.classed("va-bar")]
    assert lengths == [f"--v:{share}" for share in ("0.500", "-0.250", "0.125", "1.000", "-1.000")]


def test_a_mark_that_nobody_asks_for_is_told() -> None:
    figure = marks.Figure('<svg><rect width="4"/><text>7</text></svg><p>8 keys</p><p>keys</p>')
    assert len(figure.unread()) == 3
    figure.marks("rect", figure.root)
    figure.words(*figure.root.iter("p"))
    assert figure.unread() == ["<text>7</text>"]
