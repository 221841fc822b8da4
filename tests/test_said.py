"""What plates say where something is switched: true words for every choice, and the same for the page."""

import re

import numpy as np
import pytest

from figures_src import photos, said, settings
from figures_src.folds import what_if
from figures_src.player import player
from figures_src.row import State, moved, place, row, scrambled
from figures_src.settings import DEFAULTS, states
from figures_src.shapes import crosses, grid_map, on_grid
from vitattn_core.mistakes import MISTAKES, core_with
from vitattn_core.teaching import GRID

EYE = GRID.token(5, 4)
MECHANISM = ("scale", "position", "mix", "axis", "bug")


def test_every_choice_off_the_standard_has_words() -> None:
    for name in MECHANISM:
        off = set(states()[name]) - {DEFAULTS[name]}
        assert set(said.CHANGES[name]) == off, name
    assert set(said.CHANGES) == set(MECHANISM)
    every = [words for of in said.CHANGES.values() for words in of.values()]
    assert len(set(every)) == len(every)


def test_every_name_is_said_on_a_plate_in_two_different_ways() -> None:
    bound = set(re.findall(r'data-t="([^"]+)"', player()))
    names = [name for _, _, words in said.SAID for name in words]
    assert len(set(names)) == len(names)
    assert {*names, "joined.of"} <= bound
    for switch, choice, words in said.SAID:
        assert choice in states()[switch]
        assert choice != DEFAULTS[switch]
        for standard, changed in words.values():
            assert standard.strip()
            assert changed.strip()
            assert standard != changed


@pytest.mark.parametrize(("switch", "choice", "words"), said.SAID, ids=lambda x: str(x)[:12])
def test_a_row_says_the_words_of_its_own_state(switch: str, choice: str, words: said.Words) -> None:
    trace = photos.trace("chelsea")
    standard = row(State(), trace).values
    changed = row(State(**{switch: choice}), trace).values  # type: ignore[arg-type]
    for name, pair in words.items():
        assert (standard[name], changed[name]) == pair
    others = {n for _, c, names in said.SAID if c != choice for n in names}
    assert {name for name in others if standard[name] != changed[name]} == set()


def test_the_page_gets_the_same_words() -> None:
    script = settings.script()
    for _, _, words in said.SAID:
        for pair in words.values():
            assert all(text in script for text in pair)
    assert said.JOINED in script


def test_the_bugs_of_the_fold_are_lines_of_the_core_in_the_order_of_the_lab() -> None:
    assert list(what_if.BUGS) == [name for name in MISTAKES if name in what_if.BUGS]
    for setting, value in what_if.BUGS.values():
        assert value in states()[setting]
        assert value != DEFAULTS[setting]
    assert {v for s, v in what_if.BUGS.values() if s == "bug"} == set(said.BUGS)


def test_scrambled_names_the_rows_that_a_reshape_puts_there() -> None:
    """The numbers of an (h, N, d_h) array are head and row, so the merged row tells whose they are."""
    heads, tokens = 3, GRID.tokens
    numbers = np.arange(heads * tokens).reshape(heads, tokens, 1)
    core = core_with("merge")
    merged = core.merge_heads(numbers.astype(float)).astype(int)
    for query in (0, EYE, 65, 66, 131, 196):
        found: dict[int, list[str]] = {}
        for number in merged[query]:
            head, token = divmod(int(number), tokens)
            found.setdefault(head + 1, []).append(place(token))
        words = scrambled(query, heads, tokens)
        assert words == "outputs of " + ", of ".join(
            f"head {head} at {', '.join(places)}" for head, places in found.items()
        )
    assert "head 1" in scrambled(65, heads, tokens)
    assert "head 2" in scrambled(65, heads, tokens)


def test_the_offset_of_a_map_is_the_cores() -> None:
    wrong = core_with("offset").teaching.GRID
    for head in range(3):
        weights = photos.trace("coffee").A[head, EYE]
        assert np.array_equal(on_grid(weights), GRID.field(weights).ravel())
        assert np.array_equal(on_grid(weights, "offset"), wrong.field(weights).ravel())
        assert grid_map(weights, 8, 8) != grid_map(weights, 8, 8, "offset")


def test_how_far_an_output_moves() -> None:
    assert moved(np.array([3.0, 4.0]), np.array([3.0, 4.0])) == "0.000"
    assert moved(np.array([3.0, 4.0]), np.array([0.0, 0.0])) == "1.000"
    assert moved(np.array([0.0, 0.0]), np.array([0.0, 0.0])) == "0.000"
    assert moved(np.array([0.0, 0.0]), np.array([1.0, 0.0])) == "–"


def test_a_cross_lies_inside_its_cell() -> None:
    assert crosses([]) == ""
    assert crosses([0]) == "M4 -14l8 8m0 -8l-8 8"
    assert crosses([EYE]) == "M68 84l8 8m0 -8l-8 8"
    x, y = GRID.pixels(EYE)[1].start, GRID.pixels(EYE)[0].start
    assert (x, y) == (64, 80)
