"""The film in the player: played, stepped, set to a moment; by mouse, keyboard, touch; calm on request."""

import json
import re
from collections.abc import Iterator

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from figures_src.settings import DEFAULTS
from figures_src.timeline import chapters
from figures_src.transport import REST
from tests.browser.conftest import Watch
from tests.browser.player_page import IDLE, PLAYER, READY, address, opened, put, ready, state_of
from tests.browser.test_player_row import MARKS
from vitattn_core import STAGES

FILM = ("film.js", "timeline.js")
ORDER = [entry.id for entry in STAGES]
PLAYING = f"{PLAYER}.hasAttribute('playing')"
MOVING = f"{PLAYER}.getAnimations({{ subtree: true }})"
# Where everything of the player is, and how solid: what a move changes.
SEEN = f"""() => JSON.stringify([...{PLAYER}.querySelectorAll("figure *, .va-panel-photo *")].map((mark) => {{
  const {{ x, y, width, height }} = mark.getBoundingClientRect();
  return [x, y, width, height].map((n) => n.toFixed(1)).join() + getComputedStyle(mark).strokeDashoffset;
}}))"""
# How far from the top of the screen a part of the player begins and ends.
EDGES = """(part) => {
  const { top, bottom } = document.querySelector(`vit-player ${part}`).getBoundingClientRect();
  return [top, bottom];
}"""
# Counts what is written to the address, with the time of each.
ADDRESSES = """
window.written = [];
for (const name of ["pushState", "replaceState"]) {
  const real = history[name].bind(history);
  history[name] = (...given) => { written.push([name, performance.now()]); real(...given); };
}
"""


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


@pytest.fixture
def fresh(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


def button(page: Page, action: str):
    return page.locator(f"vit-player [data-action={action}]").first


def at(page: Page) -> float:
    return float(state_of(page)["at"])


def stops(page: Page) -> None:
    page.wait_for_function(f"!{PLAYING}")
    page.evaluate(IDLE)


# Playing ---------------------------------------------------------------------------------------


def test_nothing_is_loaded_and_nothing_moves_before_the_reader_plays(
    browser: Browser, served: str
) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url.rsplit("/", 1)[-1]))
    page.goto(f"{served}/index.html")
    ready(page)
    page.wait_for_timeout(400)
    assert not set(FILM) & set(asked)
    assert page.evaluate(f"{MOVING}.length") == 0
    button(page, "play").click()
    page.wait_for_function(PLAYING)
    assert set(FILM) <= set(asked)
    assert page.evaluate(f"{MOVING}.length") > 0
    page.close()


def test_it_plays_from_the_first_chapter_pauses_and_goes_on(fresh: Page) -> None:
    expect(button(fresh, "play")).to_have_text("Play")
    button(fresh, "play").click()
    expect(button(fresh, "play")).to_have_text("Pause")
    assert state_of(fresh)["stage"] == "patches"
    fresh.wait_for_function(f"Number({PLAYER}.state.at) > 0.08")
    button(fresh, "play").click()
    stops(fresh)
    first = at(fresh)
    assert 0.08 < first < 1
    fresh.wait_for_timeout(300)
    assert at(fresh) == first
    button(fresh, "play").click()
    fresh.wait_for_function(f"Number({PLAYER}.state.at) > {first}")
    assert state_of(fresh)["stage"] == "patches"


def test_it_goes_from_chapter_to_chapter_and_stops_after_the_last(fresh: Page) -> None:
    put(fresh, {"stage": "residual", "at": "0.1", "speed": "2"})
    fresh.evaluate(
        f"window.seen = []; {PLAYER}.addEventListener('change', () => seen.push({PLAYER}.state.stage))"
    )
    button(fresh, "play").click()
    fresh.wait_for_function(f"{PLAYER}.state.stage === 'mlp'")
    stops(fresh)
    assert state_of(fresh)["at"] == "1"
    assert list(dict.fromkeys(fresh.evaluate("seen"))) == ["residual", "mlp"]
    button(fresh, "play").click()
    assert state_of(fresh)["stage"] == "patches"


def test_a_stage_that_was_picked_is_played_from_its_beginning(fresh: Page) -> None:
    fresh.locator("vit-player .va-stage", has_text="heads").first.click()
    assert state_of(fresh)["at"] == "1"
    button(fresh, "play").click()
    fresh.wait_for_function(PLAYING)
    assert state_of(fresh)["stage"] == "heads"
    fresh.locator("vit-player .va-stage", has_text="mix").first.click()
    fresh.wait_for_function(f"{PLAYER}.state.stage === 'mix'")
    assert fresh.evaluate(PLAYING)
    assert at(fresh) < 0.5


def test_speed_is_kept_and_is_as_fast_as_it_says(fresh: Page) -> None:
    fresh.locator("vit-player .va-speed label", has_text="2×").first.click()
    assert state_of(fresh)["speed"] == "2"
    button(fresh, "step-on").click()
    fresh.wait_for_function(PLAYING)
    rates = fresh.evaluate(f"{MOVING}.map((animation) => animation.playbackRate)")
    assert set(rates) == {2}
    put(fresh, {"speed": "0.5"})
    assert set(fresh.evaluate(f"{MOVING}.map((animation) => animation.playbackRate)")) == {0.5}


def test_leaving_the_page_pauses(fresh: Page) -> None:
    button(fresh, "play").click()
    fresh.wait_for_function(PLAYING)
    fresh.evaluate(
        "Object.defineProperty(document, 'hidden', { get: () => true, configurable: true });"
        "document.dispatchEvent(new Event('visibilitychange'))"
    )
    stops(fresh)
    fresh.evaluate("delete document.hidden")
    button(fresh, "play").click()
    fresh.wait_for_function(PLAYING)
    fresh.evaluate("scrollTo(0, 6000)")
    stops(fresh)
    assert at(fresh) < 1


def choose(page: Page, stage: str) -> None:
    page.locator("vit-player .va-stage", has_text=stage).first.click()
    page.evaluate(IDLE)


def plays(page: Page) -> str:
    """Play, and the stage that is played."""
    button(page, "play").click()
    page.wait_for_function(PLAYING)
    return state_of(page)["stage"]


@pytest.mark.parametrize("before", ["norm", "softmax", "paused"])
def test_the_stage_shown_first_is_played_once_it_was_chosen(fresh: Page, before: str) -> None:
    if before == "paused":
        assert plays(fresh) == "patches"
        button(fresh, "play").click()
        stops(fresh)
    else:
        choose(fresh, before)
    choose(fresh, "softmax")
    assert plays(fresh) == "softmax"


def test_a_chosen_stage_is_played_where_the_film_had_stopped_at_its_end(fresh: Page) -> None:
    put(fresh, {"stage": "scale", "speed": "4"})
    button(fresh, "step-on").click()
    fresh.wait_for_function(f"{PLAYER}.state.stage === 'mask'")
    stops(fresh)
    choose(fresh, "norm")
    choose(fresh, "mask")
    assert plays(fresh) == "mask"


def test_between_chapters_the_next_sentence_is_said_at_once(fresh: Page) -> None:
    put(fresh, {"stage": "embed", "at": "0.9", "speed": "4"})
    fresh.evaluate(
        """window.words = [];
        window.now = document.querySelector("vit-player .va-now");
        new MutationObserver(() => words.push(now.textContent))
          .observe(now, { childList: true, characterData: true, subtree: true })"""
    )
    button(fresh, "play").click()
    fresh.wait_for_function(f"{PLAYER}.state.stage === 'qkv'")
    words = fresh.evaluate("words")
    assert {step.say for step in chapters()["norm"].steps} <= set(words)
    assert REST not in words
    button(fresh, "play").click()
    stops(fresh)
    put(fresh, {"at": "1"})
    assert fresh.locator("vit-player .va-now").first.inner_text() == REST


# On the screen ---------------------------------------------------------------------------------


@pytest.mark.parametrize("calm", [False, True])
def test_on_a_laptop_the_whole_scene_is_on_the_screen(
    browser: Browser, served: str, calm: bool
) -> None:
    wish = "reduce" if calm else "no-preference"
    context = browser.new_context(viewport={"width": 1366, "height": 768}, reduced_motion=wish)  # type: ignore[arg-type]
    page = opened(context, served)
    assert page.evaluate(EDGES, ".va-scene")[1] > 768
    button(page, "play").click()
    page.wait_for_function(PLAYING)
    if not calm:
        page.wait_for_timeout(1200)
    assert page.evaluate(EDGES, ".va-scene")[1] <= 768
    header = page.locator(".md-header").bounding_box()
    assert header is not None
    assert 0 <= page.evaluate(EDGES, ".va-transport")[0] - header["height"] <= 12
    context.close()


def test_where_all_is_on_the_screen_nothing_scrolls(browser: Browser, served: str) -> None:
    page = opened(browser, served, viewport={"width": 1366, "height": 1100})
    assert plays(page) == "patches"
    page.wait_for_timeout(600)
    assert page.evaluate("scrollY") == 0
    page.close()


@pytest.mark.parametrize("calm", [False, True])
def test_on_a_phone_what_moves_is_on_the_screen(browser: Browser, served: str, calm: bool) -> None:
    wish = "reduce" if calm else "no-preference"
    context = browser.new_context(viewport={"width": 360, "height": 740}, reduced_motion=wish)  # type: ignore[arg-type]
    page = opened(context, served)
    large = page.evaluate(EDGES, ".va-photo")
    button(page, "play").click()
    page.wait_for_function(PLAYING)
    page.wait_for_timeout(1200)
    small = page.evaluate(EDGES, ".va-photo")
    assert small[1] - small[0] < 170 < large[1] - large[0]
    for stage in ORDER[:5]:
        put(page, {"stage": stage, "at": "0.1"})
        line = page.evaluate(EDGES, f".va-line[data-line={'key' if stage == 'scores' else stage}]")
        top, bottom = page.evaluate(EDGES, f"#stage-{stage}")
        assert min(bottom, line[0]) - top > 0.6 * min(bottom - top, 400), stage
    page.mouse.move(180, 500)
    page.mouse.wheel(0, 260)
    page.wait_for_timeout(600)
    for part in (".va-now", "[data-action=play]"):
        top, bottom = page.evaluate(EDGES, part)
        assert 44 <= top < bottom <= 740
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    button(page, "play").click()
    stops(page)
    put(page, {"at": "1"})
    assert page.evaluate(EDGES, ".va-photo")[1] - page.evaluate(EDGES, ".va-photo")[0] > 300
    context.close()


# Stepping --------------------------------------------------------------------------------------


def test_steps_go_through_one_chapter_and_stop(fresh: Page) -> None:
    put(fresh, {"stage": "norm", "speed": "4"})
    button(fresh, "step-on").click()
    fresh.wait_for_function(PLAYING)
    stops(fresh)
    assert (state_of(fresh)["stage"], state_of(fresh)["at"]) == ("qkv", "1")
    button(fresh, "step-on").click()
    fresh.wait_for_function(PLAYING)
    button(fresh, "step-on").click()  # impatient: to its end at once
    stops(fresh)
    assert (state_of(fresh)["stage"], state_of(fresh)["at"]) == ("scores", "1")
    button(fresh, "step-back").click()
    fresh.wait_for_function(f"{PLAYER}.state.stage === 'qkv'")
    assert state_of(fresh)["at"] == "1"
    put(fresh, {"stage": "patches", "at": "0.5"})
    button(fresh, "step-back").click()
    fresh.wait_for_function(f"{PLAYER}.state.at === '0'")


def test_the_keys_do_the_same_while_the_player_has_the_focus(fresh: Page) -> None:
    put(fresh, {"speed": "4"})
    fresh.keyboard.press("k")
    assert not fresh.evaluate(PLAYING)
    button(fresh, "play").focus()
    fresh.keyboard.press("k")
    fresh.wait_for_function(PLAYING)
    fresh.keyboard.press("k")
    stops(fresh)
    fresh.keyboard.press("l")
    fresh.wait_for_function(f"{PLAYER}.state.at === '1'")
    fresh.keyboard.press("j")
    fresh.wait_for_function(f"{PLAYER}.state.stage === 'patches'")
    for key in ("Enter", " "):
        before = fresh.evaluate(PLAYING)
        fresh.keyboard.press(key)
        fresh.wait_for_function(f"{PLAYING} !== {str(before).lower()}")


def test_by_touch_on_a_phone(browser: Browser, served: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = opened(context, served)
    for action in ("step-back", "play", "step-on"):
        box = button(page, action).bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
        assert box["x"] + box["width"] <= 360
    button(page, "play").tap()
    page.wait_for_function(PLAYING)
    button(page, "play").tap()
    stops(page)
    put(page, {"speed": "4"})
    button(page, "step-on").tap()
    page.wait_for_function(f"{PLAYER}.state.at === '1'")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    context.close()


# A moment --------------------------------------------------------------------------------------


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
def test_no_chapter_logs_a_warning(browser: Browser, served: str, head: str, query: str) -> None:
    page = opened(browser, served, address(dict(DEFAULTS) | {"head": head, "query": query}))
    watch = Watch().on(page)
    for stage in ORDER:
        put(page, {"stage": stage, "at": "0.4"})
        assert page.evaluate(f"{MOVING}.length") > 0
    page.evaluate(IDLE)
    assert not watch.console
    page.close()


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


# State and address -----------------------------------------------------------------------------


def test_playing_is_told_and_never_asked(browser: Browser, served: str) -> None:
    page = opened(browser, served, "#stage=norm&playing=1")
    assert not page.evaluate(PLAYING)
    page.evaluate(f"{PLAYER}.setAttribute('playing', '')")
    page.wait_for_timeout(200)
    assert page.evaluate(f"{MOVING}.length") == 0
    assert state_of(page)["at"] == "1"
    page.close()


def test_playing_makes_no_history_and_writes_the_address_seldom(
    browser: Browser, served: str
) -> None:
    page = browser.new_page()
    page.add_init_script(ADDRESSES)
    page.goto(f"{served}/index.html#stage=qkv")
    page.wait_for_function(READY)
    before = page.evaluate("history.length")
    page.evaluate("written.length = 0")
    button(page, "play").click()
    page.wait_for_function(PLAYING)
    page.wait_for_function("location.hash.includes('stage=scores&at=0.')")
    button(page, "play").click()
    stops(page)
    assert page.evaluate("history.length") == before
    written = page.evaluate("written")
    assert {name for name, _ in written} == {"replaceState"}
    times = [time for _, time in written]
    assert len(times) > 2
    for start in times:
        assert sum(start <= time < start + 1000 for time in times) <= 3  # it starts; it stops
    page.close()


def test_back_while_it_plays_shows_what_the_address_says(browser: Browser, served: str) -> None:
    page = opened(browser, served, "#stage=qkv", viewport={"width": 1350, "height": 940})
    page.locator("vit-player .va-cells [data-token='100']").first.click()
    page.wait_for_function(f"{PLAYER}.state.query === '7.1'")
    button(page, "play").click()
    page.wait_for_function(f"Number({PLAYER}.state.at) > 0.15 && {PLAYING}")
    page.go_back()
    page.wait_for_function(f"{PLAYER}.state.query === '5.4'")
    stops(page)
    assert state_of(page) == DEFAULTS | {"stage": "qkv"}
    assert page.evaluate("location.hash") == "#stage=qkv"
    assert page.evaluate(f"{MOVING}.length") == 0
    page.go_forward()
    page.wait_for_function(f"{PLAYER}.state.query === '7.1'")
    # Where the film was when its address was last written: up to two seconds before.
    assert re.match("#stage=qkv&query=7.1&at=0(\\.|$)", page.evaluate("location.hash"))
    page.close()


def test_an_address_while_it_plays_is_kept(fresh: Page) -> None:
    assert plays(fresh) == "patches"
    fresh.wait_for_function(f"Number({PLAYER}.state.at) > 0.06")
    fresh.evaluate("location.hash = '#stage=norm&query=2.2'")
    fresh.wait_for_function(f"{PLAYER}.state.query === '2.2'")
    stops(fresh)
    assert state_of(fresh) == DEFAULTS | {"stage": "norm", "query": "2.2"}
    fresh.wait_for_timeout(400)
    assert fresh.evaluate("location.hash") == "#stage=norm&query=2.2"


# Calm ------------------------------------------------------------------------------------------


def step_ends() -> set[float]:
    """When a step of a chapter ends, in milliseconds of its chapter, and 0."""
    found = {0.0}
    for chapter in chapters().values():
        begin = 0.0
        for step in chapter.steps:
            begin += step.ms
            found.add(begin)
        found.add(float(chapter.ms))
    return found


def test_with_reduced_motion_it_steps(browser: Browser, served: str) -> None:
    context = browser.new_context(reduced_motion="reduce", viewport={"width": 1350, "height": 940})
    page = opened(context, served)
    button(page, "step-on").click()
    page.wait_for_function(f"{PLAYER}.state.stage === 'mix'")
    assert state_of(page)["at"] == "1"
    assert page.evaluate(f"{MOVING}.length") == 0
    put(page, {"stage": "patches", "speed": "4"})
    page.evaluate(
        f"""window.times = new Set(); (function look() {{
          for (const animation of {MOVING}) times.add(`${{animation.playState}} ${{animation.currentTime}}`);
          requestAnimationFrame(look);
        }})()"""
    )
    button(page, "play").click()
    page.wait_for_function(f"{PLAYER}.state.stage === 'embed'")
    button(page, "play").click()
    stops(page)
    seen = [time.split() for time in page.evaluate("[...times]")]
    assert {how for how, _ in seen} <= {"paused"}
    assert {float(time) for _, time in seen} <= step_ends()
    context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_in_the_middle_of_a_chapter(
    browser: Browser, served: str, scheme: str
) -> None:
    context = browser.new_context(color_scheme=scheme, viewport={"width": 1350, "height": 940})  # type: ignore[arg-type]
    page = opened(context, served, address(dict(DEFAULTS) | {"stage": "softmax", "at": "0.97"}))
    found = Axe().run(page, context="vit-player")
    context.close()
    assert found.violations_count == 0, found.generate_report()


# Without JavaScript ----------------------------------------------------------------------------


@pytest.mark.parametrize("calm", [False, True])
def test_without_scripts_it_plays_when_ticked_and_pauses(
    browser: Browser, served: str, calm: bool
) -> None:
    context = browser.new_context(
        java_script_enabled=False,
        reduced_motion="reduce" if calm else "no-preference",
        viewport={"width": 1200, "height": 900},
    )
    page = context.new_page()
    page.goto(f"{served}/index.html")
    plate = page.locator("#stage-patches")
    player = page.locator("vit-player")
    assert not plate.is_visible()
    still = player.screenshot()
    page.wait_for_timeout(500)
    assert player.screenshot() == still, "it moves by itself"
    tick = page.locator(".va-asked .va-playing")
    assert tick.is_visible() == (not calm)
    assert not button(page, "play").is_visible()
    if not calm:
        tick.check()
        page.wait_for_timeout(1500)
        assert plate.is_visible()
        assert player.screenshot() != still
        page.locator(".va-asked .va-paused").check()
        held = player.screenshot()
        page.wait_for_timeout(700)
        assert player.screenshot() == held
        tick.uncheck()
        assert not plate.is_visible()
    context.close()


@pytest.fixture
def unscripted(browser: Browser, served: str, request: pytest.FixtureRequest) -> Iterator[Page]:
    width, height = getattr(request, "param", (1200, 900))
    context = browser.new_context(
        java_script_enabled=False, viewport={"width": width, "height": height}
    )
    page = context.new_page()
    page.goto(f"{served}/index.html")
    yield page
    context.close()


def to(page: Page, stage: str, share: float) -> None:
    """The film of the style sheet, held at a moment of a chapter."""
    ms = sum(
        chapter.ms for name, chapter in chapters().items() if ORDER.index(name) < ORDER.index(stage)
    )
    ms += int(share * chapters()[stage].ms)
    page.locator(".va-asked .va-playing").check()
    page.evaluate(
        f"{MOVING}.forEach((animation) => {{ animation.pause(); animation.currentTime = {ms}; }})"
    )


def test_without_scripts_a_weight_is_as_solid_as_in_the_plate(unscripted: Page) -> None:
    solid = """[...document.querySelectorAll(".va-cells [class*=' w']")].map(
      (cell) => getComputedStyle(cell).fillOpacity)"""
    still = unscripted.evaluate(solid)
    assert len(set(still)) > 5
    unscripted.locator("vit-player .va-stage", has_text="norm").click()
    assert set(unscripted.evaluate(solid)) == {"0"}
    to(unscripted, "softmax", 0.95)
    assert unscripted.evaluate(solid) == still


@pytest.mark.parametrize(
    ("stage", "kind"),
    [("qkv", "colours"), ("scores", "squares"), ("softmax", "weights"), ("mlp", "alone")],
)
def test_without_scripts_the_legend_says_what_the_colours_mean(
    unscripted: Page, stage: str, kind: str
) -> None:
    to(unscripted, stage, 0.6)
    for name in ("colours", "squares", "weights", "alone"):
        shown = unscripted.locator(f".va-legend > .va-key-{name}").is_visible()
        assert shown == (name == kind), name


def test_without_scripts_no_stage_can_be_chosen_while_it_plays(unscripted: Page) -> None:
    stages = unscripted.locator("vit-player .va-stage")
    colour = "label => getComputedStyle(label).color"
    chosen = "document.querySelector('.va-stages :checked').value"
    inks = {stages.nth(n).evaluate(colour) for n in range(12)}
    to(unscripted, "norm", 0.5)
    assert not inks & {stages.nth(n).evaluate(colour) for n in range(12)}
    box = stages.nth(9).bounding_box()
    assert box is not None
    unscripted.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    assert unscripted.evaluate(chosen) == "softmax"
    assert not unscripted.locator(".va-stages input").first.is_visible()
    unscripted.locator(".va-asked .va-playing").uncheck()
    stages.nth(9).click()
    assert unscripted.evaluate(chosen) == "heads"


@pytest.mark.parametrize("unscripted", [(360, 740)], indirect=True)
def test_without_scripts_the_photograph_steps_aside_on_a_phone(unscripted: Page) -> None:
    top, bottom = unscripted.evaluate(EDGES, ".va-photo")
    assert bottom - top > 300
    to(unscripted, "qkv", 0.3)
    top, bottom = unscripted.evaluate(EDGES, ".va-photo")
    assert bottom - top < 170
    unscripted.mouse.move(180, 500)
    unscripted.mouse.wheel(0, 520)
    unscripted.wait_for_timeout(400)
    top, bottom = unscripted.evaluate(EDGES, ".va-asked .va-paused")
    assert 44 <= top < bottom <= 740


def test_with_scripts_the_tick_boxes_are_away(page: Page) -> None:
    assert not page.locator(".va-asked").first.is_visible()
    assert button(page, "play").is_visible()
