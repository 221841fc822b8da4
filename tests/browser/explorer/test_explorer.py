"""The explorer of learned attention: what stands on screen is the core's row."""

import json
import math
import random

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from figures_src.inputs import captures
from figures_src.kit.numbers import fixed
from tests.browser.explorer_page import (
    DEFAULTS,
    EXPLORER,
    GRID,
    check,
    put,
    random_states,
    ready,
    rows,
    seen,
    token_of,
)
from tests.browser.player_page import IDLE
from tests.player.pictures import Picture
from tests.player.row_truth import weight_text

COUNT = 200


@pytest.mark.parametrize("part", range(4))
def test_the_row_on_screen_is_the_core_s_row(page: Page, part: int) -> None:
    for state in random_states(part, COUNT // 4):
        row = captures.row(
            state["photo"], int(state["layer"]), int(state["head"]), token_of(state["query"])
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
    """Each patch has the level of paint that its cell would have, in all six, whatever head is picked."""
    for state in random_states(6, 8, switched=True):
        found = seen(page, state)
        for head in range(1, captures.HEADS + 1):
            every = rows(state | {"head": str(head)})
            row = every[token_of(state["query"])]
            end = row.max() if state["range"] == "fit" else every.max()
            expected = Picture(row[GRID.prefix :], float(end), GRID.columns)
            assert expected.fault(found["maps"][head - 1]) is None
            assert weight_text(row[0]).fault(found["shares"][head - 1]) is None


def test_a_pointed_key_s_line_adds_up(page: Page) -> None:
    """True score, divisor, exponential and weight, as printed, for keys of several rows."""
    dice = random.Random(7)
    for state in random_states(8, 12):
        state |= {"divisor": dice.choice(("head", "model", "none"))}
        put(page, state)
        key = dice.randrange(GRID.tokens)
        page.evaluate(f"{EXPLORER}.point({key})")
        page.evaluate(IDLE)
        names = ["product", "score", "power", "exponential", "over", "weight"]
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
            float(text.removeprefix("s − ").removeprefix("÷ ").strip("()").replace("−", "-"))
            for text in line
        )
        assert product / divisor == pytest.approx(scored, abs=0.6 * 10.0 ** -_digits(line[1]))
        assert math.exp(scored - top) == pytest.approx(exponential, rel=0.06)
        assert exponential / total == pytest.approx(weight, rel=0.06)
        assert weight == pytest.approx(float(rows(state)[query, key]), rel=0.06)


def _digits(text: str) -> int:
    return len(text.partition(".")[2])


def test_the_drawn_default_is_the_filled_default(browser: Browser, page: Page, served: str) -> None:
    texts = f"""() => JSON.stringify([...{EXPLORER}.querySelectorAll(
        "[data-t], .va-cells [data-token], .va-map-paint, .va-mark")]
      .map((m) => [m.dataset.t ?? "", m.dataset.t ? m.textContent : "", m.getAttribute("class") ?? "",
        m.matches(".va-map-paint") ? m.innerHTML : "", m.getAttribute("transform") ?? ""]))"""
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


def test_a_choice_that_comes_too_early_leaves_no_map_behind(page: Page) -> None:
    """Back at the default while the maps of another layer are still being drawn, one after another."""
    maps = f"[...{EXPLORER}.querySelectorAll('.va-map-paint')].map((m) => m.innerHTML).join()"
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
