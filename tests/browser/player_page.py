"""The explainer with its player ready, and seeded random states of it."""

import json
import random
import re
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from playwright.sync_api import Browser, BrowserContext, Page

from figures_src.player.state import DEFAULTS, at_first, states
from vitattn_core.teaching import GRID

State = dict[str, str]

PLAYER = "document.querySelector('vit-player')"
# Ready: the pass is there and the marks show it. Named for wait_for_function.
READY = f"{PLAYER}?.shown && !{PLAYER}.hasAttribute('aria-busy')"
# Until the page has nothing left to do: a frame to answer a choice or to draw what is pointed at, one to
# draw what follows, and what is told after a change comes after the next paint.
_PAINTED = "new Promise((done) => requestAnimationFrame(() => setTimeout(() => setTimeout(done))))"
IDLE = f"{_PAINTED}.then(() => {_PAINTED}).then(() => {_PAINTED})"
# What a pass is made of; the other names only read it.
SWITCHES = ("scale", "position", "mix", "axis", "bug")
# Records what the player says of itself, from before its script runs.
RECORD = """
window.said = [];
for (const name of ["ready", "change"]) {
  addEventListener(name, (event) => {
    if (event.target.localName === "vit-player") said.push([name, event.target.state]);
  }, true);
}
"""


def word(token: int) -> str:
    """A row of the sequence as an address names it."""
    return "cls" if token < GRID.prefix else "{}.{}".format(*GRID.place(token))


def random_states(seed: int, count: int, *, switched: float = 0.3) -> list[State]:
    """Seeded whole states; a share of them with other switches and dropped keys than the standard."""
    dice = random.Random(seed)
    choices = states()
    found = []
    for _ in range(count):
        state = dict(DEFAULTS) | {
            name: dice.choice(choices[name]) for name in ("photo", "stage", "head", "range")
        }
        # CLS is one row of 197, and deserves more than its share.
        state["query"] = word(0 if dice.random() < 0.05 else dice.randrange(GRID.tokens))
        if dice.random() < switched:
            state |= {name: dice.choice(choices[name]) for name in SWITCHES if name != "bug"}
            if dice.random() < 0.5:
                few = dice.sample(range(GRID.tokens), dice.randint(1, 5))
                state["dropped"] = ",".join(word(token) for token in few)
            if dice.random() < 0.5:
                state["bug"] = dice.choice(choices["bug"])
        found.append(state)
    return found


def address(state: State) -> str:
    """The address of a state: what is as its photograph opens with is left out."""
    opened = at_first(state["photo"]) | {"photo": DEFAULTS["photo"]}
    told = {name: state[name] for name in DEFAULTS if state[name] != opened[name]}
    return f"#{urlencode(told, safe=',')}" if told else ""


def ready(page: Page) -> Page:
    page.wait_for_function(READY)
    page.evaluate(IDLE)
    page.wait_for_function(READY)  # a choice may have begun a new pass
    page.evaluate(IDLE)
    return page


def opened(where: Browser | BrowserContext, base: str, hash_: str = "", **options: Any) -> Page:
    """A page of its own with the player ready in the state of the address."""
    page = where.new_page(**options) if isinstance(where, Browser) else where.new_page()
    page.add_init_script(RECORD)
    page.goto(f"{base}/index.html{hash_}")
    return ready(page)


def unfold(page: Page, name: str) -> Page:
    """Open a fold that has a lead as a reader does, and wait until it is filled."""
    page.locator(f"[data-part={name}] > summary").click()
    page.locator(f"[data-part={name}] [data-say=lead]", has_text="row").wait_for()
    return ready(page)


def put(page: Page, change: State) -> None:
    """Set a part of the state as a script would, and wait until the marks show it."""
    page.evaluate(f"async (change) => {{ await {PLAYER}.set(change); await {IDLE}; }}", change)


def alone(site: Path, folder: Path, **attributes: str) -> str:
    """Write a small page with nothing but the player and its styles, and return its address.

    It loads fast, so that many can be loaded: from disk, and without the text of the explainer.
    """
    page = (site / "index.html").read_text(encoding="utf-8")
    styles = re.findall(
        r'<link rel="stylesheet" href="(?:assets/tokens|stylesheets/\w+)\.css">', page
    )
    found = re.search(r"<vit-player.*</vit-player>(<script[^>]*>[^<]*</script>)+", page, re.DOTALL)
    assert found is not None
    assert len(styles) == 3
    player = found[0]
    for name, value in attributes.items():
        player = re.sub(rf'(<vit-player[^>]*? {name})="[^"]*"', rf'\1="{value}"', player, count=1)
    head = f'<meta charset="utf-8"><title>The player alone</title>{"".join(styles)}'
    html = f'<!doctype html><html lang="en"><head>{head}</head><body>{player}</body></html>'
    html = re.sub(
        r'(href|src)="(?=assets/|stylesheets/|javascripts/)', rf'\1="{site.as_uri()}/', html
    )
    file = folder / f"{'-'.join(['alone', *attributes.values()])}.html"
    file.write_text(html, encoding="utf-8")
    return file.as_uri()


def state_of(page: Page) -> State:
    """The state as the element tells it, which its attributes must tell too, once a choice is drawn."""
    told, attributes = json.loads(
        page.evaluate(
            f"""async (names) => {{
              await {IDLE};
              const element = {PLAYER};
              const attributes = names.map((name) => [name, element.getAttribute(name)]);
              return JSON.stringify([element.state, Object.fromEntries(attributes)]);
            }}""",
            list(DEFAULTS),
        )
    )
    assert told == attributes
    return told


def note_of(page: Page) -> str:
    """What the quiet note says; it is a status, so that it is heard too."""
    notes = page.locator("vit-player").first.locator("[role=status]")
    return " ".join(notes.all_text_contents()).strip()


def painted(page: Page, which: str) -> str:
    """What a small map paints on its patches: a path for each level."""
    return page.locator(f"{which} .va-map-paint").evaluate("(mark) => mark.innerHTML")
