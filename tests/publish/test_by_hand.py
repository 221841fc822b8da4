"""Follow one row by hand: what it prints is the core's, and its open exercises know right from wrong."""

import contextlib
import io
import re
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from figures_src.publish.notebooks import pages
from tests.publish.test_notebook import DOCS, article
from vitattn_core import (
    AttentionWeights,
    add_position,
    embed,
    layer_norm,
    multi_head_attention,
    patchify,
)

BY_HAND = DOCS / "notebooks" / "follow-one-row.ipynb"
PLACES = ("(0,0)", "(0,1)", "(1,0)", "(1,1)")
HEADS = (0, 1)
CELLS = pages.read("notebooks/follow-one-row.ipynb", BY_HAND.read_text(encoding="utf-8")).cells
OPEN = [cell.id for cell in CELLS if "open" in cell.tags]


def run(answers: dict[str, object] | None = None) -> tuple[dict[str, Any], str]:
    """Run all code cells; answers: what a reader writes into an open cell, by the cell's id."""
    names: dict[str, Any] = {}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        for cell in CELLS:
            if cell.kind != "code":
                continue
            source = cell.text
            if answers and cell.id in answers:
                assert source.startswith("answer = None")
                source = source.replace("answer = None", f"answer = {answers[cell.id]}", 1)
            exec(compile(source, cell.id, "exec"), names)
    return names, said.getvalue()


@pytest.fixture(scope="module")
def core() -> dict[str, Any]:
    """The core's pass, from nothing but the numbers that were set by hand."""
    names, _ = run()
    given = {name: names[name] for name in ("image", "E", "position", "W_Q", "W_K", "W_V", "W_O")}
    q, k, v = (np.hstack(list(given[name])) for name in ("W_Q", "W_K", "W_V"))  # D x h·d_h
    content = embed(patchify(given["image"][None], 4), given["E"])
    X = add_position(content, given["position"])
    U = layer_norm(X, eps=0)
    weights = AttentionWeights(w_q=q, w_k=k, w_v=v, w_o=given["W_O"], heads=2)
    arrays = multi_head_attention(U, weights)
    return {**given, "content": content, "X": X, "U": U, **arrays, "Y": X + arrays["M"]}


def lines(page: str) -> list[tuple[str, list[str]]]:
    """What the page prints: a name, and the numbers behind it as they are printed."""
    found = []
    for box in re.findall(r'<div class="va-printed[^>]*><pre[^>]*>(.*?)</pre>', page, re.DOTALL):
        for line in unescape(box).splitlines():
            if numbers := re.fullmatch(r"(.{11})((?: +-?\d+(?:\.\d{3})?)+)", line):
                found.append((numbers[1].strip(), numbers[2].split()))
    return found


def expected(core: dict[str, Any]) -> dict[str, list[Any]]:
    """Each name that the page prints, and its numbers from the core, in the order of the page."""
    X, U, Q, K, V, P, S, A, O, M, Y = (core[name] for name in "XUQKVPSAOMY")
    content, position, joined = core["content"], core["position"], core["joined"]
    below = S - S.max(axis=-1, keepdims=True)
    ledgers = [(head, row) for row in (1, 2) for head in HEADS]
    columns = [core[name][h][:, n] for h in HEADS for name in ("W_Q", "W_K", "W_V") for n in (0, 1)]
    columns += [V[h, :, n] for h in HEADS for n in (0, 1)]
    columns += [core["W_O"][:, n] for _ in (0, 1, 2) for n in range(4)]
    return {
        "content": [content[0], content[2]],
        "+ position": [position[0]],
        "position": [position[2]],
        "= x": [X[0]],
        "x": [X[0], X[0], X[1], X[1], X[2], X[2]],
        "mean": [X[0].mean()],
        "x - mean": [X[0] - X[0].mean()],
        "squared": [(X[0] - X[0].mean()) ** 2],
        "spread": [X[0].std()],
        "u": [U[0], U[1], U[2]],
        "times": columns,
        **{
            f"= {name}{n + 1}": [core[name.upper()][h, 0, n] for h in HEADS]
            for name in "qkvo"
            for n in (0, 1)
        },
        "q of (0,0)": [Q[h, 0] for h in HEADS],
        "q": [Q[h, i] for h, i in ledgers],
        "products": [P[h, i] for h, i in ledgers],
        "root": [np.sqrt(2)],
        "s, head 1": [S[0, 0]],
        "s, head 2": [S[1, 0]],
        "scores": [S[h, i] for h, i in ledgers],
        "s - m": [below[h, 0] for h in HEADS],
        "exponential": [np.exp(below[h, 0]) for h in HEADS],
        "their sum": [np.exp(below[h, 0]).sum() for h in HEADS],
        "sum": [1, 1],
        "weights": [A[h, 0] for h in HEADS] * 2 + [A[h, i] for h, i in ledgers],
        "keys mixed": [A[h, 0] @ K[h] for h in HEADS],
        "output": [O[h, i] for h, i in ledgers],
        "joined": [joined[i] for i in (0, 1, 2)],
        **{f"= read {n + 1}": [M[i, n] for i in (0, 1, 2)] for n in range(4)},
        "+ read": [M[i] for i in (0, 1, 2)],
        "= y": [Y[i] for i in (0, 1, 2)],
        **{f"x of {place}": [X[i]] for i, place in enumerate(PLACES)},
        **{f"u of {place}": [U[i]] * (1 if i else 3) for i, place in enumerate(PLACES)},
        **{f"k of {place}": [K[h, i] for h in HEADS] for i, place in enumerate(PLACES)},
        **{f"v of {place}": [V[h, i] for h in HEADS] for i, place in enumerate(PLACES)},
        **{f"y of {place}": [Y[i]] for i, place in enumerate(PLACES)},
    }


def test_every_row_the_page_prints_is_the_cores(site: Path, core: dict[str, Any]) -> None:
    found: dict[str, list[list[str]]] = {}
    for name, numbers in lines(article(site, BY_HAND)):
        found.setdefault(name, []).append(numbers)
    right = expected(core)
    assert set(found) == set(right)
    for name, arrays in right.items():
        assert len(found[name]) == len(arrays), name
        for numbers, array in zip(found[name], arrays, strict=True):
            for number, value in zip(numbers, np.ravel(array), strict=True):
                off = abs(float(number) - value)
                assert off <= (5.001e-4 if "." in number else 1e-9), (name, number, value)


def test_every_product_the_page_prints_is_the_cores(site: Path, core: dict[str, Any]) -> None:
    sums = re.findall(r"key of (\S+)  (\S+) \+ (\S+) = (-?\d+)\b", unescape(article(site, BY_HAND)))
    assert len(sums) == 8
    for n, (place, *terms, total) in enumerate(sums):
        head, j = divmod(n, 4)
        assert place == PLACES[j]
        pairs = [[float(number) for number in term[1:-1].split(")·(")] for term in terms]
        assert pairs == np.stack([core["Q"][head, 0], core["K"][head, j]], axis=1).tolist()
        assert float(total) == core["P"][head, 0, j]


def test_the_numbers_are_whole_until_the_scale(core: dict[str, Any]) -> None:
    for name in ("X", "U", "Q", "K", "V", "P"):
        assert np.array_equal(core[name], np.round(core[name])), name
    assert not np.array_equal(core["K"], core["V"])
    assert len({tuple(row) for row in core["U"]}) == 4
    assert not np.allclose(core["A"][0], core["A"][1])


def test_as_committed_both_exercises_are_open() -> None:
    _, said = run()
    assert len(OPEN) == 2
    assert said.count("no answer yet") == 2
    assert "right" not in said.replace("top right", "").replace("bottom right", "")


def test_the_right_answers_pass_as_a_reader_writes_them(core: dict[str, Any]) -> None:
    answers = {
        id: np.round(core["Y"][row], 2).tolist() for id, row in zip(OPEN, (1, 2), strict=True)
    }
    _, said = run(answers)
    assert said.count("\nright\n") == 2


@pytest.mark.parametrize("wrong", ["the normed row", "no residual", "keys mixed", "the other row"])
@pytest.mark.parametrize("exercise", [0, 1])
def test_a_wrong_answer_does_not_pass(core: dict[str, Any], exercise: int, wrong: str) -> None:
    row, names = exercise + 1, run()[0]
    mixed = np.concatenate([core["A"][h, row] @ core["K"][h] for h in (0, 1)]) @ names["W_O"]
    answer = {
        "the normed row": core["U"][row] + core["M"][row],
        "no residual": core["M"][row],
        "keys mixed": core["X"][row] + mixed,
        "the other row": core["Y"][3 - row],
    }[wrong]
    with pytest.raises(AssertionError, match="not yet"):
        run({OPEN[exercise]: answer.tolist()})


def test_the_answers_are_folded_and_computed(site: Path, core: dict[str, Any]) -> None:
    folds = re.findall(r"<details>.*?</details>", article(site, BY_HAND), re.DOTALL)
    assert len(folds) == 2
    for row, fold in enumerate(folds, start=1):
        (answer,) = [numbers for name, numbers in lines(fold) if name == "= y"]
        assert np.allclose([float(n) for n in answer], core["Y"][row], atol=5.001e-4)
        for number in answer:
            assert number not in BY_HAND.read_text(encoding="utf-8") or "." not in number
