"""What plates say where something is switched: true words for every choice, from one table."""

import re

import pytest

from figures_src.inputs import photographs
from figures_src.player import switch_words
from figures_src.player.element import player
from figures_src.player.folds import what_if
from figures_src.player.row import State, row
from figures_src.player.state import DEFAULTS, states
from tests.player.picked_rows import pass_of, switches_of
from vitattn_core.mistakes import MISTAKES
from vitattn_core.teaching import GRID

EYE = GRID.token(5, 4)
MECHANISM = ("scale", "position", "mix", "axis", "bug")


def test_every_choice_off_the_standard_has_words() -> None:
    for name in MECHANISM:
        off = set(states()[name]) - {DEFAULTS[name]}
        assert set(switch_words.CHANGES[name]) == off, name
    assert set(switch_words.CHANGES) == set(MECHANISM)
    every = [words for of in switch_words.CHANGES.values() for words in of.values()]
    assert len(set(every)) == len(every)


def test_every_name_is_said_on_a_plate_in_two_different_ways() -> None:
    bound = set(re.findall(r'data-t="([^"]+)"', player()))
    names = [name for _, _, words in switch_words.SWITCH_WORDS for name in words]
    assert len(set(names)) == len(names)
    assert {*names, "joined.of"} <= bound
    for switch, choice, words in switch_words.SWITCH_WORDS:
        assert choice in states()[switch]
        assert choice != DEFAULTS[switch]
        for standard, changed in words.values():
            assert standard.strip()
            assert changed.strip()
            assert standard != changed


@pytest.mark.parametrize(
    ("switch", "choice", "words"), switch_words.SWITCH_WORDS, ids=lambda x: str(x)[:12]
)
def test_a_row_says_the_words_of_its_own_state(
    switch: str, choice: str, words: switch_words.Words
) -> None:
    standard = row(State(), photographs.trace("chelsea")).values
    state = State(**{switch: choice})  # type: ignore[arg-type]
    changed = row(state, pass_of("chelsea", switches_of(state))).values
    for name, pair in words.items():
        assert (standard[name], changed[name]) == pair
    others = {n for _, c, names in switch_words.SWITCH_WORDS if c != choice for n in names}
    assert {name for name in others if standard[name] != changed[name]} == set()


def test_the_bugs_of_the_fold_are_lines_of_the_core_in_the_order_of_the_lab() -> None:
    assert list(what_if.BUGS) == [name for name in MISTAKES if name in what_if.BUGS]
    for setting, value in what_if.BUGS.values():
        assert value in states()[setting]
        assert value != DEFAULTS[setting]
    assert {v for s, v in what_if.BUGS.values() if s == "bug"} == set(switch_words.BUGS)


def test_a_cross_lies_inside_the_cell_of_each_key_that_is_taken_out() -> None:
    trace = pass_of("chelsea", ("head", "on", "v", "keys", ""), (0, EYE))
    assert row(State(), photographs.trace("chelsea")).values["taken"] == ""
    assert row(State(), trace).values["taken"] == "M4 -14l8 8m0 -8l-8 8M68 84l8 8m0 -8l-8 8"
    x, y = GRID.pixels(EYE)[1].start, GRID.pixels(EYE)[0].start
    assert (x, y) == (64, 80)
