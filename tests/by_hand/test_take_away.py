"""The files to take away, read back: what docs/assets/take/ holds is what the core computed."""

import re
from functools import cache
from itertools import pairwise
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
import pytest
from PIL import Image, ImageSequence

from figures_src.by_hand.film import LOOP, VIDEO
from figures_src.by_hand.page import TAKE
from figures_src.by_hand.shown import PLATES
from figures_src.inputs import photographs
from figures_src.player import element
from figures_src.player.film.timeline import chapters
from tests.built import ROOT
from vitattn_core import STAGES, stage
from vitattn_core.teaching import GRID

STAGE_IDS = [entry.id for entry in STAGES]
SVG = "{http://www.w3.org/2000/svg}"


@cache
def drawn(name: str) -> Element:
    return ElementTree.parse(TAKE / f"{name}.svg").getroot()


def growth(mark: Element) -> list[float]:
    """How a mark is grown across and down: two numbers of its matrix; 1 and 1 where it has none."""
    found = re.match(r"matrix\((\S+) \S+ \S+ (\S+) ", mark.get("transform", ""))
    return [float(found[1]), float(found[2])] if found else [1.0, 1.0]


@pytest.mark.parametrize("name", STAGE_IDS)
def test_a_picture_is_light_stands_alone_and_follows_the_scheme(name: str) -> None:
    text = (TAKE / f"{name}.svg").read_text(encoding="utf-8")
    assert len(text.encode()) <= 90_000
    assert "foreignObject" not in text
    assert "prefers-color-scheme:dark" in text
    assert not re.findall(r'(?:href|src)="(?!#|data:image/)', text)
    assert "CC BY 4.0" in text
    assert stage(name).title in (drawn(name).findtext(f"{SVG}title") or "")


@pytest.mark.parametrize("name", STAGE_IDS)
def test_every_word_of_a_picture_is_the_row_s(name: str) -> None:
    """A text that names a value shows it whole, or the part of it that stands on its line."""
    values = element.default_row().values
    told = [
        (text.get("data-t"), "".join(text.itertext())) for text in drawn(name).iter(f"{SVG}text")
    ]
    named = [(key, text) for key, text in told if key]
    assert len(named) > 8
    assert not [(key, text) for key, text in named if text not in values[key]]


@pytest.mark.parametrize("name", STAGE_IDS)
def test_every_bar_of_a_picture_is_as_long_as_its_number(name: str) -> None:
    values = element.default_row().values
    bars = [mark for mark in drawn(name).iter(f"{SVG}rect") if mark.get("data-v")]
    off = []
    for bar in bars:
        key = bar.get("data-v", "")
        told = growth(bar)[1 if key.startswith(("rise", "height")) else 0]
        if abs(abs(told) - abs(float(values[key]))) > 6e-4:
            off.append((key, told, values[key]))
    assert not off
    if name in ("embed", "norm", "qkv", "heads", "residual", "mlp"):
        assert len(bars) >= 12


def test_the_numbers_of_a_query_are_the_core_s() -> None:
    """From NumPy alone: bars of q, k and v, which reach to 6.6 at both sides."""
    trace, i = photographs.trace("chelsea"), GRID.token(5, 4)
    bars = {mark.get("data-v"): growth(mark)[0] for mark in drawn("qkv").iter(f"{SVG}rect")}
    for name, array in (("q", trace.Q), ("own.k", trace.K), ("own.v", trace.V)):
        for c, number in enumerate(array[0, i]):
            assert bars[f"bar.{name}.{c}"] == pytest.approx(number / 6.6, abs=6e-4)


@pytest.mark.parametrize("name", ["softmax", "mix"])
def test_the_parts_of_the_unit_bar_are_as_wide_as_their_weights(name: str) -> None:
    weights = photographs.trace("chelsea").A[0, GRID.token(5, 4)]
    parts = {
        int(group.get("data-token", "")): block
        for group in drawn(name).iter(f"{SVG}g")
        if group.get("data-token") and (block := group.find(f"{SVG}rect")) is not None
    }
    widths = {
        token: float(block.get("width", "").rstrip("%")) / 100 for token, block in parts.items()
    }
    shown = [token for token in np.flatnonzero(weights >= 0.018) if token >= GRID.prefix]
    assert set(shown) <= set(widths)
    assert all(width == pytest.approx(weights[token], abs=6e-4) for token, width in widths.items())


def test_the_film_has_its_length_and_its_chapters() -> None:
    data = VIDEO.read_bytes()
    assert len(data) <= 3_000_000
    at = data.index(b"mvhd")
    version = data[at + 4]
    start = at + (24 if version else 16)
    scale, length = (
        int.from_bytes(data[start + a : start + b], "big")
        for a, b in ((0, 4), (4, 12 if version else 8))
    )
    assert length / scale == pytest.approx(sum(c.ms for c in chapters().values()) / 1000, abs=0.5)
    places = [data.find(entry.title.encode()) for entry in STAGES]
    assert min(places) > 0
    assert places == sorted(places)


def test_the_loop_moves_and_is_light() -> None:
    assert LOOP.stat().st_size <= 300_000
    with Image.open(LOOP) as loop:
        frames = []
        for n, frame in enumerate(ImageSequence.Iterator(loop)):
            if n % 8 == 0:
                frames.append(np.asarray(frame.convert("RGB"), dtype=float))
    assert len(frames) > 8
    assert all(frame.std() > 20 for frame in frames), "a blank frame"
    assert all(abs(a - b).max() > 20 for a, b in pairwise(frames))
    assert f"({LOOP.relative_to(ROOT).as_posix()})" in (ROOT / "README.md").read_text("utf-8")


def test_what_the_files_show_is_kept() -> None:
    assert PLATES.is_file(), "run: make stills"
