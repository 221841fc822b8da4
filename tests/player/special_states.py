"""States of the player in which a sentence is easily false: CLS, ties, one key or none, one colour."""

from collections.abc import Iterator
from functools import cache

import numpy as np

from figures_src.inputs import photographs
from figures_src.player.row import Row, State, row
from figures_src.player.state import DEFAULTS, states
from tests.player.picked_rows import SWITCHES, pass_through
from vitattn_core import Trace
from vitattn_core.teaching import GRID

QUERY, OTHER = GRID.token(5, 4), GRID.token(6, 11)
STANDARD = {name: DEFAULTS[name] for name in SWITCHES}
EVERY = tuple(range(GRID.tokens))
EYES = (QUERY, OTHER)
ONE_COLOUR = np.full((3, GRID.height, GRID.width), 128, dtype=np.uint8)

# What is switched, and the keys that are dropped.
Change = tuple[dict[str, str], tuple[int, ...]]


def changes() -> list[Change]:
    """Each choice of each switch alone, few, all and all but one or two keys dropped, and some together."""
    ones = [
        {name: choice} for name in SWITCHES for choice in states()[name] if choice != STANDARD[name]
    ]
    dropped = [(OTHER,), (QUERY,), (0, *EYES), EVERY]
    dropped += [tuple(t for t in EVERY if t not in left) for left in ((QUERY,), (OTHER,), EYES)]
    together: list[Change] = [
        ({"axis": "queries"}, EVERY),
        ({"axis": "queries"}, (OTHER,)),
        ({"axis": "queries"}, EVERY[:-1]),
        ({"axis": "queries", "position": "off"}, ()),
        ({"bug": "mask"}, (OTHER,)),
        ({"bug": "mask"}, EYES),
        ({"bug": "merge", "mix": "k"}, ()),
        ({"bug": "merge"}, EVERY),
        ({"bug": "residual"}, EVERY),
        ({"position": "off", "mix": "k"}, EVERY),
    ]
    return [({}, ()), *((one, ()) for one in ones), *(({}, keys) for keys in dropped), *together]


def passes() -> Iterator[tuple[str, dict[str, str], Trace, Trace]]:
    """The photograph, what is switched, the pass, and the pass with nothing switched."""
    for photo, image, step in (
        ("chelsea", photographs.image("chelsea"), 1),
        ("own", ONE_COLOUR, 3),
    ):
        standard = pass_through(image, tuple(STANDARD.values()))
        for change, dropped in changes()[::step]:
            made = STANDARD | change
            yield photo, made, pass_through(image, tuple(made.values()), dropped), standard


@cache
def shown() -> list[tuple[State, Trace, Row]]:
    """Every special state, its pass, and what the scripts say of it."""
    found = []
    for photo, made, trace, standard in passes():
        for query, heads in ((0, (0, 1, 2, 3)), (QUERY, (0, 1)), (GRID.token(13, 13), (2, 3))):
            for head in heads:
                for key in (None, OTHER) if head == 1 else (None,):
                    state = State(photo=photo, query=query, head=head, key=key, **made)
                    found.append((state, trace, row(state, trace, standard)))
    return found
