"""Train a tiny ViT on digits: run again, it prints the same words and comes to the same conclusions.

Training magnifies rounding, so another processor prints other numbers. What must stay is what the
notebook concludes: its own assertions run again, and each value may move by a margin from the one
that is committed.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from figures_src.by_hand import notebooks as make_notebooks
from figures_src.publish.notebooks import pages
from tests.publish.test_notebook import DOCS, code, drawn, printed

PAGE = "notebooks/train-a-tiny-vit.ipynb"
SOURCE = (DOCS / PAGE).read_text(encoding="utf-8")
LINE = re.compile(
    r"(?P<words>\S.*?) +(?P<value>-?\d\.\d{3})  at (?P<kind>least|most) (?P<bound>\S+)"
)
# How far a value may move from one processor to another: about what another seed does to it.
MARGINS = {
    "right, with positions": 0.04,
    "right, without": 0.1,
    "right, without, is not luck": 0.1,
    "shuffled, with positions": 0.15,
    "smallest loss by a head": 0.12,
    "heads that move: the least": 0.25,
    "order, unread": 0.15,
    "top, unread": 0.2,
    "order, gone": 0.25,
    "top, gone, beats guessing": 0.2,
    "top, gone": 0.2,
}


def cells(source: str) -> Iterator[dict[str, Any]]:
    return (cell for cell in json.loads(source)["cells"] if cell["cell_type"] == "code")


def said(cell: dict[str, Any]) -> str:
    return "".join("".join(output.get("text", "")) for output in cell["outputs"])


def conclusions(source: str) -> dict[str, re.Match[str]]:
    """The printed lines of the cell that concludes, by their words."""
    (cell,) = (c for c in cells(source) if "conclusions" in c["metadata"].get("tags", ()))
    found = {}
    for line in said(cell).splitlines():
        read = LINE.fullmatch(line)
        assert read, f"a conclusion without a bound: {line}"
        found[read["words"]] = read
    return found


def outside(found: re.Match[str]) -> bool:
    value, bound = float(found["value"]), float(found["bound"])
    return value < bound if found["kind"] == "least" else value > bound


@pytest.fixture(scope="module")
def again() -> str:
    """The notebook's file after a new run, in the kernel that `make notebooks` uses."""
    return make_notebooks.ran(SOURCE, PAGE)


def test_a_new_run_comes_to_the_same_conclusions(again: str) -> None:
    old, new = conclusions(SOURCE), conclusions(again)
    assert list(old) == list(new) == list(MARGINS)
    for words, margin in MARGINS.items():
        assert old[words]["bound"] == new[words]["bound"]
        moved = abs(float(old[words]["value"]) - float(new[words]["value"]))
        assert moved <= margin, f"{words}: {old[words]['value']} became {new[words]['value']}"


def test_every_conclusion_keeps_its_bound_with_room_to_spare(again: str) -> None:
    for source in (SOURCE, again):
        for words, line in conclusions(source).items():
            assert not outside(line), words
            room = abs(float(line["value"]) - float(line["bound"]))
            assert room >= 0.03, f"{words}: only {room:.3f} from its bound"


def test_a_new_run_says_the_same_words_and_draws_as_much(again: str) -> None:
    for old, new in zip(cells(SOURCE), cells(again), strict=True):
        words = [" ".join(re.sub(r"[\d.]+", "#", said(cell)).split()) for cell in (old, new)]
        assert words[0] == words[1]
        kinds = [[output["output_type"] for output in cell["outputs"]] for cell in (old, new)]
        assert kinds[0] == kinds[1]


def test_the_file_is_written_as_it_is_committed(again: str) -> None:
    """All but the outputs, to the last byte: no times, no counts, no machine."""

    def emptied(source: str) -> str:
        whole = json.loads(source)
        for cell in whole["cells"]:
            cell |= {"outputs": []} if cell["cell_type"] == "code" else {}
        return json.dumps(whole)

    assert emptied(again) == emptied(SOURCE)
    assert json.dumps(json.loads(SOURCE), indent=1, ensure_ascii=False) + "\n" == SOURCE


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        ("order, gone                         0.342  at most 0.5", False),
        ("order, gone                         0.542  at most 0.5", True),
        ("right, with positions               0.964  at least 0.92", False),
        ("right, with positions               0.900  at least 0.92", True),
    ],
)
def test_a_line_outside_its_bound_is_seen(line: str, wrong: bool) -> None:
    found = LINE.fullmatch(line)
    assert found
    assert outside(found) == wrong


def test_a_line_that_says_no_bound_is_seen() -> None:
    cell = {**code("x", printed("order, gone 0.3\n")), "metadata": {"tags": ["conclusions"]}}
    with pytest.raises(AssertionError, match="without a bound: order, gone"):
        conclusions(json.dumps({"cells": [cell]}))


# --- what is kept of a run ----------------------------------------------------------------------


def test_printed_text_is_kept_in_one_piece_and_drawings_as_they_are() -> None:
    drawing = drawn("<g/>")
    seen = {**drawing, "data": drawing["data"] | {"text/plain": "<object>"}}
    kept = make_notebooks.outputs([printed("a\nb"), printed("c\n"), seen, printed("d")])
    assert [output.get("text") for output in kept] == [["a\n", "bc\n"], None, ["d"]]
    assert kept[1] == drawing


@pytest.mark.parametrize(
    "output",
    [
        printed("careful", "stderr"),
        {"output_type": "execute_result", "metadata": {}, "data": {"text/plain": "6"}},
        {"output_type": "display_data", "metadata": {}, "data": {"image/png": "iVBORw0KGgo="}},
    ],
)
def test_nothing_else_is_kept(output: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="neither printed nor drawn"):
        make_notebooks.outputs([output])


def test_a_cell_that_fails_is_no_run() -> None:
    whole = json.loads(SOURCE)
    whole["cells"] = [{**code("assert 1 + 1 == 3, 'not so'"), "id": "cell-1"}]
    with pytest.raises(Exception, match="not so"):
        make_notebooks.ran(json.dumps(whole), PAGE)


def test_the_notebooks_that_the_build_does_not_run_are_these() -> None:
    """Every other notebook is run by the build, and by tests of its own."""
    needing = [p for p in (DOCS / "notebooks").glob("*.ipynb") if "torch" in p.read_text("utf-8")]
    assert [f"notebooks/{path.name}" for path in needing] == list(pages.KEPT) == [PAGE]
