"""The fold "The whole row" on screen: 197 lines, sums that are the plates', a CSV, two maps.

That lines, orders and the file are the core's is held in tests/player/test_whole_row_script.py.
"""

import csv
import io
import re
from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect

from figures_src.inputs import photographs
from figures_src.kit.numbers import read
from figures_src.player.state import DEFAULTS
from tests.browser.access import violations
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
from tests.player.fold_scripts import head_of, request_of, token_of, whole_row
from tests.player.passes import TOLERANCE, in_numpy
from tests.player.pictures import Picture
from tests.player.row_truth import named
from vitattn_core.teaching import GRID, KEY_CHANNELS, VALUE_CHANNELS

EYE = GRID.token(5, 4)
FOLD = "[data-part=whole-row]"
STATES: list[State] = [
    {},
    {"axis": "queries", "mix": "k", "head": "2", "query": "cls", "photo": "coffee"},
    {"bug": "mask", "dropped": "6.11,5.4"},
    {"head": "mean", "dropped": "0.0"},
]
HIDDEN = {"product", "top", "total"}  # the last two stand there where each key has its own


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1440, "height": 900})
    yield unfold(page, "whole-row")
    page.close()


def settle(page: Page) -> Page:
    """Until all lines are written."""
    ready(page)
    page.locator(f"{FOLD} .va-row-table-box:not([aria-busy])").wait_for()
    return page


def set_to(page: Page, state: State) -> Page:
    put(page, state)
    return settle(page)


CELLS = f"""() => [...document.querySelectorAll("{FOLD} .va-row-table tbody tr")].map((line) =>
  [...line.cells].filter((cell) => getComputedStyle(cell).display !== "none")
    .map((cell) => [...cell.childNodes].map((node) => node.textContent).filter(Boolean).join("|")))"""


def cells(page: Page) -> list[list[str]]:
    """The texts of the lines that are shown."""
    return page.evaluate(CELLS)


def columns_of(page: Page) -> list[str]:
    """The names of the columns that are shown."""
    return page.locator(f"{FOLD} thead th:visible [data-sort]").evaluate_all(
        "heads => heads.map((head) => head.dataset.sort)"
    )


def saved(page: Page) -> list[dict[str, str]]:
    """The file that the reader saves, line by line."""
    with page.expect_download() as waiting:
        page.locator(FOLD).get_by_role("button", name="Save as CSV").click()
    assert re.fullmatch(r"vitattn-\w+-[\w.]+-head-\w+\.csv", waiting.value.suggested_filename)
    text = waiting.value.path().read_text(encoding="utf-8")
    return list(csv.DictReader(io.StringIO(text)))


# The table -----------------------------------------------------------------------------------------


def test_every_line_is_the_scripts_and_the_sums_are_the_plates(page: Page) -> None:
    for change in STATES:
        check_table(page, DEFAULTS | change)


def check_table(page: Page, state: State) -> None:
    set_to(page, state)
    shown, columns = cells(page), columns_of(page)
    assert columns[0] == "key"
    told = whole_row(state, columns[1:])
    by_key = {"top", "total"} if state["axis"] == "queries" else set()
    assert set(columns) == set(told["columns"]) - (HIDDEN - by_key)
    places = [named(state["photo"], token).replace(", ", "|") for token in range(GRID.tokens)]
    falling = whole_row(state, ["weight"])["orders"][0][1]
    assert shown == [[places[token], *told["texts"][token]] for token in falling]

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
    if state["head"] != "mean":
        assert sums["score"] == "–", "scores have no sum"
        assert sums["exponential"] == (values["total"] if state["axis"] == "keys" else "–")
        assert [sums[f"given.{c}"] for c in range(4)] == [values[f"o.{c}"] for c in range(4)]
    assert page.locator(f"{FOLD} .va-row-table .is-query").count() == 1
    if (key := page.evaluate(f"{PLAYER}.shown.key")) != token_of(state["query"]):
        marked = page.locator(f"{FOLD} .va-row-table .is-key b").inner_text()
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
    page.locator(f"{FOLD} .va-row-table-box").evaluate("(box) => { box.scrollTop = 2500; }")
    page.locator("vit-player .va-cells [data-token='120']").click()
    settle(page)
    told = whole_row(DEFAULTS | {"query": word(120)}, ["weight"])
    falling = told["orders"][0][1]
    assert [line[3] for line in cells(page)] == [told["texts"][token][0] for token in falling]


# Sorting -------------------------------------------------------------------------------------------


SORTS = f"""() => [...document.querySelectorAll("{FOLD} thead th")]
  .filter((head) => head.getAttribute("aria-sort") !== "none")
  .map((head) => `${{head.getAttribute("aria-sort")}} ${{head.querySelector("button").dataset.sort}}`)"""


def sorts(page: Page) -> list[str]:
    return page.evaluate(SORTS)


def test_columns_sort_both_ways(page: Page) -> None:
    """The first, a middle and the last one, by mouse and by keyboard in turn, as the script orders them."""
    state = DEFAULTS | {"dropped": "6.11"}
    set_to(page, state)
    columns = ["key", "weight", columns_of(page)[-1]]
    orders = whole_row(state, columns)["orders"]
    places = [named("chelsea", token).replace(", ", "|") for token in range(GRID.tokens)]
    faults = []
    for n, (column, (rising, falling)) in enumerate(zip(columns, orders, strict=True)):
        button = page.locator(f"{FOLD} thead [data-sort='{column}']")
        ways = [("descending", falling), ("ascending", rising)]
        for direction, order in reversed(ways) if column == "key" else ways:
            if n % 2:
                button.click()
            else:
                button.focus()
                page.keyboard.press("Enter")
            settle(page)
            if sorts(page) != [f"{direction} {column}"]:
                faults.append(f"{column}: {sorts(page)}, not {direction}")
            if [line[0] for line in cells(page)] != [places[token] for token in order]:
                faults.append(f"{column} does not stand {direction}")
    assert not faults
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


def test_the_file_is_the_scripts(page: Page) -> None:
    for change in STATES[1:3]:
        state = DEFAULTS | change
        set_to(page, state)
        lines = saved(page)
        told = list(csv.DictReader(io.StringIO(whole_row(state, ["weight"])["file"])))
        assert list(lines[0]) == list(told[0])
        for line, other in zip(lines, told, strict=True):
            for title, text in other.items():
                if title in ("name", "patch_row", "patch_column"):
                    assert line[title] == text
                else:
                    assert float(line[title]) == pytest.approx(float(text), rel=0, abs=TOLERANCE)


def test_the_table_is_loaded_when_it_is_opened_and_saved_from_disk_too(
    browser: Browser, base: str
) -> None:
    page = browser.new_page()
    watch = Watch().on(page)
    page.goto(f"{base}/index.html")
    ready(page)
    assert not [url for url in watch.asked if url.endswith("whole-row.js")]
    assert page.locator(f"{FOLD} table").count() == 0, "the table comes with its script"
    settle(unfold(page, "whole-row"))
    weights = np.array([float(line["weight"]) for line in saved(page)])
    np.testing.assert_allclose(
        weights, photographs.trace("chelsea").A[0, EYE], rtol=0, atol=TOLERANCE
    )
    assert not watch.console
    assert not watch.foreign
    page.close()


# Reads from, read by -------------------------------------------------------------------------------


def test_the_row_and_the_column_of_the_same_patch(page: Page) -> None:
    for change in STATES:
        check_maps(page, DEFAULTS | change)


def check_maps(page: Page, state: State) -> None:
    set_to(page, state)
    query, head, found = token_of(state["query"]), head_of(state) - 1, in_numpy(request_of(state))
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
        unfold(opened(context, served, address(DEFAULTS | {"axis": "queries"})), "whole-row")
    )
    # 197 lines are alike; a few of them, with the query and the key, are enough to look at.
    beyond = f"document.querySelectorAll('{FOLD} tbody tr:nth-child(n + 9)')"
    page.evaluate(f"{beyond}.forEach((line) => line.remove())")
    assert page.locator(f"{FOLD} tbody :is(.is-query, .is-key)").count() == 2
    assert not violations(page, FOLD)
    context.close()


def test_on_a_phone_the_table_scrolls_in_its_own_box(browser: Browser, served: str) -> None:
    context = browser.new_context(viewport={"width": 360, "height": 740}, has_touch=True)
    page = opened(context, served)
    page.locator(f"{FOLD} > summary").tap()
    page.locator(f"{FOLD} [data-say=lead]", has_text="row").wait_for()
    settle(page)
    box = page.locator(f"{FOLD} .va-row-table-box")
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
    page.wait_for_function(f"document.querySelector('{FOLD} .va-row-table-box').scrollTop > 1000")
    left = page.locator(f"{FOLD} tbody tr").last.locator("th").bounding_box()
    frame = box.bounding_box()
    assert left is not None
    assert frame is not None
    assert abs(left["x"] - frame["x"]) <= 2, "the key stays in sight"
    context.close()
