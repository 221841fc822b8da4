"""Photographs and grids with marks on them: what a panel must show, and the check that it does."""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from . import marks
from .marks import Element, Figure

Place = tuple[int, int]


@dataclass
class Panel:
    """What a panel shows; what is left out must not be drawn.

    title and says: the words under it; above: those over it, and the weights of rows in front.
    weights: painted up to `largest`, (rows, columns); sizes: squares, up to `full`.
    others: kinds of marks that the figure's own reader looks at.
    """

    title: str
    says: list[str] = field(default_factory=list)
    above: str = ""
    front: list[tuple[str, float]] = field(default_factory=list)
    photo: str | None = "chelsea"
    dim: bool = True
    weights: NDArray | None = None
    largest: float = 0.0
    sizes: NDArray | None = None
    full: float = 0.0
    hidden: NDArray | None = None
    frames: list[tuple[str, int, int]] = field(default_factory=list)
    shape: Place = (14, 14)
    cell: int = 16


def keys(row: NDArray) -> float:
    """How many keys of one weight a row is as spread as."""
    kept = row[row > 0]
    return float(np.exp(-(kept * np.log(kept)).sum()))


def check(figure: Figure, expected: list[Panel]) -> list[Element]:
    """Read all panels of a figure; return their drawings."""
    panels = figure.classed("va-show")
    return [check_one(figure, *pair) for pair in zip(panels, expected, strict=True)]


def check_one(figure: Figure, panel: Element, expected: Panel) -> Element:
    """Read one panel; return its drawing."""
    say = figure.one("va-show-say", panel)
    assert figure.said("b", say) == [expected.title]
    assert figure.said("small", say) == expected.says
    _check_front(figure, panel, expected)
    svg = figure.one("va-show-field", panel)
    size = [expected.cell * n for n in expected.shape]
    box = marks.classes(svg), [float(n) for n in svg.get("viewBox", "").split()]
    assert box[1] == [0, 0, size[1], size[0]]
    if expected.photo:
        image = figure.marks("image", svg)[0]
        assert image.get("href") == f"assets/photos/{expected.photo}.webp"
        assert marks.at(image, "width", "height") == size[::-1]
        assert ("va-dim" in marks.classes(image)) == expected.dim
    painted = marks.painted(figure, svg, expected.shape, expected.cell)
    if expected.weights is None:
        assert not painted.any()
    else:
        np.testing.assert_array_equal(painted, marks.levels(expected.weights, expected.largest))
    areas = marks.areas(figure, svg, expected.shape, expected.cell)
    assert (areas is None) == (expected.sizes is None)
    if expected.sizes is not None:
        shares = np.minimum(expected.sizes / expected.full, 1)
        sides = np.sqrt(areas) - np.sqrt(shares)
        np.testing.assert_allclose(sides, 0, atol=0.051 / expected.cell)
    hidden = marks.covered(figure, svg, "va-hidden", expected.shape, expected.cell)
    dark = np.zeros(expected.shape, dtype=bool) if expected.hidden is None else expected.hidden
    np.testing.assert_array_equal(hidden, dark)
    assert marks.frames(figure, svg, expected.cell) == expected.frames
    return svg


def _check_front(figure: Figure, panel: Element, expected: Panel) -> None:
    """The line above a drawing: words, or a painted cell, a name and a weight for each row in front."""
    fronts = figure.classed("va-show-front", panel)
    if not (expected.front or expected.above):
        assert not fronts
        return
    (line,) = fronts
    if expected.above:
        assert figure.words(line) == expected.above
        return
    for chip, (name, weight) in zip(line.iter("span"), expected.front, strict=True):
        rects = figure.marks("rect", chip)
        assert marks.classes(rects[0]) == ["va-cls"]
        level = int(marks.levels(weight, expected.largest))
        assert [marks.classes(rect) for rect in rects[1:]] == ([[f"w{level}"]] if level else [])
        assert {tuple(marks.at(rect, "x", "y", "width", "height")) for rect in rects} == {
            (0, 0, 16, 16)
        }
        assert figure.words(chip) == f"{name} {marks.written(weight, 3)}"
