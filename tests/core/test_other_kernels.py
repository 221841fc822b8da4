"""Sums that come out a few units in the last place otherwise, as on another processor.

A matrix product is summed in an order of its kernel's choice. Here each product of the core is
shaken by such an amount, differently at each call: no number that a page quotes may change, nor the
solution of a question, and the build may not stop.
"""

import importlib
import sys
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from figures_src.inputs import photographs
from figures_src.pages import facts
from figures_src.pages.exercises import exercises
from figures_src.pages.explainer import facts as explainer
from figures_src.pages.global_local import examples as operator_examples
from figures_src.pages.heads import facts as heads
from figures_src.pages.maps import examples
from figures_src.pages.maps import facts as maps

PAGES = "figures_src.pages"
UNITS = 4  # in the last place


def shaken(call: Callable[..., Any], random: np.random.Generator) -> Callable[..., Any]:
    def other(*given: Any, **named: Any) -> Any:
        right = call(*given, **named)
        off = random.integers(-UNITS, UNITS + 1, size=right.shape)
        return right * (1 + off * np.finfo(right.dtype).eps).astype(right.dtype)

    return other


def forget() -> None:
    """Empty every cache of the pages, and that of the passes: what they hold came of one kernel."""
    pages = [vars(module) for name, module in sys.modules.items() if name.startswith(PAGES)]
    for call in [photographs.trace, *(value for page in pages for value in page.values())]:
        if hasattr(call, "cache_clear"):
            call.cache_clear()


@pytest.fixture
def told() -> dict[str, facts.Fact]:
    """The numbers of the pages, by the kernel that this machine has."""
    return facts.facts()


@pytest.fixture
def another_kernel(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The products of the core, shaken; what was computed before is computed anew, and again after."""
    random = np.random.default_rng(0)
    # By import_module: as names of the package they are the functions of the same name.
    steps, block = (
        importlib.import_module(f"vitattn_core.{name}") for name in ("attention", "block")
    )
    for name in ("products", "mix", "linear"):
        monkeypatch.setattr(steps, name, shaken(getattr(steps, name), random))
    monkeypatch.setattr(block, "linear", vars(steps)["linear"])
    forget()
    yield
    forget()


def test_no_question_has_another_solution(another_kernel: None) -> None:
    """Where a solution follows from "the same" and "another", the same is what rounding cannot tell."""
    wrong = {}
    for id, one in exercises().items():
        answer = one.solve()
        if answer != one.choices[one.right][0]:
            wrong[id] = answer
    assert wrong == {}


def test_no_number_of_the_teaching_pages_changes(
    told: dict[str, facts.Fact], another_kernel: None
) -> None:
    for module in (explainer, maps, heads):
        for fact in module.entries():
            assert fact.text == told[fact.key].text, fact.key


def test_what_the_build_claims_stops_it_beyond_rounding_and_with_a_sentence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    right = examples.rolled
    for size, stops in ((2e-17, False), (1e-9, True)):

        def off(size: float = size, **given: Any) -> examples.Rolled:
            run = right(**given)
            return examples.Rolled(run.traces, run.rollout, run.effect, run.bent + size)

        monkeypatch.setattr(examples, "rolled", off)
        if stops:
            with pytest.raises(
                AssertionError, match=r"maps: a turned sign moved a weight by 1\.0e-09"
            ):
                maps._rolled()
        else:
            maps._rolled()


def test_a_rounding_is_no_influence(monkeypatch: pytest.MonkeyPatch) -> None:
    right = {name: operator_examples.moves(name) for name in ("conv3", "windows")}
    plain = operator_examples.influence
    noise = np.random.default_rng(0).uniform(0, 1e-15, plain("conv3").shape)
    monkeypatch.setattr(operator_examples, "influence", lambda name: plain(name) + noise)
    for name, moves in right.items():
        assert not moves.all()
        np.testing.assert_array_equal(operator_examples.moves(name), moves)
