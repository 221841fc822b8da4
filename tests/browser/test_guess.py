"""The fold "Guess first": every answer on screen is solved again from the core, every way to guess works."""

import json
import math
import re
from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page

from figures_src import photos
from figures_src.folds import guess as fold_guess
from figures_src.guesses import PROMPTS, SIDES
from figures_src.settings import DEFAULTS
from figures_src.written import read
from tests.browser.attention_page import switched_core
from tests.browser.player_page import PLAYER, State, opened, put, ready, state_of
from tests.test_site_colours import raw_colours
from vitattn_core import Grid, Trace, cost, key_mask, softmax
from vitattn_core.teaching import GRID, HEADS

OF_THE_PASS = [p.id for p in PROMPTS if not p.told]
STATES: list[State] = [
    {},  # chelsea, the left eye, like me
    {"photo": "coffee", "query": "4.2", "head": "2"},
    {"photo": "rocket", "query": "cls", "head": "3"},
    {"query": "cls"},  # a zero query: all keys alike
    {"query": "10.8", "head": "mean", "scale": "off", "dropped": "5.4"},
]
NUMBER = re.compile(r"−?\d+(?:\.\d+)?")


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    open_fold(page)
    yield page
    page.close()


def open_fold(page: Page) -> Locator:
    page.locator("[data-part=guess] > summary").click()
    page.locator("[data-question=five] [role=gridcell]").first.wait_for()
    return page.locator("[data-part=guess]")


def ask(page: Page, name: str) -> Locator:
    """Choose a question, not answered yet, and return it."""
    page.locator(f"[data-ask='{name}']").click()
    return page.locator(f"[data-question='{name}']")


def answered(question: Locator) -> Locator:
    question.locator(".va-answer").wait_for()
    return question


def told(question: Locator) -> dict[str, str]:
    """What the script has filled in, by name; the same name says the same everywhere."""
    slots = question.locator("[data-fill]").evaluate_all(
        "slots => slots.map((slot) => [slot.dataset.fill, slot.textContent])"
    )
    for name, text in slots:
        assert (name, text) in [(n, t) for n, t in slots if n == name]
        assert text != "…", name
    return dict(slots)


def truth_of(question: Locator) -> str | None:
    """The answer that is marked as right: of a choice its value."""
    return question.locator(".is-right").get_attribute("data-choice")


# The answers, from the core ------------------------------------------------------------------------


@cache
def trace(photo: str, *mistakes: str) -> Trace:
    return switched_core(mistakes).teaching_pass(photos.image(photo))


def keys_of(weights: np.ndarray) -> float:
    some = weights[weights > 0]
    return math.exp(-float((some * np.log(some)).sum()))


def order(weights: np.ndarray) -> list[int]:
    """Sequence rows, the largest first; equal ones, but for rounding, in the order of the sequence."""
    return sorted(
        range(len(weights)), key=lambda token: (-round(float(weights[token]) * 1e12), token)
    )


def place(token: int) -> str:
    return "CLS" if token < GRID.prefix else "({},{})".format(*GRID.place(token))


def token_of(word: str) -> int:
    return 0 if word == "cls" else GRID.token(*map(int, word.split(".")))


class Solver:
    """What the core says to each question, for the standard pass of a state's photograph."""

    def __init__(self, state: State) -> None:
        state = DEFAULTS | state
        self.photo, self.i = state["photo"], token_of(state["query"])
        self.h = 0 if state["head"] == "mean" else int(state["head"]) - 1
        self.t = trace(self.photo)
        self.a = self.t.A[self.h, self.i]

    def solve(self, name: str) -> tuple[str, dict[str, Any]]:
        """Return the right answer and what is told with it: numbers, or texts."""
        return getattr(self, name)()

    def partner(self) -> int:
        return next(token for token in order(self.a) if token > 0 and token != self.i)

    def five(self) -> tuple[str, dict[str, Any]]:
        row = self.t.A[self.h, self.partner()]
        best = [token for token in order(row) if token > 0][:5]
        said = {"best": row[best].sum(), "cls": row[0], "place": place(self.partner())}
        return str(self.h + 1), said | {"list": [place(token) for token in best]}

    def divided(self, by: float) -> tuple[str, dict[str, Any]]:
        scores = self.t.P[self.h, self.i] / by
        after = softmax(scores)
        change = keys_of(after) - keys_of(self.a)
        way = "same" if abs(change) <= 1e-9 else "sharper" if change < 0 else "flatter"
        kept = bool(
            (np.diff(scores[np.argsort(-self.t.S[self.h, self.i], kind="stable")]) <= 0).all()
        )
        numbers = {"keys.before": keys_of(self.a), "keys.after": keys_of(after)}
        tops = {"top.before": self.a.max(), "top.after": after.max()}
        return f"{way}-{'kept' if kept else 'changed'}", numbers | tops

    def off(self) -> tuple[str, dict[str, Any]]:
        return self.divided(1)

    def model(self) -> tuple[str, dict[str, Any]]:
        return self.divided(math.sqrt(12))

    def keys(self) -> tuple[str, dict[str, Any]]:
        other = trace(self.photo, "keys-mixed")
        o, k = self.t.O[self.h, self.i], other.O[self.h, self.i]
        row = np.abs(other.A[self.h, self.i] - self.a).max() > 1e-9
        output = np.linalg.norm(k - o) > 1e-9 * np.linalg.norm(o)
        truth = {(1, 1): "both", (1, 0): "row", (0, 1): "output", (0, 0): "neither"}
        moved = 100 * np.linalg.norm(k - o) / np.linalg.norm(o)
        return truth[int(row), int(output)], {"o": o, "k": k, "moved": moved, "apart": 0}

    def column(self) -> tuple[str, dict[str, Any]]:
        total = self.t.A[self.h, :, self.i].sum()
        truth = "one" if abs(total - 1) <= 1e-9 else "more" if total > 1 else "less"
        return truth, {"sum": total, "row.sum": 1}

    def mean(self) -> tuple[str, dict[str, Any]]:
        one, two = self.t.A[:2, self.i]
        both = (one + two) / 2
        apart = np.abs(both - one).sum() / 2
        assert apart == pytest.approx(np.abs(both - two).sum() / 2)  # half-way, as the page says
        keys = {"keys.1": keys_of(one), "keys.2": keys_of(two), "keys.mean": keys_of(both)}
        return ("both" if apart <= 0.1 else "neither"), keys | {"tv": 100 * apart}

    def position(self) -> tuple[str, dict[str, Any]]:
        other = trace(self.photo, "no-position")
        moved = np.abs(other.A[:, self.i] - self.t.A[:, self.i]).sum(axis=1) / 2
        most = int(moved.argmax())
        keys = {
            "keys.before": keys_of(self.t.A[most, self.i]),
            "keys.after": keys_of(other.A[most, self.i]),
        }
        return str(most + 1), keys | {f"tv.{h + 1}": 100 * x for h, x in enumerate(moved)}

    def swap(self) -> tuple[str, dict[str, Any]]:
        ranked = [token for token in order(self.a) if token > 0 and token != self.i]
        one, other = (self.i if self.i else ranked[0]), ranked[-1]
        image = photos.image(self.photo).copy()
        for here, there in ((one, other), (other, one)):
            image[(slice(None), *GRID.pixels(here))] = photos.image(self.photo)[
                (slice(None), *GRID.pixels(there))
            ]
        counts, moves = {}, {}
        for name, mistakes in (("off", ("no-position",)), ("on", ())):
            swapped = switched_core(mistakes).teaching_pass(image)
            moves[name] = np.linalg.norm(swapped.M - trace(self.photo, *mistakes).M, axis=1)
            counts[name] = int((moves[name] > 1e-9).sum())
        changed = set(np.flatnonzero(moves["off"] > 1e-9))
        truth = "two" if changed == {one, other} else "none" if not changed else "some"
        half = 100 * np.median(moves["on"]) / moves["on"].max()
        numbers = {"count.off": counts["off"], "count.on": counts["on"], "half": half}
        return truth, numbers | {"place": place(one), "other": place(other)}

    def drop(self) -> tuple[str, dict[str, Any]]:
        first, second = order(self.a)[:2]
        o = self.t.O[self.h, self.i]
        moved = []
        for token in (first, second):
            keep = np.arange(GRID.tokens) != token
            without = switched_core(()).teaching_pass(photos.image(self.photo), mask=key_mask(keep))
            moved.append(100 * np.linalg.norm(without.O[self.h, self.i] - o) / np.linalg.norm(o))
        said = {"first": place(first), "second": place(second), "percent": moved[0]}
        weights = {"first.weight": self.a[first], "second.weight": self.a[second]}
        return "", said | weights | {"second.percent": moved[1]}


def holds(text: str, value: Any) -> bool:
    """Whether a text says a number at its own precision, numbers in turn, or begins with a place."""
    if isinstance(value, str):
        return re.match(rf"{re.escape(value)}(, |$)", text) is not None
    if isinstance(value, list):
        return [part.split()[0].rstrip(",") for part in text.split("; ")] == value
    if isinstance(value, np.ndarray):
        parts = text.split(", ")
        return len(parts) == len(value) and all(map(holds, parts, value.tolist()))
    found = NUMBER.match(text)
    if found is None:
        return False
    digits = len(found[0].partition(".")[2])
    return abs(read(found[0]) - float(value)) <= 0.5 * 10.0**-digits + 1e-9


@pytest.mark.parametrize("name", OF_THE_PASS)
@pytest.mark.parametrize("state", STATES, ids=lambda state: "-".join(state.values()) or "default")
def test_every_answer_is_the_cores(page: Page, state: State, name: str) -> None:
    """Shown without a guess: the right choice, and every number and place of the sentence."""
    put(page, DEFAULTS | state)
    question = ask(page, name)
    question.get_by_role("button", name="Show me").click()
    answered(question)
    truth, expected = Solver(state).solve(name)
    texts = told(question)
    assert set(expected) <= set(texts)
    for slot, value in expected.items():
        assert holds(texts[slot], value), (slot, texts[slot], value)
    shown = question.locator("[data-because]:visible").evaluate_all(
        "all => all.map((one) => one.dataset.because)"
    )
    if question.locator("[data-choice]").count():
        assert truth_of(question) == truth
    assert shown == [truth], "one sentence on why, and the right one"


@pytest.mark.parametrize("side", SIDES)
def test_the_shares_of_the_cost_are_counted(page: Page, side: int) -> None:
    question = ask(page, f"cost-{side}")
    question.locator("input").fill("30")
    question.get_by_role("button", name="Compare").click()
    n = Grid(side, side, 16).tokens
    share = 2 * n**2 * 768 / (12 * n * 768**2 + 2 * n**2 * 768)
    said = answered(question).locator(".va-gap").inner_text()
    assert said.startswith(f"You said 30%; it is {100 * share:.1f}%.")
    assert f"{cost.pair_macs(n, 768):,} of {cost.block_macs(n, 768):,}" in said
    at = float(question.locator("[data-at=truth]").get_attribute("x").rstrip("%"))  # type: ignore[union-attr]
    assert at == pytest.approx(100 * share, abs=0.01)
    assert question.locator("[data-at=guess]").get_attribute("x") == "30.00%"


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


def test_the_default_surprises(page: Page) -> None:
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


# Guesses -------------------------------------------------------------------------------------------


def cell(page: Page, row: int, column: int) -> Locator:
    return page.locator(f"[data-taps] [aria-label='patch row {row}, column {column}']")


def check_five(question: Locator, guess: list[tuple[int, int]], state: State) -> None:
    solver = Solver(state)
    row = solver.t.A[solver.h, solver.partner()]
    tokens = [GRID.token(*where) for where in guess]
    best = [token for token in order(row) if token > 0][:5]
    texts = told(answered(question))
    assert holds(texts["caught"], row[tokens].sum())
    assert texts["hits"] == str(len(set(tokens) & set(best)))
    for rings in (
        question.locator("[data-taps] .va-guess-ring"),
        question.locator("[data-map] .va-guess-ring"),
    ):
        corners = rings.evaluate_all("all => all.map((ring) => ring.getAttribute('transform'))")
        assert sorted(corners) == sorted(f"translate({16 * c} {16 * r})" for r, c in guess)
    painted = question.locator("[data-map] .va-guess-cell").evaluate_all(
        "all => all.map((one) => /w(\\d+)/.exec(one.getAttribute('class'))?.[1] ?? '0')"
    )
    assert len(painted) == GRID.tokens
    assert int(painted[best[0]]) == max(map(int, painted)), "the strongest patch is the brightest"


GUESS = [(5, 4), (6, 11), (0, 0), (13, 13), (7, 7)]


def test_five_patches_by_mouse(page: Page) -> None:
    put(page, dict(DEFAULTS))
    question = ask(page, "five")
    for where in GUESS[:3]:
        cell(page, *where).click()
    assert question.locator("[data-count]").text_content() == "3 of 5 tapped"
    cell(page, *GUESS[0]).click()
    assert cell(page, *GUESS[0]).get_attribute("aria-selected") == "false"
    for where in (GUESS[0], *GUESS[3:]):
        cell(page, *where).click()
    cell(page, 1, 1).click()
    assert "tap one of them to take it back" in (
        question.locator("[data-count]").text_content() or ""
    )
    assert question.locator("[aria-selected=true]").count() == 5
    question.get_by_role("button", name="Compare").click()
    check_five(question, GUESS, {})
    cell(page, 1, 1).click()  # it is over: taps change nothing any more
    assert question.locator("[data-taps] .va-guess-ring").count() == 5
    question.get_by_role("button", name="Ask again").click()
    assert not question.locator(".va-answer").is_visible()
    assert question.locator("[aria-selected=true]").count() == 0


def test_five_patches_by_keyboard(page: Page) -> None:
    put(page, dict(DEFAULTS))
    question = ask(page, "five")
    page.keyboard.press("Tab")
    while not page.evaluate("document.activeElement.closest('[data-taps]') !== null"):
        page.keyboard.press("Tab")
    for keys in (
        "Home",
        "PageUp",
        "Space",
        "End",
        "PageDown",
        "Enter",
        "ArrowUp",
        "ArrowLeft",
        "Space",
    ):
        page.keyboard.press(keys)
    column, row = 12, 12
    guess = [(0, 0), (13, 13), (row, column)]
    assert question.locator("[data-count]").text_content() == "3 of 5 tapped"
    assert page.locator("[data-heard]").text_content() == "3 of 5 tapped"
    before = page.evaluate(f"{PLAYER}.state")
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.textContent") == "Compare"
    page.keyboard.press("Enter")
    check_five(question, guess, {})
    assert page.evaluate(f"{PLAYER}.state") == before, "the player heard nothing of it"
    assert page.evaluate("document.activeElement.matches('.va-gap')"), "the answer has the focus"


def test_nothing_tapped_is_no_guess(page: Page) -> None:
    question = ask(page, "five")
    question.get_by_role("button", name="Compare").click()
    assert "Tap at least one patch" in (question.locator("[data-count]").text_content() or "")
    assert not question.locator(".va-answer").is_visible()


@pytest.mark.parametrize(("value", "right"), [("flatter-kept", False), ("sharper-kept", True)])
def test_one_tap_on_a_choice_answers(page: Page, value: str, right: bool) -> None:
    put(page, dict(DEFAULTS))
    question = ask(page, "off")
    question.locator(f"[data-choice='{value}']").click()
    verdict = answered(question).locator("[data-verdict]").text_content() or ""
    assert verdict.startswith("As you said: Sharper") == right
    assert ("You said: Flatter" in verdict) != right
    chosen = question.locator(f"[data-choice='{value}']")
    assert chosen.get_attribute("aria-pressed") == "true"
    assert "your guess" in (chosen.text_content() or "")
    assert page.locator("[data-heard]").text_content() == question.locator(".va-gap").inner_text()
    other = question.locator("[data-choice='same-kept']")
    other.click(force=True)
    assert other.get_attribute("aria-pressed") == "false", "a guess stands"


def test_a_slider_by_keyboard(page: Page) -> None:
    put(page, dict(DEFAULTS))
    question = ask(page, "drop")
    slider = question.locator("input")
    slider.focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    assert question.locator(".va-slider-value").text_content() == "47%"
    question.get_by_role("button", name="Compare").press("Enter")
    said = answered(question).locator(".va-gap").inner_text()
    assert said.startswith("You said 47%; it is ")
    assert slider.is_disabled()


def test_show_me_is_always_there(page: Page) -> None:
    put(page, dict(DEFAULTS))
    for p in PROMPTS:
        question = ask(page, p.id)
        show = question.get_by_role("button", name="Show me")
        assert show.is_visible()
        assert show.is_enabled()


def test_nothing_is_stored(page: Page) -> None:
    kept = (
        "JSON.stringify([{...localStorage}, {...sessionStorage}, document.cookie, location.href])"
    )
    put(page, dict(DEFAULTS))
    before, states = page.evaluate(kept), page.evaluate("history.length")
    for name in ("mean", "column"):
        question = ask(page, name)
        question.locator("[data-choice]").first.click()
        answered(question)
    assert page.evaluate(kept) == before
    assert page.evaluate("history.length") == states


def test_another_row_is_asked_about_anew_and_an_answer_stays(page: Page) -> None:
    put(page, dict(DEFAULTS))
    question = ask(page, "column")
    assert told_place(question) == "(5,4), left eye"
    put(page, {"query": "10.8"})
    assert told_place(question) == "(10,8), nose"
    question.locator("[data-choice]").first.click()
    answered(question)
    put(page, {"query": "0.0"})
    assert told_place(question) == "(10,8), nose"
    assert question.locator(".va-answer").is_visible()
    question.get_by_role("button", name="Ask again").click()
    assert told_place(question) == "(0,0)"


def told_place(question: Locator) -> str | None:
    return question.locator(".va-prompt-words [data-fill=place]").text_content()


@pytest.mark.parametrize("prompt", [p for p in PROMPTS if p.see], ids=lambda p: p.id)
def test_the_answer_is_shown_in_the_player(page: Page, prompt: Any) -> None:
    put(page, dict(DEFAULTS))
    question = ask(page, prompt.id)
    question.get_by_role("button", name="Show me").click()
    answered(question).get_by_role("button", name="See it above").click()
    words = {"five": {"query": "6.11"}, "drop": {"dropped": "5.4"}}.get(prompt.id, {})
    wanted = dict(DEFAULTS) | dict(prompt.see) | words
    page.wait_for_function(
        f"(wanted) => JSON.stringify({PLAYER}.state) === wanted",
        arg=json.dumps(wanted, separators=(",", ":")),
    )
    assert state_of(ready(page)) == wanted


# Small, still, and for everyone --------------------------------------------------------------------


def test_by_touch_on_a_phone(browser: Browser, served: str) -> None:
    """Cells are large enough for a finger, nothing scrolls sideways, and motion is not needed."""
    context = browser.new_context(
        viewport={"width": 360, "height": 740},
        has_touch=True,
        is_mobile=True,
        reduced_motion="reduce",
    )
    page = opened(context, served)
    page.locator("[data-part=guess] > summary").tap()
    page.locator("[data-question=five] [role=gridcell]").first.wait_for()
    question = page.locator("[data-question=five]")
    box = cell(page, 5, 4).bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 23.9
    for where in GUESS:
        cell(page, *where).tap()
    question.get_by_role("button", name="Compare").tap()
    check_five(question, GUESS, {})
    for p in PROMPTS:
        page.locator(f"[data-ask='{p.id}']").tap()
        question = page.locator(f"[data-question='{p.id}']")
        question.get_by_role("button", name="Show me").tap()
        answered(question)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, p.id
        for button in question.locator("button:visible").all():
            size = button.bounding_box()
            assert size is not None
            assert size["height"] >= 24
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_open_fold(browser: Browser, served: str, scheme: Any) -> None:
    context = browser.new_context(color_scheme=scheme, reduced_motion="reduce")
    page = opened(context, served)
    open_fold(page)
    wrong: list[str] = []
    ways: dict[str, Callable[[Locator], None]] = {
        "five": lambda q: None,
        "mean": lambda q: q.locator("[data-choice]").first.click(),
        "drop": lambda q: q.get_by_role("button", name="Compare").click(),
    }
    for name, act in ways.items():
        question = ask(page, name)
        act(question)
        if name != "five":
            answered(question)
        found = Axe().run(page, context="[data-part=guess]")
        wrong += [f"{name}: {v['id']}" for v in found.response["violations"]]
    context.close()
    assert not wrong


def test_from_disk_too(browser: Browser, site: Any) -> None:
    page = opened(browser, site.as_uri())
    open_fold(page)
    question = ask(page, "column")
    question.locator("[data-choice=more]").click()
    assert truth_of(answered(question)) == Solver({}).solve("column")[0]
    assert len(HEADS) == 3
    page.close()
