"""The numbers of the page on masks, docs/masks.md."""

from figures_src.kit.numbers import fixed, with_commas
from figures_src.pages.examples import KEPT_LINES
from figures_src.pages.facts import Fact, of
from vitattn_core import causal_mask, window_mask
from vitattn_core.teaching import GRID

from . import figures

KINDS = ("padding", "causal", "window")


def entries() -> list[Fact]:
    """Return the facts of the page."""
    return [*of("formula", _kept()), *of("teaching", _weights())]


def _kept() -> list[tuple[str, str]]:
    """Keys of the eye's row, and score slots of one head, that a mask keeps."""
    return [
        *((f"masks.kept.{kind}", with_commas(int(figures.kinds()[kind].sum()))) for kind in KINDS),
        ("masks.padded_side", with_commas(KEPT_LINES * GRID.patch)),
        ("masks.slots", with_commas(GRID.tokens**2)),
        ("masks.slots.causal", with_commas(int(causal_mask(GRID.tokens).sum()))),
        ("masks.slots.window", with_commas(int(window_mask(GRID, figures.WINDOW).sum()))),
    ]


def _weights() -> list[tuple[str, str]]:
    """Chelsea, query (5,4), head 1: what the patch and its twin get under each mask."""
    twin = GRID.token(*figures.TWIN)
    return [
        *((f"masks.self.{kind}", fixed(figures.masked(kind)[figures.QUERY], 3)) for kind in KINDS),
        ("masks.twin.padding", fixed(figures.masked("padding")[twin], 3)),
    ]
