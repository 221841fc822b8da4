"""The questions of the pages, solved from the built page: choices, answers, and where they stand."""

import ast
import itertools
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest

from figures_src.pages.exercises import Exercise, exercises
from figures_src.publish.checks import bare_numbers, pages
from tests.conftest import ROOT

VOID = {"br", "hr", "img", "input"}


class Asked(HTMLParser):
    """The questions of one page. asked: id -> choices, answers (its text, whether it is the right one)."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.asked: dict[str, dict[str, list]] = {}
        self._id = self._list = ""
        self._depth = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        kind = given.get("class")
        if kind == "va-ask":
            self._id, self._depth = (given["id"] or "").removeprefix("ask-"), 0
            self.asked[self._id] = {"choices": [], "answers": [], "right": [], "question": [""]}
        if not self._id or tag in VOID:
            return
        self._depth += 1
        if tag == "ol":
            self._list = {"va-choices": "choices", "va-answers": "answers"}[kind or ""]
        if tag == "li":
            self.asked[self._id][self._list].append("")
            if self._list == "answers":
                self.asked[self._id]["right"].append("data-right" in given)

    def handle_endtag(self, tag: str) -> None:
        if self._id and tag not in VOID:
            self._depth -= 1
            self._list = "" if tag == "ol" else self._list
            self._id = self._id if self._depth else ""

    def handle_data(self, data: str) -> None:
        if self._id and (kind := self._list or "question") and self.asked[self._id][kind]:
            self.asked[self._id][kind][-1] += data


def solve(exercise: Exercise, page: str) -> None:
    """Solve one exercise from the HTML of its page; AssertionError says what does not fit."""
    asked = Asked(page).asked
    assert exercise.id in asked, f"{exercise.id} is not on the page"
    found = asked[exercise.id]
    choices = [choice.strip() for choice in found["choices"]]
    assert choices == [text for text, _ in exercise.choices], exercise.id
    assert choices.count(answer := exercise.solve()) == 1, f"{exercise.id}: solved as {answer}"
    assert len(found["answers"]) == len(choices), f"{exercise.id}: an answer is missing"
    assert [place for place, right in enumerate(found["right"]) if right] == [choices.index(answer)]
    for place, answer in enumerate(found["answers"]):
        why = answer.strip().removeprefix("Right.").strip()
        assert len(why) > 20, f"{exercise.id}: {choices[place]} has no reason"
    assert found["question"][0].split("?")[0].strip(), f"{exercise.id}: has no question"


def built(site: Path, exercise: Exercise) -> str:
    return (site / exercise.page).with_suffix(".html").read_text(encoding="utf-8")


@pytest.mark.parametrize("id", exercises())
def test_an_exercise_is_solved_from_the_built_page(site: Path, id: str) -> None:
    exercise = exercises()[id]
    solve(exercise, built(site, exercise))


@pytest.mark.parametrize("id", exercises())
def test_without_one_choice_or_one_answer_it_is_not(site: Path, id: str) -> None:
    exercise = exercises()[id]
    page = built(site, exercise)
    start = page.index(f'<div class="va-ask" id="ask-{id}"')
    end = page.index("</details>", start)
    items = [m.span() for m in re.finditer(r"<li.*?</li>", page[start:end], re.DOTALL)]
    assert len(items) == 2 * len(exercise.choices)
    for first, last in items:
        less = page[: start + first] + page[start + last :]
        with pytest.raises(AssertionError):
            solve(exercise, less)
    with pytest.raises(AssertionError):
        solve(exercise, page[:start] + page[end:])


@pytest.mark.parametrize("id", exercises())
def test_a_wrong_mark_is_seen(site: Path, id: str) -> None:
    exercise = exercises()[id]
    page = built(site, exercise)
    start = page.index(f'<div class="va-ask" id="ask-{id}"')
    wrong = page[:start] + page[start:].replace(' data-right="data-right"', "", 1)
    assert wrong != page
    with pytest.raises(AssertionError):
        solve(exercise, wrong)


OVER_ALL_PAGES = "test-yourself.md"


def test_a_page_that_asks_asks_two_to_four_questions() -> None:
    """And the page that asks about all others, twenty-four or more."""
    count = Counter(exercise.page for exercise in exercises().values())
    assert count.pop(OVER_ALL_PAGES) >= 24
    assert all(2 <= number <= 4 for number in count.values()), count


def test_the_questions_over_all_pages_have_three_choices_and_the_right_one_is_anywhere() -> None:
    asked = [one for one in exercises().values() if one.page == OVER_ALL_PAGES]
    assert all(len(exercise.choices) == 3 for exercise in asked)
    places = Counter(exercise.right for exercise in asked)
    assert all(4 <= places[place] <= 12 for place in range(3)), places


def test_the_questions_over_all_pages_are_mixed() -> None:
    """Neighbours on the page come from different parts, of which each has a module."""
    text = (ROOT / "docs" / OVER_ALL_PAGES).read_text(encoding="utf-8")
    order = re.findall(r"\{\{ ask ([\w-]+) \}\}", text)
    parts = [exercises()[id].solve.__module__ for id in order]
    assert len(order) == sum(one.page == OVER_ALL_PAGES for one in exercises().values())
    assert all(part != following for part, following in itertools.pairwise(parts)), parts


def not_asked_for(questions: Iterable[Exercise]) -> set[str]:
    """The deep pages and those of the trained model that no answer of these questions points to."""
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    groups = re.split(r"^  - (?=\S)", nav, flags=re.MULTILINE)
    wanted = {
        page
        for group in groups
        if group.startswith(("Deep pages:\n", "A trained model:\n"))
        for page in re.findall(r": (\S+\.md)$", group, re.MULTILINE)
    }
    assert len(wanted) >= 12
    answers = " ".join(why for one in questions for _, why in one.choices)
    return wanted - set(re.findall(r"\]\(([\w-]+\.md)#", answers))


def test_the_questions_over_all_pages_ask_for_each_deep_page_and_each_of_the_trained_model() -> (
    None
):
    asked = [one for one in exercises().values() if one.page == OVER_ALL_PAGES]
    missing = not_asked_for(asked)
    assert not missing, f"no answer on {OVER_ALL_PAGES} points to a section of {missing}"
    trained = {"checkpoint.md", "learned-heads.md", "weight-and-effect.md"}
    plain = [one for one in asked if not one.solve.__module__.endswith("exercises_trained")]
    assert not_asked_for(plain) == trained
    assert not_asked_for(one for one in asked if one.id != "test-yourself-fused") == {
        "implementation.md"
    }


def test_no_number_of_a_question_is_typed_by_hand() -> None:
    """As on the pages: numbers are computed, so no text of the modules holds one of three digits."""
    typed = []
    for path in sorted((ROOT / "figures_src" / "pages").glob("*/exercises*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Constant) and isinstance(node.value, str):
                found = bare_numbers.bare(node.value)
                typed += [f"{path.name}:{node.lineno}: {number}" for _, number in found]
    assert not typed


MODEL = Exercise(
    id="maps-one",
    page="maps.md",
    question="Which of $a_{ij}$ is it?",
    choices=(("a", "Since [it](notation.md) is."), ("b", "No."), ("c < a", "No.")),
    right=0,
    solve=lambda: "a",
)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"id": "heads-one"}, "begins with its page's name"),
        ({"choices": MODEL.choices[:2]}, "three to five"),
        ({"choices": (("a", "No."),) * 3}, "all different"),
        ({"right": 3}, "got 3 of 3"),
        ({"choices": (("a", "x"), ("$b$", "x"), ("c", "x"))}, "got '\\$b\\$', takes plain words"),
        ({"choices": (("a", "x"), ("b", " "), ("c", "x"))}, "a reason a choice"),
        ({"question": "One.\n\nTwo?"}, "one paragraph"),
    ],
)
def test_an_exercise_of_another_form_is_refused(change: dict, words: str) -> None:
    with pytest.raises(ValueError, match=words):
        replace(MODEL, **change)


def test_an_exercise_becomes_words_choices_and_folded_answers() -> None:
    text = MODEL.markdown()
    assert text.count("<li>") == text.count('<li markdown="span"') == len(MODEL.choices)
    assert "<li>c &lt; a</li>" in text
    assert '<li markdown="span" data-right>**Right.** Since' in text
    assert text.index("</ol>") < text.index("<summary>Answer</summary>")


def manifest(text: str) -> dict:
    asked = {"maps-one": {"page": "maps.md", "text": text}}
    return {"exercises": asked, "public": ["core.x"], "facts": {}}


@pytest.mark.parametrize(
    ("where", "asked", "text", "reason"),
    [
        ("maps.md", "maps-two", "", "no exercise is named 'maps-two': there is 'maps-one'"),
        ("masks.md", "maps-one", "", "exercise 'maps-one' belongs to maps.md"),
        (
            "maps.md",
            "maps-one",
            "See [it](no.md).",
            "exercise 'maps-one': there is no page 'no.md'",
        ),
        ("maps.md", "maps-one", "A\n\n$\\sofmax$", "exercise 'maps-one': .*sofmax"),
        ("maps.md", "maps-one", "`vitattn_core.y`", "exercise 'maps-one': vitattn_core.y is no"),
    ],
)
def test_a_fault_in_an_exercise_names_the_pages_line(
    tmp_path: Path, where: str, asked: str, text: str, reason: str
) -> None:
    page = f"---\ntitle: A\ndescription: B.\n---\nOne.\n\n{{{{ ask {asked} }}}}\n"
    (tmp_path / where).write_text(page, encoding="utf-8")
    (told,) = pages.faults(tmp_path, manifest(text))
    assert re.match(rf"docs/{where}:7: {reason}", str(told)), told
