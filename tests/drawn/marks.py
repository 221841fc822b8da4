"""Readers of drawn marks: a figure as built, its shapes and numbers, and which of them were read."""

import re
from collections.abc import Callable, Iterator, Sequence
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from numpy.typing import ArrayLike, NDArray

ROOT = Path(__file__).resolve().parents[2]
Element = ElementTree.Element
SHAPES = {"rect", "path", "circle", "line", "text", "image", "use"}


class Figure:
    """A built figure. What is read of it is noted, so that `unread` can tell what is not."""

    def __init__(self, markup: str) -> None:
        closed = re.sub(r"<img\b([^>]*)>", r"<img\1/>", markup)
        self.root = ElementTree.fromstring(f"<figure>{closed}</figure>")
        # Caption and description quote facts, each of them held to its array (tests/pages/test_claims.py).
        for told in [one for one in self.root if one.tag == "figcaption" or _is_alt(one)]:
            self.root.remove(told)
        self._parents = {child: parent for parent in self.root.iter() for child in parent}
        self._read: set[Element] = set()

    def note(self, *elements: Element) -> None:
        self._read.update(elements)

    def classed(self, name: str, within: Element | None = None) -> list[Element]:
        """All elements of a class, in the order of the markup."""
        start = self.root if within is None else within
        return [one for one in start.iter() if name in classes(one)]

    def one(self, name: str, within: Element | None = None) -> Element:
        (found,) = self.classed(name, within)
        return found

    def marks(self, tag: str, within: Element, kind: str | None = None) -> list[Element]:
        """All shapes of a tag and a class, which count as read from here on."""
        found = [one for one in within.iter(tag) if kind is None or kind in classes(one)]
        self.note(*found)
        return found

    def words(self, *within: Element) -> str:
        """The text of elements, white space made even; what it says counts as read."""
        for element in within:
            self.note(*element.iter())
        return words(*within)

    def said(self, tag: str, within: Element) -> list[str]:
        """The text of each element of a tag, which counts as read from here on."""
        return [self.words(one) for one in within.iter(tag)]

    def unread(self) -> list[str]:
        """Shapes, and words with a digit, that nobody has asked for."""
        found = []
        for one in self.root.iter():
            speaks = re.search(r"\d", one.text or "")
            if (one.tag in SHAPES or speaks) and one not in self._read:
                found.append(ElementTree.tostring(one, encoding="unicode")[:160])
        return found


def _is_alt(element: Element) -> bool:
    return element.tag == "p" and "va-unseen" in classes(element)


def classes(element: Element) -> list[str]:
    return element.get("class", "").split()


def words(*within: Element) -> str:
    return " ".join(" ".join("".join(one.itertext()) for one in within).split())


def number(text: str | None) -> float:
    """A number as a figure writes it, or an attribute in per cent."""
    return float((text or "").rstrip("%").replace("−", "-").replace(",", ""))


def at(element: Element, *names: str) -> list[float]:
    """Attributes as numbers, per cent as they stand."""
    return [number(element.get(name, "0")) for name in names]


def written(value: float, digits: int) -> str:
    """A number as figures print it: halves away from 0, a true minus, and none before zero."""
    exact = Decimal(float(value)).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)
    return ("−" if exact < 0 else "") + f"{abs(exact):f}"


def percent(share: float, digits: int = 1) -> str:
    return f"{written(100 * share, digits)}%"


# --- paint -----------------------------------------------------------------------------------------


def levels(values: ArrayLike, largest: float) -> NDArray[np.int_]:
    """Levels of paint, 0 to 63, of weights from 0 to `largest`: 0 below four thousandths of it."""
    share = np.asarray(values, dtype=float) / largest
    return np.where(share < 0.004, 0, np.clip(np.floor(63 * share + 0.5), 1, 63)).astype(int)


def squares(path: Element, cell: float) -> Iterator[tuple[int, int]]:
    """(row, column) of each cell that a path covers whole."""
    d = path.get("d", "")
    found = re.findall(r"M(\S+) (\S+)h(\S+)v(\S+)h-(\S+?)z", d)
    assert len(found) == d.count("M"), f"a path of something else than squares: {d[:80]}"
    for x, y, *sides in found:
        assert {float(side) for side in sides} == {cell}, d[:80]
        yield int(float(y) / cell), int(float(x) / cell)


def painted(figure: Figure, svg: Element, shape: tuple[int, int], cell: float) -> NDArray[np.int_]:
    """Levels of paint on a grid; no cell is painted twice."""
    found = np.zeros(shape, dtype=int)
    for path in svg.iter("path"):
        kind = re.fullmatch(r"w(\d+)", path.get("class", ""))
        if kind:
            figure.note(path)
            for place in squares(path, cell):
                assert not found[place], f"{place} is painted twice"
                found[place] = int(kind[1])
    return found


def covered(figure: Figure, svg: Element, kind: str, shape: tuple[int, int], cell: float = 1):
    """Where cells of a class lie, as booleans; pieces may be larger than a cell and never overlap."""
    found = np.zeros(shape, dtype=bool)
    for path in figure.marks("path", svg, kind):
        for piece in re.findall(r"M(\d+) (\d+)h(\d+)v(\d+)h-(\d+)z", path.get("d", "")):
            x, y, width, height, back = (int(int(n) / cell) for n in piece)
            assert width == back and not found[y : y + height, x : x + width].any()
            found[y : y + height, x : x + width] = True
    return found


def areas(figure: Figure, svg: Element, shape: tuple[int, int], cell: float):
    """Area of the square in the middle of each cell, as a share of it; None without such squares."""
    paths = figure.marks("path", svg, "va-size")
    if not paths:
        return None
    found = np.full(shape, np.nan)
    pieces = re.findall(r"M(\S+) (\S+)h(\S+)v(\S+)h-(\S+?)z", paths[0].get("d", ""))
    for x, y, *sides in (tuple(map(float, piece)) for piece in pieces):
        assert len(set(sides)) == 1
        middle = np.array([y, x]) + sides[0] / 2
        place = tuple((middle // cell).astype(int))
        assert np.abs(middle - (np.array(place) + 0.5) * cell).max() <= 0.11, (x, y)
        assert np.isnan(found[place])
        found[place] = (sides[0] / cell) ** 2
    return found


def frames(figure: Figure, svg: Element, cell: float) -> list[tuple[str, int, int]]:
    """Who is framed: role, row and column; square corners are the query's."""
    found = []
    for mark in figure.classed("va-mark", svg):
        (role,) = {"is-query", "is-key"} & set(classes(mark))
        place = re.fullmatch(r"translate\((\S+) (\S+)\)", mark.get("transform", ""))
        assert place
        for rect in figure.marks("rect", mark):
            assert at(rect, "x", "y", "width", "height") == [-1.5, -1.5, cell + 3, cell + 3]
            assert (at(rect, "rx") == [0]) == (role == "is-query")
        found.append((role[3:], int(float(place[2]) / cell), int(float(place[1]) / cell)))
    return found


# --- bars ------------------------------------------------------------------------------------------


def end_to_end(figure: Figure, svg: Element, *kinds: str) -> list[tuple[str, float]]:
    """Parts of a bar of length one: class and share; each starts where the one before it ends."""
    found, start = [], 0.0
    for rect in svg.iter("rect"):
        kind = next((kind for kind in kinds if kind in classes(rect)), None)
        if kind:
            figure.note(rect)
            x, width = at(rect, "x", "width")
            assert abs(x - start) <= 0.02, f"{kind} starts at {x}, takes {start}"
            found.append((kind, width / 100))
            start = x + width
    return found


def signed(figure: Figure, panel: Element, reach: float) -> list[str]:
    """The numbers of a row, as printed; each bar begins in the middle of its cell and is as long as it."""
    cells, zeros, bars, texts = (
        figure.marks(tag, panel, kind)
        for tag, kind in (
            ("rect", "va-cell"),
            ("line", "va-zero"),
            ("rect", "va-bar"),
            ("text", None),
        )
    )
    width = 100 / len(cells)
    for n, (cell, zero, bar, text) in enumerate(zip(cells, zeros, bars, texts, strict=True)):
        middle = (n + 0.5) * width
        assert abs(at(cell, "x")[0] - n * width) <= 0.01
        for mark, name in ((zero, "x1"), (zero, "x2"), (bar, "x"), (text, "x")):
            assert abs(at(mark, name)[0] - middle) <= 0.01
        assert abs(at(bar, "width")[0] - (width / 2 - 1)) <= 0.01
        drawn = float(bar.get("style", "").removeprefix("--v:"))
        stated = number(text.text) / reach
        assert abs(drawn - max(-1, min(1, stated))) <= 0.005 / reach + 6e-4, words(text)
    return [words(text) for text in texts]


# --- fields of dots --------------------------------------------------------------------------------


def dots(path: Element) -> NDArray[np.float64]:
    """Places of dots (n, 2), in per cent of the field."""
    found = re.findall(r"M(\S+?) (\S+?)h0", path.get("d", ""))
    return np.array(found, dtype=float).reshape(-1, 2)


def threads(path: Element) -> NDArray[np.float64]:
    """Places that lines run through (lines, points, 2)."""
    lines = path.get("d", "").split("M")[1:]
    return np.array([[point.split() for point in line.split("L")] for line in lines], dtype=float)


def axis(
    low: float, high: float, *, log: bool = False
) -> Callable[[ArrayLike], NDArray[np.float64]]:
    """Shares of an axis from `low` to `high`, 0 to 1."""
    bend = np.log if log else np.asarray
    return lambda values: (
        (bend(np.asarray(values, dtype=float)) - bend(low)) / (bend(high) - bend(low))
    )


def ticks(
    figure: Figure,
    panel: Element,
    height: float,
    *,
    across: tuple[Callable[[ArrayLike], NDArray[np.float64]], Sequence[float]],
    up: tuple[Callable[[ArrayLike], NDArray[np.float64]], Sequence[float]],
    unnumbered: Sequence[float] = (),
    rules_across: bool = False,
) -> None:
    """Each number stands at its value and no other is there; so do rules, numbered or not.

    across, up: an axis and its numbers; unnumbered: heights that have a rule alone; rules_across:
    whether the numbers of the lower axis have rules as well.
    """
    found: tuple[list[float], list[float]] = ([], [])
    for text in panel.iter("text"):
        x, y = at(text, "x", "y")
        value = number(text.text) if re.fullmatch(r"[\d.,]+%?", text.text or "") else None
        if value is None:
            continue
        value = value / 100 if (text.text or "").endswith("%") else value
        if y == height + 14:
            assert abs(x - 100 * float(across[0](value))) <= 0.06, words(text)
            found[0].append(value)
        else:
            assert x == 2 and abs(y + 4 - height * (1 - float(up[0](value)))) <= 0.06, words(text)
            found[1].append(value)
        figure.note(text)
    assert sorted(found[0]) == sorted(across[1])
    assert sorted(found[1]) == sorted(up[1])
    drawn: tuple[list[float], list[float]] = ([], [])
    for line in figure.marks("line", panel, "va-grid-rule"):
        x1, x2, y1, y2 = at(line, "x1", "x2", "y1", "y2")
        assert (x1 == x2 and (y1, y2) == (0, height)) or (y1 == y2 and (x1, x2) == (0, 100))
        drawn[0 if x1 == x2 else 1].append(x1 if x1 == x2 else y1)
    expected = (
        [100 * float(across[0](value)) for value in across[1] if rules_across],
        [height * (1 - float(up[0](value))) for value in [*up[1], *unnumbered]],
    )
    for lines, values in zip(drawn, expected, strict=True):
        np.testing.assert_allclose(sorted(lines), sorted(values), atol=0.06)
