"""What the core says to the questions of the fold "Guess first", and whether a text says it."""

import math
import re
from functools import cache
from typing import Any

import numpy as np
import pytest

from figures_src.inputs import photographs
from figures_src.kit.numbers import read
from figures_src.player.state import DEFAULTS
from tests.player.fold_scripts import State
from tests.player.passes import switched_core
from vitattn_core import Trace, key_mask, softmax
from vitattn_core.teaching import GRID

NUMBER = re.compile(r"−?\d+(?:\.\d+)?")


@cache
def trace(photo: str, *mistakes: str) -> Trace:
    return switched_core(mistakes).teaching_pass(photographs.image(photo))


def keys_of(weights: np.ndarray) -> float:
    some = weights[weights > 0]
    return math.exp(-float((some * np.log(some)).sum()))


def order(weights: np.ndarray) -> list[int]:
    """Sequence rows, the largest first; equal ones, but for rounding, in the order of the sequence."""
    return sorted(
        range(len(weights)), key=lambda token: (-round(float(weights[token]) * 1e12), token)
    )


def place(token: int) -> str:
    return "CLS" if token < GRID.prefix else "({},{})".format(*GRID.place(token))


def token_of(word: str) -> int:
    return 0 if word == "cls" else GRID.token(*map(int, word.split(".")))


class Solver:
    """What the core says to each question, for the standard pass of a state's photograph."""

    def __init__(self, state: State) -> None:
        state = DEFAULTS | state
        self.photo, self.i = state["photo"], token_of(state["query"])
        self.h = 0 if state["head"] == "mean" else int(state["head"]) - 1
        self.t = trace(self.photo)
        self.a = self.t.A[self.h, self.i]

    def solve(self, name: str) -> tuple[str, dict[str, Any]]:
        """Return the right answer and what is told with it: numbers, or texts."""
        return getattr(self, name)()

    def partner(self) -> int:
        return next(token for token in order(self.a) if token > 0 and token != self.i)

    def five(self) -> tuple[str, dict[str, Any]]:
        row = self.t.A[self.h, self.partner()]
        best = [token for token in order(row) if token > 0][:5]
        said = {"best": row[best].sum(), "cls": row[0], "place": place(self.partner())}
        return str(self.h + 1), said | {"list": [place(token) for token in best]}

    def divided(self, by: float) -> tuple[str, dict[str, Any]]:
        scores = self.t.P[self.h, self.i] / by
        after = softmax(scores)
        change = keys_of(after) - keys_of(self.a)
        way = "same" if abs(change) <= 1e-9 else "sharper" if change < 0 else "flatter"
        kept = bool(
            (np.diff(scores[np.argsort(-self.t.S[self.h, self.i], kind="stable")]) <= 0).all()
        )
        numbers = {"keys.before": keys_of(self.a), "keys.after": keys_of(after)}
        tops = {"top.before": self.a.max(), "top.after": after.max()}
        return f"{way}-{'kept' if kept else 'changed'}", numbers | tops

    def off(self) -> tuple[str, dict[str, Any]]:
        return self.divided(1)

    def model(self) -> tuple[str, dict[str, Any]]:
        return self.divided(math.sqrt(12))

    def keys(self) -> tuple[str, dict[str, Any]]:
        other = trace(self.photo, "keys-mixed")
        o, k = self.t.O[self.h, self.i], other.O[self.h, self.i]
        row = np.abs(other.A[self.h, self.i] - self.a).max() > 1e-9
        output = np.linalg.norm(k - o) > 1e-9 * np.linalg.norm(o)
        truth = {(1, 1): "both", (1, 0): "row", (0, 1): "output", (0, 0): "neither"}
        moved = 100 * np.linalg.norm(k - o) / np.linalg.norm(o)
        return truth[int(row), int(output)], {"o": o, "k": k, "moved": moved, "apart": 0}

    def column(self) -> tuple[str, dict[str, Any]]:
        total = self.t.A[self.h, :, self.i].sum()
        truth = "one" if abs(total - 1) <= 1e-9 else "more" if total > 1 else "less"
        return truth, {"sum": total, "row.sum": 1}

    def mean(self) -> tuple[str, dict[str, Any]]:
        one, two = self.t.A[:2, self.i]
        both = (one + two) / 2
        apart = np.abs(both - one).sum() / 2
        assert apart == pytest.approx(np.abs(both - two).sum() / 2)  # half-way, as the page says
        keys = {"keys.1": keys_of(one), "keys.2": keys_of(two), "keys.mean": keys_of(both)}
        return ("both" if apart <= 0.1 else "neither"), keys | {"tv": 100 * apart}

    def position(self) -> tuple[str, dict[str, Any]]:
        other = trace(self.photo, "no-position")
        moved = np.abs(other.A[:, self.i] - self.t.A[:, self.i]).sum(axis=1) / 2
        most = int(moved.argmax())
        keys = {
            "keys.before": keys_of(self.t.A[most, self.i]),
            "keys.after": keys_of(other.A[most, self.i]),
        }
        return str(most + 1), keys | {f"tv.{h + 1}": 100 * x for h, x in enumerate(moved)}

    def swap(self) -> tuple[str, dict[str, Any]]:
        ranked = [token for token in order(self.a) if token > 0 and token != self.i]
        one, other = (self.i if self.i else ranked[0]), ranked[-1]
        image = photographs.image(self.photo).copy()
        for here, there in ((one, other), (other, one)):
            image[(slice(None), *GRID.pixels(here))] = photographs.image(self.photo)[
                (slice(None), *GRID.pixels(there))
            ]
        counts, moves = {}, {}
        for name, mistakes in (("off", ("no-position",)), ("on", ())):
            swapped = switched_core(mistakes).teaching_pass(image)
            moves[name] = np.linalg.norm(swapped.M - trace(self.photo, *mistakes).M, axis=1)
            counts[name] = int((moves[name] > 1e-9).sum())
        changed = set(np.flatnonzero(moves["off"] > 1e-9))
        truth = "two" if changed == {one, other} else "none" if not changed else "some"
        half = 100 * np.median(moves["on"]) / moves["on"].max()
        numbers = {"count.off": counts["off"], "count.on": counts["on"], "half": half}
        return truth, numbers | {"place": place(one), "other": place(other)}

    def drop(self) -> tuple[str, dict[str, Any]]:
        first, second = order(self.a)[:2]
        o = self.t.O[self.h, self.i]
        moved = []
        for token in (first, second):
            keep = np.arange(GRID.tokens) != token
            without = switched_core(()).teaching_pass(
                photographs.image(self.photo), mask=key_mask(keep)
            )
            moved.append(100 * np.linalg.norm(without.O[self.h, self.i] - o) / np.linalg.norm(o))
        said = {"first": place(first), "second": place(second), "percent": moved[0]}
        weights = {"first.weight": self.a[first], "second.weight": self.a[second]}
        return "", said | weights | {"second.percent": moved[1]}


def holds(text: str, value: Any) -> bool:
    """Whether a text says a number at its own precision, numbers in turn, or begins with a place."""
    if isinstance(value, str):
        return re.match(rf"{re.escape(value)}(, |$)", text) is not None
    if isinstance(value, list):
        return [part.split()[0].rstrip(",") for part in text.split("; ")] == value
    if isinstance(value, np.ndarray):
        parts = text.split(", ")
        return len(parts) == len(value) and all(map(holds, parts, value.tolist()))
    found = NUMBER.match(text)
    if found is None:
        return False
    digits = len(found[0].partition(".")[2])
    return abs(read(found[0]) - float(value)) <= 0.5 * 10.0**-digits + 1e-9
