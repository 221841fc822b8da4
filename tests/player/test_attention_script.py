"""attention.js against NumPy: every number of every pass, the error function, what is read off.

The script runs in the embedded engine; tests/browser/test_attention_in_page.py shows that Chromium
computes the same bits.
"""

import itertools
import json
import math
from typing import Any

import numpy as np
import pytest

from figures_src.inputs import photographs
from figures_src.player import page_data
from figures_src.player.page_scripts import ScriptError
from tests.player.passes import (
    NAMES,
    SWITCHES,
    TOLERANCE,
    Request,
    differences,
    engine,
    error_of_erf,
    in_numpy,
)
from vitattn_core import gelu

TOKENS = 197


def passes() -> list[Request]:
    """Every photograph with every choice of every switch."""
    every = itertools.product(photographs.TITLES, *SWITCHES.values())
    return [dict(zip(("photo", *SWITCHES), chosen, strict=True)) for chosen in every]


def dropped_keys() -> list[Request]:
    """Twenty passes without some of their keys: all, CLS alone, all but one, and seeded sets."""
    random = np.random.default_rng(20)
    sets = [range(TOKENS), [0], [token for token in range(TOKENS) if token != 75]]
    while len(sets) < 20:
        sets.append(random.choice(TOKENS, random.integers(1, TOKENS), replace=False).tolist())
    everything = passes()
    chosen = [everything[index] for index in random.choice(len(everything), 20, replace=False)]
    return [request | {"dropped": list(keys)} for request, keys in zip(chosen, sets, strict=True)]


def name(request: Request) -> str:
    return "-".join(str(len(v) if isinstance(v, list) else v) for v in request.values())


def test_there_are_72_passes_and_20_sets_of_dropped_keys() -> None:
    assert len(passes()) == 72
    assert len({json.dumps(request) for request in dropped_keys()}) == 20


@pytest.mark.parametrize("asked", [*passes(), *dropped_keys()], ids=name)
def test_every_number_of_a_pass_is_numpys(asked: Request) -> None:
    ours, theirs = engine().run(asked), in_numpy(asked)
    assert set(ours) == set(theirs) == set(NAMES)
    apart = differences(ours, theirs)
    assert max(apart.values()) <= TOLERANCE, apart


def test_a_pass_is_nested_arrays_that_json_can_write() -> None:
    read = engine().evaluate(
        "vitattn.attention.run({ sums: vitattn.photos.chelsea.sums, teaching: vitattn.teaching })"
    )
    arrays = {key: np.array(value) for key, value in read.items()}
    assert max(differences(arrays, in_numpy({"photo": "chelsea"})).values()) <= TOLERANCE


def test_a_pass_changes_nothing_that_it_is_given() -> None:
    """The script is strict: writing to a frozen array would throw."""
    same = engine().evaluate("""(() => {
      const freeze = (o) => {
        if (typeof o === "object") Object.values(Object.freeze(o)).forEach(freeze);
        return o;
      };
      const { photos, teaching } = vitattn;
      const given = { sums: photos.rocket.sums, teaching, dropped: [0, 5] };
      const request = freeze(JSON.parse(JSON.stringify(given)));
      const run = () => JSON.stringify(vitattn.attention.run(request));
      return run() === run();
    })()""")
    assert same


def test_the_pieces_of_a_pass_give_the_same_pass() -> None:
    pieces, same = engine().evaluate("""(() => {
      const { photos, teaching, attention } = vitattn;
      const request = { sums: photos.coffee.sums, teaching, axis: "queries" };
      const steps = attention.steps(request);
      let pieces = 1;
      let step = steps.next();
      for (; !step.done; pieces++) step = steps.next();
      return [pieces, JSON.stringify(step.value) === JSON.stringify(attention.run(request))];
    })()""")
    assert same
    assert pieces > 10


@pytest.mark.parametrize(
    ("asked", "message"),
    [
        ({"scale": "half"}, "run: scale: got half, takes head, model, off"),
        ({"position": "maybe"}, "run: position: got maybe, takes on, off"),
        ({"mix": "q"}, "run: mix: got q, takes v, k"),
        ({"axis": "rows"}, "run: axis: got rows, takes keys, queries"),
        ({"dropped": [197]}, "run: dropped: got 197, takes rows 0 to 196"),
        ({"dropped": [1.5]}, "run: dropped: got 1.5, takes rows 0 to 196"),
        ({"sums": [[0, 0, 0, 0]]}, "run: sums: got 1 patches, takes 196"),
    ],
)
def test_what_there_is_not_is_refused(asked: Request, message: str) -> None:
    data: Any = engine().evaluate(
        "({ sums: vitattn.photos.chelsea.sums, teaching: vitattn.teaching })"
    )
    with pytest.raises(ScriptError, match=f"RangeError: {message}"):
        engine().call("attention.run", data | asked)


def test_the_switches_are_those_of_the_core_and_begin_with_the_standard() -> None:
    assert engine().evaluate("vitattn.attention.SWITCHES") == {
        k: list(v) for k, v in SWITCHES.items()
    }


def test_the_error_function_is_good_to_1e_12() -> None:
    assert error_of_erf(engine()) <= 1e-12
    limits = engine().mapped("erf", np.array([0, np.inf, -np.inf]))
    assert limits.tolist() == [0, 1, -1]


def test_gelu_is_the_exact_one() -> None:
    x = np.linspace(-7, 7, 14_001)
    assert np.abs(engine().mapped("gelu", x) - gelu(x)).max() <= 1e-12


@pytest.mark.parametrize("photo", photographs.TITLES)
def test_sums_of_the_pixels_are_those_of_the_build(photo: str) -> None:
    """As a reader's own photograph is read: red, green, blue, opacity of every pixel."""
    colours = photographs.image(photo).transpose(1, 2, 0)
    pixels = np.dstack([colours, np.full(colours.shape[:2], 255, np.uint8)])
    grid = engine().evaluate("vitattn.teaching.grid")
    held = engine().hold({"pixels": pixels.ravel().astype(np.float64)})
    found = engine().call("attention.patchSums", {**held, "of": "pixels"}, grid)
    engine().drop(held)
    assert found == page_data.photo_sums(photographs.image(photo))


def test_what_is_read_off_a_pass() -> None:
    read = engine().evaluate("""(() => {
      const { photos, teaching, attention } = vitattn;
      const a = attention;
      const { A, O } = a.run({ sums: photos.chelsea.sums, teaching });
      const [row, other] = [A[0][75], A[1][75]];
      return {
        sum: a.sum(row), largest: a.largest(row), ranking: a.ranking(row),
        ties: a.ranking([0, 1, 0, 1]), entropy: a.entropy(row), keys: a.effectiveKeys(row),
        scaled: a.entropy(row.map((weight) => 3 * weight)),
        empty: [a.entropy([0, 0]), a.effectiveKeys([0, 0])], single: a.effectiveKeys([0, 1, 0]),
        column: a.column(A[0], 75), mean: a.meanOfHeads(A, 75),
        variation: a.totalVariation(row, other), change: a.relativeChange(O[0][75], O[1][75]),
        still: a.relativeChange([0, 0], [0, 0]),
      };
    })()""")
    trace = photographs.trace("chelsea")
    row, other = trace.A[0, 75], trace.A[1, 75]
    entropy = -(row * np.log(row)).sum()
    moved = np.linalg.norm(trace.O[1, 75] - trace.O[0, 75]) / np.linalg.norm(trace.O[0, 75])
    assert read["ranking"] == np.argsort(-row, kind="stable").tolist()
    assert read["ties"] == [1, 3, 0, 2]
    assert (read["empty"], read["single"], read["still"]) == ([0, 0], 1, 0)
    expected = {
        "sum": 1,
        "largest": row.max(),
        "entropy": entropy,
        "scaled": entropy,
        "keys": math.exp(entropy),
        "column": trace.A[0, :, 75],
        "mean": trace.A[:, 75].mean(axis=0),
        "change": moved,
        "variation": abs(row - other).sum() / 2,
    }
    for key, value in expected.items():
        np.testing.assert_allclose(read[key], value, rtol=0, atol=TOLERANCE, err_msg=key)
