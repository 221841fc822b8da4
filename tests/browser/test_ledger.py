"""The fold "The whole row": 197 lines that are the core's, sums that are the plates', a CSV, two maps."""

import csv
import io
import itertools
import math
import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from figures_src.inputs import photographs
from figures_src.kit.numbers import read
from figures_src.player.state import DEFAULTS
from tests.browser.access import violations
from tests.browser.attention_page import TOLERANCE, Arrays, in_numpy
from tests.browser.conftest import Watch
from tests.browser.player_page import (
    PLAYER,
    State,
    address,
    opened,
    painted,
    put,
    ready,
    unfold,
    word,
)
from tests.pictures import Picture
from tests.row_truth import named
from vitattn_core.teaching import GRID, KEY_CHANNELS, VALUE_CHANNELS

EYE = GRID.token(5, 4)
FOLD = "[data-part=ledger]"
STATES: list[State] = [
    {},
    {"head": "2", "query": "cls", "photo": "coffee"},
    {"head": "3", "query": "12.7", "photo": "rocket", "scale": "off"},
    {"axis": "queries"},
    {"axis": "queries", "mix": "k", "head": "2"},
    {"dropped": "6.11,cls", "query": "0.13"},
    {"bug": "mask", "dropped": "6.11,5.4"},
    {"head": "mean"},
    {"head": "mean", "axis": "queries", "dropped": "0.0"},
    {"dropped": ",".join(word(token) for token in range(GRID.tokens))},
]


def name(state: State) -> str:
    return "-".join(state.values())[:40] or "standard"


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1440, "height": 900})
    yield unfold(page, "ledger")
    page.close()


def settle(page: Page) -> Page:
    """Until all lines are written."""
    ready(page)
    page.locator(f"{FOLD} .va-ledger-box:not([aria-busy])").wait_for()
    return page


def set_to(page: Page, state: State) -> Page:
    put(page, state)
    return settle(page)


def core(state: State) -> tuple[int, int, Arrays]:
    """Query, head from 0 (−1 for the mean), and the pass of the core."""
    dropped = [token for token in range(GRID.tokens) if word(token) in state["dropped"].split(",")]
    switches = {key: state[key] for key in ("scale", "position", "mix", "axis", "bug")}
    query = next(token for token in range(GRID.tokens) if word(token) == state["query"])
    head = -1 if state["head"] == "mean" else int(state["head"]) - 1
    return query, head, in_numpy({"photo": state["photo"], "dropped": dropped, **switches})


def expected(state: State) -> dict[str, np.ndarray]:
    """What each column has for each key, in the order of the sequence, from the core."""
    query, head, found = core(state)
    if head < 0:
        return {"weight": found["A"][:, query].mean(axis=0)}
    over = found["top"][head], found["total"][head]
    by_key = state["axis"] == "queries"
    top, total = (each if by_key else np.full(GRID.tokens, each[query]) for each in over)
    score, weight = found["masked"][head, query], found["A"][head, query]
    mixed = found["K" if state["mix"] == "k" else "V"][head]
    return {
        **{"product": found["P"][head, query], "score": score, "top": top},
        **{"exponential": np.exp(score - top), "total": total, "weight": weight},
        **{f"given.{c}": weight * mixed[:, c] for c in range(4)},
    }


CELLS = f"""() => [...document.querySelectorAll("{FOLD} .va-ledger tbody tr")].map((line) =>
  [...line.cells].filter((cell) => getComputedStyle(cell).display !== "none")
    .map((cell) => [...cell.childNodes].map((node) => node.textContent).filter(Boolean).join("|")))"""


def cells(page: Page) -> list[list[str]]:
    """The texts of the lines that are shown."""
    return page.evaluate(CELLS)


def columns_of(page: Page) -> list[str]:
    """The names of the columns that are shown."""
    heads = page.locator(f"{FOLD} thead th:visible [data-sort]").all()
    return [head.get_attribute("data-sort") or "" for head in heads]


def number(text: str) -> float:
    return -math.inf if text == "−∞" else read(text)


def saved(page: Page) -> list[dict[str, str]]:
    """The file that the reader saves, line by line."""
    with page.expect_download() as waiting:
        page.locator(FOLD).get_by_role("button", name="Save as CSV").click()
    assert re.fullmatch(r"vitattn-\w+-[\w.]+-head-\w+\.csv", waiting.value.suggested_filename)
    text = waiting.value.path().read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))


# The table -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", STATES, ids=name)
def test_every_line_is_the_cores_and_the_sums_are_the_plates(page: Page, change: State) -> None:
    state = DEFAULTS | change
    set_to(page, state)
    told, shown, columns = expected(state), cells(page), columns_of(page)
    assert len(shown) == GRID.tokens
    where = {named(state["photo"], token).replace(", ", "|"): token for token in range(GRID.tokens)}
    order = [where[line[0]] for line in shown]
    assert sorted(order) == list(range(GRID.tokens)), "each key once"
    of_one_head = {"score", "exponential", *(f"given.{c}" for c in range(4))}
    per_key = {"top", "total"} if state["axis"] == "queries" else set()
    assert set(columns) == {"key", "weight", *(of_one_head | per_key if len(told) > 1 else ())}

    digits = {"score": 2, "top": 2, "exponential": 4, "total": 2, "weight": 4}
    for c, column in enumerate(columns[1:], start=1):
        for token, line in zip(order, shown, strict=True):
            exact = told[column][token]
            apart = abs(number(line[c]) - exact) if math.isfinite(exact) else 0
            assert apart <= 0.5 * 10 ** -digits.get(column, 3) + 1e-9, (column, token)
            assert math.isfinite(exact) == (line[c] != "−∞")
    weights = [told["weight"][token] for token in order]
    assert all(a >= b - 1e-12 for a, b in itertools.pairwise(weights)), "falling"

    # The last line: what the plates and the readouts show of the same row.
    values: dict[str, str] = {}
    for stage in ("mix", "softmax"):  # each writes what it shows
        values |= page.evaluate(
            f"async (stage) => {{ await {PLAYER}.set({{ stage }}); return {PLAYER}.shown.values; }}",
            stage,
        )
    sums = {
        cell.get_attribute("data-sum") or "": cell.inner_text()
        for cell in page.locator(f"{FOLD} tfoot td:visible").all()
    }
    assert sums["weight"] == values["row.sum"]
    assert sums["weight"] == page.locator("[data-readout=row-sum]").inner_text()
    if len(told) > 1:
        assert sums["score"] == "–", "scores have no sum"
        assert sums["exponential"] == (values["total"] if state["axis"] == "keys" else "–")
        assert [sums[f"given.{c}"] for c in range(4)] == [values[f"o.{c}"] for c in range(4)]
    assert page.locator(f"{FOLD} .va-ledger .is-query").count() == 1
    if (key := page.evaluate(f"{PLAYER}.shown.key")) != core(state)[0]:
        marked = page.locator(f"{FOLD} .va-ledger .is-key b").inner_text()
        assert marked.removeprefix("k ") == named(state["photo"], key).split(", ")[0]


def test_the_mean_of_heads_has_only_weights_and_says_so(page: Page) -> None:
    set_to(page, DEFAULTS | {"head": "mean"})
    words = page.locator(f"{FOLD} .va-heads")
    expect(words).to_be_visible()
    assert "weights only" in words.inner_text()
    assert {len(line) for line in cells(page)} == {2}
    set_to(page, dict(DEFAULTS))
    expect(words).to_be_hidden()
    assert {len(line) for line in cells(page)} == {8}


def test_columns_are_named_after_what_is_mixed(page: Page) -> None:
    for mix, channels in (("v", VALUE_CHANNELS), ("k", KEY_CHANNELS[0])):
        set_to(page, DEFAULTS | {"mix": mix})
        heads = page.locator(f"{FOLD} thead [data-sort^='given.']").all_inner_texts()
        assert [" ".join(text.split()) for text in heads] == [f"a·{mix} {c}" for c in channels]


def test_m_is_said_once_or_for_each_key(page: Page) -> None:
    top = photographs.trace("chelsea").S[0, EYE].max()
    set_to(page, dict(DEFAULTS))
    lead = page.locator(f"{FOLD} [data-say=lead]")
    assert f"m = {top:.2f} is subtracted from every score" in lead.inner_text()
    set_to(page, DEFAULTS | {"axis": "queries"})
    assert "m =" not in lead.inner_text()


def test_a_pick_changes_the_lines(page: Page) -> None:
    """By the player's own controls, while the table is scrolled: all lines follow."""
    set_to(page, dict(DEFAULTS))
    page.locator(f"{FOLD} .va-ledger-box").evaluate("(box) => { box.scrollTop = 2500; }")
    page.locator("vit-player .va-cells [data-token='120']").click()
    settle(page)
    told = expected(DEFAULTS | {"query": word(120)})
    shown = cells(page)
    for line in shown:
        token = next(
            t for t in range(GRID.tokens) if named("chelsea", t) == line[0].replace("|", ", ")
        )
        assert abs(number(line[3]) - told["weight"][token]) <= 0.5e-4 + 1e-9


# Sorting -------------------------------------------------------------------------------------------


def sorts(page: Page) -> list[str]:
    return [
        f"{head.get_attribute('aria-sort')} {head.locator('button').get_attribute('data-sort')}"
        for head in page.locator(f"{FOLD} thead th").all()
        if head.get_attribute("aria-sort") != "none"
    ]


@pytest.mark.parametrize("way", ["mouse", "keyboard"])
def test_each_column_sorts_both_ways(page: Page, way: str) -> None:
    set_to(page, DEFAULTS | {"dropped": "6.11"})
    told = {"key": np.arange(GRID.tokens), **expected(DEFAULTS | {"dropped": "6.11"})}
    tokens = {named("chelsea", t).replace(", ", "|"): t for t in range(GRID.tokens)}
    for column in columns_of(page):
        button = page.locator(f"{FOLD} thead [data-sort='{column}']")
        ways = ["descending", "ascending"]  # the largest first; the key as in the sequence
        for direction in reversed(ways) if column == "key" else ways:
            if way == "mouse":
                button.click()
            else:
                button.focus()
                page.keyboard.press("Enter")
            settle(page)
            assert sorts(page) == [f"{direction} {column}"]
            shown = [told[column][tokens[line[0]]] for line in cells(page)]
            if direction == "descending":
                shown.reverse()
            assert all(a <= b + 1e-12 for a, b in itertools.pairwise(shown)), column
    page.locator(f"{FOLD} thead [data-sort=weight]").click()
    assert sorts(page) == ["descending weight"]


def test_the_order_stays_when_another_row_is_picked(page: Page) -> None:
    set_to(page, dict(DEFAULTS))
    page.locator(f"{FOLD} thead [data-sort=key]").click()
    set_to(page, {"query": "9.9"})
    assert sorts(page) == ["ascending key"]
    first = [line[0] for line in cells(page)[:3]]
    assert first == ["CLS", "(0,0)", "(0,1)"]
    set_to(page, {"head": "mean"})
    assert [line[0] for line in cells(page)[:2]] == ["CLS", "(0,0)"]
    page.locator(f"{FOLD} thead [data-sort=weight]").click()
    settle(page)
    assert sorts(page) == ["descending weight"]


# The file ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", STATES[:8], ids=name)
def test_the_file_has_every_number_in_full(page: Page, change: State) -> None:
    state = DEFAULTS | change
    set_to(page, state)
    told, lines = expected(state), saved(page)
    assert [int(line["sequence_row"]) for line in lines] == list(range(GRID.tokens))
    assert lines[0]["name"] == "CLS"
    assert (lines[0]["patch_row"], lines[EYE]["patch_row"], lines[EYE]["patch_column"]) == (
        "",
        "5",
        "4",
    )
    if state["photo"] == "chelsea":
        assert lines[EYE]["name"] == "left eye"
    named_by = ("sequence_row", "patch_row", "patch_column", "name")
    titles = [title for title in lines[0] if title not in named_by]
    assert len(titles) == len(told)
    for title, column in zip(titles, told, strict=True):
        found = np.array([float(line[title]) for line in lines])
        finite = np.isfinite(told[column])
        assert np.array_equal(found[~finite], told[column][~finite])
        np.testing.assert_allclose(found[finite], told[column][finite], rtol=0, atol=TOLERANCE)


def test_the_table_is_loaded_when_it_is_opened_and_saved_from_disk_too(
    browser: Browser, base: str
) -> None:
    page = browser.new_page()
    watch = Watch().on(page)
    page.goto(f"{base}/index.html")
    ready(page)
    assert not [url for url in watch.asked if url.endswith("ledger.js")]
    assert page.locator(f"{FOLD} table").count() == 0, "the table comes with its script"
    settle(unfold(page, "ledger"))
    weights = np.array([float(line["weight"]) for line in saved(page)])
    np.testing.assert_allclose(
        weights, photographs.trace("chelsea").A[0, EYE], rtol=0, atol=TOLERANCE
    )
    assert not watch.console
    assert not watch.foreign
    page.close()


# Reads from, read by -------------------------------------------------------------------------------


@pytest.mark.parametrize("change", STATES, ids=name)
def test_the_row_and_the_column_of_the_same_patch(page: Page, change: State) -> None:
    state = DEFAULTS | change
    set_to(page, state)
    query, head, found = core(state)
    A = found["A"].mean(axis=0) if head < 0 else found["A"][head]
    pair = {"from": A[query], "by": A[:, query]}
    end = max(weights.max() for weights in pair.values())
    assert abs(read(page.locator(f"{FOLD} [data-say=end]").inner_text()) - end) <= 0.0005 + 1e-9
    for which, weights in pair.items():
        map_ = page.locator(f"{FOLD} [data-map={which}]")
        said = re.search(r"sum ([\d.]+), largest ([\d.]+)", map_.inner_text())
        assert said is not None
        assert abs(read(said[1]) - weights.sum()) <= 0.0005 + 1e-9
        assert abs(read(said[2]) - weights.max()) <= 0.0005 + 1e-9
        on_patches = weights[GRID.prefix :]
        assert (
            Picture(on_patches, float(end)).fault(painted(page, f"{FOLD} [data-map={which}]"))
            is None
        )
    words = page.locator(f"{FOLD} [data-say=both]").inner_text()
    assert ("nothing makes it sum to 1" in words) == (state["axis"] == "keys")


def test_a_column_that_sums_to_more_and_one_to_less(page: Page) -> None:
    """So that the sentence about columns is not idle."""
    A = photographs.trace("chelsea").A[0]
    sums = A.sum(axis=0)
    for token in (int(sums.argmax()), int(sums.argmin())):
        set_to(page, DEFAULTS | {"query": word(token)})
        text = page.locator(f"{FOLD} [data-map=by]").inner_text()
        assert f"sum {sums[token]:.3f}" in text
    assert sums.max() > 2
    assert sums.min() < 0.8


# Access --------------------------------------------------------------------------------------------


def test_axe_finds_nothing(browser: Browser, served: str) -> None:
    context = browser.new_context(color_scheme="light", reduced_motion="reduce")
    page = settle(
        unfold(opened(context, served, address(DEFAULTS | {"axis": "queries"})), "ledger")
    )
    # 197 lines are alike; a few of them, with the query and the key, are enough to look at.
    beyond = f"document.querySelectorAll('{FOLD} tbody tr:nth-child(n + 9)')"
    page.evaluate(f"{beyond}.forEach((line) => line.remove())")
    assert page.locator(f"{FOLD} tbody :is(.is-query, .is-key)").count() == 2
    assert not violations(page, "vit-player")
    context.close()


def test_on_a_phone_the_table_scrolls_in_its_own_box(browser: Browser, served: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = opened(context, served)
    page.locator(f"{FOLD} > summary").tap()
    page.locator(f"{FOLD} [data-say=lead]", has_text="row").wait_for()
    settle(page)
    box = page.locator(f"{FOLD} .va-ledger-box")
    assert page.evaluate("document.documentElement.scrollWidth") <= 360
    assert box.evaluate("(box) => box.scrollWidth > box.clientWidth")
    page.locator(f"{FOLD} thead [data-sort=score]").tap()
    settle(page)
    assert sorts(page) == ["descending score"]
    for head in page.locator(f"{FOLD} thead button:visible").all():
        frame = head.bounding_box()
        assert frame is not None
        assert min(frame["width"], frame["height"]) >= 24
    box.focus()
    page.keyboard.press("End")
    page.wait_for_function(f"document.querySelector('{FOLD} .va-ledger-box').scrollTop > 1000")
    left = page.locator(f"{FOLD} tbody tr").last.locator("th").bounding_box()
    frame = box.bounding_box()
    assert left is not None
    assert frame is not None
    assert abs(left["x"] - frame["x"]) <= 2, "the key stays in sight"
    context.close()
