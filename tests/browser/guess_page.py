"""The fold "Guess first", open: its questions asked, answered and read."""

from playwright.sync_api import Locator, Page

from tests.browser.player_page import State
from tests.player.guess_solver import Solver, holds, order
from vitattn_core.teaching import GRID

GUESS = [(5, 4), (6, 11), (0, 0), (13, 13), (7, 7)]


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
