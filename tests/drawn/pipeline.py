"""The whole ViT from image to class: sizes under each step, and what of it is drawn."""

import re

from .marks import Figure, at, classes
from .register import reads

SIDE, PATCH, WIDTH, DEPTH, CLASSES = 224, 16, 768, 12, 1000  # of ViT-B/16


@reads(
    "whole-vit",
    "six steps with their sizes, squares of the photograph, rows, what meets in a block",
)
def whole_vit(figure: Figure) -> None:
    steps = list(figure.one("va-pipeline").iter("li"))
    patches = (SIDE // PATCH) ** 2
    said = [" ".join(figure.said("b", step) + figure.said("small", step)) for step in steps]
    assert said == [
        f"image {SIDE} × {SIDE} pixels",
        f"squares {patches} patches",
        f"rows {patches + 1} × {WIDTH}, CLS first",
        f"{DEPTH} blocks attention, MLP",
        f"CLS 1 × {WIDTH}",
        f"classes {CLASSES:,} numbers",
    ]
    image, squares, rows, blocks, cls, numbers = steps
    for step in (image, squares):
        (picture,) = figure.marks("image", step)
        assert picture.get("href", "").endswith("photos/chelsea.webp")
        assert at(picture, "x", "width", "height") == [10, 64, 64]
    (gaps,) = figure.marks("path", squares)
    down = [float(x) for x in re.findall(r"M(\S+) 0V64", gaps.get("d", ""))]
    across = [float(y) for y in re.findall(r"M10 (\S+)H74", gaps.get("d", ""))]
    assert [round((x - 10) * 7 / 64, 3) for x in down] == [1, 2, 3, 4, 5, 6]
    assert [round(y * 7 / 64, 3) for y in across] == [1, 2, 3, 4, 5, 6]
    for step, kept in ((rows, 8), (cls, 1)):
        bars = figure.marks("rect", step, "va-row-bar")
        assert [at(bar, "y")[0] for bar in bars] == [8 * n + 1 for n in range(8)]
        assert {(*at(bar, "x", "width", "height"),) for bar in bars} == {(8, 68, 5)}
        assert ["is-left" in classes(bar) for bar in bars] == [n >= kept for n in range(8)]
        assert ["is-front" in classes(bar) for bar in bars] == [n == 0 for n in range(8)]
    assert len(figure.marks("rect", blocks, "va-block-box")) == 3
    (meets,) = figure.marks("path", blocks, "va-meets")
    ways = re.findall(r"M14 (\d+)L38 (\d+)", meets.get("d", ""))
    heights = sorted({start for start, _ in ways})
    assert (
        set(ways) == {(i, j) for i in heights for j in heights} and len(ways) == 16
    )  # all with all
    (alone,) = figure.marks("path", blocks, "va-alone")
    assert re.findall(r"M46 (\d+)H62", alone.get("d", "")) == heights  # each row by itself
    circles = figure.marks("circle", numbers)
    assert len(circles) == 20 and {circle.get("r") for circle in circles} == {"4"}  # all alike
