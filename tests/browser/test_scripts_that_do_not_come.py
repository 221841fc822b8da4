"""Each script of the site blocked or late: what is shown works, or is not shown, or says so."""

import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect

from figures_src.explorer import element
from figures_src.inputs.photographs import TITLES
from figures_src.player import arrival
from figures_src.player import element as player
from figures_src.player.film.controls import REST
from figures_src.player.registry import folds
from tests.browser import explorer_page
from tests.browser.conftest import Watch
from tests.browser.film_page import PLAYING, button
from tests.browser.player_page import PLAYER, ready
from vitattn_core import STAGES

# Figures: their page, their scripts, what tells that they are ready.
FIGURES = {
    "vit-player": ("index.html", player.SCRIPTS, ready),
    "vit-explorer": ("checkpoint.html", element.SCRIPTS, explorer_page.ready),
}
# The controls of an element that a reader sees and could use.
USABLE = """(element) => [...element.querySelectorAll("button, input, summary, a[href]")]
  .filter((control) => !control.closest("[inert]") && control.checkVisibility({ visibilityProperty: true }))
  .filter((control) => control.getClientRects().length > 0)
  .map((control) => control.value || control.className)"""


class Gate:
    """Requests of some scripts, which wait until they are let through or refused."""

    def __init__(self, page: Page, *names: str, of: str = "") -> None:
        """names: of files; of: instead, a pattern of addresses."""
        self.page, self.waiting = page, list[Route]()
        self.pattern = re.compile(of or rf"/({'|'.join(map(re.escape, names))})$")
        page.route(self.pattern, lambda route: self.waiting.append(route))

    def open(self, *, refuse: bool = False) -> None:
        self.page.unroute(self.pattern)
        for route in self.waiting:
            route.abort() if refuse else route.continue_()

    def reached(self) -> None:
        for _ in range(200):
            if self.waiting:
                return
            self.page.wait_for_timeout(25)
        pytest.fail(f"nothing asked for {self.pattern.pattern}")


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page(viewport={"width": 1350, "height": 940})
    yield page
    page.close()


def goes_on_as_a_still(page: Page, name: str) -> None:
    """Without its scripts the figure has left what works without: stages and film, or nothing."""
    if name == "vit-explorer":
        assert page.locator(name).evaluate(USABLE) == []
        return
    page.locator(
        ".va-asked .va-playing"
    ).wait_for()  # its style sheet comes with the figure's notice
    usable = page.locator(name).evaluate(USABLE)
    assert set(usable) == {*(stage.id for stage in STAGES), "on"}
    for stage in ("norm", "softmax"):
        page.locator(f"{name} .va-stage", has_text=stage).click()
        expect(page.locator(f"#stage-{stage}")).to_be_visible()
        expect(page.locator(".va-plate:visible")).to_have_count(1)
    page.locator(".va-asked .va-playing").check()
    expect(page.locator("#stage-patches")).to_be_visible()
    page.locator(".va-asked .va-playing").uncheck()


@pytest.mark.parametrize("name", FIGURES)
def test_a_figure_without_one_of_its_scripts_says_so_and_goes_on(
    page: Page, served: str, name: str
) -> None:
    home, scripts, _ = FIGURES[name]
    watch = Watch().on(page)
    note = page.locator(f"{name} > .va-note")
    for script in (*scripts, ""):
        file = Path(script).name or "attention.js"
        names = [file] if script else [Path(each).name for each in scripts]
        gate = Gate(page, *names)
        page.goto(f"{served}/{home}", wait_until="commit")
        waits = page.locator(f"{name}.is-waiting")
        waits.wait_for()
        assert waits.evaluate(USABLE) == [], f"{names} late: what is shown does not answer"
        expect(waits.get_by_text(arrival.ON_ITS_WAY)).to_be_visible()
        gate.reached()
        gate.open(refuse=True)
        page.locator(f"{name}.is-still").wait_for()
        expect(note).to_contain_text(arrival.MISSING.format(file))
        expect(note).to_be_in_viewport()
        page.wait_for_load_state()
        goes_on_as_a_still(page, name)
    errors = [
        line for line in watch.console if "Failed to load" not in line and "failed:" not in line
    ]
    assert not errors


@pytest.mark.parametrize("name", FIGURES)
def test_scripts_that_are_late_find_the_figure_as_if_they_had_come_at_once(
    browser: Browser, served: str, name: str
) -> None:
    home, scripts, ready_ = FIGURES[name]
    page = browser.new_page(viewport={"width": 1350, "height": 940})
    watch = Watch().on(page)
    page.clock.install()
    gate = Gate(page, *(Path(script).name for script in scripts))
    page.goto(f"{served}/{home}", wait_until="commit")
    page.locator(f"{name}.is-waiting").wait_for()
    gate.reached()
    page.clock.fast_forward(arrival.SLOW)
    page.locator(f"{name}.is-still").wait_for()
    note = page.locator(f"{name} > .va-note")
    expect(note).to_contain_text(arrival.LATE)
    goes_on_as_a_still(page, name)
    if name == "vit-player":
        page.locator(f"{name} .va-stage", has_text="norm").click()
        page.locator(".va-asked .va-playing").check()
    gate.open()
    ready_(page)
    assert note.text_content() == ""
    assert page.locator(f"{name}:is(.is-still, .is-waiting), {name} [inert]").count() == 0
    if name == "vit-player":
        assert page.evaluate(f"{PLAYER}.state.stage") == "norm", "what the reader chose meanwhile"
        assert page.locator(".va-now").text_content() == REST
        expect(page.locator(".va-plate:visible")).to_have_count(1)
        expect(page.locator(".va-asked").first).not_to_be_visible()
    page.locator(f"{name} .va-cells [data-token='33']").click()
    page.wait_for_function(f"document.querySelector('{name}').state.query !== '5.4'")
    assert not watch.console
    page.close()


# Scripts that come when they are asked for ---------------------------------------------------------


def told(page: Page, near: str, what: str) -> None:
    """One line of the player says it, the one near: in the window, and heard."""
    note = page.locator(near)
    expect(note).to_contain_text(what)
    expect(note).to_be_in_viewport(ratio=1)
    assert note.get_attribute("role") == "status"
    expect(page.locator("vit-player .va-note:not(:empty)")).to_have_count(1)


def late_then_refused(
    page: Page, gate: Gate, ask: Callable[..., object], near: str, what: str
) -> None:
    """Ask for what needs a script: while it is late, and once it is refused, the line near says so."""
    ask()
    told(page, near, "is on its way …")
    gate.reached()
    gate.open(refuse=True)
    told(page, near, what)


def test_what_a_control_needs_is_told_beside_it_and_can_be_tried_again(
    page: Page, served: str, site: Path
) -> None:
    page.goto(f"{served}/index.html")
    ready(page)
    asked = set[str]()
    tools = "vit-player > .va-controls > .va-note"

    def refused(script: str, ask: Callable[..., object], near: str, what: str = "") -> None:
        asked.add(script)
        name = Path(script).name
        late_then_refused(page, Gate(page, name), ask, near, what or f"{name} could not be loaded")

    for script in ("assets/timeline.js", "javascripts/film.js"):
        refused(script, button(page, "play").click, "vit-player > .va-note")
        assert not page.evaluate(PLAYING)
    button(page, "play").click()
    page.wait_for_function(PLAYING)
    button(page, "play").click()

    refused("javascripts/tools.js", button(page, "show-keys").click, tools)
    button(page, "show-keys").click()
    page.locator(".va-keys").wait_for()
    page.locator("[data-action=close-keys]").click()

    for entry in folds():
        scripts = [f"javascripts/{name}.js" for name in (*entry.needs, entry.name)]
        scripts += [f"assets/fold-{entry.name}.js"] if entry.late else []
        asked |= set(scripts)
        near = f"[data-part={entry.name}] > .va-note"
        fold = page.locator(f"[data-part={entry.name}]")
        body = fold.locator("> .va-fold-body")
        again = page.locator(near).get_by_role("button", name="Try again")
        gates = [Gate(page, Path(script).name) for script in scripts]  # all are asked for at once
        for gate, script in zip(gates, scripts, strict=True):
            ask = fold.locator("> summary") if gate is gates[0] else again
            late_then_refused(page, gate, ask.click, near, f"{Path(script).name} could not")
            assert not body.is_visible(), "what cannot answer is not shown"
        again.click()
        expect(body).to_be_visible()
        expect(page.locator(near)).to_be_empty()
        fold.locator("> summary").click()

    for photo, title in TITLES.items():
        choice = page.locator(f"vit-player [data-state=photo][value={photo}]")
        if (site / f"assets/photo-{photo}.js").is_file():
            check = partial(choice.check, force=True)
            refused(f"assets/photo-{photo}.js", check, tools, f"{title} could not be loaded")
            ready(page)  # what was there before is shown and chosen again
        choice.check(force=True)
        page.wait_for_function(f"{PLAYER}.state.photo === '{photo}'")
        ready(page)
        with page.expect_download():
            left_out = "could not be loaded and is left out"
            refused(f"assets/picture-{photo}.js", button(page, "save-plate").click, tools, left_out)
        with page.expect_download():
            button(page, "save-plate").click()
        expect(page.locator(tools)).to_contain_text("Saved: ")
        expect(page.locator(tools)).not_to_contain_text(left_out)

    ours = {path.relative_to(site).as_posix() for path in site.glob("*/*.js")}
    ours -= {"search/worker.js"}
    assert asked | {*player.SCRIPTS, *element.SCRIPTS} == ours, "every script of ours has been held"


def test_a_layer_that_is_late_or_refused_is_told_beside_its_control(
    page: Page, served: str
) -> None:
    page.goto(f"{served}/checkpoint.html")
    explorer_page.ready(page)
    ways = {
        "[data-state=layer][value='2']": "vit-explorer > .va-note",
        "[data-state=photo][value=rocket]": "vit-explorer > .va-controls > .va-note",
    }
    for control, near in ways.items():
        gate = Gate(page, of=r"/assets/learned/.*\.js$")
        page.locator(f"vit-explorer {control}").check(force=True)
        note = page.locator(near)
        expect(note).to_contain_text("is on its way …")
        expect(note).to_be_in_viewport(ratio=1)
        gate.open(refuse=True)
        expect(note).to_contain_text("could not be loaded")
        expect(note).to_be_in_viewport(ratio=1)
        page.locator(f"vit-explorer {control}").check(force=True)
        explorer_page.ready(page)
        expect(note).to_be_empty()


def test_the_search_says_that_it_did_not_come_and_tries_again(page: Page, served: str) -> None:
    page.route("**/bundle.*.js", lambda route: route.abort())
    page.goto(f"{served}/notation.html")
    box = page.locator(".md-search__input")
    box.click()
    said = page.locator(".md-search-result__meta")
    expect(said).to_contain_text("The search could not be loaded")
    page.unroute("**/bundle.*.js")
    page.keyboard.type("softmax", delay=20)
    page.locator(".md-search-result__link").first.wait_for()
