"""Each photograph opens on a patch whose row has something to say, in the player and the explorer."""

import numpy as np
import pytest

from figures_src.explorer import values
from figures_src.inputs import captures, photographs
from figures_src.player import state
from vitattn_core import effective_keys, products, softmax
from vitattn_core.teaching import GRID

# As spread as so many equal keys, at most: half of them all would be fog.
SHARPEST = 1 / 6


def patch(words: str) -> tuple[int, int]:
    down, across = words.split(".")
    return int(down), int(across)


@pytest.mark.parametrize("photo", photographs.TITLES)
def test_the_players_first_row_is_no_fog(photo: str) -> None:
    opened = state.at_first(photo)
    token = GRID.token(*patch(opened["query"]))
    weights = photographs.trace(photo).A[int(opened["head"]) - 1][token]
    spread = float(effective_keys(weights))
    assert spread < SHARPEST * GRID.tokens, (
        f"photograph {photo!r}: the row of its first patch is as spread as {spread:.0f} equal keys:"
        " pick another patch for first in photos.py, with something of its own colour around it"
    )
    assert int(np.argmax(weights)) >= GRID.prefix, "it reads most from a patch"
    assert patch(opened["query"]) in photographs.NAMED_PATCHES[photo], (
        "what is seen there has a name"
    )


@pytest.mark.parametrize("photo", captures.PHOTOS)
def test_the_explorers_first_row_is_no_fog(photo: str) -> None:
    opened = values.at_first(photo)
    head = captures.load(photo, int(opened["layer"]))
    n = int(opened["head"]) - 1
    weights = softmax(products(head.Q[n], head.K[n]) / 8.0)
    own = weights[captures.GRID.token(*patch(opened["query"]))]
    assert effective_keys(own) < SHARPEST * captures.GRID.tokens


def test_the_default_state_is_the_first_photographs() -> None:
    assert state.at_first(state.DEFAULTS["photo"]) == state.DEFAULTS
    assert values.at_first(values.DEFAULTS["photo"]) == values.DEFAULTS
    assert set(photographs.FIRST_PATCH) == set(photographs.TITLES)
    assert set(values.OPENS) == set(captures.PHOTOS)
