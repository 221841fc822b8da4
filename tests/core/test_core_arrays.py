"""Kinds of arrays, put into every public function of the core that takes any: nothing is lost unseen.

Masked arrays, types that the core does not compute with, rows of different lengths, NaN, and a batch
without images. The functions and their parameters are read from the source.
"""

import re
from typing import Any

import numpy as np
import pytest
import torch

import vitattn_core as core
from tests.core.core_calls import CALLS, parameters

ARRAYS = sorted(parameters("ArrayLike"))
BATCHED = [name for name, call in CALLS.items() if call.batched]
BOOLEAN = {"mask", "keep"}


def odd(call: Any, parameter: str, change: Any) -> Any:
    """Call with one array changed; of a list or a dict of arrays, the last one."""
    value = call.arrays[parameter]
    if isinstance(value, dict):
        name = list(value)[-1]
        return call(**{parameter: value | {name: change(value[name])}})
    if isinstance(value, list):
        return call(**{parameter: [*value[:-1], change(value[-1])]})
    return call(**{parameter: change(value)})


def leaves(result: Any) -> list[np.ndarray]:
    """The arrays of a result, whatever holds them."""
    if isinstance(result, core.Pass):
        return [*(array for trace in result.traces for array in leaves(trace)), result.rows]
    if isinstance(result, core.Trace | dict):
        return list(result.values())
    if isinstance(result, tuple | list):
        return [array for part in result for array in leaves(part)]
    return [np.asarray(result)]


def test_the_table_holds_every_parameter_that_takes_arrays() -> None:
    assert sorted((name, given) for name, call in CALLS.items() for given in call.arrays) == ARRAYS
    assert len(ARRAYS) > 60
    for call in CALLS.values():
        call()


@pytest.mark.parametrize(("name", "parameter"), ARRAYS)
def test_a_masked_array_is_refused_by_name(name: str, parameter: str) -> None:
    """Read as a plain array it would lose its mask, and what it hides would take part."""

    def masked(array: np.ndarray) -> np.ma.MaskedArray:
        return np.ma.array(array, mask=np.arange(array.size).reshape(array.shape) == 1)

    def inside(array: np.ndarray) -> list[Any]:
        return list(masked(array))

    with pytest.raises(TypeError, match=r"^[\w.]+.*: got a masked array.*takes a plain array"):
        odd(CALLS[name], parameter, masked)
    if CALLS[name].arrays[parameter] is not None and parameter != "tensors":
        array = np.asarray(CALLS[name].arrays[parameter])
        if array.ndim > 1:
            with pytest.raises(TypeError, match="got a masked array"):
                odd(CALLS[name], parameter, inside)


def test_a_masked_row_as_readers_write_it() -> None:
    """Its third key is hidden: [1/3, 2/3, 0] comes from a mask beside the array, never [.125, .25, .625]."""
    scores = np.ma.array([0, np.log(2), np.log(5)], mask=[False, False, True])
    with pytest.raises(TypeError, match=r"^softmax: scores: got a masked array.*`hide`"):
        core.softmax(scores)
    plain, keep = scores.data[None], ~np.ma.getmaskarray(scores)[None]
    np.testing.assert_allclose(core.softmax(core.hide(plain, keep)), [[1 / 3, 2 / 3, 0]])


@pytest.mark.parametrize(("name", "parameter"), ARRAYS)
def test_other_types_are_refused_by_name(name: str, parameter: str) -> None:
    kinds: list[tuple[Any, str]] = [
        (lambda a: a.astype(np.float16), "got float16"),
        (lambda a: a.astype(complex), "got complex128"),
        (lambda a: torch.tensor(a).to(torch.bfloat16), "BFloat16|bfloat16"),
        (lambda a: a.astype(float if a.dtype == bool else bool), "got (float64|bool)"),
    ]
    if parameter not in ("tensors", "layers"):
        kinds.append((lambda a: torch.tensor(a.astype(float)).requires_grad_(), "requires grad"))
    for change, words in kinds:
        with pytest.raises(TypeError, match=words) as told:
            odd(CALLS[name], parameter, change)
        assert re.match(r"[A-Za-z_.]+(: [\w.]+)?( \S+)*: ", str(told.value)), str(told.value)


@pytest.mark.parametrize(("name", "parameter"), ARRAYS)
def test_rows_of_different_lengths_are_refused_by_name(name: str, parameter: str) -> None:
    with pytest.raises(ValueError, match=r"^[\w.]+.*: cannot be read as an array: .*inhomogeneous"):
        odd(CALLS[name], parameter, lambda a: [[1.0, 2.0], [3.0]])


@pytest.mark.parametrize("name", BATCHED)
def test_a_batch_of_none_gives_results_of_none(name: str) -> None:
    call = CALLS[name]
    whole = leaves(call())
    empty = leaves(call(**{given: call.arrays[given][:0] for given in call.batched}))
    assert len(empty) == len(whole)
    for none, some in zip(empty, whole, strict=True):
        grown = len(some.shape) and some.shape[0] == 3
        assert none.shape == ((0, *some.shape[1:]) if grown else some.shape)
        assert none.dtype == some.dtype


# What a NaN in one image of a batch may reach: that image, and no other. (A photograph of the
# teaching pass is checked for its range; the flattest row takes finite numbers.)
@pytest.mark.parametrize(
    ("name", "parameter"),
    [(name, given) for name in BATCHED for given in CALLS[name].batched if given not in BOOLEAN],
)
def test_a_nan_is_seen_in_its_image_and_in_no_other(name: str, parameter: str) -> None:
    call = CALLS[name]
    value = call.arrays[parameter].copy()
    value[(1, *(0 for _ in value.shape[1:]))] = np.nan
    right, wrong = leaves(call()), leaves(call(**{parameter: value}))
    seen = False
    for clean, told in zip(right, wrong, strict=True):
        if len(clean.shape) and clean.shape[0] == 3 and clean.dtype != bool:
            np.testing.assert_array_equal(told[[0, 2]], clean[[0, 2]])
            seen |= bool(np.isnan(told[1]).any())
    assert seen or name in ("Grid.field", "Grid.off_grid", "zero_value")


@pytest.mark.parametrize("parameter", ["values", "output"])
@pytest.mark.parametrize("what", [np.nan, np.inf])
def test_the_flattest_row_says_that_it_takes_finite_numbers(parameter: str, what: float) -> None:
    call = CALLS["flattest_weights"]
    value = call.arrays[parameter].copy()
    value.flat[0] = what
    with pytest.raises(ValueError, match="got NaN or infinity, takes finite numbers"):
        call(**{parameter: value})
