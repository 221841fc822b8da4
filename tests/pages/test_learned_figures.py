"""The figures of the pages on the trained model: what they print and draw, from the captures once more."""

import re

import numpy as np
import pytest

from figures_src.inputs import captures
from figures_src.inputs.captures import GRID, measured
from figures_src.kit import photographs
from figures_src.kit.numbers import fixed
from figures_src.kit.scatter import Axis, Plot
from figures_src.pages import registry
from figures_src.pages.learned_heads import examples, facts

OWN = [n for n in registry.figures() if n.startswith(("learned-heads-", "weight-and-effect-"))]
QUERY = 1 + 16 * 7 + 5


def drawn(name: str) -> str:
    return registry.figures()[name].draw()


def words(name: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", drawn(name)).split())


@pytest.mark.parametrize("name", OWN)
def test_no_id_but_its_own_and_no_text_that_shrinks(name: str) -> None:
    assert all(i.startswith(name) for i in re.findall(r'\bid="([^"]+)"', drawn(name)))
    assert not re.findall(r"<svg[^>]*viewBox[^>]*>(?:(?!</svg>).)*?<text", drawn(name), re.S)


def test_the_row_on_the_eyes_is_the_captures() -> None:
    said = words("learned-heads-eyes")
    for layer, head in ((7, 6), (9, 4), (11, 1), (12, 3)):
        row = captures.load("chelsea", layer).weights[head - 1, QUERY]
        field = row[1:].reshape(16, 16)
        left, right = field[4:9, 3:8].sum(), field[6:10, 11:15].sum()
        part = said.split(f"layer {layer}, head {head}")[1]
        assert part.startswith(
            f" left eye {fixed(100 * left, 0)}% right eye {fixed(100 * right, 0)}% "
            f"largest {fixed(row.max(), 2)}"
        )
        assert f"CLS {fixed(row[0], 3)}" in said
        assert left > 0.25 and right > 0.25


def test_paint_lies_on_the_patches_of_a_grid_of_14_pixels() -> None:
    row = np.zeros(257)
    row[QUERY] = 1.0
    assert photographs.paint(row, GRID) == '<path d="M70 98h14v14h-14z" class="w63">'.replace(
        ">", "></path>"
    )
    assert 'transform="translate(70 98)"' in photographs.frame(7, 5, cell=14)
    cells = np.zeros((16, 16))
    cells[7, 5] = 2.0
    assert "M70.0 98.0h14.0v14.0" in photographs.sizes(cells, 2.0, 14)


def test_a_needle_points_to_the_top_patch_and_the_shares_are_the_findings() -> None:
    A = captures.load("chelsea", 4).weights
    for head, step in ((2, (1, 0)), (5, (-1, 0)), (6, (0, -1))):
        share = captures.finding("shift.chelsea")[f"4.{head}"][0]
        assert examples.share_of_steps(A[head - 1], step) == pytest.approx(share, abs=0.02)
    fields = drawn("learned-heads-shifts").split('class="va-show"')[1:]
    ends = ("l0.0 9.0", "l0.0 -9.0", "l-9.0 0.0")
    shafts = [re.findall(r'<path d="([^"]*)" class="va-needle is-halo"', one)[0] for one in fields]
    down, up, left = (shaft.count(end) for shaft, end in zip(shafts[:3], ends, strict=True))
    assert min(down, up, left) > 0.9 * 240
    tops = A.mean(axis=0)[1:, 1:].argmax(axis=1)
    places = np.stack(divmod(tops, 16)) - np.stack(divmod(np.arange(256), 16))
    below = ((places[0] == 1) & (places[1] == 0)).sum() / 240
    assert f"{fixed(100 * below, 0)}% below" in words("learned-heads-shifts")


def test_no_head_but_the_six_points_to_a_side_so_often_and_the_seventh_is_named() -> None:
    places = np.array(list(GRID.places()))
    steps = [(down, across) for down in (-1, 0, 1) for across in (-1, 0, 1) if down or across]
    least: dict[tuple[int, int, tuple[int, int]], float] = {}
    for photo in captures.PHOTOS:
        for layer in range(1, 13):
            tops = captures.load(photo, layer).weights[:, 1:, 1:].argmax(axis=-1)
            for step in steps:
                there = places + step
                inside = ((there >= 0) & (there < 16)).all(axis=1)
                found = (tops[:, inside] == there[inside] @ (16, 1)).mean(axis=1)
                for head, share in enumerate(found.tolist(), start=1):
                    one = (layer, head, step)
                    least[one] = min(least.get(one, 1.0), share)
    ranked = sorted(least, key=lambda one: -least[one])
    six = {(int(h[0]), int(h[2]), facts.STEPS[w]) for h, w in facts.WORDS.items()}
    assert set(ranked[:6]) == six and ranked[6] == (5, 1, (-1, 0))
    assert least[ranked[5]] > 0.7 > 0.6 > least[ranked[6]]


def test_the_ring_is_on_the_head_that_matters_least() -> None:
    for photo in captures.PHOTOS:
        effect = measured(f"removed.saliency.{photo}")
        assert np.unravel_index(effect.argmin(), (12, 6)) == (0, 5)
        top = measured(f"heads.top.{photo}")[0, 5]
        said = f"largest weight {fixed(top, 2)} on average, output moves {fixed(effect.min(), 3)}"
        assert said in words("weight-and-effect-heads")


def test_a_place_outside_an_axis_is_refused() -> None:
    plot = Plot(Axis(0, 1, ()), Axis(0.1, 10, (), log=True))
    assert plot.at(0.25, 1) == pytest.approx((25, 50))
    with pytest.raises(ValueError, match=r"plot: got 1\.5, takes 0 to 1"):
        plot.at(1.5, 1)
