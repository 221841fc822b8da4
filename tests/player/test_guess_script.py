"""guess.js, the fold "Guess first": every answer is solved again from the core."""

import numpy as np

from figures_src.player.folds import guess as fold_guess
from figures_src.player.folds.guess_questions import PROMPTS
from tests.player.fold_scripts import State, guessed
from tests.player.guess_solver import Solver, holds
from tests.player.passes import TOLERANCE
from tests.publish.test_site_colours import raw_colours

OF_THE_PASS = [p.id for p in PROMPTS if not p.constants]
STATES: list[State] = [
    {},  # chelsea, the left eye, like me
    {"photo": "coffee", "query": "4.2", "head": "2"},
    {"photo": "rocket", "query": "cls", "head": "3"},
    {"query": "cls"},  # a zero query: all keys alike
    {"query": "10.8", "head": "mean", "scale": "off", "dropped": "5.4"},
    {"photo": "rocket", "query": "0.0", "head": "2"},
    {"photo": "coffee", "query": "13.13", "head": "3"},
]


def test_every_answer_is_the_cores() -> None:
    """Shown without a guess: the right choice, and every number and place of the sentence."""
    faults = []
    for state in STATES:
        solver = Solver(state)
        for name in OF_THE_PASS:
            truth, expected = solver.solve(name)
            found = guessed(state, name)
            texts = found["asked"] | found["fill"]
            assert set(expected) <= set(texts), (state, name)
            if found["truth"] != truth:
                faults.append(f"{name} in {state}: {found['truth']}, not {truth}")
            faults += [
                f"{name} in {state}: {slot}: {texts[slot]} is {value}"
                for slot, value in expected.items()
                if not holds(texts[slot], value)
            ]
            rows = np.array([one["weights"] for one in found["maps"]])
            assert rows.shape[1] == 197, (state, name)
            if name in (
                "off",
                "model",
                "keys",
                "column",
                "drop",
            ):  # the first map is the row itself
                assert np.abs(rows[0] - solver.a).max() <= TOLERANCE, (state, name)
    assert not faults


def test_the_comparison_with_the_core_can_fail() -> None:
    assert holds("0.364", 0.36412)
    assert not holds("0.364", 0.3652)
    assert holds("(5,4), left eye", "(5,4)")
    assert not holds("(5,4), left eye", "(5,5)")
    assert not holds("1.00, 2.00", np.array([1, 2.01]))
    assert Solver({}).solve("five") != Solver({"head": "2"}).solve("five")


def test_there_are_enough_questions_and_none_is_drawn_with_a_colour() -> None:
    assert len(PROMPTS) >= 6
    assert {p.kind for p in PROMPTS} == {"tap", "choice", "slider"}
    assert not raw_colours(fold_guess.draw())


def test_the_default_surprises() -> None:
    """What the sentences of the default say is worth asking: not all answers are the same word."""
    truths = {name: Solver({}).solve(name)[0] for name in OF_THE_PASS}
    assert truths["off"] == "sharper-kept"
    assert truths["model"] == "flatter-kept"
    assert truths["keys"] == "output"
    assert truths["mean"] == "neither"
    assert truths["position"] == "2"
    assert truths["swap"] == "two"
    for p in PROMPTS:
        if p.id in truths:
            assert p.because.get(truths[p.id]), f"{p.id}: a sentence for the default's answer"
