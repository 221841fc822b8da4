"""whole-row.js, the fold "The whole row": each key's numbers, orders, sums and the file, against the core."""

import csv
import io
import itertools
import math

import numpy as np

from figures_src.kit.numbers import read
from figures_src.player.state import DEFAULTS
from tests.player.fold_scripts import State, head_of, request_of, token_of, whole_row
from tests.player.passes import TOLERANCE, in_numpy
from vitattn_core.teaching import GRID

EYE = GRID.token(5, 4)
EVERY_KEY = ",".join(["cls", *("{}.{}".format(*GRID.place(t)) for t in range(1, GRID.tokens))])
STATES: list[State] = [
    {},
    {"head": "2", "query": "cls", "photo": "coffee"},
    {"head": "3", "query": "12.7", "photo": "rocket", "scale": "off"},
    {"axis": "queries"},
    {"axis": "queries", "mix": "k", "head": "2"},
    {"dropped": "6.11,cls", "query": "0.13"},
    {"bug": "mask", "dropped": "6.11,5.4"},
    {"head": "mean"},
    {"head": "mean", "axis": "queries", "dropped": "0.0"},
    {"dropped": EVERY_KEY},
    {"scale": "model", "position": "off", "query": "13.13", "photo": "coffee", "head": "3"},
]
GIVEN = tuple(f"given.{c}" for c in range(4))


def expected(state: State) -> dict[str, np.ndarray]:
    """What each column has for each key, in the order of the sequence, from the core."""
    query, head, found = token_of(state["query"]), head_of(state) - 1, in_numpy(request_of(state))
    if head < 0:
        return {"weight": found["A"][:, query].mean(axis=0)}
    over = found["top"][head], found["total"][head]
    by_key = state["axis"] == "queries"
    top, total = (each if by_key else np.full(GRID.tokens, each[query]) for each in over)
    score, weight = found["masked"][head, query], found["A"][head, query]
    mixed = found["K" if state["mix"] == "k" else "V"][head]
    return {
        "product": found["P"][head, query],
        "score": score,
        "top": top,
        "exponential": np.exp(score - top),
        "total": total,
        "weight": weight,
        **{name: weight * mixed[:, c] for c, name in enumerate(GIVEN)},
    }


def number(text: str) -> float:
    return -math.inf if text == "−∞" else read(text)


def test_every_line_is_the_cores() -> None:
    digits = {"score": 2, "top": 2, "exponential": 4, "total": 2, "weight": 4}
    for change in STATES:
        told = expected(DEFAULTS | change)
        names = [name for name in told if name != "product"]
        found = whole_row(DEFAULTS | change, names)
        assert set(found["columns"]) == {"key", *told}
        for token, texts in enumerate(found["texts"]):
            for name, text in zip(names, texts, strict=True):
                exact = told[name][token]
                assert math.isfinite(exact) == (text != "−∞"), (change, name, token)
                apart = abs(number(text) - exact) if math.isfinite(exact) else 0
                assert apart <= 0.5 * 10 ** -digits.get(name, 3) + 1e-9, (change, name, token)


def test_sums_are_of_the_columns_that_have_one() -> None:
    for change in STATES:
        state = DEFAULTS | change
        told, sums = expected(state), whole_row(state, ["weight"])["sums"]
        summed = {"weight"}
        if head_of(state):
            summed |= {*GIVEN, *(["exponential"] if state["axis"] == "keys" else [])}
        assert set(sums) == summed, change
        for name, found in sums.items():
            assert abs(found - told[name].sum()) <= TOLERANCE, (change, name)


def test_each_column_sorts_both_ways_and_equal_numbers_stand_as_in_the_sequence() -> None:
    for change in STATES:
        told: dict[str, np.ndarray] = {
            "key": np.arange(GRID.tokens),
            **expected(DEFAULTS | change),
        }
        found = whole_row(DEFAULTS | change, list(told))["orders"]
        for (name, exact), (rising, falling) in zip(told.items(), found, strict=True):
            for order, sign in ((rising, 1), (falling, -1)):
                assert sorted(order) == list(range(GRID.tokens)), "each key once"
                pairs = list(itertools.pairwise(order))
                slack = 0 if name == "key" else 1e-9
                assert all(
                    sign * exact[a] <= sign * exact[b] + slack or exact[a] == exact[b]
                    for a, b in pairs
                ), (change, name, sign)
                same = [(a, b) for a, b in pairs if exact[a] == exact[b] in (0.0, -math.inf)]
                assert all(a < b for a, b in same), (change, name, sign)


def test_the_file_has_every_number_in_full() -> None:
    for change in STATES:
        state = DEFAULTS | change
        told = expected(state)
        text = whole_row(state, ["weight"])["file"]
        assert text.endswith("\r\n")
        lines = list(csv.DictReader(io.StringIO(text)))
        assert [int(line["sequence_row"]) for line in lines] == list(range(GRID.tokens))
        places = [(line["patch_row"], line["patch_column"]) for line in lines]
        assert places[0] == ("", "")
        assert [(int(r), int(c)) for r, c in places[1:]] == [
            GRID.place(token) for token in range(1, GRID.tokens)
        ]
        assert lines[0]["name"] == "CLS"
        if state["photo"] == "chelsea":
            assert lines[EYE]["name"] == "left eye"
        named_by = ("sequence_row", "patch_row", "patch_column", "name")
        titles = [title for title in lines[0] if title not in named_by]
        assert len(titles) == len(told)
        for title, column in zip(titles, told, strict=True):
            found = np.array([float(line[title]) for line in lines])
            finite = np.isfinite(told[column])
            assert np.array_equal(found[~finite], told[column][~finite]), (change, title)
            np.testing.assert_allclose(found[finite], told[column][finite], rtol=0, atol=TOLERANCE)
