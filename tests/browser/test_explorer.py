"""The explorer of learned attention: what stands on screen is the core's row, by every way to it."""

import json
import math
import random
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Page, Route

from figures_src import captures, learned
from figures_src.tokens import weight_level
from figures_src.written import fixed
from tests.browser.conftest import Watch
from tests.browser.player_page import IDLE
from tests.serving import files, weights
from vitattn_core import key_mask, products, softmax
from vitattn_core.masks import hide

State = dict[str, str]

GRID, DEFAULTS = captures.GRID, learned.DEFAULTS
EXPLORER = "document.querySelector('vit-explorer')"
READY = f"{EXPLORER}?.row && !{EXPLORER}.hasAttribute('aria-busy')"
COUNT = 200
FIRST_VIEW = 250_000  # bytes, text as gzip
LAYER = 205_000


def word(token: int) -> str:
    """A row of the sequence as an address names it."""
    return "cls" if token < GRID.prefix else "{}.{}".format(*GRID.place(token))


def token_of(words: str) -> int:
    return 0 if words == "cls" else GRID.token(*map(int, words.split(".")))


def random_states(seed: int, count: int, *, switched: bool = False) -> list[State]:
    """Seeded states; `switched`: with other divisors, dropped keys, ranges, and the mean of heads."""
    dice = random.Random(seed)
    choices = learned.states()
    found = []
    for _ in range(count):
        state = dict(DEFAULTS) | {name: dice.choice(choices[name]) for name in ("photo", "layer")}
        state["head"] = dice.choice(choices["head"] if switched else choices["head"][:-1])
        state["query"] = word(0 if dice.random() < 0.05 else dice.randrange(GRID.tokens))
        if switched:
            state |= {name: dice.choice(choices[name]) for name in ("divisor", "range")}
            few = dice.sample(range(GRID.tokens), dice.randrange(4))
            state["dropped"] = ",".join(word(token) for token in few)
        found.append(state)
    return found


def rows(state: State) -> np.ndarray:
    """All rows (257, 257) of a state, from the captures and through the core."""
    layer = captures.load(state["photo"], int(state["layer"]))
    heads = range(captures.HEADS) if state["head"] == "mean" else [int(state["head"]) - 1]
    divisor = {"head": 8.0, "model": math.sqrt(384), "none": 1.0}[state["divisor"]]
    keep = np.ones(GRID.tokens, dtype=bool)
    if state["dropped"]:
        keep[[token_of(key) for key in state["dropped"].split(",")]] = False
    scores = (products(layer.Q[head], layer.K[head]) / divisor for head in heads)
    return np.mean([softmax(hide(one, key_mask(keep))) for one in scores], axis=0)


def address(state: State) -> str:
    told = {name: value for name, value in state.items() if value != DEFAULTS[name]}
    return f"#{urlencode(told, safe=',')}" if told else ""


def ready(page: Page) -> Page:
    page.wait_for_function(READY)
    page.evaluate(IDLE)
    return page


def opened(where: Browser | BrowserContext, base: str, hash_: str = "", **options: object) -> Page:
    page = where.new_page(**options) if isinstance(where, Browser) else where.new_page()  # type: ignore[arg-type]
    page.goto(f"{base}/checkpoint.html{hash_}")
    return ready(page)


def put(page: Page, change: State) -> None:
    page.evaluate(f"async (change) => {{ await {EXPLORER}.set(change); await {IDLE}; }}", change)


def state_of(page: Page) -> State:
    told, attributes = json.loads(
        page.evaluate(
            f"""(names) => JSON.stringify([{EXPLORER}.state,
              Object.fromEntries(names.map((name) => [name, {EXPLORER}.getAttribute(name)]))])""",
            list(DEFAULTS),
        )
    )
    assert told == attributes
    return told


def note_of(page: Page) -> str:
    return page.locator("vit-explorer .va-note").inner_text().strip()


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


@pytest.fixture(autouse=True)
def _default(request: pytest.FixtureRequest) -> None:
    """Each test of the shared page starts at the default, with nothing in focus."""
    if "page" in request.fixturenames:
        shared: Page = request.getfixturevalue("page")
        shared.mouse.move(0, 0)
        shared.evaluate("document.activeElement.blur()")
        put(shared, dict(DEFAULTS))


# What stands on screen -----------------------------------------------------------------------------

SEEN = f"""async (change) => {{
  await {EXPLORER}.set(change);
  await {IDLE};
  const text = (mark) => mark.textContent;
  const all = (which) => [...{EXPLORER}.querySelectorAll(which)];
  const level = (cell) => Number(/w(\\d+)/.exec(cell.getAttribute("class"))?.[1] ?? 0);
  const paths = (map) => [...map.querySelectorAll("[data-step]")].map((p) => p.getAttribute("d"));
  return JSON.stringify({{
    row: {EXPLORER}.row,
    levels: all(".va-cells [data-token]").map(level),
    readouts: Object.fromEntries(all("[data-readout]").map((mark) => [mark.dataset.readout, text(mark)])),
    range: text(all("[data-t='range.end']")[0]),
    query: all(".va-photo .va-mark.is-query")[0].getAttribute("transform"),
    maps: all("[data-map]").map(paths),
    shares: all("[data-map] [data-t$='.cls']").map(text),
    picture: all("image")[0].getAttribute("href"),
  }});
}}"""


def seen(page: Page, state: State) -> dict:
    page.mouse.move(0, 0)
    return json.loads(page.evaluate(SEEN, state))


def check(found: dict, state: State, every: np.ndarray) -> None:
    query = token_of(state["query"])
    row = every[query]
    end = row.max() if state["range"] == "fit" else every.max()
    assert abs(np.array(found["row"]) - row).max() <= 1e-6
    assert found["levels"] == [weight_level(float(weight), float(end)) for weight in row]
    entropy = -sum(a * math.log(a) for a in row if a > 0)
    told = found["readouts"]
    assert told["top-weight"] == fixed(row.max(), 3)
    assert told["cls-share"] == fixed(row[0], 3)
    assert told["row-sum"] == "1.000"
    assert told["entropy"] == fixed(entropy, 2)
    assert told["keys"] == fixed(math.exp(entropy), 1)
    assert told["distance"] == learned.distance_text(learned.mean_distance(row, query))
    assert found["range"] == fixed(end, 3)
    side, top = learned.FIELD.cell, learned.FIELD.cls_top
    down, across = GRID.place(query) if query else (0, 0)
    assert found["query"] == f"translate({side * across} {side * down if query else top})"
    assert found["picture"].endswith(f"photos/{state['photo']}.webp")


@pytest.mark.parametrize("part", range(4))
def test_the_row_on_screen_is_the_core_s_row(page: Page, part: int) -> None:
    for state in random_states(part, COUNT // 4):
        row = captures.row(
            *(state["photo"], int(state["layer"]), int(state["head"])), token_of(state["query"])
        )
        every = np.zeros((GRID.tokens, GRID.tokens))
        every[token_of(state["query"])] = row
        check(seen(page, state), state, every)


def test_the_row_of_cls_on_screen_is_the_model_s(page: Page) -> None:
    """In every layer, against the model's own float32 row, within what the manifest says is lost."""
    half = 2.0**-11  # the committed rows keep eleven bits
    dice = random.Random(7)
    for layer in range(1, captures.LAYERS + 1):
        photo, head = dice.choice(captures.PHOTOS), dice.randrange(captures.HEADS)
        lost = captures.manifest()["files"][captures.name_of(photo, layer)]["lost"]
        state = {"photo": photo, "layer": str(layer), "head": str(head + 1), "query": "cls"}
        shown = np.array(seen(page, DEFAULTS | state)["row"])
        off = np.abs(shown - captures.cls_rows(photo)[layer - 1, head])
        assert off.max() <= lost["weight"] + half
        assert off.sum() / 2 <= lost["row"] + 2 * half


def test_so_is_a_row_of_a_changed_mechanism(page: Page) -> None:
    for state in random_states(5, 24, switched=True):
        found = seen(page, state)
        check(found, state, rows(state))
        changed = state["divisor"] != "head" or state["dropped"] != ""
        assert page.locator("vit-explorer .va-changed").is_visible() == changed


def test_the_six_maps_are_the_layer_s_heads(page: Page) -> None:
    """Which patch lies in which of the steps of paint, for all six, whatever head is picked."""
    for state in random_states(6, 8, switched=True):
        found = seen(page, state)
        for head in range(1, captures.HEADS + 1):
            every = rows(state | {"head": str(head)})
            row = every[token_of(state["query"])]
            end = row.max() if state["range"] == "fit" else every.max()
            steps = found["maps"][head - 1]
            drawn = {}
            for n, path in enumerate(steps, start=1):
                for part in path.split("M")[1:]:
                    across, down = map(int, part.partition("h")[0].split())
                    drawn[GRID.token(down, across)] = n
            expected = {
                token: math.ceil(row[token] / end * len(steps) - 1e-9)
                for token in range(GRID.prefix, GRID.tokens)
                if row[token] >= end / 50
            }
            assert drawn == expected
            assert found["shares"][head - 1] == fixed(row[0], 3)


def test_a_pointed_key_s_line_adds_up(page: Page) -> None:
    """True score, divisor, exponential and weight, as printed, for keys of several rows."""
    dice = random.Random(7)
    for state in random_states(8, 12):
        state |= {"divisor": dice.choice(("head", "model", "none"))}
        put(page, state)
        key = dice.randrange(GRID.tokens)
        page.evaluate(f"{EXPLORER}.point({key})")
        page.evaluate(IDLE)
        names = ["product", "score", "top", "exponential", "total", "weight"]
        line = page.evaluate(
            f"""(names) => names.map((name) =>
              {EXPLORER}.querySelector(`[data-t='line.${{name}}']`).textContent)""",
            names,
        )
        layer = captures.load(state["photo"], int(state["layer"]))
        head, query = int(state["head"]) - 1, token_of(state["query"])
        divisor = {"head": 8.0, "model": math.sqrt(384), "none": 1.0}[state["divisor"]]
        score = layer.Q[head, query] @ (layer.K[head, key] + layer.mean_key[head]) / divisor
        told = page.locator("vit-explorer [data-readout=score]").inner_text()
        assert told == fixed(score, 2)
        if "·" in "".join(line):
            continue  # a power of ten: read elsewhere
        product, scored, top, exponential, total, weight = (
            float(text.strip("()").replace("−", "-")) for text in line
        )
        assert product / divisor == pytest.approx(scored, abs=0.6 * 10.0 ** -_digits(line[1]))
        assert math.exp(scored - top) == pytest.approx(exponential, rel=0.06)
        assert exponential / total == pytest.approx(weight, rel=0.06)
        assert weight == pytest.approx(float(rows(state)[query, key]), rel=0.06)


def _digits(text: str) -> int:
    return len(text.partition(".")[2])


def test_the_drawn_default_is_the_filled_default(browser: Browser, page: Page, served: str) -> None:
    texts = f"""() => JSON.stringify([...{EXPLORER}.querySelectorAll(
        "[data-t], .va-cells [data-token], [data-step], .va-mark")]
      .map((m) => [m.dataset.t ?? "", m.dataset.t ? m.textContent : "", m.getAttribute("class") ?? "",
        m.getAttribute("d") ?? "", m.getAttribute("transform") ?? ""]))"""
    context = browser.new_context(java_script_enabled=False)
    still = context.new_page()
    still.goto(f"{served}/checkpoint.html")
    drawn = json.loads(still.evaluate(texts))
    context.close()
    put(page, {"layer": "3", "head": "2", "query": "0.0", "range": "fixed", "photo": "rocket"})
    assert json.loads(page.evaluate(texts)) != drawn
    put(page, dict(DEFAULTS))
    assert json.loads(page.evaluate(texts)) == drawn
    assert len(drawn) > 300


# Address, attributes, history ----------------------------------------------------------------------


def test_an_address_leads_back_to_its_state(browser: Browser, page: Page, served: str) -> None:
    context = browser.new_context()
    for state in random_states(9, 6, switched=True):
        put(page, state)
        hash_ = page.evaluate("location.hash")
        assert hash_ == address(state)
        fresh = opened(context, served, hash_)
        assert state_of(fresh) == state
        assert fresh.evaluate(f"{EXPLORER}.row") == page.evaluate(f"{EXPLORER}.row")
        assert note_of(fresh) == ""
        fresh.close()
    context.close()


def test_attributes_set_the_state(page: Page) -> None:
    for name, value in {"layer": "4", "head": "2", "query": "cls", "divisor": "none"}.items():
        page.evaluate(f"{EXPLORER}.setAttribute({name!r}, {value!r})")
        ready(page)
        assert state_of(page)[name] == value
    page.evaluate(f"{EXPLORER}.setAttribute('layer', '13')")
    ready(page)
    assert state_of(page)["layer"] == DEFAULTS["layer"]
    assert "layer" in note_of(page)


@pytest.mark.parametrize(
    "hash_",
    [
        *(
            "#layer=0",
            "#layer=13",
            "#layer=09",
            "#head=7",
            "#query=16.0",
            "#query=5,4",
            "#photo=own",
        ),
        *("#divisor=off", "#dropped=7.5,7.5", "#range=", "#stage=mix", "#layer=4&layer=4", "#="),
        *("#constructor=x", "#layer=%E0%A4%A", "#photo=../../x"),
    ],
)
def test_a_broken_address_gives_the_default_and_a_note(page: Page, hash_: str) -> None:
    put(page, {"layer": "4"})
    page.evaluate("(hash) => { location.hash = hash; }", hash_)
    page.wait_for_function(f"{EXPLORER}.state.layer === {DEFAULTS['layer']!r}")
    ready(page)
    assert state_of(page) == DEFAULTS
    assert note_of(page) != ""


def test_back_and_forward_walk_the_picks(page: Page) -> None:
    seen_ = [state_of(page)]
    for name, value in (("layer", "4"), ("head", "2"), ("photo", "coffee"), ("head", "mean")):
        page.locator(f"vit-explorer [data-state={name}][value='{value}']").check(force=True)
        page.wait_for_function(f"{EXPLORER}.state[{name!r}] === {value!r}")
        ready(page)
        seen_.append(seen_[-1] | {name: value})
        assert state_of(page) == seen_[-1]
    for step, expected in [
        *(("back", s) for s in seen_[-2::-1]),
        *(("forward", s) for s in seen_[1:]),
    ]:
        page.evaluate(f"history.{step}()")
        page.wait_for_function(f"location.hash === {address(expected)!r}")
        ready(page)
        assert state_of(page) == expected


def test_links_of_the_page_lead_to_their_states(page: Page) -> None:
    links = page.locator("a.va-state").all()
    assert len(links) >= 12 * 6 + 8
    for link in [*links[:6], *links[6::15]]:
        target = link.get_attribute("href") or ""
        put(page, {"layer": "2", "query": "9.9"})
        link.click()
        page.wait_for_function(f"location.hash === {target!r}")
        ready(page)
        told = dict(part.split("=") for part in target.removeprefix("#").split("&"))
        assert state_of(page) == DEFAULTS | told
        assert note_of(page) == ""


# By keyboard, by ear, by touch ---------------------------------------------------------------------


def test_tab_reaches_every_control(page: Page) -> None:
    page.locator("vit-explorer summary").click()
    count = page.evaluate(f"""() => {{
      window.wanted = [...{EXPLORER}.querySelectorAll("button, summary, input, [tabindex='0']")]
        .filter((e) => e.checkVisibility() && e.tabIndex >= 0 && (e.type !== "radio" || e.checked));
      const start = document.querySelector("h1");
      start.tabIndex = -1;
      start.focus();
      return wanted.length;
    }}""")
    # five groups of radio buttons (the heads are one), the grid, buttons, the fold
    assert count >= 5 + 1 + 4 + 1
    reached = set()
    for _ in range(count + 6):
        page.keyboard.press("Tab")
        place = page.evaluate("wanted.indexOf(document.activeElement)")
        if place >= 0:
            reached.add(place)
            outlined = page.evaluate("""() =>
              [document.activeElement, document.activeElement.closest("label")].filter(Boolean)
              .some((e) => getComputedStyle(e).outlineStyle !== "none"
                || getComputedStyle(e).strokeDasharray !== "none")""")
            assert outlined, page.evaluate("document.activeElement.outerHTML.slice(0, 120)")
    assert reached == set(range(count))
    assert state_of(page) == DEFAULTS
    page.locator("vit-explorer summary").click()


@pytest.mark.parametrize("name", ["photo", "layer", "head", "range", "divisor"])
def test_arrow_keys_go_through_every_choice(page: Page, name: str) -> None:
    if name == "divisor":
        page.locator("vit-explorer summary").click()
    page.locator(f"vit-explorer [data-state={name}]:checked").focus()
    found = {DEFAULTS[name]}
    for _ in learned.states()[name]:
        page.keyboard.press("ArrowRight")
        ready(page)
        found.add(state_of(page)[name])
    assert found == set(learned.states()[name])
    assert state_of(page) == DEFAULTS  # once around


def test_arrow_keys_reach_every_cell(page: Page) -> None:
    cell = page.locator("vit-explorer .va-cells [data-token='0']")
    cell.evaluate("(cell) => cell.focus({ focusVisible: true })")
    focus = "Number(document.activeElement.dataset.token ?? -1)"
    reached = {page.evaluate(focus)}
    page.keyboard.press("ArrowDown")
    reached.add(page.evaluate(focus))
    for down in range(GRID.rows):
        for _ in range(GRID.columns - 1):
            page.keyboard.press("ArrowRight" if down % 2 == 0 else "ArrowLeft")
            reached.add(page.evaluate(focus))
        page.keyboard.press("ArrowDown")
        reached.add(page.evaluate(focus))
    assert reached == set(range(GRID.tokens))
    assert state_of(page) == DEFAULTS, "to go there is to point, not to pick"


def test_enter_picks_and_delete_takes_out(page: Page) -> None:
    cell = page.locator(f"vit-explorer .va-cells [data-token='{GRID.token(7, 5)}']")
    cell.evaluate("(cell) => cell.focus({ focusVisible: true })")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    ready(page)
    assert state_of(page)["query"] == "8.5"
    page.keyboard.press("Delete")
    ready(page)
    assert state_of(page)["dropped"] == "8.5"
    assert page.evaluate(f"{EXPLORER}.row[{GRID.token(8, 5)}]") == 0
    page.keyboard.press("Delete")
    ready(page)
    assert state_of(page)["dropped"] == ""


def test_cells_and_changes_are_told(page: Page) -> None:
    page.locator("vit-explorer [data-state=layer][value='4']").check(force=True)
    ready(page)
    page.wait_for_function(f"{EXPLORER}.querySelector('[aria-live]').textContent !== ''")
    words = page.locator("vit-explorer [aria-live]").last.text_content() or ""
    assert words.startswith(f"Cat, layer 4, head {DEFAULTS['head']}. (7,5) reads most from ")
    row = captures.row("chelsea", 4, int(DEFAULTS["head"]), GRID.token(7, 5))
    page.wait_for_function(
        f"{EXPLORER}.querySelector('[data-token=\"0\"]').ariaLabel === 'CLS, weight {row[0]:.3f}'"
    )
    label = page.locator("vit-explorer .va-cells [data-token='20']").get_attribute("aria-label")
    assert label == f"patch row 1, column 3, weight {row[20]:.3f}"
    assert page.locator("vit-explorer [role=row]").count() == 1 + GRID.rows


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(browser: Browser, served: str, scheme: str) -> None:
    page = opened(browser, served, color_scheme=scheme, reduced_motion="reduce")
    page.locator("vit-explorer summary").click()
    for state in (
        DEFAULTS,
        DEFAULTS | {"head": "mean", "divisor": "model", "range": "fixed"},
        DEFAULTS | {"photo": "rocket", "layer": "1", "query": "cls", "dropped": "5.5,cls"},
    ):
        put(page, state)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
    shown = page.evaluate("document.body.dataset.mdColorScheme")
    assert shown == {"light": "default", "dark": "slate"}[scheme]
    page.close()


@pytest.mark.parametrize("width", [320, 360, 400, 768, 1024, 1440])
def test_nothing_is_wider_than_the_screen(page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 740})
    page.evaluate(IDLE)
    page.locator("vit-explorer summary").click()
    for head in (DEFAULTS["head"], "mean"):
        put(page, {"head": head, "divisor": "model"})
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    cell = page.locator("vit-explorer .va-cells [data-token='20']").bounding_box()
    assert cell is not None
    moves = page.locator("vit-explorer [data-action=go-right]")
    if cell["width"] < 23.9:  # then larger buttons do the same
        box = moves.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 24
        moves.click()
        ready(page)
        assert state_of(page)["query"] == "7.6"
    else:
        assert not moves.is_visible()
    small = page.evaluate(f"""() => [...{EXPLORER}.querySelectorAll("*")]
      .filter((e) => e.checkVisibility() && [...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()))
      .filter((e) => !e.closest("svg, .va-unseen") && parseFloat(getComputedStyle(e).fontSize) < 11)
      .map((e) => e.outerHTML)""")
    assert small == []
    page.locator("vit-explorer summary").click()
    page.set_viewport_size({"width": 1350, "height": 940})


# What is loaded ------------------------------------------------------------------------------------


def test_the_first_view_is_light_and_a_layer_comes_when_asked_for(
    browser: Browser, served: str, site: Path
) -> None:
    page = browser.new_page()
    watch = Watch().on(page)
    page.goto(f"{served}/checkpoint.html")
    ready(page)
    page.wait_for_load_state("networkidle")
    page.wait_for_timeout(500)
    sizes = weights(watch.asked, served, site)
    heads = [name for name in sizes if name.startswith("assets/learned/")]
    assert heads == [f"assets/learned/chelsea-09-{DEFAULTS['head']}.js"]
    assert "checkpoint.html" in sizes
    assert sum(sizes.values()) <= FIRST_VIEW, sorted(sizes.items(), key=lambda item: -item[1])

    before = files(watch.asked, served)
    put(page, {"layer": "4"})
    new = files(watch.asked, served) - before
    assert new == {f"assets/learned/chelsea-04-{head}.js" for head in range(1, 7)}
    assert sum((site / name).stat().st_size for name in new) <= LAYER
    put(page, {"query": "3.3", "head": "5", "divisor": "none"})
    assert files(watch.asked, served) - before == new, "what is there is not asked for again"
    assert not watch.console
    assert not watch.foreign
    page.close()


def test_over_http_and_from_disk(browser: Browser, base: str) -> None:
    page = browser.new_page()
    watch = Watch().on(page)
    page.goto(f"{base}/checkpoint.html#photo=rocket&layer=7&head=3&query=5.8")
    ready(page)
    state = DEFAULTS | {"photo": "rocket", "layer": "7", "head": "3", "query": "5.8"}
    check(seen(page, state), state, rows(state))
    assert not watch.console
    assert not watch.foreign
    page.close()


def test_a_layer_that_does_not_come_leaves_what_was_there(browser: Browser, served: str) -> None:
    page = opened(browser, served)

    def refuse(route: Route) -> None:
        route.abort()

    page.route("**/chelsea-05-*.js", refuse)
    before = page.evaluate(f"{EXPLORER}.row")
    put(page, {"layer": "5"})
    ready(page)
    assert state_of(page) == DEFAULTS
    assert page.evaluate("location.hash") == ""
    assert page.evaluate(f"{EXPLORER}.row") == before
    assert "Layer 5" in note_of(page)
    page.unroute("**/chelsea-05-*.js")
    put(page, {"layer": "5"})
    assert state_of(page)["layer"] == "5"
    page.close()


def test_without_scripts_the_sheet_and_the_first_view_are_there(
    browser: Browser, base: str
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{base}/checkpoint.html")
    maps = page.locator(".va-sheet a svg")
    assert maps.count() == captures.LAYERS * captures.HEADS
    assert all(found.is_visible() for found in maps.all()[::9])
    assert page.locator("vit-explorer .va-panel-photo").is_visible()
    assert page.locator("vit-explorer [data-map] svg").count() == captures.HEADS
    assert "reads most from" in page.locator("vit-explorer .va-says").inner_text()
    assert "may have been fine-tuned" in page.locator("vit-explorer .va-provenance").inner_text()
    for control in page.locator("vit-explorer :is(.va-controls, .va-step-key, .va-fold)").all():
        assert not control.is_visible()
    page.locator("vit-explorer noscript a").click()  # to the sheet
    assert page.evaluate("location.hash") == "#sheet"
    assert maps.first.evaluate("(map) => map.getBoundingClientRect().top < innerHeight")
    context.close()


def test_two_explorers_do_not_disturb_each_other(browser: Browser, served: str) -> None:
    page = opened(browser, served)
    page.evaluate(f"""() => {{
      const other = {EXPLORER}.cloneNode(true);
      other.setAttribute("layer", "4");
      document.body.append(other);
    }}""")
    page.wait_for_function("document.querySelectorAll('vit-explorer')[1]?.row")
    ready(page)
    told = page.evaluate("[...document.querySelectorAll('vit-explorer')].map((e) => e.state.layer)")
    assert told == [DEFAULTS["layer"], "4"]
    assert page.evaluate("location.hash") == ""
    twice = page.evaluate("""() => {
      const ids = [...document.querySelectorAll("[id]")].map((marked) => marked.id);
      return ids.filter((id, n) => ids.indexOf(id) < n);
    }""")
    assert twice == []
    page.close()


def test_a_choice_that_comes_too_early_leaves_no_map_behind(page: Page) -> None:
    """Back at the default while the maps of another layer are still being drawn, one after another."""
    maps = f"[...{EXPLORER}.querySelectorAll('[data-step]')].map((p) => p.getAttribute('d')).join()"
    put(page, {"layer": "3"})
    put(page, dict(DEFAULTS))
    before = page.evaluate(maps)
    interrupted = 0
    for wait in (0, 2, 4, 8, 12, 16, 24):
        half_way = page.evaluate(
            f"""async ([change, back, wait]) => {{
              const done = {EXPLORER}.set(change);
              await new Promise((resolve) => setTimeout(resolve, wait));
              const drawn = {maps};
              await {EXPLORER}.set(back);
              await done;
              return drawn;
            }}""",
            [{"layer": "3"}, dict(DEFAULTS), wait],
        )
        ready(page)
        interrupted += half_way != before
        assert page.evaluate(maps) == before
    assert interrupted, "no wait was long enough for one map to be drawn"
