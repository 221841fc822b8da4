"""what-if.js, the fold "What if …?": rows, numbers and words of every change, against the core."""

import re

import numpy as np

from figures_src.inputs import photographs
from figures_src.player.state import DEFAULTS
from tests.player.fold_scripts import State, compared, head_of, request_of, token_of
from tests.player.passes import TOLERANCE, Arrays, in_numpy
from tests.player.row_truth import place
from vitattn_core.reading import effective_keys, entropy
from vitattn_core.teaching import GRID

EYE, OTHER = GRID.token(5, 4), GRID.token(6, 11)
EVERY_KEY = ",".join(["cls", *("{}.{}".format(*GRID.place(t)) for t in range(1, GRID.tokens))])
CHANGES: list[State] = [
    {},
    {"scale": "model"},
    {"scale": "off"},
    {"scale": "off", "head": "2", "photo": "rocket", "query": "8.6"},
    {"position": "off", "head": "2"},
    {"mix": "k"},
    {"axis": "queries"},
    {"axis": "queries", "head": "3"},
    {"dropped": "6.11"},
    {"dropped": "5.4,cls,6.11,5.11", "head": "mean"},
    {"dropped": EVERY_KEY},
    {"bug": "merge"},
    {"bug": "mask"},
    {"bug": "mask", "dropped": "6.11"},
    {"bug": "residual"},
    {"bug": "offset"},
    {"bug": "offset", "query": "cls", "head": "3", "photo": "coffee"},
    {"bug": "residual", "axis": "queries", "scale": "off", "mix": "k", "dropped": "0.0"},
]


def both(state: State) -> tuple[Arrays, Arrays]:
    """The pass of the core with nothing switched, and that of the state."""
    return in_numpy({"photo": state["photo"]}), in_numpy(request_of(state))


def rows(state: State) -> tuple[int, list[np.ndarray], list[float]]:
    """The query, its rows of weights before and after, how far o and z have moved."""
    query, head = token_of(state["query"]), head_of(state)
    passes = both(state)
    pick = slice(None) if head == 0 else slice(head - 1, head)
    weights = [each["A"][pick, query].mean(axis=0) for each in passes]
    outputs = [each["O"][pick, query].ravel() for each in passes]
    leaving = [each["Z"][query] for each in passes]
    moved = [float(np.linalg.norm(b - a) / np.linalg.norm(a)) for a, b in (outputs, leaving)]
    return query, weights, moved


def near(text: str, number: float, digits: int = 3) -> bool:
    return abs(float(text.replace("−", "-")) - number) <= 0.5 * 10**-digits + 1e-9


# Numbers -------------------------------------------------------------------------------------------


def test_the_numbers_are_those_of_the_two_passes() -> None:
    faults = []
    for change in CHANGES:
        state = DEFAULTS | change
        _, weights, moved = rows(state)
        found = compared(state)
        said = found["texts"]
        assert np.abs(np.array(found["rows"]) - weights).max() <= TOLERANCE, change
        assert abs(found["end"] - max(a.max() for a in weights)) <= TOLERANCE, change
        told = {"end": (found["end"], 3), "moved.output": (moved[0], 3), "moved.row": (moved[1], 3)}
        for n, a in enumerate(weights):
            told |= {f"sum.{n}": (a.sum(), 3), f"cls.{n}": (a[0], 3)}
            if abs(a.sum() - 1) <= 1e-9:
                told |= {f"entropy.{n}": (entropy(a), 2), f"keys.{n}": (effective_keys(a), 1)}
            elif [said[f"entropy.{n}"], said[f"keys.{n}"]] != ["–", "–"]:
                faults.append(f"{change}: no distribution, so no entropy: {said[f'entropy.{n}']}")
            largest, where = said[f"largest.{n}"].split(" ", 1)
            most = np.flatnonzero(a >= a.max() - 1e-12).tolist()
            more = f" and {len(most) - 1} more" if len(most) > 1 else ""
            right = "everywhere" if len(most) == len(a) else f"at {place(most[0])}{more}"
            if not near(largest, a.max()) or where != right:
                faults.append(f"{change}: largest.{n}: {said[f'largest.{n}']}")
        apart = {f"{name}.{n}" for name in ("largest", "entropy", "keys") for n in (0, 1)}
        assert set(said) == {*told, *apart, "consequence"}
        for name, (number, digits) in told.items():
            if not near(said[name], number, digits):
                faults.append(f"{change}: {name}: {said[name]} is {number}")
    assert not faults


# Words ---------------------------------------------------------------------------------------------

WORDS: list[tuple[State, list[str]]] = [
    ({}, ["Nothing is changed yet"]),
    ({"scale": "off"}, ["sharper", "as spread as 2.2 equal keys, before 15.9", "The order of the keys"]),
    ({"scale": "model"}, ["flatter", "The order of the keys is the same"]),
    ({"position": "off", "head": "2"}, ["All 197 weights are equal"]),
    ({"mix": "k"}, ["stays exactly as it was", "It holds what rows show to be matched"]),
    ({"axis": "queries"}, ["this row sums to 1.723", "no weighted mean"]),
    ({"dropped": "6.11"}, ["The 0.074 of (6,11) goes to the other keys: each weight grows by 7.9%."]),
    ({"dropped": "6.11,cls"}, ["of (6,11) and CLS goes to the other keys"]),
    ({"dropped": "6.11,cls,5.4,0.0"}, ["of these 4 keys goes to the other keys"]),
    ({"bug": "merge"}, ["stays exactly as it was", "outputs of head 2 at (1,13), (2,0), (2,1)"]),
    ({"bug": "mask"}, ["No key is dropped, so there is no mask to invert"]),
    ({"bug": "mask", "dropped": "6.11"}, ["Only the key that should be hidden takes part: (6,11)."]),
    ({"bug": "residual"}, ["added to the normed row in place of the row itself"]),
    ({"bug": "offset"}, ["on (5,4) lies the 0.001 of (5,3)", "No number of the pass changes"]),
]  # fmt: skip


def test_the_consequence_is_said() -> None:
    faults = []
    for change, parts in WORDS:
        words = compared(DEFAULTS | change)["texts"]["consequence"]
        faults += [f"{change}: {part!r} is not in {words!r}" for part in parts if part not in words]
    for change in CHANGES:
        words = compared(DEFAULTS | change)["texts"]["consequence"]
        if re.search(r"undefined|NaN|Infinity|…|null", words):
            faults.append(f"{change}: {words!r}")
    assert not faults


def test_numbers_in_the_words_are_true() -> None:
    """The numbers that WORDS writes down, from the core."""
    a = photographs.trace("chelsea").A[0, EYE]
    assert near("7.9", 100 * (1 / (1 - a[OTHER]) - 1), 1)
    assert near("0.001", a[GRID.token(5, 3)])
    assert near("1.723", rows(DEFAULTS | {"axis": "queries"})[1][1].sum())
    assert near("2.2", effective_keys(rows(DEFAULTS | {"scale": "off"})[1][1]), 1)
    order = [np.argsort(a, kind="stable").tolist() for a in rows(DEFAULTS | {"scale": "off"})[1]]
    assert order[0] == order[1]
