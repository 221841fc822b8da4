"""One state, three ways to it: attribute, control, address. It survives a reload, and nothing breaks it."""

import itertools
import json
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from figures_src import registry
from figures_src.settings import DEFAULTS, states
from tests.browser.conftest import Watch
from tests.browser.player_page import (
    IDLE,
    PLAYER,
    RECORD,
    State,
    address,
    alone,
    note_of,
    opened,
    put,
    random_states,
    ready,
    state_of,
)

COUNT = 200
ON_THE_WHOLE_PAGE = 12  # of them; the others in a page with nothing but the player
CHOICES = states()
HISTORIC = ("photo", "stage", "query", "head")


def whole_states(seed: int, count: int) -> list[State]:
    """Random states with what only an address or a script sets too."""
    dice = random.Random(seed)
    found = []
    for state in random_states(seed, count, switched=0.5):
        more = {
            "at": dice.choice(["0", "0.25", "0.5", "1"]),
            "speed": dice.choice(["0.5", "1", "2"]),
        }
        found.append(state | more)
    return found


@pytest.fixture
def page(browser: Browser, base: str) -> Iterator[Page]:
    page = opened(browser, base, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


@pytest.fixture(scope="module")
def small(browser: Browser) -> Iterator[Page]:
    """A page for the player alone."""
    page = browser.new_page(viewport={"width": 1350, "height": 940})
    page.add_init_script(RECORD)
    yield page
    page.close()


@pytest.fixture(scope="module")
def home(site: Path, tmp_path_factory: pytest.TempPathFactory) -> str:
    """Its address."""
    return alone(site, tmp_path_factory.mktemp("player"))


def load(page: Page, home: str, hash_: str = "") -> None:
    page.goto("about:blank")
    page.goto(home + hash_)
    ready(page)


def unseen(home: str) -> str:
    """The same page without layout and paint: states do not depend on them, and they take the time."""
    file = Path(home.removeprefix("file://"))
    html = file.read_text(encoding="utf-8")
    hidden = file.with_name("unseen.html")
    hidden.write_text(html.replace("</head>", "<style>body{display:none}</style></head>"))
    return hidden.as_uri()


def hash_of(page: Page) -> str:
    return page.evaluate("location.hash")


# Round trips ---------------------------------------------------------------------------------------


def test_states_survive_the_way_through_the_address(small: Page, home: str) -> None:
    """Set in one page, loaded afresh in another: the same state, the same attributes."""
    told = whole_states(11, COUNT)[ON_THE_WHOLE_PAGE:]
    home = unseen(home)
    load(small, home)
    hashes = []
    for state in told:
        put(small, state)
        hashes.append(hash_of(small))
        assert state_of(small) == state
    assert hashes == [address(state) for state in told]
    for state, hash_ in zip(told, hashes, strict=True):
        load(small, home, hash_)
        assert state_of(small) == state
        assert hash_of(small) == hash_
        assert note_of(small) == ""


def test_and_on_the_whole_page(page: Page, base: str) -> None:
    for state in whole_states(11, ON_THE_WHOLE_PAGE):
        page.goto("about:blank")
        page.goto(f"{base}/index.html{address(state)}")
        ready(page)
        assert state_of(page) == state
        assert (
            page.evaluate(f"{PLAYER}.shown.values.query") in page.locator(".va-picked").inner_text()
        )


def test_the_default_needs_no_address(page: Page) -> None:
    assert state_of(page) == DEFAULTS
    assert hash_of(page) == ""
    put(page, {"query": "7.5"})
    assert hash_of(page) == "#query=7.5"
    put(page, {"query": DEFAULTS["query"]})
    assert hash_of(page) == ""
    assert "#" not in page.url


def test_ready_is_told_once_and_change_after_each_change(small: Page, home: str) -> None:
    load(small, home, "#stage=mix")
    assert [name for name, _ in small.evaluate("said")] == ["ready"]
    put(small, {"query": "3.3", "head": "2"})
    put(small, {"query": "3.3"})
    put(small, {"photo": "rocket"})
    small.locator(".va-stages [value=softmax]").check(force=True)
    small.evaluate(IDLE)
    names, told = zip(*small.evaluate("said"), strict=True)
    assert names == ("ready", "change", "change", "change")
    assert [state["photo"] for state in told] == ["chelsea", "chelsea", "rocket", "rocket"]
    assert [state["query"] for state in told] == ["5.4", "3.3", "3.3", "3.3"]
    assert told[-1]["stage"] == "softmax"


# Three ways ----------------------------------------------------------------------------------------


def by_control(page: Page, name: str, value: str) -> None:
    if name == "query":
        token = page.evaluate(f"vitattn.words.tokenOf({json.dumps(value)})")
        page.locator(f"vit-player .va-cells [data-token='{token}']").click()
    elif name == "stage":
        page.locator(f"vit-player .va-stages [value='{value}']").check(force=True)
    else:
        page.locator(f"vit-player [data-state={name}][value='{value}']").check(force=True)


def controls(page: Page) -> dict[str, list[str]]:
    """The names that have radio buttons, and their values."""
    buttons = page.locator("vit-player input[type=radio]:enabled").all()
    found: dict[str, list[str]] = {}
    for button in buttons:
        name = button.get_attribute("data-state") or "stage"
        found.setdefault(name, []).append(button.get_attribute("value") or "")
    return found


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("stage", "mix"), ("query", "7.5"), ("query", "cls")),
        *(("head", "mean"), ("photo", "rocket"), ("range", "fixed")),
    ],
)
def test_three_ways_lead_to_the_same_state(page: Page, base: str, name: str, value: str) -> None:
    expected = DEFAULTS | {name: value}
    texts = []
    for way in ("attribute", "control", "address"):
        page.goto("about:blank")
        page.goto(f"{base}/index.html{address(expected) if way == 'address' else ''}")
        ready(page)
        if way == "attribute":
            page.evaluate(f"{PLAYER}.setAttribute({name!r}, {value!r})")
        elif way == "control":
            by_control(page, name, value)
        page.wait_for_function(f"{PLAYER}.state[{name!r}] === {value!r}")
        page.mouse.move(0, 0)  # a click points too: leave the photograph
        ready(page)
        assert state_of(page) == expected
        assert hash_of(page) == address(expected)
        checked = page.locator("vit-player input:checked").all()
        shown = {
            box.get_attribute("data-state") or "stage": box.get_attribute("value")
            for box in checked
        }
        assert shown.items() <= expected.items()
        texts.append([page.locator(part).inner_text() for part in (".va-scene", ".va-readouts")])
    assert texts[0] == texts[1] == texts[2]


def test_every_choice_has_its_control(page: Page) -> None:
    found = controls(page)
    for name in ("stage", "head", "photo", "range"):
        assert found[name] == CHOICES[name]
    assert found["stage"] == list(registry.plates())


def test_taking_an_attribute_away_gives_its_default(small: Page, home: str) -> None:
    load(small, home, "#stage=mix&query=7.5&head=mean")
    small.evaluate(f"{PLAYER}.removeAttribute('stage')")
    ready(small)
    assert state_of(small) == DEFAULTS | {"query": "7.5", "head": "mean"}
    assert note_of(small) == ""


@pytest.mark.parametrize("before", ["", "#stage=mix&query=7.5"])
def test_a_wrong_attribute_gives_its_default_and_a_note(
    small: Page, home: str, before: str
) -> None:
    load(small, home, before)
    for name, value in (("stage", "nope"), ("query", "14.0"), ("head", "0"), ("photo", "own")):
        small.evaluate(f"{PLAYER}.setAttribute({name!r}, {value!r})")
        ready(small)
        assert state_of(small)[name] == DEFAULTS[name]
        assert note_of(small) != ""


def test_what_stands_in_the_markup_is_shown(small: Page, site: Path, tmp_path: Path) -> None:
    """Also for the first player; an address is stronger, and a wrong value gives the default and a note."""
    marked = alone(site, tmp_path, stage="mix", query="7.5")
    load(small, marked)
    assert state_of(small) == DEFAULTS | {"stage": "mix", "query": "7.5"}
    assert small.locator("#stage-mix").is_visible()
    load(small, marked, "#stage=scores")
    assert state_of(small) == DEFAULTS | {"stage": "scores"}
    load(small, alone(site, tmp_path, stage="nope", query="7.5"))
    assert state_of(small) == DEFAULTS | {"query": "7.5"}
    assert "stage" in note_of(small)


# Addresses that are wrong --------------------------------------------------------------------------

HOSTILE = [
    *("#stage=nowhere", "#stage=", "#photo=own", "#photo=../../secret", "#head=0", "#head=4"),
    *("#query=14.0", "#query=0.14", "#query=05.4", "#query=5,4", "#query=-1.0", "#query=5.4.3"),
    *("#query=CLS", "#query=5.4%00", "#query=%205.4", "#query=1e1.0", "#query=", "#range=wide"),
    *("#playing=true", "#playing=", "#size=3", "#STAGE=mix", "#stage =mix", "#__proto__=x"),
    *("#constructor=Object", "#toString=1", "#stage=constructor", "#photo=__proto__"),
    *("#stage=mix&stage=mix", "#query=5.4&query=6.4", "#stage=mix&", "#&stage=mix", "#=", "#=mix"),
    *("#stage=mix=softmax", "#stage==mix", "#stage=%E0%A4%A", "#%73tage=mix", "#stage=%"),
    *("#query=<script>document.title='x'</script>", "#<img src=x onerror=alert(1)>=1"),
    *("#stage=javascript:alert(1)", "#dropped=5.4,5.4", "#dropped=,", "#dropped=5.4,"),
    *("#dropped=197", "#at=2", "#at=-0.1", "#at=NaN", "#at=", "#at=0x1", "#at=%201", "#at=1e-1"),
    *("#speed=0", "#speed=-1", "#speed=Infinity", "#speed=fast", "#speed=5", "#bug=nothing"),
    "#dropped=" + ",".join(["1.1"] * 20_000),
    "#" + "stage=mix&" * 5_000 + "head=2",
    "#query=" + "9" * 100_000,
]
HOSTILE += [f"#stage={undrawn}" for undrawn in registry.undrawn()]


@pytest.fixture(scope="module")
def loud(small: Page) -> Watch:
    return Watch().on(small)


@pytest.mark.parametrize("hash_", HOSTILE, ids=lambda text: text[:40])
def test_a_broken_address_gives_the_default_and_a_quiet_note(
    small: Page, loud: Watch, home: str, hash_: str
) -> None:
    loud.console.clear()
    load(small, home, hash_)
    assert state_of(small) == DEFAULTS
    assert note_of(small) != ""
    assert small.title() == "The player alone"

    put(small, {"stage": "mix", "query": "7.5"})
    assert note_of(small) == "", "the note goes with the next choice"
    small.evaluate("(hash) => { location.hash = hash; }", hash_)  # now from within the page
    small.wait_for_function(f"{PLAYER}.state.stage === {DEFAULTS['stage']!r}")
    ready(small)
    assert state_of(small) == DEFAULTS
    assert note_of(small) != ""
    assert not loud.console


def test_the_list_of_broken_addresses_is_not_refused_as_a_whole(small: Page, home: str) -> None:
    """What is like them and right is taken: percent signs, commas, every name at its default."""
    for hash_, change in (
        ("#query=5%2E5", {"query": "5.5"}),
        ("#dropped=cls,5.4", {"dropped": "cls,5.4"}),
        ("#dropped=cls%2C5.4", {"dropped": "cls,5.4"}),
        ("#at=0.5&speed=4", {"at": "0.5", "speed": "4"}),
        ("#" + "&".join(f"{name}={value}" for name, value in DEFAULTS.items()), {}),
    ):
        load(small, home, hash_)
        assert state_of(small) == DEFAULTS | change
        assert note_of(small) == ""


def test_a_value_that_cannot_be_changes_nothing(small: Page, home: str) -> None:
    load(small, home, "#stage=mix")
    put(small, {"stage": "nowhere", "query": "7.5"})
    assert state_of(small) == DEFAULTS | {"stage": "mix"}
    assert note_of(small) != ""
    assert hash_of(small) == "#stage=mix"


# Photographs ---------------------------------------------------------------------------------------


def test_a_photograph_that_does_not_come_gives_a_note_and_the_first(
    browser: Browser, served: str
) -> None:
    context = browser.new_context()
    context.route("**/photo-coffee.js", lambda route: route.abort())
    for hash_ in ("", "#photo=coffee&stage=mix"):
        page = opened(context, served, hash_)
        if not hash_:
            put(page, {"stage": "mix", "photo": "coffee"})
        page.wait_for_function(f"{PLAYER}.state.photo === {DEFAULTS['photo']!r}")
        ready(page)
        assert state_of(page) == DEFAULTS | {"stage": "mix"}
        assert hash_of(page) == "#stage=mix"
        assert "Coffee" in note_of(page)
        assert page.evaluate(f"{PLAYER}.hasAttribute('aria-busy')") is False
        page.close()
    context.unroute("**/photo-coffee.js")
    page = opened(context, served, "#photo=coffee")
    assert state_of(page)["photo"] == "coffee"
    context.close()


def test_a_photograph_is_asked_for_when_it_is_picked_and_once(page: Page, base: str) -> None:
    watch = Watch().on(page)
    asked = "[...document.scripts].map((s) => s.src).filter((s) => s.includes('photo-')).length"
    assert page.evaluate(asked) == 0
    for photo, count in (("rocket", 1), ("chelsea", 1), ("rocket", 1), ("coffee", 2)):
        put(page, {"photo": photo})
        assert state_of(page)["photo"] == photo
        assert page.evaluate(asked) == count
    assert not watch.console


def test_a_pick_while_a_photograph_is_on_its_way(browser: Browser, served: str) -> None:
    """The old row stays until the new photograph is there; then everything is shown, and nothing broke."""
    context = browser.new_context()
    page = opened(context, served)
    watch = Watch().on(page)
    held = []
    page.route("**/photo-rocket.js", lambda route: held.append(route))
    before = page.evaluate(f"JSON.stringify({PLAYER}.shown.values)")
    page.evaluate(f"{PLAYER}.set({{ photo: 'rocket' }}); 0")
    page.evaluate(f"{PLAYER}.set({{ stage: 'mix', head: '2' }}); 0")
    by_control(page, "query", "7.5")
    page.evaluate(IDLE)
    assert page.evaluate(f"JSON.stringify({PLAYER}.shown.values)") == before
    held[0].continue_()
    page.wait_for_function(f"{PLAYER}.shown.values.query === '(7,5)'")
    ready(page)
    assert state_of(page) == DEFAULTS | {
        "photo": "rocket",
        "stage": "mix",
        "head": "2",
        "query": "7.5",
    }
    told = page.evaluate(f"JSON.stringify({PLAYER}.shown.values)")
    fresh = opened(context, served, hash_of(page))
    assert fresh.evaluate(f"JSON.stringify({PLAYER}.shown.values)") == told
    assert not watch.console
    context.close()


def test_the_last_of_quick_picks_is_shown(small: Page, home: str) -> None:
    load(small, home)
    for order in itertools.permutations(("rocket", "coffee", "chelsea")):
        for photo in order:
            small.evaluate(f"{PLAYER}.set({{ photo: {photo!r} }}); 0")
        small.wait_for_timeout(50)
        ready(small)
        state = state_of(small)
        assert state["photo"] == order[-1]
        picture = small.locator("vit-player image").get_attribute("href") or ""
        assert picture.endswith(f"{order[-1]}.webp")


# Back and forward ----------------------------------------------------------------------------------


def test_back_and_forward_walk_the_picks(page: Page) -> None:
    picks: list[State] = [
        *({"stage": "scores"}, {"query": "7.5"}, {"head": "2"}, {"photo": "rocket"}),
        *({"query": "cls"}, {"head": "mean"}, {"stage": "softmax"}),
    ]
    length = page.evaluate("history.length")
    seen = [state_of(page)]
    for pick in picks:
        ((name, value),) = pick.items()
        by_control(page, name, value)
        page.wait_for_function(f"{PLAYER}.state[{name!r}] === {value!r}")
        ready(page)
        seen.append(seen[-1] | pick)
        assert state_of(page) == seen[-1]
    assert page.evaluate("history.length") == length + len(picks)
    for expected in reversed(seen[:-1]):
        page.evaluate("history.back()")
        page.wait_for_function(f"location.hash === {address(expected)!r}")
        ready(page)
        assert state_of(page) == expected
    for expected in seen[1:]:
        page.evaluate("history.forward()")
        page.wait_for_function(f"location.hash === {address(expected)!r}")
        ready(page)
        assert state_of(page) == expected
    assert note_of(page) == ""


def test_what_is_no_pick_makes_no_entry(page: Page) -> None:
    length = page.evaluate("history.length")
    by_control(page, "range", "fixed")
    page.evaluate(IDLE)
    assert hash_of(page) == "#range=fixed"
    for token in (3, 90, 150):
        page.locator(f"vit-player .va-cells [data-token='{token}']").hover()
    page.locator("vit-player .va-step-key").first.click()
    by_control(page, "stage", DEFAULTS["stage"])  # it is picked already
    put(page, {"at": "0.5", "speed": "2"})
    assert page.evaluate("history.length") == length
    assert page.evaluate("said.filter(([name]) => name === 'change').length") == 2


def test_an_anchor_of_the_page_leaves_the_player_alone(page: Page) -> None:
    """Whoever follows the table of contents and comes back finds what was picked."""
    put(page, {"stage": "mix", "query": "7.5"})
    picked = state_of(page)
    page.evaluate("document.querySelector('h2 > .headerlink').click()")
    page.wait_for_function("location.hash && !location.hash.includes('=')")
    ready(page)
    assert state_of(page) == picked
    put(page, {"query": "9.9"})
    page.evaluate("history.back()")  # to the anchor, where 7.5 was picked
    page.wait_for_function("!location.hash.includes('=')")
    ready(page)
    assert state_of(page) == picked
    page.evaluate("history.back()")
    page.wait_for_function("location.hash.includes('=')")
    ready(page)
    assert state_of(page) == picked
    assert note_of(page) == ""


def test_links_of_the_sections_lead_to_their_states(page: Page) -> None:
    links = page.locator("a.va-state").all()
    assert len(links) >= 4
    stages = set()
    for link in links:
        target = link.get_attribute("href") or ""
        put(page, {"stage": "norm", "query": "9.9", "head": "2"})
        link.click()
        page.wait_for_function(f"location.hash === {target!r}")
        ready(page)
        told = dict(part.split("=") for part in target.removeprefix("#").split("&"))
        assert state_of(page) == DEFAULTS | told
        top = page.evaluate(f"{PLAYER}.getBoundingClientRect().top")
        assert -5 <= top <= 200, "the player is not in view"
        assert note_of(page) == ""
        stages.add(told.get("stage", DEFAULTS["stage"]))
        page.evaluate("history.back()")
        page.wait_for_function(f"{PLAYER}.state.query === '9.9'")
    assert stages == set(CHOICES["stage"])


# Two players ---------------------------------------------------------------------------------------

ADD = {
    "clone": f"""() => {{
      const other = {PLAYER}.cloneNode(true);
      other.setAttribute("stage", "mix");
      document.body.append(other);
    }}""",
    "new": """() => {
      const other = document.createElement("vit-player");
      other.setAttribute("stage", "mix");
      document.body.append(other);
    }""",
}


@pytest.mark.parametrize("hash_", ["", "#query=cls&stage=norm&photo=rocket"])
@pytest.mark.parametrize("way", ADD)
def test_two_players_do_not_disturb_each_other(
    small: Page, loud: Watch, home: str, way: str, hash_: str
) -> None:
    """The second is made while the first shows its default, or a row whose bar has one part only."""
    load(small, home, hash_)
    loud.console.clear()
    before = state_of(small)
    small.evaluate(ADD[way])
    small.wait_for_function("document.querySelectorAll('vit-player')[1]?.shown")
    ready(small)
    told = small.evaluate("[...document.querySelectorAll('vit-player')].map((p) => p.state)")
    # A copy brings its attributes, a new one has but what it was given.
    assert told == [before, (before if way == "clone" else DEFAULTS) | {"stage": "mix"}]

    twice = small.evaluate("""() => {
      const ids = [...document.querySelectorAll("[id]")].map((marked) => marked.id);
      return ids.filter((id, n) => ids.indexOf(id) < n);
    }""")
    assert twice == []
    small.evaluate("""() => {
      for (const use of document.querySelectorAll("vit-player use")) {
        const target = document.querySelector(use.getAttribute("href"));
        if (target.closest("vit-player") !== use.closest("vit-player")) throw new Error(target.id);
      }
    }""")
    assert small.evaluate(
        "[...document.querySelectorAll('vit-player')].map((p) => p.querySelectorAll('[aria-live]').length)"
    ) == [1, 1]

    first, second = (small.locator("vit-player").nth(n) for n in (0, 1))
    assert first.locator(f".va-plate[id$=stage-{before['stage']}]").is_visible()
    assert second.locator(".va-plate[id$=stage-mix]").is_visible()
    length = small.evaluate("history.length")
    second.locator(".va-stages [value=softmax]").check(force=True)
    second.locator("[data-state=head][value='3']").check(force=True)
    second.locator(".va-cells [data-token='75']").click()
    small.mouse.move(0, 0)  # a click points too: leave the photograph
    ready(small)
    assert state_of(small) == before
    assert hash_of(small) == hash_
    assert small.evaluate("history.length") == length
    assert second.get_attribute("head") == "3"
    assert second.get_attribute("query") == "5.4"
    groups = small.evaluate("""[...document.querySelectorAll("vit-player")].map((player) =>
      [...player.querySelectorAll("input:checked")].map((box) => box.dataset.state ?? "stage").sort())""")
    assert groups[0] == groups[1]
    assert len(groups[0]) == len(set(groups[0]))

    shown = second.evaluate("(p) => JSON.stringify([p.shown.values, p.shown.segments])")
    photo = second.get_attribute("photo") or ""
    put(small, {"stage": "softmax", "head": "3", "query": "5.4", "photo": photo, "range": "fixed"})
    put(small, {"range": "fit"})
    assert first.evaluate("(p) => JSON.stringify([p.shown.values, p.shown.segments])") == shown
    for part in ("#stage-softmax", ".va-readouts", ".va-segments"):
        ours, theirs = (
            player.locator(
                part.replace("#stage", "[id$=stage") + ("]" if "#" in part else "")
            ).first
            for player in (first, second)
        )
        assert ours.text_content() == theirs.text_content()
    assert not loud.console
