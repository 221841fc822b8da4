"""The bugs that act on one block, on screen: what is painted and written, what the state says of itself.

Their passes are held to the core in tests/player/test_bugs_script.py, and every text and level of a row in
tests/player/test_row.py.
"""

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Page

from figures_src.inputs import photographs
from figures_src.kit.colours import weight_level
from figures_src.player.state import DEFAULTS
from tests.browser.player_page import PLAYER, State, address, note_of, opened, put, state_of, word
from tests.player.passes import TOLERANCE, in_numpy
from tests.player.pictures import Picture
from vitattn_core.teaching import GRID, HEADS

EYE = GRID.token(5, 4)
OTHER = GRID.token(6, 11)


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


def test_a_bug_that_the_page_does_not_have_is_refused(page: Page) -> None:
    put(page, dict(DEFAULTS))
    put(page, {"bug": "axis"})
    assert state_of(page) == DEFAULTS
    assert "bug takes merge, mask, residual or offset" in note_of(page)


# The picture with `offset` -------------------------------------------------------------------------


def wrong_field(weights: np.ndarray) -> np.ndarray:
    """What is painted on the patches with the bug: each weight one patch too far."""
    return weights[: GRID.patches].reshape(GRID.rows, GRID.columns)


PAINTED = f"""() => [...{PLAYER}.querySelectorAll(".va-cells [data-token]")].map(
  (cell) => Number((/ w(\\d+)/.exec(cell.getAttribute("class")) ?? [0, 0])[1]))"""


def test_what_is_painted_is_the_weight_of_another_patch(page: Page) -> None:
    for query, photo, bug in (
        (0, "rocket", ""),
        (EYE, "chelsea", "offset"),
        (196, "rocket", "offset"),
    ):
        put(page, DEFAULTS | {"photo": photo, "head": "2", "query": word(query), "bug": bug})
        weights = photographs.trace(photo).A[1, query]
        field = wrong_field(weights) if bug else GRID.field(weights)
        levels = [weight_level(float(weight), weights.max()) for weight in field.ravel()]
        assert page.evaluate(PAINTED) == [weight_level(float(weights[0]), weights.max()), *levels]


def test_the_small_maps_of_the_heads_are_off_too(page: Page) -> None:
    """Each is painted as the photograph would be: one patch too far, up to the largest of the row."""
    put(page, DEFAULTS | {"stage": "heads", "bug": "offset"})
    for head in range(len(HEADS)):
        weights = photographs.trace("chelsea").A[head, EYE]
        expected = Picture(wrong_field(weights).ravel(), float(weights.max()))
        drawn = page.locator(f"[data-paint='map.{head}']").evaluate("(mark) => mark.innerHTML")
        assert expected.fault(drawn) is None


def test_offset_changes_no_number_of_the_row(page: Page) -> None:
    put(page, dict(DEFAULTS))
    told = f"JSON.stringify([{PLAYER}.shown.values, {PLAYER}.pass])"
    page.evaluate(f"() => {{ window.before = {told}; }}")
    put(page, {"bug": "offset"})
    assert page.evaluate(f"() => window.before === {told}")
    put(page, {"bug": "", "query": "5.5"})
    assert not page.evaluate(f"() => window.before === {told}")


# What a state says of itself -----------------------------------------------------------------------

CHANGED: list[tuple[State, str]] = [
    ({"scale": "model"}, "÷ √D"),
    ({"scale": "off"}, "no divisor"),
    ({"position": "off"}, "position left out"),
    ({"mix": "k"}, "keys mixed"),
    ({"axis": "queries"}, "softmax over the queries"),
    ({"dropped": "6.11"}, "key (6,11) dropped"),
    ({"dropped": "6.11,cls"}, "2 keys dropped"),
    ({"bug": "merge"}, "heads merged by reshape without transpose"),
    ({"bug": "residual", "mix": "k"}, "keys mixed · residual adds LN(X)"),
    ({"bug": "offset"}, "weights painted without leaving out CLS"),
    ({"bug": "mask", "dropped": "cls"}, "mask inverted · key CLS dropped"),
]


def delta(state: State) -> float:
    """How far the output of the row moves, from the core alone."""
    dropped = [t for t in range(GRID.tokens) if word(t) in state.get("dropped", "").split(",")]
    request = {name: value for name, value in state.items() if name != "dropped"}
    after = in_numpy({"photo": "chelsea", "dropped": dropped, **request})["O"][0, EYE]
    before = photographs.trace("chelsea").O[0, EYE]
    return float(np.linalg.norm(after - before) / np.linalg.norm(before))


def test_a_state_off_the_standard_says_so_until_it_is_reset(page: Page) -> None:
    put(page, DEFAULTS | {"stage": "mix"})
    line = page.locator(".va-changed")
    assert not line.is_visible()
    faults = []
    for change, words in CHANGED:
        put(page, DEFAULTS | {"stage": "mix"} | change)
        said = line.locator("b").first.inner_text()
        if not line.is_visible() or said != words:
            faults.append(f"{change}: {said}, not {words}")
        moved = page.locator("[data-readout=delta-output]").inner_text()
        if not abs(float(moved) - delta(change)) <= 0.0005 + 1e-9:
            faults.append(f"{change}: moved by {moved}, not {delta(change)}")
    assert not faults
    every = {"scale": "off", "position": "off", "mix": "k", "axis": "queries"}
    put(page, {**every, "dropped": "6.11", "bug": "mask"})
    line.get_by_role("button", name="Reset").click()
    line.wait_for(state="hidden")
    assert state_of(page) == DEFAULTS | {"stage": "mix"}
    assert page.evaluate(f"{PLAYER}.isStandard && {PLAYER}.pass === {PLAYER}.standardPass")


def test_an_address_with_a_bug_is_compared_with_the_standard(browser: Browser, served: str) -> None:
    """The standard has not been computed before: it is, and the line says how far the row moved."""
    state = {"bug": "mask", "dropped": "6.11", "scale": "off"}
    page = opened(browser, served, address(DEFAULTS | state))
    page.locator("[data-readout=delta-output]", has_text=".").wait_for()
    moved = page.locator("[data-readout=delta-output]").inner_text()
    assert abs(float(moved) - delta(state)) <= 0.0005 + 1e-9
    assert page.evaluate(f"{PLAYER}.standardPass.A[0][{EYE}][{EYE}]") == pytest.approx(
        photographs.trace("chelsea").A[0, EYE, EYE], abs=TOLERANCE
    )
    page.close()


# What the plates say stays true --------------------------------------------------------------------


def plate(page: Page, stage: str) -> str:
    return page.locator(f"#stage-{stage}").inner_text()


def test_merged_heads_name_the_rows_whose_numbers_stand_there(page: Page) -> None:
    """Row i gets the outputs number 3i to 3i + 2, counted head by head and row by row."""
    put(page, DEFAULTS | {"stage": "heads", "bug": "merge"})
    trace = photographs.trace("chelsea")
    numbers = trace.O.reshape(-1, 4)[3 * EYE : 3 * EYE + 3]
    found = [divmod(3 * EYE + n, GRID.tokens) for n in range(3)]
    assert np.array_equal(numbers, [trace.O[head, token] for head, token in found])
    assert {head for head, _ in found} == {1}
    places = ", ".join("({},{})".format(*GRID.place(token)) for _, token in found)
    assert f"outputs of head 2 at {places}" in plate(page, "heads")
    put(page, {"query": "4.8"})  # its three outputs are the last of head 1 and the first of head 2
    assert "outputs of head 1 at (13,12), (13,13), of head 2 at CLS" in plate(page, "heads")


def test_the_mask_shows_what_its_bug_takes_out(page: Page) -> None:
    put(page, DEFAULTS | {"stage": "mask", "dropped": "6.11,cls", "bug": "mask"})
    assert "2 keys take part, 195 are taken out" in plate(page, "mask")
    line = page.locator(".va-line.va-one-head[data-line=key]")
    assert "key CLS" in line.inner_text() or "key (6,11)" in line.inner_text()
    page.locator("vit-player .va-cells [data-token='3']").hover()
    assert "mask = −∞" in line.inner_text()
    weights = page.evaluate(f"{PLAYER}.pass.A[0][{EYE}]")
    assert {token for token, weight in enumerate(weights) if weight > 0} == {0, OTHER}
    put(page, {"stage": "softmax"})
    page.locator("vit-player .va-cells [data-token='3']").hover()
    assert "mask = −∞" in line.inner_text(), "the step is told at later stages too"
    put(page, {"dropped": "", "bug": ""})
    assert "mask" not in line.inner_text()


def test_the_residual_shows_what_is_added_to(page: Page) -> None:
    shown = {}
    for bug in ("", "residual"):
        put(page, DEFAULTS | {"stage": "residual", "bug": bug})
        texts = [page.locator(f"#stage-residual [data-t='base.{c}']") for c in range(12)]
        shown[bug] = [float((text.text_content() or "").replace("−", "-")) for text in texts]
    trace = photographs.trace("chelsea")
    np.testing.assert_allclose(shown[""], trace.X[EYE], atol=0.0051)
    np.testing.assert_allclose(shown["residual"], trace.U[EYE], atol=0.0051)
    assert "its normed form" in plate(page, "residual")


def test_a_row_that_does_not_sum_to_one_keeps_its_bar_inside_the_panel(page: Page) -> None:
    for head, more in (("3", True), ("2", False)):
        put(page, DEFAULTS | {"axis": "queries", "head": head})
        bar = page.locator("#stage-softmax .va-unit")
        total = float(page.locator("[data-readout=row-sum]").inner_text())
        assert (total > 1) == more
        end = bar.locator("[data-t='bar.end']").text_content()
        assert end == (f"{total:.3f}" if more else "1")
        frame, rest = bar.bounding_box(), bar.locator(".va-rest").bounding_box()
        assert frame is not None
        assert rest is not None
        reached = (rest["x"] + rest["width"] - frame["x"]) / frame["width"]
        assert reached == pytest.approx(min(1, total), abs=0.005)
        words = plate(page, "softmax")
        assert "one whole" not in words
        assert "the largest score that this key gets from any query" in words
