"""The explorer of learned attention with its row ready, its states, and what the core says to them."""

import json
import math
import random
from urllib.parse import urlencode

import numpy as np
from playwright.sync_api import Browser, BrowserContext, Page

from figures_src.explorer import values
from figures_src.inputs import captures
from figures_src.kit.colours import weight_level
from figures_src.kit.numbers import fixed
from tests.browser.player_page import IDLE
from tests.player.row_truth import weight_text
from vitattn_core import key_mask, products, softmax
from vitattn_core.masks import hide

State = dict[str, str]

GRID, DEFAULTS = captures.GRID, values.DEFAULTS
EXPLORER = "document.querySelector('vit-explorer')"
READY = f"{EXPLORER}?.row && !{EXPLORER}.hasAttribute('aria-busy')"
# Sets a state and tells everything that then stands on screen.
SEEN = f"""async (change) => {{
  await {EXPLORER}.set(change);
  await {IDLE};
  const text = (mark) => mark.textContent;
  const all = (which) => [...{EXPLORER}.querySelectorAll(which)];
  const level = (cell) => Number(/w(\\d+)/.exec(cell.getAttribute("class"))?.[1] ?? 0);
  const paths = (map) => map.querySelector(".va-map-paint").innerHTML;
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


def word(token: int) -> str:
    """A row of the sequence as an address names it."""
    return "cls" if token < GRID.prefix else "{}.{}".format(*GRID.place(token))


def token_of(words: str) -> int:
    return 0 if words == "cls" else GRID.token(*map(int, words.split(".")))


def random_states(seed: int, count: int, *, switched: bool = False) -> list[State]:
    """Seeded states; `switched`: with other divisors, dropped keys, ranges, and the mean of heads."""
    dice = random.Random(seed)
    choices = values.states()
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
    opened = values.at_first(state["photo"]) | {"photo": DEFAULTS["photo"]}
    told = {name: value for name, value in state.items() if value != opened[name]}
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
    notes = page.locator("vit-explorer .va-note").all_text_contents()
    return " ".join(notes).strip()


def to_default(page: Page) -> None:
    """Put a page that tests share at the default, with nothing in focus."""
    page.mouse.move(0, 0)
    page.evaluate("document.activeElement.blur()")
    put(page, dict(DEFAULTS))


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
    assert weight_text(row.max()).fault(told["top-weight"]) is None
    assert weight_text(row[0]).fault(told["cls-share"]) is None
    assert told["row-sum"] == "1.000"
    assert told["entropy"] == fixed(entropy, 2)
    assert told["keys"] == fixed(math.exp(entropy), 1)
    assert told["distance"] == values.distance_text(values.mean_distance(row, query))
    assert weight_text(end).fault(found["range"]) is None
    side, top = values.FIELD.cell, values.FIELD.cls_top
    down, across = GRID.place(query) if query else (0, 0)
    assert found["query"] == f"translate({side * across} {side * down if query else top})"
    assert found["picture"].endswith(f"photos/{state['photo']}.webp")
