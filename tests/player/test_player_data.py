"""What the page is given: sums of pixels, and the teaching weights with nothing lost."""

import dataclasses
import json
import re

import numpy as np
import pytest

from figures_src.inputs import photographs
from figures_src.player import page_data
from vitattn_core import teaching

GRID = teaching.GRID


def grid_of(parts: dict) -> np.ndarray:
    """The position table again, from CLS's row and the two parts."""
    rows, columns = np.array(parts["rows"]), np.array(parts["columns"])
    patches = (rows[:, None] + columns[None]).reshape(GRID.patches, -1)
    return np.vstack([parts["cls"], patches])


@pytest.mark.parametrize("photo", photographs.TITLES)
def test_sums_are_those_of_the_pixels(photo: str) -> None:
    image = photographs.image(photo).astype(int)
    for token, sums in zip(
        range(1, 197), page_data.photo_sums(photographs.image(photo)), strict=True
    ):
        down, across = GRID.pixels(token)
        patch = image[:, down, across]
        assert sums == [*(int(colour.sum()) for colour in patch), int(patch[:, 4:12, 4:12].sum())]
        assert all(type(number) is int for number in sums)


@pytest.mark.parametrize("photo", photographs.TITLES)
def test_channels_from_sums_are_the_cores(photo: str) -> None:
    matrix, offset = page_data.from_sums(teaching.weights())
    content = np.array(page_data.photo_sums(photographs.image(photo))) @ matrix.T + offset
    np.testing.assert_allclose(content, photographs.trace(photo).content[1:], rtol=0, atol=1e-12)


def test_sums_are_refused_for_other_images() -> None:
    with pytest.raises(TypeError, match="photo_sums: image: got float64, takes uint8"):
        page_data.photo_sums(np.zeros((3, 224, 224)))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match=r"got shape \(224, 224, 3\), takes \(3, 224, 224\)"):
        page_data.photo_sums(np.zeros((224, 224, 3), np.uint8))


@pytest.mark.parametrize(
    ("pixel", "channel"),
    [
        ((0, 7, 3), 0),  # one pixel of the rim counts more
        ((2, 4, 11), 3),  # one pixel of the centre
        ((0, 0, 0), 1),  # the very pixel that the map is read from
        ((1, slice(4, 12), slice(4, 12)), 3),  # the centre counts more in green than in red
        ((slice(None), slice(4, 13), slice(4, 12)), 3),  # a centre that is too tall
    ],
)
def test_an_embedding_that_needs_more_than_the_sums_is_refused(pixel: tuple, channel: int) -> None:
    weights = teaching.weights()
    embedding = weights.embedding.reshape(3, 16, 16, -1).copy()
    embedding[(*pixel, channel)] += 1e-3
    broken = dataclasses.replace(weights, embedding=embedding.reshape(768, -1))
    with pytest.raises(ValueError, match="takes an embedding that is a function of the sums"):
        page_data.teaching_data(broken)


def test_other_sums_of_colours_are_taken() -> None:
    weights = teaching.weights()
    embedding = weights.embedding.reshape(3, 16, 16, -1).copy()
    embedding[1, ..., 10] += 1e-3  # diff sees green
    matrix, _ = page_data.from_sums(
        dataclasses.replace(weights, embedding=embedding.reshape(768, -1))
    )
    assert matrix[10] == pytest.approx([0, 1e-3 * 2 / 255, 0, 0])


def test_a_position_table_that_is_not_a_sum_of_two_parts_is_refused() -> None:
    weights = teaching.weights()
    table = weights.position.copy()
    table[GRID.token(5, 4), 4] += 0.1
    with pytest.raises(ValueError, match="position: got a table that is not a part for the row"):
        page_data.teaching_data(dataclasses.replace(weights, position=table))


def test_weights_that_the_page_leaves_out_are_refused() -> None:
    weights = teaching.weights()
    block = dataclasses.replace(weights.block, gain_1=np.ones(12))
    with pytest.raises(ValueError, match="teaching_data: got gain_1, takes weights without"):
        page_data.teaching_data(dataclasses.replace(weights, block=block))


def test_the_weights_survive_the_way_through_json() -> None:
    data = json.loads(json.dumps(page_data.teaching_data()))
    w = teaching.weights()
    attention = w.block.attention
    for name, matrix in (("W_Q", attention.w_q), ("W_K", attention.w_k), ("W_V", attention.w_v)):
        np.testing.assert_array_equal(np.hstack(data[name]), matrix)
    np.testing.assert_array_equal(data["W_O"], attention.w_o)
    np.testing.assert_array_equal(data["cls"], w.cls)
    np.testing.assert_array_equal(grid_of(data["position"]), w.position)
    assert data["eps"] == w.block.eps
    assert data["channels"] == list(teaching.CHANNELS)
    assert (data["grid"]["tokens"], data["grid"]["prefix"]) == (197, 1)


def test_of_the_mlp_only_units_of_zeros_are_left_out() -> None:
    mlp = page_data.teaching_data()["mlp"]
    block = teaching.weights().block
    w_1, b_1, w_2 = np.zeros((12, 48)), np.zeros(48), np.zeros((48, 12))
    w_1[:, mlp["working"]], b_1[mlp["working"]] = mlp["w_1"], mlp["b_1"]
    w_2[mlp["working"]] = mlp["w_2"]
    assert (len(mlp["working"]), mlp["units"]) == (2, 48)
    np.testing.assert_array_equal(w_1, block.w_1)
    np.testing.assert_array_equal(b_1, block.b_1)
    np.testing.assert_array_equal(w_2, block.w_2)


def test_scripts_hold_the_data_and_nothing_that_disk_forbids() -> None:
    scripts = page_data.scripts()
    assert set(scripts) == {
        "assets/teaching.js",
        *(f"assets/photo-{photo}.js" for photo in photographs.TITLES if photo != "chelsea"),
    }
    for text in scripts.values():
        assert not re.search(r"\b(import|export|fetch)\b", text)
    for photo in photographs.TITLES:
        home = "assets/teaching.js" if photo == "chelsea" else f"assets/photo-{photo}.js"
        sums = re.search(rf"\.{photo} = {{ sums: (\[\[.*?\]\]) }};", scripts[home])
        assert sums is not None
        assert json.loads(sums[1]) == page_data.photo_sums(photographs.image(photo))
