"""Every number, word and path that row.js says of a picked row, against NumPy and the core alone.

The page's scripts run in the embedded engine, on the core's pass, over random states: photograph,
query, head, key, colour range, switches, bugs and dropped keys.
"""

from functools import cache

import numpy as np
import pytest

from figures_src.inputs import photographs
from figures_src.kit.colours import UNPAINTED, WEIGHT_LEVELS, weight_level
from figures_src.kit.geometry import order, order_by_weight, segments
from figures_src.player import switch_words
from figures_src.player.row import Row, State, row
from tests.player import row_truth
from tests.player.picked_rows import pass_of, random_rows
from tests.player.pictures import level
from tests.player.row_truth import corner, drawn, place, ranked, row_of
from vitattn_core import Trace
from vitattn_core.teaching import GRID


@cache
def rows() -> list[tuple[State, Trace, Trace, Row]]:
    """Seeded states, the pass of each, that with nothing switched, and what the scripts say."""
    states = random_rows(11, passes=24, rows=6)
    return [(*found, row(*found)) for found in states]


STANDARD = ("head", "on", "v", "keys", "")
LINES = ("line.", "mean.weight", "h0.weight", "h1.weight", "h2.weight")  # see test_row_lines.py
# Words that depend on the state: see test_said.py and test_true_sentences.py.
SENTENCES = {name for _, _, words in switch_words.SWITCH_WORDS for name in words}


def test_the_states_are_of_every_kind() -> None:
    states = [state for state, *_ in rows()]
    number = len(photographs.TITLES)
    for name, least in {"photo": number, "head": 4, "range": 2, "scale": 3, "bug": 5}.items():
        assert len({getattr(state, name) for state in states}) == least, name
    for name in ("position", "mix", "axis"):
        assert len({getattr(state, name) for state in states}) == 2, name
    kept = [int(np.isfinite(trace.masked[0, state.query]).sum()) for state, trace, *_ in rows()]
    assert {0, 1, GRID.tokens} <= set(kept)
    assert any(state.query == 0 for state in states)
    assert any(state.key == state.query for state in states)
    assert any(state.key == 0 for state in states)


def test_every_value_is_what_numpy_says() -> None:
    """No name is left out on either side."""
    faults = []
    for state, trace, standard, shown in rows():
        values = shown.values
        truths = row_truth.truths(state, trace, standard)
        elsewhere = {name for name in values if name.startswith((*LINES, "words."))} | SENTENCES
        shown_ = {
            name: text for name, text in values.items() if name not in elsewhere - set(truths)
        }
        assert set(shown_) == set(truths), set(shown_) ^ set(truths)
        for name, text in shown_.items():
            if fault := truths[name].fault(text):
                faults.append(f"{name}: {fault} in {state}")
    assert not faults, f"{len(faults)} faults: " + "\n".join(faults[:8])


def arrow_of(key: int, query: int, width: float) -> list[list[float]]:
    """The points of an arrow: from the middle of the key's cell, bent, to 9 before the query's middle."""
    start, middle = (np.array(corner(token)) + 8.0 for token in (key, query))
    across = middle - start
    bend = (start + middle) / 2 + 0.16 * np.array([across[1], -across[0]])
    way = (middle - bend) / np.linalg.norm(middle - bend)
    tip = middle - 9 * way
    end, half = tip - (3 + width) * way, 1.5 + 0.8 * width
    left, right = (end + sign * half * np.array([-way[1], way[0]]) for sign in (1, -1))
    return [point.tolist() for point in (start, bend, end, tip, left, right)]


def test_paint_bar_and_arrows_are_what_numpy_says() -> None:
    for state, trace, _, shown in rows():
        a = row_of(state, trace)
        parts, end = drawn(a), row_truth.range_end(state, trace)
        assert shown.query == state.query
        assert shown.range_end == pytest.approx(end, abs=1e-12)
        assert shown.total == pytest.approx(a.sum(), abs=1e-12)
        assert shown.bar_end == pytest.approx(row_truth.bar_end(a), abs=1e-12)

        assert [token for token, _, _ in shown.segments] == parts
        assert [width for _, _, width in shown.segments] == pytest.approx(a[parts], abs=1e-15)
        starts = np.cumsum([0, *a[parts]])[:-1]
        assert [start for _, start, _ in shown.segments] == pytest.approx(starts, abs=1e-12)

        painted = np.concatenate([a[:1], a[:196] if state.bug == "offset" else a[1:]])
        assert shown.levels == [level(weight, end) for weight in painted.tolist()]

        others = [token for token in ranked(a) if token != state.query and a[token] > 0][:9]
        assert len(shown.arrows) == len(others)
        for token, (shaft, head, width) in zip(others, shown.arrows, strict=True):
            wide = 4 * a[token] / a[others[0]]
            assert float(width) == pytest.approx(wide, abs=0.0005 + 1e-9)
            start, bend, tail, tip, left, right = arrow_of(token, state.query, wide)
            told = row_truth.numbers(shaft), row_truth.numbers(head)
            assert told[0] == pytest.approx([*start, *bend, *tail], abs=0.05 + 1e-9)
            assert told[1] == pytest.approx([*tip, *left, *right], abs=0.05 + 1e-9)
            assert [c for c in shaft + head if c.isalpha()] == list("MQMLLz")


def test_a_wrong_number_word_or_path_would_be_seen() -> None:
    trace = photographs.trace("chelsea")
    state = State()
    values, truths = row(state, trace).values, row_truth.truths(state, trace, trace)
    for name, wrong in {
        "weight": "0.109",
        "cls.share": "0.0",
        "mlp.diff": "-0.59",
        "x.scaled": values["x.scaled"].rstrip("%"),
        "query.named": "(5,4)",
        "strip.0": values["strip.0"].replace("H0.0131", "H0.0133"),
        "curve": values["curve"][:-8],
        "box.products": "-12 0 24 2",
    }.items():
        assert truths[name].fault(values[name]) is None
        assert truths[name].fault(wrong), name
    assert row_truth.Num(-0.001, 2).fault("−0.00")
    assert row_truth.Num(0.125, 2).fault("0.12") is None
    assert row_truth.Num(0.124, 2).fault("0.13")


def test_the_strongest_other_key_is_pointed_at_by_default() -> None:
    for state, trace, _, shown in rows():
        if state.key is None:
            a = row_of(state, trace)
            assert shown.key == next(t for t in ranked(a) if t != state.query)


def test_equal_weights_stand_in_the_order_of_the_sequence() -> None:
    """With no scores at all each row is 197 equal weights, and nothing but rounding tells them apart."""
    standard = photographs.trace("chelsea")
    arrays = {name: array.copy() for name, array in standard.items()}
    for name in ("P", "S", "masked"):
        arrays[name][:] = 0
    arrays["A"][:] = 1 / GRID.tokens
    arrays["A"][:, :, 70] += 2e-15  # as the same sum comes out in another order
    shown = row(State(query=9), Trace(arrays), standard)
    assert shown.key == 0
    assert shown.values["key.rank"] == "1"
    assert shown.values["words.largest"] == "everywhere"
    assert [token for token, _, _ in shown.segments] == [0]
    assert shown.values["keys"] == "197.0"


def test_a_photograph_that_is_unnamed_has_places_only() -> None:
    trace = photographs.trace("coffee")
    named = row(State(photo="coffee", query=GRID.token(4, 2)), trace).values["query.named"]
    assert named == "(4,2), rim"
    own = row(State(photo="own", query=GRID.token(4, 2)), trace).values["query.named"]
    assert own == "(4,2)"


# What Python still orders and paints by itself, for the figures of the other pages ------------------


def test_python_orders_and_paints_as_the_scripts_do() -> None:
    for state, trace, _, shown in rows()[::5]:
        a = row_of(state, trace)
        assert order_by_weight(a) == ranked(a)
        assert [t for t, _, _ in segments(a)] == [t for t, _, _ in shown.segments]
        if state.bug != "offset":
            assert shown.levels == [weight_level(float(w), shown.range_end) for w in a]
    weights = np.zeros(GRID.tokens)
    weights[[5, 9, 0, 150]] = (0.2, 0.3, 0.1, 0.2)
    assert order_by_weight(weights)[:5] == [9, 5, 150, 0, 1]
    assert order(weights)[:4] == [0, 9, 5, 150]


def test_paint_levels_end_where_they_should() -> None:
    assert weight_level(1.0, 1.0) == WEIGHT_LEVELS - 1
    assert weight_level(UNPAINTED * 0.999, 1.0) == 0
    assert weight_level(UNPAINTED, 1.0) == 1
    assert weight_level(0.0, 0.0) == 0


def test_named_patches_are_on_the_grid_and_their_names_are_said() -> None:
    assert set(photographs.NAMED_PATCHES) == set(photographs.TITLES)
    for photo, names in photographs.NAMED_PATCHES.items():
        trace = pass_of(photo, STANDARD)
        for where, name in names.items():
            assert GRID.place(GRID.token(*where)) == where
            values = row(State(photo=photo, query=GRID.token(*where)), trace).values
            assert values["query.named"] == f"{place(GRID.token(*where))}, {name}"


def test_a_move_from_nothing_has_no_length_to_be_measured_in() -> None:
    """Before all was 0, now it is not: a dash, and no number."""
    trace = photographs.trace("chelsea")
    nothing = Trace({**trace, "O": np.zeros_like(trace.O), "Z": np.zeros_like(trace.Z)})
    for head in (0, 1):
        moved = row(State(head=head), trace, nothing).values
        assert (moved["delta.output"], moved["delta.row"]) == ("–", "–")
        stayed = row(State(head=head), nothing, nothing).values
        assert (stayed["delta.output"], stayed["delta.row"]) == ("0.000", "0.000")
