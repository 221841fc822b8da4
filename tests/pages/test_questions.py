"""The 25 questions: each is answered on its page in one sentence, and its link lands on the proof."""

import re
from functools import cache
from html import unescape
from pathlib import Path

import pytest

from figures_src.pages.questions.reader_questions import LATER, QUESTIONS, Question
from tests.conftest import ROOT
from tests.site_reader import read

PAGE = "questions.html"
HEADING = re.compile(r"^(#{1,6}) .*?\{#([\w-]+)\}\s*$", re.MULTILINE)


@pytest.fixture(scope="module")
def built_page(site: Path) -> str:
    return (site / PAGE).read_text(encoding="utf-8")


def answered(page: str) -> list[str]:
    """The ids of the questions on the page, in order: the third-level headings."""
    return re.findall(r'<h3 id="([\w-]+)"', page)


def answer(page: str, question: Question) -> str:
    """The HTML of the one paragraph between a question and the next heading."""
    found = re.search(
        rf'<h3 id="{question.id}">.*?</h3>\s*(.*?)\s*(?=<h[1-6]\b|<div class="va-ask")', page, re.S
    )
    assert found, f"{question.id}: is not on the page"
    paragraph = re.fullmatch(r"<p>(.*?)</p>", found[1], re.S)
    assert paragraph and "<p>" not in paragraph[1], f"{question.id}: takes one paragraph"
    return paragraph[1]


def check(page: str, question: Question) -> None:
    """One sentence, with a link to the place of its proof; AssertionError says what is missing."""
    text = answer(page, question)
    words = " ".join(unescape(re.sub(r"<math.*?</math>|<[^>]*>", " ", text, flags=re.S)).split())
    assert len(words) > 40, f"{question.id}: {words!r} is no answer"
    assert words.endswith("."), f"{question.id}: {words!r} is no sentence"
    assert not re.search(r"[.!?] [A-Z]", words), f"{question.id}: {words!r}: takes one sentence"
    links = re.findall(r'href="([^"]+)"', text)
    if question.id in LATER:
        assert LATER[question.id] in links, f"{question.id}: cites {links}"
        return
    targets = [f"{page.removesuffix('.md')}.html#{anchor}" for page, anchor, _ in question.places()]
    assert sorted(links) == sorted(targets), (
        f"{question.id}: links to {links}, its proofs are {targets}"
    )


@cache
def proofs(page: str, anchor: str) -> str:
    """The tests of what one section of a page claims, and of the sections inside it."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    here = next(m for m in HEADING.finditer(text) if m[2] == anchor)
    anchors = [anchor]
    for heading in HEADING.finditer(text, here.end()):
        if len(heading[1]) <= len(here[1]):
            break
        anchors.append(heading[2])
    name = page.removesuffix(".md").replace("-", "_")
    tests = (ROOT / f"tests/pages/claims/test_{name}.py").read_text(encoding="utf-8")
    names = "|".join(anchor.replace("-", "_") for anchor in anchors)
    return "\n".join(
        re.findall(rf"^def test_(?:{names})(?:_\d+)?\(.*?(?=^def |\Z)", tests, re.M | re.S)
    )


def test_there_are_25_or_more_and_the_page_has_them_in_order(built_page: str) -> None:
    ids = [question.id for question in QUESTIONS]
    assert len(ids) == len(set(ids)) >= 25
    assert answered(built_page) == ids


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_a_question_is_answered_and_its_link_lands_on_the_proof(
    site: Path, built_page: str, question: Question
) -> None:
    check(built_page, question)
    if question.id in LATER:
        return
    for page, anchor, proof in question.places():
        assert anchor in read(site / page.replace(".md", ".html")).ids
        assert proof in proofs(page, anchor), (
            f"{question.id}: no test of {page}#{anchor} has {proof!r}"
        )


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: q.id)
def test_without_the_answer_or_the_link_it_fails(built_page: str, question: Question) -> None:
    page = built_page
    text = answer(page, question)
    whole = re.search(rf'<h3 id="{question.id}">.*?</h3>\s*<p>{re.escape(text)}</p>', page, re.S)
    assert whole
    without = (
        page.replace(whole[0], ""),
        page.replace(f"<p>{text}</p>", ""),
        page.replace(text, re.sub(r"</?a\b[^>]*>", "", text)),
        page.replace(text, text + " And another one."),
    )
    for less in without:
        assert less != page
        with pytest.raises(AssertionError):
            check(less, question)
    assert answered(without[0]) != [other.id for other in QUESTIONS]


def test_what_is_left_for_later_is_cited_and_may_only_shrink() -> None:
    assert set(LATER) <= {"background"}
    unproved = {question.id for question in QUESTIONS if not question.page}
    assert unproved == set(LATER)
    sources = (ROOT / "docs" / "sources.md").read_text(encoding="utf-8")
    assert all(address in sources for address in LATER.values())


def test_a_section_is_read_to_its_end_and_no_further() -> None:
    assert "assert wrong.tolist()" not in proofs("index.md", "cost")
    assert "cost.block_terms" in proofs("index.md", "cost")
    assert "np.isclose(unscaled.var(), d_h)" in proofs("index.md", "scores")  # its subsections too
    with pytest.raises(StopIteration):
        proofs("index.md", "nothing")
