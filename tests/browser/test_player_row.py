"""What the player fills in is what figures_src draws: the default mark by mark, other rows text by text.

Both run row.js: here on the pass of the page and as the marks show it, there on that of the core. What
it says of a pass is held to NumPy in tests/player/test_row.py and tests/player/test_row_lines.py.
"""

import json
import random
import re
from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from figures_src.inputs import photographs
from figures_src.player.film.timeline import chapters
from figures_src.player.row import State as Picked
from figures_src.player.row import row
from figures_src.player.state import DEFAULTS, states
from tests.browser.player_page import (
    IDLE,
    PLAYER,
    SWITCHES,
    State,
    opened,
    put,
    random_states,
    word,
)
from tests.player.picked_rows import pass_of
from vitattn_core import STAGES, Trace
from vitattn_core.teaching import GRID

COUNT = 24
STATES = random_states(7, COUNT, switched=0.5)
HAIRS = (-1e-11, 0, 1e-11)
# A number of a written text or of a path.
NUMBER = re.compile(r"[-−]?\d+(?:\.\d+)?")


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


# The default, drawn and filled ---------------------------------------------------------------------

# Every element of the player, with its attributes but for those that only a script can give; what is
# drawn in a template until the mean of heads is chosen counts as if it stood there.
MARKS = """() => {
  const added = /^(aria-|role$|tabindex$|hidden$)/;
  const marks = [];
  const walk = (element) => {
    const attributes = {};
    for (const { name, value } of element.attributes) {
      if (added.test(name)) continue;
      attributes[name] = name === "class" ? [...element.classList].sort().join(" ")
        : name === "style" ? value.replace(/\\s|;$/g, "")
        : name === "href" ? value.replace(/^.*\\/(?=assets\\/)/, "")
        : name === "name" ? value.replace(/-1$/, "") : value;
    }
    const own = [...element.childNodes].filter((node) => node.nodeType === 3).map((n) => n.data);
    marks.push([element.localName, attributes, own.join("|").trim()]);
    const late = (child) => (child.matches("template.va-late") ? [...child.content.children] : [child]);
    for (const child of [...element.children].flatMap(late)) {
      if (!child.matches("script, noscript, .va-spare")) walk(child);
    }
  };
  walk(document.querySelector("vit-player"));
  return JSON.stringify(marks.filter(([, , text], n) => n > 0));
}"""


def close(a: str, b: str) -> bool:
    """Whether two paths or texts have the same signs, and numbers at most one last place apart."""
    if a == b:
        return True
    if NUMBER.sub("#", a) != NUMBER.sub("#", b):
        return False
    pairs = zip(NUMBER.findall(a), NUMBER.findall(b), strict=True)
    return all(
        abs(float(x.replace("−", "-")) - float(y.replace("−", "-")))
        <= 1.001 * 10.0 ** -max(len(n.partition(".")[2]) for n in (x, y))
        for x, y in pairs
    )


def test_the_drawn_default_is_the_filled_default(browser: Browser, page: Page, served: str) -> None:
    """Each plate is left and filled again, for one head and for the mean; then all marks are compared."""
    context = browser.new_context(java_script_enabled=False)
    still = context.new_page()
    still.goto(f"{served}/index.html")
    drawn = json.loads(still.evaluate(MARKS))
    context.close()

    away = {"query": "9.3", "head": "2", "range": "fixed"}
    assert all(away[name] != DEFAULTS[name] for name in away)
    for stage in states()["stage"]:
        for change in (
            {"stage": stage} | away,
            {"head": "mean"},
            {name: DEFAULTS[name] for name in ("query", "head", "range")} | {"head": "mean"},
            {"head": DEFAULTS["head"]},
        ):
            put(page, change)
    put(page, {"stage": DEFAULTS["stage"]})
    filled = [
        mark for mark in json.loads(page.evaluate(MARKS)) if mark[1].get("class") != "va-unseen"
    ]
    drawn = [mark for mark in drawn if mark[1].get("class") != "va-unseen"]

    assert [mark[0] for mark in filled] == [mark[0] for mark in drawn]
    for (name, before, text), (_, after, new_text) in zip(drawn, filled, strict=True):
        assert set(before) == set(after), (name, before, after)
        assert new_text == text, (name, before)
        for attribute, value in before.items():
            assert close(after[attribute], value), (name, attribute, value, after[attribute])


def test_the_comparison_can_fail() -> None:
    assert close("M1.25 0v1M3 0v1", "M1.26 0v1M3 0v1")
    assert not close("M1.25 0v1M3 0v1", "M1.27 0v1M3 0v1")
    assert not close("M1.25 0v1", "M1.25 0v1M3 0v1")
    assert not close("−0.50", "0.50")


# Other rows, and what stands on screen -------------------------------------------------------------

# Everything of one state: what the script says it shows, and what stands in the marks.
SHOW = """async ([change, key]) => {
  const element = PLAYER;
  await element.set(change);
  const cell = element.querySelector(`.va-cells [data-token="${key}"]`);
  const over = new PointerEvent("pointermove", { bubbles: true, pointerType: "mouse" });
  cell.dispatchEvent(over);
  await IDLE;
  // Not checkVisibility(): it takes what stands in a hidden group of an SVG for visible.
  const known = new Map([[element, true]]);
  const seen = (mark) => {
    if (!known.has(mark)) {
      known.set(mark, getComputedStyle(mark).display !== "none" && seen(mark.parentElement));
    }
    return known.get(mark);
  };
  const plate = (mark) => mark.closest(".va-plate")?.id.replace("stage-", "") ?? null;
  const bound = (kind) => [...element.querySelectorAll(`[data-${kind}]`)];
  const texts = bound("t").map((mark) => [mark.dataset.t, mark.textContent, plate(mark), seen(mark)]);
  const marks = ["d", "x", "v", "box", "level", "place"].flatMap((kind) =>
    bound(kind).map((mark) => [kind, mark.dataset[kind], plate(mark), seen(mark)]));
  const readouts = bound("readout").map((mark) => [mark.dataset.readout, mark.textContent]);
  const cells = [...element.querySelectorAll(".va-cells [data-token]")].map((cell) =>
    [cell.getAttribute("class"), cell.getAttribute("aria-label")]);
  return JSON.stringify({ shown: element.shown, texts, marks, readouts, cells });
}""".replace("PLAYER", PLAYER).replace("IDLE", IDLE)

# The readouts of the player, and the value that each one shows.
READOUTS = {
    "row-sum": "row.sum",
    "top-weight": "weight.largest",
    "cls-share": "cls.share",
    "entropy": "entropy",
    "score": "scaled",
    "weight": "weight",
    "delta-output": "delta.output",
}


def picked(state: State, key: int) -> tuple[Picked, Trace]:
    """The state as figures_src takes it, and its pass."""
    out = state["dropped"].split(",")
    dropped = tuple(token for token in range(GRID.tokens) if word(token) in out)
    trace = pass_of(state["photo"], tuple(state[name] for name in SWITCHES), dropped)
    query = next(token for token in range(GRID.tokens) if word(token) == state["query"])
    head = 0 if state["head"] == "mean" else int(state["head"])
    told = {name: state[name] for name in ("photo", "range", *SWITCHES)}
    return Picked(query=query, head=head, key=key, **told), trace


def hair(trace: Trace, by: float) -> Trace:
    """The pass with every number a hair larger or smaller: a text that changes with it is on a tie."""
    return Trace({name: array * (1 + by) for name, array in trace.items()})


def on_a_tie(state: Picked, trace: Trace, name: str, ours: str) -> bool:
    """Whether a number of this row is so near to the middle between two texts that either may stand."""
    before = photographs.trace(state.photo)
    near = [row(state, hair(trace, by), hair(before, way)) for by, way in product(HAIRS, HAIRS)]
    return ours in {shown.values[name] for shown in near}


def check(state: State, key: int, answer: dict) -> None:
    told, trace = picked(state, key)
    expected = row(told, trace, photographs.trace(state["photo"]))
    shown = answer["shown"]

    def same(name: str, text: str, what: str) -> None:
        value = expected.values[name]
        good = close(text, value) if what in ("d", "box") else text == value
        assert good or on_a_tie(told, trace, name, text), f"{what} {name}: {text} is {value}"

    assert (shown["query"], shown["key"]) == (expected.query, expected.key)
    assert shown["rangeEnd"] == pytest.approx(expected.range_end, abs=1e-12)
    assert shown["levels"] == expected.levels
    assert shown["total"] == pytest.approx(expected.total, abs=1e-12)
    assert shown["barEnd"] == pytest.approx(expected.bar_end, abs=1e-12)
    assert [part[0] for part in shown["segments"]] == [part[0] for part in expected.segments]
    np.testing.assert_allclose(shown["segments"], expected.segments, rtol=0, atol=1e-12)
    for ours, theirs in zip(shown["arrows"], expected.arrows, strict=True):
        assert all(close(a, b) for a, b in zip(ours, theirs, strict=True))

    paths = {name for kind, name, *_ in answer["marks"] if kind == "d"}
    for name, text in shown["values"].items():
        same(name, text, "d" if name in paths else "value")

    # What a reader can see now, of this stage's plate and around it.
    seen = {name for name, _, _, visible in answer["texts"] if visible}
    for name, text, plate, visible in answer["texts"]:
        assert not visible or name in expected.values, f"{name} is on screen and not in the row"
        if name in expected.values and (plate == state["stage"] or (plate is None and visible)):
            same(name, text, "text")
    for kind, name, plate, visible in answer["marks"]:
        assert not visible or name in shown["values"], f"{kind} {name} is on screen and not filled"
        assert not visible or plate in (None, state["stage"])
    assert len(seen) > 10
    assert dict(answer["readouts"]).keys() == READOUTS.keys()
    for name, text in answer["readouts"]:
        same(READOUTS[name], text, "readout")
    weights = trace.A.mean(axis=0) if told.head == 0 else trace.A[told.head - 1]
    for token, (kind, label) in enumerate(answer["cells"]):
        level = expected.levels[token]
        assert kind.split() == ["va-square", *([f"w{level}"] if level else [])]
        place = "patch row {}, column {}".format(*GRID.place(token)) if token else "CLS"
        where, weight, *painted = re.split(", weight |, painted as ", label)
        assert where == place
        assert bool(painted) == (told.bug == "offset" and token > 0)
        if painted:
            assert abs(float(painted[0]) - weights[told.query, token - 1]) <= 0.0005 + 1e-9
        assert abs(float(weight) - weights[told.query, token]) <= 0.0005 + 1e-9


def test_what_is_shown_is_the_row(page: Page) -> None:
    """Twelve stages, three photographs, every head, both ranges, other switches, any key pointed at."""
    faults = []
    for number, state in enumerate(STATES):
        key = random.Random(number).randrange(GRID.tokens)
        try:
            check(state, key, json.loads(page.evaluate(SHOW, [state, key])))
        except AssertionError as fault:
            faults.append(f"{state}, key {key}: {fault}")
    assert not faults, f"{len(faults)} states: " + "\n".join(faults[:4])


def test_the_states_are_of_every_kind() -> None:
    for name in ("photo", "stage", "head", "range", *SWITCHES):
        assert {state[name] for state in STATES} - {""} == set(states()[name]), name
    assert {"cls"} < {state["query"] for state in STATES}
    assert sum(bool(state["dropped"]) for state in STATES) >= 5
    assert {state["head"] for state in STATES if state["dropped"] or state["bug"]} > {"mean"}


# The values of each state after the other, without waiting for paint: what a stage has is written at once.
VALUES = f"""async (states) => {{
  const found = [];
  for (const state of states) {{
    await {PLAYER}.set(state);
    found.push(Object.keys({PLAYER}.shown.values));
  }}
  return found;
}}"""


def test_a_stage_has_what_its_film_tells(page: Page) -> None:
    """What only some stages show is written for them alone; a film that names another would say so."""
    asked = [
        dict(DEFAULTS) | {"stage": entry.id, "head": head}
        for entry in STAGES
        for head in ("1", "mean")
    ]
    faults = []
    for state, names in zip(asked, page.evaluate(VALUES, asked), strict=True):
        for step in chapters()[state["stage"]].steps:
            words = step.mean if state["head"] == "mean" and step.mean else step.say
            missing = set(re.findall(r"\{([\w.]+)\}", words)) - set(names)
            faults += [f"{state['stage']}, head {state['head']}: {name}" for name in missing]
    assert not faults


def test_a_wrong_text_would_be_seen(page: Page) -> None:
    state = dict(DEFAULTS)
    answer = json.loads(page.evaluate(SHOW, [state, 90]))
    check(state, 90, answer)
    wrong = [[n, "0.999" if n == "weight" else t, *rest] for n, t, *rest in answer["texts"]]
    with pytest.raises(AssertionError, match=r"text weight: 0\.999"):
        check(state, 90, answer | {"texts": wrong})


# The pass ------------------------------------------------------------------------------------------

KEEP = f"""() => {{
  const freeze = (part) => {{
    if (typeof part === "object") Object.values(Object.freeze(part)).forEach(freeze);
    return part;
  }};
  window.kept = freeze({PLAYER}.pass);
  window.sum = (pass) => {{
    let sum = 0;
    for (const name of Object.keys(pass).sort()) {{
      for (const x of [pass[name]].flat(3)) if (Number.isFinite(x)) sum = (sum * 31 + x) % 1e6;
    }}
    return sum;
  }};
  return sum(kept);
}}"""


def test_what_only_reads_the_pass_leaves_it_alone(page: Page) -> None:
    """The scripts are strict: writing to a frozen array would throw."""
    put(page, dict(DEFAULTS))
    before = page.evaluate(KEEP)
    for state in random_states(8, 25, switched=0):
        put(page, {name: state[name] for name in ("stage", "head", "query", "range")})
        assert page.evaluate(f"{PLAYER}.pass === kept")
    assert page.evaluate("sum(kept)") == before


CHANGES: list[State] = [
    {"photo": "rocket"},
    {"scale": "off"},
    {"position": "off"},
    {"mix": "k"},
    {"axis": "queries"},
    {"dropped": "5.4"},
    {"bug": "merge"},
    {"bug": "residual"},
]


def test_what_the_pass_depends_on_makes_a_new_one(page: Page) -> None:
    put(page, dict(DEFAULTS))
    before = page.evaluate(KEEP)
    seen = {before}
    for change in CHANGES:
        put(page, dict(DEFAULTS) | change)
        assert page.evaluate(f"{PLAYER}.pass !== kept"), change
        changed = page.evaluate(f"sum({PLAYER}.pass)")
        assert changed not in seen, change
        seen.add(changed)
    assert page.evaluate("sum(kept)") == before


def test_the_pass_has_the_names_and_shapes_that_are_promised(page: Page) -> None:
    put(page, dict(DEFAULTS))
    names = [name for entry in STAGES for name in entry.arrays if name != "pixels"]
    shapes = page.evaluate(
        f"""(names) => names.map((name) => {{
          const shape = (part) => (Array.isArray(part) ? [part.length, ...shape(part[0])] : []);
          return shape({PLAYER}.pass[name]);
        }})""",
        names,
    )
    trace = photographs.trace(DEFAULTS["photo"])
    assert [tuple(shape) for shape in shapes] == [trace[name].shape for name in names]


# Cells whose name does not say the weight that the row of patch (7,1) gives them.
MISNAMED = f"""(() => {{
  const weights = {PLAYER}.pass.A[0][100];
  const isRight = (cell) => cell.getAttribute("aria-label").includes(weights[cell.dataset.token].toFixed(3));
  return [...document.querySelectorAll("vit-player .va-cells [data-token]")]
    .filter((cell) => !isRight(cell)).length;
}})()"""


def test_cells_are_named_after_a_choice_made_twice_and_while_keys_are_pointed_at(
    page: Page,
) -> None:
    put(page, DEFAULTS)
    page.evaluate("""() => {
      const cell = document.querySelector("vit-player .va-cells [data-token='100']");
      for (const n of [1, 2]) cell.dispatchEvent(new MouseEvent("click", { bubbles: true, detail: n }));
    }""")
    page.evaluate(IDLE)
    assert page.evaluate(f"{PLAYER}.state.query") == "7.1"
    page.wait_for_function(f"{MISNAMED} === 0")
    for key in (30, 31, 75):
        page.evaluate(f"{PLAYER}.point({key})")
    page.evaluate(IDLE)
    assert page.evaluate(MISNAMED) == 0
    put(page, DEFAULTS)
    page.wait_for_function(f"{MISNAMED} > 0")
