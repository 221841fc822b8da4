"""The bugs that act on one block, in attention.js: their pass is that of the core with the same bug.

Bugs 1 to 4 are the switches of test_attention_script.py; `offset` is a bug of the map, not of the
pass: what it paints is held in test_row.py.
"""

import numpy as np
import pytest

from figures_src.inputs import photographs
from figures_src.player import switch_words
from figures_src.player.page_scripts import ScriptError
from figures_src.player.state import states
from tests.player.passes import (
    NAMES,
    SWITCHES,
    TOLERANCE,
    Request,
    differences,
    engine,
    in_numpy,
    switched_core,
)
from vitattn_core.mistakes import MISTAKES
from vitattn_core.teaching import GRID

EYE = GRID.token(5, 4)
OTHER = GRID.token(6, 11)
BUGS = ("merge", "mask", "residual", "offset")
# Where a bug is first seen; `offset` is seen in no array.
FIRST = {"merge": "joined", "mask": "masked", "residual": "Y"}


def requests() -> list[Request]:
    """Every bug on every photograph, with dropped keys and without, and among other switches."""
    random = np.random.default_rng(5)
    asked: list[Request] = []
    for bug in BUGS:
        for photo in photographs.TITLES:
            asked += [{"photo": photo, "bug": bug}]
            asked += [{"photo": photo, "bug": bug, "dropped": [OTHER]}]
            few = random.choice(GRID.tokens, 6, replace=False).tolist()
            switches = {name: str(random.choice(choices)) for name, choices in SWITCHES.items()}
            asked += [{"photo": photo, "bug": bug, "dropped": few, **switches}]
    every = list(range(GRID.tokens))
    return [*asked, {"photo": "coffee", "bug": "mask", "dropped": every}]


def name(request: Request) -> str:
    return "-".join(str(len(v) if isinstance(v, list) else v) for v in request.values())


def test_the_bugs_are_the_same_everywhere_and_are_lines_of_the_core() -> None:
    assert tuple(switch_words.BUGS) == tuple(states()["bug"]) == BUGS
    assert engine().evaluate("vitattn.attention.BUGS") == list(BUGS)
    assert set(BUGS) < set(MISTAKES)


@pytest.mark.parametrize("asked", requests(), ids=name)
def test_every_number_of_a_pass_with_a_bug_is_the_cores(asked: Request) -> None:
    ours, theirs = engine().run(asked, every=5), in_numpy(asked, every=5)
    assert set(ours) == set(theirs) == set(NAMES)
    apart = differences(ours, theirs)
    assert max(apart.values()) <= TOLERANCE, apart


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_is_first_seen_where_it_is_made(bug: str) -> None:
    """So the comparison above can fail, and a mask that hides nothing has nothing to invert."""
    right = {"photo": "chelsea", "dropped": [OTHER]}

    def apart(request: Request) -> dict[str, float]:
        found = differences(engine().run(request | {"bug": bug}), in_numpy(request))
        return {key: size for key, size in found.items() if not size <= TOLERANCE}

    assert next(iter(apart(right)), None) == FIRST.get(bug)
    if bug in ("mask", "offset"):
        assert not apart({"photo": "chelsea"})


@pytest.mark.parametrize("bug", ["axis", "patchify", "nothing", "MERGE"])
def test_a_bug_that_the_script_does_not_have_is_refused(bug: str) -> None:
    with pytest.raises(
        ScriptError, match=f"RangeError: run: bug: got {bug}, takes merge, mask, res"
    ):
        engine().run({"photo": "chelsea", "bug": bug})


def wrong_field(weights: np.ndarray) -> np.ndarray:
    """What the core paints on the patches with the bug."""
    return switched_core(("offset",)).teaching.GRID.field(weights)


def test_the_wrong_field_is_one_patch_off() -> None:
    weights = photographs.trace("chelsea").A[0, EYE]
    wrong, right = wrong_field(weights).ravel(), GRID.field(weights).ravel()
    assert wrong[0] == weights[0]
    assert np.array_equal(wrong[1:], right[:-1])
