"""Figures of the pages on patches, CLS, heads and masks: what they print, computed here once more."""

import io
import re
from html import unescape

import numpy as np
import pytest
from numpy.typing import ArrayLike
from PIL import Image

from figures_src.inputs import photographs as photos
from figures_src.kit import photographs
from figures_src.pages import examples, registry
from figures_src.pages.cls import figures
from figures_src.pages.heads import figures as heads
from figures_src.pages.masks import figures as masks
from figures_src.pages.patches import figures as patches
from figures_src.pages.patches import figures_positions as positions
from vitattn_core import Grid, teaching_weights
from vitattn_core.reading import total_variation
from vitattn_core.teaching import CHANNELS, GRID

EYE = 75  # the row of the sequence of patch (5,4)
PAGES = ("patches", "cls", "heads", "masks")
OWN = [name for name in registry.figures() if name.startswith(tuple(f"{p}-" for p in PAGES))]


def text_of(name: str) -> str:
    """The words and numbers of a figure, as they stand, with a space between marks."""
    drawn = registry.figures()[name].draw()
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", drawn))).replace("−", "-")


def numbers_after(name: str, words: str) -> list[float]:
    return [float(n) for n in re.findall(rf"{words} ?(-?[\d.]+)", text_of(name))]


def near(printed: list[float], expected: ArrayLike, digits: int) -> None:
    assert len(printed) == np.size(expected)
    apart = np.abs(np.subtract(printed, expected)).max()
    assert apart <= 0.5 * 10**-digits + 1e-12, (printed, expected)


def keys(row: np.ndarray) -> float:
    kept = row[row > 0]
    return float(np.exp(-(kept * np.log(kept)).sum()))


@pytest.mark.parametrize("name", OWN)
def test_a_figure_has_no_id_but_its_own_and_says_nothing_in_small_type(name: str) -> None:
    drawn = registry.figures()[name].draw()
    assert all(i.startswith(name) for i in re.findall(r'\bid="([^"]+)"', drawn))
    scaled = re.findall(r"<svg[^>]*viewBox[^>]*>(?:(?!</svg>).)*?<text", drawn, re.S)
    assert not scaled, "text in a drawing that shrinks"


def test_there_are_figures_for_each_page() -> None:
    for page in PAGES:
        assert len([name for name in OWN if name.startswith(page)]) >= 3


# --- patches ---------------------------------------------------------------------------------------


def test_the_order_of_the_shuffled_patches_is_a_permutation_and_no_pattern() -> None:
    order = patches.order()
    assert sorted(order) == list(range(196))
    assert len(set(np.diff(order))) > 150
    assert not (order == np.arange(196)).all()


def test_shuffling_without_position_is_rounding_and_with_it_is_not() -> None:
    found = patches.differences()
    assert found["none"] < 1e-12 and found["common"] < 1e-12
    assert found["table"] > 0.5
    assert patches.at_most(3e-13) == "10⁻¹²"
    assert patches.at_most(3e-12) == "0.00", "what is not rounding is written as a number"
    assert text_of("patches-shuffled").count("< 10⁻¹²") == 2
    near(numbers_after("patches-shuffled", "a position row for each"), [found["table"]], 2)


def test_the_scrambled_row_holds_green_values_of_other_lines() -> None:
    image = photos.image("chelsea")
    row = examples.scrambled_rows()[74]
    channel, first, last = examples.image_lines()
    assert channel == 1
    start = 74 * 768 - 224 * 224
    assert (first, last) == (start // 224, (start + 767) // 224)
    np.testing.assert_array_equal(row, image[1].ravel()[start : start + 768])
    down, _ = GRID.pixels(EYE)
    assert last < down.start, "none of its own"
    assert f"image lines {first} to {last}" in text_of("patches-scrambled")
    assert text_of("patches-scrambled").count("196 × 768") == 2


def test_the_scrambled_picture_is_the_scrambled_rows() -> None:
    with Image.open(io.BytesIO(patches.put_back())) as picture:
        pixels = np.asarray(picture.convert("RGB")).astype(float)
    assert pixels.shape == (224, 224, 3)
    row = examples.scrambled_rows()[74].reshape(3, 16, 16).transpose(1, 2, 0).astype(float)
    shown = pixels[80:96, 64:80]
    assert abs(shown - row).mean() < 25  # the file is compressed
    assert abs(pixels - photos.image("chelsea").transpose(1, 2, 0)).mean() > 30


def test_the_kernel_of_the_numbers_is_a_convolution() -> None:
    kernel = np.arange(8.0).reshape(2, 2, 2)
    image = np.arange(16.0).reshape(2, 2, 4)
    convolved = [float((kernel * image[:, :, x : x + 2]).sum()) for x in (0, 2)]
    assert patches.convolved()["right"] == convolved == [264, 320]
    assert patches.convolved()["other"] != convolved
    assert "0 1 4 5 8 9 12 13" in text_of("patches-order")


def test_neighbours_in_the_tables() -> None:
    line = positions.closeness(positions.along_the_list(positions.WIDTH), EYE)
    plane = positions.closeness(positions.sine_positions(GRID, positions.WIDTH), EYE)
    for weights in (line, plane):
        assert weights.sum() == pytest.approx(1)
        assert weights.argmax() == EYE
    near(numbers_after("patches-tables", "to the right"), [line[EYE + 1], plane[EYE + 1]], 3)
    near(numbers_after("patches-tables", "below"), [line[EYE + 14], plane[EYE + 14]], 3)
    assert line[EYE + 1] > 1000 * line[EYE + 14]
    assert plane[EYE + 1] == pytest.approx(plane[EYE + 14])


def test_a_mixed_up_table_has_the_right_shape_and_other_neighbours() -> None:
    grid = positions.WIDE
    right = positions.resize_positions(positions.sine_positions(GRID, positions.WIDTH), GRID, grid)
    assert positions.swapped().shape == right.shape
    row, column = np.divmod(np.arange(grid.patches), grid.columns)
    apart = np.hypot(row - 5, column - 4)
    token = grid.token(5, 4)
    distance = [
        float(positions.closeness(table, token, grid)[1:] @ apart)
        for table in (right, positions.swapped())
    ]
    assert distance[1] > 2 * distance[0]


# --- CLS -------------------------------------------------------------------------------------------


def test_the_slipped_maps_are_slipped_by_one_and_by_four() -> None:
    row = photos.trace("chelsea").A[0, EYE]
    np.testing.assert_array_equal(figures.row(), row)
    assert figures.slipped().ravel()[0] == row[0], "CLS in the corner"
    np.testing.assert_array_equal(figures.slipped().ravel()[1:], row[1:196])
    np.testing.assert_array_equal(figures.slipped_by_registers().ravel()[4:], row[1:193])
    drawn = re.findall(r"brightest: \((\d+),(\d+)\)", text_of("cls-offset"))
    assert drawn == [("5", "4"), ("5", "5"), ("5", "8")]


def test_the_three_sequences() -> None:
    assert [int(n) for n in re.findall(r"(\d+) rows", text_of("cls-rows"))] == [196, 197, 201]
    tokens = [Grid(224, 224, 16, cls=False).token(5, 4), EYE, EYE + 4]
    for token in tokens:
        assert f" {token} " in text_of("cls-rows")


def test_the_shares_of_cls_are_a_column() -> None:
    a = photos.trace("chelsea").A
    near(numbers_after("cls-share", "median"), [np.median(a[h, 1:, 0]) for h in range(3)], 3)
    near(numbers_after("cls-share", "largest"), [a[h, 1:, 0].max() for h in range(3)], 3)


def test_what_makes_the_share_of_cls_in_head_1_is_the_other_keys() -> None:
    """Of share = e^score / sum, the sum differs far more from patch to patch than the score."""
    scores = photos.trace("chelsea").S[0, 1:]
    sums = np.log(np.exp(scores).sum(axis=1))
    assert sums.std() > 3 * scores[:, 0].std()


def test_what_cls_reads_is_a_row_and_in_head_1_the_mean() -> None:
    trace = photos.trace("chelsea")
    spread = numbers_after("cls-pooling", "as spread as")
    near(spread, [keys(trace.A[h, 0]) for h in range(3)], 1)
    printed = re.findall(r"o = \(([-\d.]+), ([-\d.]+), ([-\d.]+)", text_of("cls-pooling"))
    near([float(x) for three in printed for x in three], trace.O[:, 0, :3].ravel().tolist(), 2)
    np.testing.assert_allclose(trace.O[0, 0], trace.V[0].mean(axis=0), atol=1e-12)


def test_the_two_summaries_are_those_of_the_trace() -> None:
    z = photos.trace("chelsea").Z
    printed = [float(x) for x in re.findall(r"-?\d+\.\d\d", text_of("cls-summaries"))]
    expected = []
    for start in (0, 4, 8):
        expected += [*z[0, start : start + 4], *z[1:, start : start + 4].mean(axis=0)]
    near(printed, expected, 2)


# --- heads -----------------------------------------------------------------------------------------


def test_two_opposite_heads_have_an_even_mean() -> None:
    two = heads.opposite()
    np.testing.assert_allclose(two.weights.sum(axis=1), 1)
    np.testing.assert_allclose(two.mean, 1 / 196, rtol=1e-12)
    assert total_variation(*two.weights) > 0.9
    halves = two.weights.reshape(2, 2, 98).sum(axis=2)
    assert halves[0, 0] > 0.95 and halves[1, 1] > 0.95
    near(numbers_after("heads-opposite", "brightness"), two.outputs.tolist(), 2)
    bright = photos.image("coffee").astype(float) / 255
    assert two.outputs.mean() == pytest.approx(bright.mean(), abs=1e-9)


def test_the_four_rows_of_the_photograph() -> None:
    a = photos.trace("chelsea").A[:, EYE]
    rows = [*a, a.sum(axis=0) / 3]
    near(numbers_after("heads-photograph", "largest"), [row.max() for row in rows], 3)
    near(numbers_after("heads-photograph", "as spread as"), [keys(row) for row in rows], 1)
    near(numbers_after("heads-photograph", "CLS"), [row[0] for row in rows], 3)


def test_near_me_shows_the_pupil_in_the_smallest_numbers() -> None:
    trace = photos.trace("chelsea")
    lengths = np.linalg.norm(trace.K[1, 1:], axis=1)
    assert lengths.argmin() == trace.X[1:].std(axis=1).argmax() == EYE - 1
    assert trace.A[1, EYE, 1:].argmax() == GRID.token(6, 3) - 1


def test_whose_numbers_a_wrong_merge_brings() -> None:
    """From the place in memory: 75 · 12 numbers before it, 197 · 4 of them of head 1."""
    start = EYE * 12
    places = np.arange(start, start + 12)
    assert examples.merged_sources() == ((2,), tuple(np.unique((places - 197 * 4) // 4)))
    assert "head 2 of (1,13), (2,0), (2,1)" in text_of("heads-merge")
    o, w_o = photos.trace("chelsea").O, teaching_weights().block.attention.w_o
    wrong = o[1, 28:31].ravel() @ w_o
    np.testing.assert_allclose(examples.merged_wrong()[EYE], wrong, atol=1e-12)
    moved = np.linalg.norm(wrong - photos.trace("chelsea").M[EYE])
    near(numbers_after("heads-merge", "at the eye"), [float(moved)], 2)


def test_the_parts_of_the_heads_add_up() -> None:
    trace, w_o = photos.trace("chelsea"), teaching_weights().block.attention.w_o
    parts = np.array([trace.O[h, EYE] @ w_o[4 * h : 4 * h + 4] for h in range(3)])
    np.testing.assert_allclose(parts.sum(axis=0), trace.M[EYE], atol=1e-12)
    shown = [CHANNELS.index(name) for name in ("light", "redgreen", "blueyellow", "diff")]
    printed = [float(x) for x in re.findall(r"-?\d+\.\d\d", text_of("heads-sum"))]
    near(printed, [*parts[:, shown].ravel(), *trace.M[EYE, shown]], 2)
    hidden = np.delete(trace.M[EYE], shown)
    assert not hidden.any(), "a channel is written to and not shown"


# --- masks -----------------------------------------------------------------------------------------


def test_what_each_mask_keeps_and_how_the_rest_shares_it() -> None:
    free = photos.trace("chelsea").A[0, EYE]
    token = np.arange(197)
    row, column = np.divmod(token - 1, 14)
    expected = {
        "no mask": token >= 0,
        "padding": (token == 0) | (row < 10),
        "causal": token <= EYE,
        "window": (token == 0) | ((row < 7) & (column < 7)),
    }
    assert list(masks.kinds()) == list(expected)
    for kind, keep in expected.items():
        np.testing.assert_array_equal(masks.kinds()[kind], keep, kind)
        left = np.where(keep, free, 0)
        np.testing.assert_allclose(masks.masked(kind), left / left.sum(), atol=1e-12)
    near(numbers_after("masks-kinds", "itself"), [masks.masked(k)[EYE] for k in expected], 3)
    kept = [float(n) for n in re.findall(r"(\d+) keys kept", text_of("masks-kinds"))]
    assert kept == [keep.sum() for keep in expected.values()]


def test_the_four_places_of_a_mask() -> None:
    free, *found = masks.places().values()
    np.testing.assert_allclose(free, [1 / 8, 3 / 8, 4 / 8])
    np.testing.assert_allclose(found[0], [1 / 4, 3 / 4, 0])
    np.testing.assert_allclose(found[1], [1 / 5, 3 / 5, 1 / 5])
    np.testing.assert_allclose(found[2], [1 / 8, 3 / 8, 0])
    np.testing.assert_allclose(found[3], found[0])
    sums = [float(n) for n in re.findall(r"(\d\.\d\d) sum", text_of("masks-where"))]
    assert sums == [1, 1, 1, 0.5, 1]


def test_the_two_axes_of_a_padding_mask() -> None:
    drawn = registry.figures()["masks-axis"].draw()
    by_key, by_query = (
        np.array(re.findall(r'class="va-(kept|unreached)"', half)).reshape(6, 6) == "kept"
        for half in drawn.split("(B, 1, 1, N)")
    )
    assert by_key[:, :4].all() and not by_key[:, 4:].any()
    assert by_query[:4].all() and not by_query[4:].any()


# --- painting --------------------------------------------------------------------------------------


def test_paint_covers_each_patch_once_and_the_brightest_most() -> None:
    weights = photos.trace("coffee").A[2, GRID.token(11, 5)]
    drawn = photographs.paint(weights)
    places = re.findall(r"M(\d+) (\d+)h", drawn)
    assert len(set(places)) == len(places)
    token = int(weights[1:].argmax()) + 1
    row, column = GRID.place(token)
    last = re.findall(r'd="([^"]+)" class="w(\d+)"', drawn)
    level = {place: int(w) for d, w in last for place in re.findall(r"M(\d+) (\d+)h", d)}
    assert level[str(16 * column), str(16 * row)] == max(level.values())


def test_a_picture_and_a_name_are_registered_once() -> None:
    assert "patches-scrambled" in registry.pictures()
    with pytest.raises(ValueError, match="picture patches-scrambled: is there already"):
        registry.picture("patches-scrambled")(lambda: b"")
