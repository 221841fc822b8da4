"""The film at a moment: each chapter moves, for every row, and ends as its plate."""

import json
import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from figures_src.player.film.timeline import chapters
from figures_src.player.state import DEFAULTS
from tests.browser.conftest import Watch
from tests.browser.film_page import MOVING, ORDER, PLAYING
from tests.browser.player_page import IDLE, PLAYER, address, opened, put, state_of
from tests.browser.test_player_row import MARKS

# Where everything of the player is, and how solid: what a move changes.
SEEN = f"""() => JSON.stringify([...{PLAYER}.querySelectorAll("figure *, .va-panel-photo *")].map((mark) => {{
  const {{ x, y, width, height }} = mark.getBoundingClientRect();
  return [x, y, width, height].map((n) => n.toFixed(1)).join() + getComputedStyle(mark).strokeDashoffset;
}}))"""


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


@pytest.fixture(scope="module")
def loud_page(page: Page) -> Watch:
    return Watch().on(page)


@pytest.mark.parametrize("stage", ORDER)
def test_each_chapter_moves_something_and_ends_as_its_plate(page: Page, stage: str) -> None:
    put(page, dict(DEFAULTS) | {"stage": stage})
    marks, seen = page.evaluate(MARKS), page.evaluate(SEEN)
    moments = []
    for moment in ("0", "0.25", "0.55"):
        put(page, {"at": moment})
        moments.append(page.evaluate(SEEN))
        assert page.evaluate(f"{MOVING}.every((animation) => animation.playState === 'paused')")
    assert len({*moments, seen}) >= 3, "marks change their place or length, not only their ink"
    put(page, {"at": "1"})
    assert page.evaluate(f"{MOVING}.length") == 0
    assert page.evaluate(SEEN) == seen
    assert json.loads(page.evaluate(MARKS)) == json.loads(marks)


@pytest.mark.parametrize(
    "state",
    [
        {"query": "cls", "head": "3"},
        {"head": "mean", "query": "9.3"},
        {"photo": "rocket", "query": "8.6", "head": "2", "range": "fixed"},
        {"dropped": "5.4,cls", "scale": "off"},
        {"axis": "queries", "mix": "k", "position": "off"},
    ],
    ids=str,
)
def test_it_plays_for_every_row(page: Page, state: dict[str, str]) -> None:
    failed: list[str] = []
    page.on("pageerror", lambda error: failed.append(str(error)))
    for stage in ORDER:
        put(page, dict(DEFAULTS) | state | {"stage": stage})
        seen = page.evaluate(SEEN)
        for moment in ("0.1", "0.7"):
            put(page, {"at": moment})
            said = page.locator("vit-player .va-now").first.inner_text()
            assert not re.search(r"[{}]|undefined|NaN", said), said
        put(page, {"at": "1"})
        assert page.evaluate(SEEN) == seen, stage
    assert not failed


def test_a_moment_can_be_opened_and_goes_away_with_another_stage(
    browser: Browser, served: str
) -> None:
    page = opened(browser, served, address(dict(DEFAULTS) | {"stage": "mix", "at": "0.4"}))
    page.wait_for_function(f"{MOVING}.length > 10")
    assert not page.evaluate(PLAYING)
    page.evaluate(f"{PLAYER}.setAttribute('at', '0.6')")
    page.evaluate(IDLE)
    assert state_of(page)["at"] == "0.6"
    page.locator("vit-player .va-stage", has_text="norm").first.click()
    assert (state_of(page)["stage"], state_of(page)["at"]) == ("norm", "1")
    page.close()


@pytest.mark.parametrize("query", ["5.4", "cls"])
@pytest.mark.parametrize("head", ["1", "2", "3", "mean"])
def test_no_chapter_logs_a_warning(page: Page, loud_page: Watch, head: str, query: str) -> None:
    loud_page.console.clear()
    put(page, dict(DEFAULTS) | {"head": head, "query": query})
    for stage in ORDER:
        put(page, {"stage": stage, "at": "0.4"})
        assert page.evaluate(f"{MOVING}.length") > 0
    page.evaluate(IDLE)
    assert not loud_page.console


# Pairs of numbers that are seen and lie on each other, and labels that a row of numbers lies on.
HEAPS = """(stage) => {
  const plate = document.querySelector(`#stage-${stage}`);
  const solid = (mark) => {
    let found = 1;
    for (let at = mark; at !== plate; at = at.parentElement) found *= getComputedStyle(at).opacity;
    return found > 0.15;
  };
  const boxes = (marks) => [...plate.querySelectorAll(marks)]
    .map((mark) => [mark, mark.getBoundingClientRect()])
    .filter(([mark, { width }]) => width > 0 && solid(mark));
  const lie = ([, one], [, other], share) => {
    const over = (from, to) => {
      const shared = Math.min(one[to], other[to]) - Math.max(one[from], other[from]);
      return shared > share * Math.min(one[to] - one[from], other[to] - other[from]);
    };
    return over("left", "right") && over("top", "bottom");
  };
  const numbers = boxes(".va-numbers text");
  const heaps = numbers.flatMap((one, n) => numbers.slice(n + 1).filter((other) => lie(one, other, 0.35)));
  const rows = boxes("svg.va-numbers");
  const under = boxes(".va-label > *").filter((label) => rows.some((row) => lie(label, row, 0.1)));
  return [heaps.length, under.map(([label]) => label.textContent)];
}"""


@pytest.mark.parametrize(
    ("stage", "first", "last", "most"), [("embed", 0.02, 0.6, 2), ("heads", 0.66, 0.9, 1)]
)
def test_numbers_in_flight_keep_apart(
    page: Page, stage: str, first: float, last: float, most: int
) -> None:
    put(page, dict(DEFAULTS) | {"stage": stage})
    for n in range(13):
        put(page, {"at": f"{first + n * (last - first) / 12:.3f}"})
        heaps, _ = page.evaluate(HEAPS, stage)
        assert heaps <= most, n


def test_no_row_in_flight_lies_on_its_label(page: Page) -> None:
    put(page, dict(DEFAULTS) | {"stage": "qkv"})
    for moment in ("0.06", "0.1", "0.12", "0.36", "0.38", "0.4", "0.66", "0.68"):
        put(page, {"at": moment})
        _, under = page.evaluate(HEAPS, "qkv")
        assert not under, moment


def test_visited_keys_are_shown_with_their_products(page: Page) -> None:
    put(page, dict(DEFAULTS) | {"stage": "scores"})
    chapter = chapters()["scores"]
    for time, key in chapter.visits():
        put(page, {"at": f"{(time + 60) / chapter.ms:.4f}"})
        shown = page.evaluate(f"{PLAYER}.shown.key")
        assert shown == key if key >= 0 else shown not in (0, 75)
        product = page.evaluate(f"{PLAYER}.pass.P[0][75][{shown}]")
        sum_ = page.locator("#stage-scores .va-sum [data-t=product]").first.inner_text()
        assert float(sum_.replace("−", "-")) == pytest.approx(product, abs=0.00501)
    put(page, {"at": "1"})
    assert page.evaluate(f"{PLAYER}.shown.key") == page.evaluate(f"{PLAYER}.shown.key")


def test_the_stage_list_fills_with_the_chapter(page: Page) -> None:
    put(page, dict(DEFAULTS) | {"stage": "heads", "at": "0.5"})
    fill = page.evaluate(
        f"""getComputedStyle({PLAYER}.querySelector(".va-stage.is-filling"), "::after").transform"""
    )
    assert fill.startswith("matrix(0.5, 0, 0, 1")
    put(page, {"at": "1"})
    assert page.locator("vit-player .is-filling").count() == 0
