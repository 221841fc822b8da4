"""The film in the player: played and stepped, by mouse, keyboard and touch, on the screen."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from figures_src.player.film.controls import REST
from figures_src.player.film.timeline import chapters
from tests.browser.film_page import EDGES, MOVING, ORDER, PLAYING, button, plays, stops
from tests.browser.player_page import IDLE, PLAYER, opened, put, ready, state_of

FILM = ("film.js", "timeline.js")


@pytest.fixture
def fresh(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


def at(page: Page) -> float:
    return float(state_of(page)["at"])


NOW = f"Math.max(...{MOVING}.map((animation) => animation.currentTime))"  # of the chapter, in ms


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


def test_after_a_chapter_too_short_to_be_told_the_next_begins_at_its_start(fresh: Page) -> None:
    put(fresh, {"stage": "patches", "at": "0", "speed": "4"})
    fresh.evaluate(f"""() => {{
      window.begins = [];
      {PLAYER}.addEventListener("change", () => {PLAYER}.state.stage === "embed" && begins.push({NOW}));
    }}""")
    button(fresh, "play").click()
    fresh.wait_for_function("begins.length > 0")
    assert fresh.evaluate("begins[0]") < 1000


def test_a_step_while_it_plays_goes_on_from_where_it_is(fresh: Page) -> None:
    assert plays(fresh) == "patches"
    fresh.wait_for_timeout(1500)
    assert at(fresh) == 0  # not told yet
    button(fresh, "step-on").click()
    fresh.evaluate(IDLE)
    assert fresh.evaluate(NOW) > 1400
    assert fresh.evaluate(PLAYING)
    stops(fresh)
    assert (state_of(fresh)["stage"], state_of(fresh)["at"]) == ("patches", "1")


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
