"""The film as data: each move names marks that are drawn, and each chapter moves something."""

import re
from dataclasses import replace
from functools import cache

import pytest

from figures_src import film_rules, player, tree
from figures_src.take.sheet import state
from figures_src.timeline import MOVING, Chapter, Move, chapters
from figures_src.tree import Node
from tests.test_site_motion import movements
from vitattn_core import STAGES
from vitattn_core.teaching import GRID

VALUE = re.compile(r"\{([\w.]+)\}")


@pytest.fixture(scope="module")
def drawn() -> Node:
    return tree.read(player.player())


@cache
def places(drawn: Node, stage: str) -> list[Node]:
    """Where the marks of a chapter stand: the photograph and the stage's plate."""
    return tree.find(drawn, f".va-panel-photo, #stage-{stage}")


def unknown(drawn: Node, chapter: Chapter) -> list[str]:
    """The selectors of a chapter that choose nothing."""
    told = [s for _, move in chapter.moves() for s in (move.marks, move.source) if s]
    roots = places(drawn, chapter.stage)
    return [s for s in told if not any(tree.find(root, s) for root in roots)]


def test_there_is_a_chapter_for_each_stage_in_their_order() -> None:
    assert list(chapters()) == [entry.id for entry in STAGES]


@pytest.mark.parametrize("stage", list(chapters()))
def test_every_mark_that_a_move_names_is_drawn(drawn: Node, stage: str) -> None:
    assert len(places(drawn, stage)) == 2
    assert not unknown(drawn, chapters()[stage])


def test_a_misspelt_mark_would_be_seen(drawn: Node) -> None:
    chapter = chapters()["scale"]
    step = replace(chapter.steps[0], moves=(Move('[data-d="tics.scores"]', ({"scale": "2 1"},)),))
    assert unknown(drawn, replace(chapter, steps=(step,))) == ['[data-d="tics.scores"]']


@pytest.mark.parametrize("stage", list(chapters()))
def test_each_chapter_moves_or_lengthens_something(drawn: Node, stage: str) -> None:
    """A fade alone does not count."""
    moved = {
        name
        for _, move in chapters()[stage].moves()
        for frame in move.frames
        for name in frame
        if name in MOVING
    }
    moved |= {"place" for _, move in chapters()[stage].moves() if move.source or move.lay}
    assert moved


@pytest.mark.parametrize("stage", list(chapters()))
def test_times_fit_and_words_are_short(stage: str) -> None:
    chapter = chapters()[stage]
    assert 4000 <= chapter.ms <= 12_000
    for begin, move in chapter.moves():
        assert begin + move.start + move.ms <= chapter.ms
        assert all(begin + at + move.ms <= chapter.ms for _, _, at in move.parts) or move.own
        assert len({tuple(frame) for frame in move.frames}) <= 1, "a frame lacks a property"
    for step in chapter.steps:
        for words in (step.say, step.cls, step.mean):
            assert len(words) <= 72
            assert words == "" or words.endswith(".")


@pytest.mark.parametrize("stage", list(chapters()))
def test_every_value_that_a_move_or_a_caption_uses_is_the_row_s(stage: str) -> None:
    chapter, values = chapters()[stage], state().values
    told = [
        value for _, move in chapter.moves() for frame in move.frames for value in frame.values()
    ]
    told += [words for step in chapter.steps for words in (step.say, step.cls)]
    names = {name for text in told for name in VALUE.findall(text)}
    assert not {name for name in names if name not in values}
    alone = {name for step in chapter.steps for name in VALUE.findall(step.mean)}
    assert not {name for name in alone if name not in values}


def test_all_keys_are_visited_in_their_order() -> None:
    """Three in full, then a row of patches at a time; each key's tick falls in its turn."""
    chapter = chapters()["scores"]
    *visits, (_, last) = chapter.visits()
    assert [key for _, key in visits[:3]] == [0, GRID.token(0, 0), GRID.token(0, 1)]
    assert [key for _, key in visits[3:]] == [
        GRID.token(r, GRID.columns - 1) for r in range(GRID.rows)
    ]
    assert last == -1, "it ends at the pointed key"
    parts = next(move.parts for _, move in chapter.moves() if move.parts)
    assert [key for first, end, _ in parts for key in range(first, end)] == list(range(GRID.tokens))
    times = [at for *_, at in parts]
    assert times == sorted(times)


# Without JavaScript ----------------------------------------------------------------------------


def test_the_film_without_scripts_moves_only_when_asked() -> None:
    css = film_rules.css()
    assert not movements(css)
    assert css.count("animation:") > 40
    assert "infinite" not in css
    assert movements(css.replace("no-preference", "reduce"))


def test_the_film_without_scripts_shows_every_plate_and_its_marks_are_drawn(drawn: Node) -> None:
    css = film_rules.css()
    for entry in STAGES:
        assert f".va-plate[id$=stage-{entry.id}]{{animation:va-shown" in css
    panel = tree.find(drawn, ".va-panel-photo")[0]
    plates = {f".va-plate[id$={p.attrs['id']}]": p for p in tree.find(drawn, ".va-plate")}
    for place, move, _ in film_rules._movable():
        assert tree.find(plates.get(place, panel), move.marks), move.marks
    named = set(re.findall(r"animation:(va-\w+)", css))
    assert named == set(re.findall(r"@keyframes (va-\w+)", css))


# The reader of selectors -----------------------------------------------------------------------

DRAWN = (
    '<div class="a b" data-x="one.2"><p><i>1</i><i id="z">2</i></p><b>3</b><b>4</b><b>5</b></div>'
)


@pytest.mark.parametrize(
    ("chosen", "texts"),
    [
        (".a > b", ["3", "4", "5"]),
        (".a i", ["1", "2"]),
        (".a > i", []),
        ("#z, b + b", ["2", "4", "5"]),
        ("p ~ b", ["3", "4", "5"]),
        ('[data-x^="one"] b:nth-of-type(n + 3)', ["5"]),
        ('[data-x$="2"] > :not(b)', ["12"]),
        (":is(.a, .c) p > i:not(#z)", ["1"]),
        ('[data-x="one"] b', []),
    ],
)
def test_selectors_choose_what_they_say(chosen: str, texts: list[str]) -> None:
    assert [node.text() for node in tree.find(tree.read(DRAWN), chosen)] == texts


def test_what_is_no_selector_and_no_markup_is_refused() -> None:
    with pytest.raises(ValueError, match="of which ':hover' is not known"):
        tree.selector("b:hover")
    with pytest.raises(ValueError, match="takes balanced markup"):
        tree.read("<p><b></p>")
    with pytest.raises(ValueError, match="got <p> left open"):
        tree.read("<p>")
