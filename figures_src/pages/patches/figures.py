"""Figures of the page on patches and position: the shuffled rows, and the cut."""

import io
from functools import cache

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from figures_src.inputs import photographs
from figures_src.kit.elements import tag
from figures_src.kit.geometry import CELL, Floats
from figures_src.kit.numbers import fixed
from figures_src.kit.photographs import field, frame, panel, photograph, side_by_side
from figures_src.kit.strips import strip, svg
from figures_src.pages.examples import image_lines, scrambled_rows
from figures_src.pages.registry import figure, picture
from vitattn_core import (
    block,
    embed,
    patchify,
    teaching_weights,
    unpatchify,
)
from vitattn_core.teaching import GRID

PLACE = (5, 4)


def order() -> NDArray[np.int_]:
    """Return the 196 patches in another order: the powers of 2 modulo 197, no random numbers."""
    return np.array([pow(2, k, GRID.tokens) - 1 for k in range(GRID.patches)])


def shuffled(position: Floats) -> float:
    """Return how far shuffling the patches is from shuffling what attention adds to each row.

    `position` (197, 12) is added to the rows of the cat's photograph; the largest difference in M.
    """
    content = photographs.trace("chelsea").content
    moved = np.concatenate([np.arange(GRID.prefix), GRID.prefix + order()])
    weights = teaching_weights().block
    straight = block(content + position, weights).M
    return float(np.abs(block(content[moved] + position, weights).M - straight[moved]).max())


@cache
def differences() -> dict[str, float]:
    """Return `shuffled` without position, with one row for all, and with the teaching table."""
    table = teaching_weights().position
    return {
        "none": shuffled(np.zeros_like(table)),
        "common": shuffled(np.tile(table[GRID.token(*PLACE)], (GRID.tokens, 1))),
        "table": shuffled(table),
    }


def at_most(difference: float) -> str:
    """Return 10⁻¹² for what is below it, rounding alone, and a written number for what is not."""
    return "10⁻¹²" if difference < 1e-12 else fixed(difference, 2)


@figure(
    "patches-shuffled",
    caption="Above: the photograph, and the same patches in another order; the frame is on the same "
    "patch. Below: the largest difference between shuffling the rows that go in and shuffling what "
    "attention adds to each row. Without position the two are the same.",
    alt="A photograph of a cat, and its {{ vit.patches = 196 }} patches in a mixed order. Without "
    "position, and with the same position row for all patches, the difference is nothing but "
    "rounding; with a position row for each patch it is large.",
)
def draw_shuffled() -> str:
    side = GRID.columns
    crops = []
    for place, patch in enumerate(order()):
        x, y = (CELL * (int(patch) % side), CELL * (int(patch) // side))
        crops.append(
            tag(
                "svg",
                tag("use", href="#patches-shuffled-photo"),
                x=CELL * (place % side),
                y=CELL * (place // side),
                width=CELL,
                height=CELL,
                viewBox=f"{x} {y} {CELL} {CELL}",
            )
        )
    image = tag(
        "image",
        id="patches-shuffled-photo",
        href="assets/photos/chelsea.webp",
        width=GRID.width,
        height=GRID.height,
    )
    new = int(np.flatnonzero(order() == GRID.token(*PLACE) - GRID.prefix)[0])
    pictures = side_by_side(
        panel("in order", field(image, frame(*PLACE), width=GRID.width, height=GRID.height)),
        panel(
            "in another order",
            field(*crops, frame(*divmod(new, side)), width=GRID.width, height=GRID.height),
        ),
        size=368,
    )
    largest = max(differences().values())
    lines = []
    for key, words in (
        ("none", "no position"),
        ("common", "one position row for all"),
        ("table", "a position row for each"),
    ):
        difference = differences()[key]
        share = f"{100 * difference / largest:.2f}%"
        bar = tag("rect", class_="va-rest-bar", width=share, height=16)
        number = tag("b", f"{'&lt; ' if difference < 1e-12 else ''}{at_most(difference)}")
        lines.append(strip("", "none", words, svg(16, bar), number))
    return pictures + tag("div", *lines, class_="va-lines-below")


# --- cutting ---------------------------------------------------------------------------------------


@picture("patches-scrambled")
def put_back() -> bytes:
    """Return the scrambled rows, each put back at its patch's place, as a WebP file."""
    shape = {"channels": 3, "height": GRID.height, "width": GRID.width, "patch": GRID.patch}
    pixels = unpatchify(scrambled_rows().astype(np.float64), **shape).astype(np.uint8)
    file = io.BytesIO()
    Image.fromarray(pixels.transpose(1, 2, 0)).save(file, "WEBP", quality=80, method=6)
    return file.getvalue()


@figure(
    "patches-scrambled",
    caption="The right cut: one row holds one square, and the rows, put back at their places, give "
    "the photograph. The scrambled cut: the same row holds green values of a few image lines, from "
    "edge to edge, and put back it gives stripes. Both arrays have the same shape.",
    alt="Four small pictures. The right cut: a square on the cat’s left eye, and the whole photograph. "
    "The scrambled cut: a thin band across the photograph, and coloured stripes.",
)
def draw_scrambled() -> str:
    row = GRID.token(*PLACE) - GRID.prefix
    _, first, last = image_lines()
    band = tag(
        "path",
        d=f"M0 {first}H{GRID.width}V{last + 1}H0z",
        class_="va-lit-band",
    )
    wrong = tag(
        "image",
        href="assets/pictures/patches-scrambled.webp",
        width=GRID.width,
        height=GRID.height,
    )
    shape = f"{GRID.patches} × {scrambled_rows().shape[1]}"
    from_ = tag("p", "one row comes from", class_="va-show-front")
    back_ = tag("p", "all rows, put back", class_="va-show-front")
    one, other = f"row {row}: the square (5,4)", f"row {row}: green, image lines {first} to {last}"
    put = field(wrong, frame(*PLACE), width=GRID.width, height=GRID.height)
    return side_by_side(
        panel("right cut", photograph(frame(*PLACE)), one, above=from_),
        panel("scrambled cut", photograph(band), other, above=from_),
        panel("right cut", photograph(frame(*PLACE), dim=False), f"shape {shape}", above=back_),
        panel("scrambled cut", put, f"shape {shape}", above=back_),
    )


SMALL = np.arange(16.0).reshape(2, 2, 4)  # channels, height, width


@figure(
    "patches-order",
    caption="Two channels of an image two pixels high and four wide, P = 2. The order inside a row "
    "is a convention: channel, then line, then column is the one of a convolution’s weights.",
    alt="Channel 0 holds 0 to 7, channel 1 holds 8 to 15. Patch 0 becomes the row 0 1 4 5 8 9 12 13; "
    "in the other order it would be 0 8 1 9 4 12 5 13.",
)
def draw_order() -> str:
    planes = [
        panel(
            f"channel {c}", _numbers(SMALL[c].astype(int), {(y, x) for y in (0, 1) for x in (0, 1)})
        )
        for c in (0, 1)
    ]
    row = patchify(SMALL, 2)[0].astype(int)
    other = SMALL[:, :2, :2].transpose(1, 2, 0).reshape(-1).astype(int)
    every = {(0, n) for n in range(len(row))}
    rows = [
        panel("channel, line, column", _numbers(row[None], every), "patch 0 as a row of numbers"),
        panel(
            "line, column, channel", _numbers(other[None], set()), "the same numbers, another order"
        ),
    ]
    return side_by_side(*planes) + "".join(side_by_side(row, size=300) for row in rows)


def _numbers(values: NDArray[np.int_], lit: set[tuple[int, int]]) -> str:
    """Return whole numbers in cells as a table of marks; the lit ones are filled."""
    lines = (
        tag(
            "div",
            *(
                tag("span", str(value), class_="is-lit" if (y, x) in lit else None)
                for x, value in enumerate(line)
            ),
        )
        for y, line in enumerate(values)
    )
    return tag("div", *lines, class_="va-cells-of-numbers", style=f"--n:{values.shape[1]}")


# --- a convolution ---------------------------------------------------------------------------------


def convolved() -> dict[str, list[int]]:
    """Return `SMALL` through one kernel of 0 … 7, with the row in the right and in the other order."""
    kernel = np.arange(8.0)[:, None]
    rows = patchify(SMALL, 2)
    other = np.stack([SMALL[:, :, 2 * n : 2 * n + 2].transpose(1, 2, 0).ravel() for n in (0, 1)])
    return {
        "right": embed(rows, kernel).ravel().astype(int).tolist(),
        "other": embed(other, kernel).ravel().astype(int).tolist(),
    }
