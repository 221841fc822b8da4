"""The numbers of the page on masks, docs/masks.md."""

from vitattn_core import causal_mask, window_mask
from vitattn_core.teaching import GRID

from ..sections import masks
from ..written import fixed
from . import Fact, of, whole

KINDS = ("padding", "causal", "window")


def entries() -> list[Fact]:
    """Return the facts of the page."""
    return [*of("formula", _kept()), *of("teaching", _weights())]


def _kept() -> list[tuple[str, str]]:
    """Keys of the eye's row, and score slots of one head, that a mask keeps."""
    return [
        *((f"masks.kept.{kind}", whole(int(masks.kinds()[kind].sum()))) for kind in KINDS),
        ("masks.padded_side", whole(masks.KEPT_LINES * GRID.patch)),
        ("masks.slots", whole(GRID.tokens**2)),
        ("masks.slots.causal", whole(int(causal_mask(GRID.tokens).sum()))),
        ("masks.slots.window", whole(int(window_mask(GRID, masks.WINDOW).sum()))),
    ]


def _weights() -> list[tuple[str, str]]:
    """Chelsea, query (5,4), head 1: what the patch and its twin get under each mask."""
    twin = GRID.token(*masks.TWIN)
    return [
        *((f"masks.self.{kind}", fixed(masks.masked(kind)[masks.QUERY], 3)) for kind in KINDS),
        ("masks.twin.padding", fixed(masks.masked("padding")[twin], 3)),
    ]
