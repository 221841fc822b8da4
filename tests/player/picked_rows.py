"""Seeded random states of the player, and the core's own pass for each: photograph, switches, drops."""

import random
from collections.abc import Iterator
from functools import cache

import numpy as np

from figures_src.inputs import photographs
from figures_src.player.row import State
from figures_src.player.state import DEFAULTS, states
from tests.player.passes import IN_THE_CORE, switched_core
from vitattn_core import Trace, key_mask
from vitattn_core.teaching import GRID

# What a pass is made of beside the photograph and the dropped keys; the rest only reads it.
SWITCHES = ("scale", "position", "mix", "axis", "bug")


@cache
def pass_of(photo: str, switches: tuple[str, ...], dropped: tuple[int, ...] = ()) -> Trace:
    """The core's pass with these choices of SWITCHES, and without these keys."""
    return pass_through(photographs.image(photo), switches, dropped)


def pass_through(
    image: np.ndarray, switches: tuple[str, ...], dropped: tuple[int, ...] = ()
) -> Trace:
    """That of any photograph (3, 224, 224)."""
    chosen = zip(SWITCHES, switches, strict=True)
    lines = (IN_THE_CORE.get(c, c[1] if c[0] == "bug" else "") for c in chosen)
    core = switched_core(tuple(filter(None, lines)))
    keep = np.ones(GRID.tokens, dtype=bool)
    keep[list(dropped)] = False
    mask = key_mask(keep) if dropped else None
    return core.teaching_pass(image, mask=mask)


def switches_of(state: State) -> tuple[str, ...]:
    return tuple(getattr(state, name) for name in SWITCHES)


def random_passes(seed: int, count: int) -> Iterator[tuple[dict[str, str], tuple[int, ...]]]:
    """Seeded (photograph and switches, dropped keys); a third as in the model, some without any key."""
    dice = random.Random(seed)
    choices = states()
    for n in range(count):
        made = {name: DEFAULTS[name] for name in SWITCHES}
        dropped: tuple[int, ...] = ()
        if n % 3:
            made |= {name: dice.choice(choices[name]) for name in SWITCHES if name != "bug"}
            made["bug"] = ["", *choices["bug"]][n // 2 % 5]
            many = (0, GRID.tokens, 1, 3, 40, GRID.tokens - 1)[n // 3 % 6]
            dropped = tuple(dice.sample(range(GRID.tokens), many))
        yield {"photo": dice.choice(choices["photo"]), **made}, dropped


def random_rows(seed: int, passes: int, rows: int) -> Iterator[tuple[State, Trace, Trace]]:
    """Seeded states with their pass, and the pass of the same photograph with nothing switched."""
    dice = random.Random(seed)
    standard = tuple(DEFAULTS[name] for name in SWITCHES)
    for made, dropped in random_passes(seed, passes):
        trace = pass_of(made["photo"], tuple(made[name] for name in SWITCHES), dropped)
        for n in range(rows):
            query = 0 if dice.random() < 0.1 else dice.randrange(GRID.tokens)
            near = [query, 0, *dropped[:2], dice.randrange(GRID.tokens)]
            state = State(
                query=query,
                head=n % 4,
                key=None if dice.random() < 0.4 else dice.choice(near),
                range=dice.choice(["fit", "fixed"]),
                **made,
            )
            yield state, trace, pass_of(made["photo"], standard)
