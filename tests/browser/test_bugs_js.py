"""The bugs that act on one block, in the page: their pass is that of the core with the same bug.

Bugs 1 to 4 are the switches of test_attention_js.py; `offset` is a bug of the map, not of the pass.
"""

from collections.abc import Iterator

import numpy as np
import pytest
from playwright.sync_api import Browser, Error, Page

from figures_src.inputs import photographs
from figures_src.kit.colours import weight_level
from figures_src.player import switch_words
from figures_src.player.state import DEFAULTS, states
from tests.browser.attention_page import (
    NAMES,
    SWITCHES,
    TOLERANCE,
    Request,
    blank_page,
    differences,
    in_numpy,
    in_page,
    switched_core,
)
from tests.browser.player_page import PLAYER, State, address, note_of, opened, put, state_of, word
from tests.pictures import Picture
from vitattn_core.mistakes import MISTAKES
from vitattn_core.teaching import GRID, HEADS

EYE = GRID.token(5, 4)
OTHER = GRID.token(6, 11)
BUGS = ("merge", "mask", "residual", "offset")
# Where a bug is first seen; `offset` is seen in no array.
FIRST = {"merge": "joined", "mask": "masked", "residual": "Y"}


def requests() -> list[Request]:
    """Every bug on every photograph, with dropped keys and without, and among other switches."""
    random = np.random.default_rng(5)
    asked: list[Request] = []
    for bug in BUGS:
        for photo in photographs.TITLES:
            asked += [{"photo": photo, "bug": bug}]
            asked += [{"photo": photo, "bug": bug, "dropped": [OTHER]}]
            few = random.choice(GRID.tokens, 6, replace=False).tolist()
            switches = {name: str(random.choice(choices)) for name, choices in SWITCHES.items()}
            asked += [{"photo": photo, "bug": bug, "dropped": few, **switches}]
    every = list(range(GRID.tokens))
    return [*asked, {"photo": "coffee", "bug": "mask", "dropped": every}]


def name(request: Request) -> str:
    return "-".join(str(len(v) if isinstance(v, list) else v) for v in request.values())


@pytest.fixture(scope="module")
def blank(browser: Browser) -> Iterator[Page]:
    page = blank_page(browser)
    yield page
    page.close()


@pytest.fixture(scope="module")
def page(browser: Browser, served: str) -> Iterator[Page]:
    page = opened(browser, served, viewport={"width": 1350, "height": 940})
    yield page
    page.close()


def test_the_bugs_are_the_same_everywhere_and_are_lines_of_the_core(blank: Page) -> None:
    assert tuple(switch_words.BUGS) == tuple(states()["bug"]) == BUGS
    assert blank.evaluate("vitattn.attention.BUGS") == list(BUGS)
    assert set(BUGS) < set(MISTAKES)


@pytest.mark.parametrize("asked", requests(), ids=name)
def test_every_number_of_a_pass_with_a_bug_is_the_cores(blank: Page, asked: Request) -> None:
    ours, theirs = in_page(blank, asked, every=5), in_numpy(asked, every=5)
    assert set(ours) == set(theirs) == set(NAMES)
    apart = differences(ours, theirs)
    assert max(apart.values()) <= TOLERANCE, apart


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_is_first_seen_where_it_is_made(blank: Page, bug: str) -> None:
    """So the comparison above can fail, and a mask that hides nothing has nothing to invert."""
    right = {"photo": "chelsea", "dropped": [OTHER]}

    def apart(request: Request) -> dict[str, float]:
        found = differences(in_page(blank, request | {"bug": bug}), in_numpy(request))
        return {key: size for key, size in found.items() if not size <= TOLERANCE}

    assert next(iter(apart(right)), None) == FIRST.get(bug)
    if bug in ("mask", "offset"):
        assert not apart({"photo": "chelsea"})


@pytest.mark.parametrize("bug", ["axis", "patchify", "nothing", "MERGE"])
def test_a_bug_that_the_page_does_not_have_is_refused(blank: Page, page: Page, bug: str) -> None:
    with pytest.raises(Error, match=f"RangeError: run: bug: got {bug}, takes merge, mask, resid"):
        blank.evaluate(
            "(bug) => vitattn.attention.run("
            "{ sums: vitattn.photos.chelsea.sums, teaching: vitattn.teaching, bug })",
            bug,
        )
    put(page, dict(DEFAULTS))
    put(page, {"bug": bug})
    assert state_of(page) == DEFAULTS
    assert "bug takes merge, mask, residual, offset" in note_of(page)


# The picture with `offset` -------------------------------------------------------------------------


def wrong_field(weights: np.ndarray) -> np.ndarray:
    """What the core paints on the patches with the bug."""
    return switched_core(("offset",)).teaching.GRID.field(weights)


def test_the_wrong_field_is_one_patch_off() -> None:
    weights = photographs.trace("chelsea").A[0, EYE]
    wrong, right = wrong_field(weights).ravel(), GRID.field(weights).ravel()
    assert wrong[0] == weights[0]
    assert np.array_equal(wrong[1:], right[:-1])


PAINTED = f"""() => [...{PLAYER}.querySelectorAll(".va-cells [data-token]")].map(
  (cell) => Number((/ w(\\d+)/.exec(cell.getAttribute("class")) ?? [0, 0])[1]))"""


@pytest.mark.parametrize("bug", ["", "offset"])
@pytest.mark.parametrize("photo", photographs.TITLES)
def test_what_is_painted_is_the_cores_field(page: Page, photo: str, bug: str) -> None:
    trace = photographs.trace(photo)
    for head in range(1, len(HEADS) + 1):
        for query in (0, EYE, 196):
            state = {"photo": photo, "head": str(head), "query": word(query), "bug": bug}
            put(page, DEFAULTS | state)
            weights = trace.A[head - 1, query]
            field = wrong_field(weights) if bug else GRID.field(weights)
            levels = [weight_level(float(weight), weights.max()) for weight in field.ravel()]
            painted = page.evaluate(PAINTED)
            assert painted[GRID.prefix :] == levels
            assert painted[0] == weight_level(float(weights[0]), weights.max())


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


@pytest.mark.parametrize(("change", "words"), CHANGED, ids=str)
def test_a_state_off_the_standard_says_so_until_it_is_reset(
    page: Page, change: State, words: str
) -> None:
    put(page, DEFAULTS | {"stage": "mix"})
    line = page.locator(".va-changed")
    assert not line.is_visible()
    put(page, change)
    assert line.is_visible()
    assert line.locator("b").first.inner_text() == words
    moved = page.locator("[data-readout=delta-output]")
    assert moved.count() == 1
    assert abs(float(moved.inner_text()) - delta(change)) <= 0.0005 + 1e-9
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
