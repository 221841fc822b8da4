"""What NumPy says of a state of the player, for the claims that its text makes."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from figures_src.kit.numbers import MINUS, read
from figures_src.player.row import State
from tests.player.row_truth import row_of
from vitattn_core import Trace

SAME = 1e-12
N = r"(\d+)"
REAL = rf"({MINUS}?\d+(?:\.\d+)?(?:·10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?)"
WHERE = r"(CLS|\(\d+,\d+\))(?:, [a-z ]+?)?"
WORDS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
COUNTS = {word: n for n, word in enumerate(WORDS, start=1)}


@dataclass(frozen=True)
class Case:
    """A state, its pass, the key that is shown, and what there is to say of them."""

    state: State
    trace: Trace
    key: int

    @property
    def i(self) -> int:
        return self.state.query

    @property
    def h(self) -> int:
        return self.state.head - 1

    @cached_property
    def a(self) -> np.ndarray:
        return row_of(self.state, self.trace)

    @property
    def is_cls(self) -> bool:
        return self.i == 0

    @cached_property
    def is_empty(self) -> bool:
        return not self.a.any()

    @cached_property
    def is_whole(self) -> bool:
        return bool(abs(self.a.sum() - 1) <= 1e-9)

    @cached_property
    def kept(self) -> np.ndarray:
        return np.isfinite(self.trace.masked[0, self.i])

    @cached_property
    def others(self) -> np.ndarray:
        """Weights of the other keys that have any, falling."""
        weights = np.delete(self.a, self.i)
        return np.sort(weights[weights > 0])[::-1]

    @cached_property
    def added(self) -> np.ndarray:
        return self.trace.X[self.i] - self.trace.content[self.i]

    @cached_property
    def scores(self) -> np.ndarray:
        """The scores of which one is the largest: those of the row, or of the key's column."""
        masked = self.trace.masked[self.h]
        return masked[self.i] if self.state.axis == "keys" else masked[:, self.key]

    def near_me(self) -> bool:
        """Whether head 2 gives the patches about this one more of its weight than their "
        "share is."""
        if self.is_cls or self.state.axis != "keys" or self.is_empty:
            return False
        weights, (r, c) = self.trace.A[1, self.i], divmod(self.i - 1, 14)
        near = [
            1 + 14 * y + x
            for y in range(r - 1, r + 2)
            for x in range(c - 1, c + 2)
            if 0 <= y < 14 and 0 <= x < 14
        ]
        near = [token for token in near if self.kept[token]]
        share = weights[near].sum() / weights[1:].sum() if weights[1:].any() else 0
        return bool(share > 1.5 * len(near) / 196)


def largest_of(numbers: np.ndarray) -> np.ndarray:
    return np.flatnonzero(numbers.max() - numbers <= SAME)


def reads(text: str, number: float) -> bool:
    digits = len(text.partition(".")[2].partition("·")[0])
    return abs(read(text) - number) <= (0.5 + 1e-6) * max(
        10.0**-digits, abs(number) * 0.01 if "·" in text else 0
    )


Rule = Callable[[Case, re.Match[str]], bool]
