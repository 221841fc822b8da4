"""The numbers of the page on patches and position, docs/patches.md."""

import numpy as np

from figures_src.inputs import photographs
from figures_src.inputs.models import BASE
from figures_src.kit.numbers import fixed, with_commas
from figures_src.pages.examples import image_lines
from figures_src.pages.facts import Fact, of
from vitattn_core.teaching import GRID

from . import figures, figures_positions


def entries() -> list[Fact]:
    """Return the facts of the page."""
    return [*of("formula", _convolved() + _scrambled() + _tables()), *of("teaching", _shuffled())]


def _shuffled() -> list[tuple[str, str]]:
    """Photograph chelsea, its patches in another order: the largest difference in M, and number in M."""
    return [
        ("patches.added", fixed(float(np.abs(photographs.trace("chelsea").M).max()), 2)),
        *(
            (f"patches.shuffled.{name}", figures.at_most(difference))
            for name, difference in figures.differences().items()
        ),
    ]


def _convolved() -> list[tuple[str, str]]:
    """The two patches of the numbers 0 to 15 through one kernel of 0 to 7."""
    return [
        (f"patches.kernel.{name}.{patch}", with_commas(number))
        for name, numbers in figures.convolved().items()
        for patch, number in enumerate(numbers)
    ]


def _scrambled() -> list[tuple[str, str]]:
    """Where the row of patch (5,4) comes from when the cut is scrambled."""
    _, first, last = image_lines()
    return [
        ("patches.row", with_commas(GRID.token(*figures.PLACE) - GRID.prefix)),
        ("patches.band.first", with_commas(first)),
        ("patches.band.last", with_commas(last)),
    ]


def _tables() -> list[tuple[str, str]]:
    """ViT-B/16 at 224 px: numbers in a learned table, and in relative bias tables of all heads."""
    offsets = (2 * GRID.rows - 1) * (2 * GRID.columns - 1)
    return [
        ("patches.table", with_commas(GRID.tokens * BASE.width)),
        ("patches.offsets", with_commas(offsets)),
        ("patches.offsets.heads", with_commas(BASE.heads * offsets)),
        ("patches.pairs", with_commas(GRID.patches**2)),
        ("patches.wide", with_commas(figures_positions.WIDE.tokens)),
    ]
