"""The film as data: each move names marks that are drawn, and each chapter moves something."""

import copy
import re
from dataclasses import replace
from functools import cache

import pytest
from bs4 import BeautifulSoup, Tag

from figures_src.player import element
from figures_src.player.film import film_css
from figures_src.player.film.timeline import MOVING, Chapter, Move, chapters
from tests.publish.test_site_motion import movements
from vitattn_core import STAGES
from vitattn_core.teaching import GRID

VALUE = re.compile(r"\{([\w.]+)\}")


@pytest.fixture(scope="module")
def drawn() -> BeautifulSoup:
    """The player as drawn, with what waits in templates in its place."""
    page = BeautifulSoup(element.player(), "html.parser")
    for waiting in page("template"):
        waiting.unwrap()
    return page


@cache
def places(drawn: BeautifulSoup, stage: str) -> list[Tag]:
    """Where the marks of a chapter stand: the photograph and the stage's plate."""
    return list(drawn.select(f".va-panel-photo, #stage-{stage}"))


def unknown(drawn: BeautifulSoup, chapter: Chapter) -> list[str]:
    """The selectors of a chapter that choose nothing."""
    told = [s for _, move in chapter.moves() for s in (move.marks, move.source) if s]
    roots = places(drawn, chapter.stage)
    return [s for s in told if not any(root.select(s) for root in roots)]


def test_there_is_a_chapter_for_each_stage_in_their_order() -> None:
    assert list(chapters()) == [entry.id for entry in STAGES]


@pytest.mark.parametrize("stage", list(chapters()))
def test_every_mark_that_a_move_names_is_drawn(drawn: BeautifulSoup, stage: str) -> None:
    assert len(places(drawn, stage)) == 2
    assert not unknown(drawn, chapters()[stage])


def test_a_misspelt_mark_would_be_seen(drawn: BeautifulSoup) -> None:
    chapter = chapters()["scale"]
    step = replace(chapter.steps[0], moves=(Move('[data-d="tics.scores"]', ({"scale": "2 1"},)),))
    assert unknown(drawn, replace(chapter, steps=(step,))) == ['[data-d="tics.scores"]']


@pytest.mark.parametrize("stage", list(chapters()))
def test_each_chapter_moves_or_lengthens_something(drawn: BeautifulSoup, stage: str) -> None:
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
    chapter, values = chapters()[stage], element.default_row().values
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
    css = film_css.css()
    assert not movements(css)
    assert css.count("animation:") > 40
    assert "infinite" not in css
    assert movements(css.replace("no-preference", "reduce"))


def test_the_film_without_scripts_shows_every_plate_and_its_marks_are_drawn(
    drawn: BeautifulSoup,
) -> None:
    css = film_css.css()
    for entry in STAGES:
        assert f".va-plate[id$=stage-{entry.id}]{{animation:va-shown" in css
    panel = drawn.select(".va-panel-photo")[0]
    plates = {f".va-plate[id$={plate['id']}]": plate for plate in drawn.select(".va-plate")}
    for place, move, _ in film_css._movable():
        assert plates.get(place, panel).select(move.marks), move.marks
    named = set(re.findall(r"animation:(va-\w+)", css))
    assert named == set(re.findall(r"@keyframes (va-\w+)", css))


def test_what_waits_in_a_template_is_no_mark_whatever_the_library_of_selectors(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Versions of it differ, and the lock has one for older Pythons: some look into a template."""
    looks, opened = Tag.select_one, dict[int, Tag]()

    def looks_inside(self: Tag, selector: str) -> Tag | None:
        if id(self) not in opened:
            opened[id(self)] = copy.copy(self)
            for waiting in opened[id(self)]("template"):
                waiting.unwrap()
        return looks(opened[id(self)], selector)

    expected = film_css._movable()
    monkeypatch.setattr(Tag, "select_one", looks_inside)
    assert film_css._movable.__wrapped__() == expected
