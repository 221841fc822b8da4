"""Counts: whole numbers of any integer type are exact, and what is no whole number is refused by name.

Every parameter and every field of the core that is annotated `int` is tried, as the source has them.
"""

from typing import Any

import numpy as np
import pytest

import vitattn_core as core
from tests.core.core_calls import CALLS, GRID, parameters
from tests.core.test_core_arrays import leaves

COUNTS = sorted({*parameters("int"), ("softmax", "axis")})


def test_the_table_holds_every_count() -> None:
    missing = [(name, given) for name, given in COUNTS if given not in CALLS[name].other]
    assert missing == []
    assert len(COUNTS) > 55


@pytest.mark.parametrize(("name", "parameter"), COUNTS)
def test_halves_and_truths_are_no_counts(name: str, parameter: str) -> None:
    for value in (1.5, 2.0, np.float32(2), True, np.True_, "2", None, (2, 2), np.array([2])):
        with pytest.raises(
            TypeError, match=r"^[A-Za-z_.]+(: \w+( \w+)?)?: got .*, takes .*whole number"
        ):
            CALLS[name](**{parameter: value})


@pytest.mark.parametrize("kind", [np.int8, np.uint8, np.int16, np.int32, np.uint64])
@pytest.mark.parametrize(("name", "parameter"), COUNTS)
def test_small_types_give_what_whole_numbers_give(name: str, parameter: str, kind: Any) -> None:
    call = CALLS[name]
    value = call.other[parameter]
    if value < 0 and np.iinfo(kind).min == 0:
        value = 2  # an axis counted from the front
    right, ours = call(**{parameter: value}), call(**{parameter: kind(value)})
    assert type(ours) is type(right)
    if not isinstance(right, np.ndarray | core.Trace):
        assert repr(ours) == repr(right)  # Python's own numbers, and not NumPy's
        return
    for one, other in zip(leaves(ours), leaves(right), strict=True):
        np.testing.assert_array_equal(one, other)
        assert one.dtype == other.dtype


def test_grids_whose_small_types_would_overflow() -> None:
    byte: Any = np.uint8  # as they come out of a file
    double: Any = np.uint16
    word: Any = np.int32
    large = core.Grid(double(4096), double(4096), 16)
    assert (large.patches, large.tokens) == (65_536, 65_537)
    assert core.Grid(byte(224), byte(224), byte(14)).patches == 256
    vit_b = core.Grid(word(224), word(224), word(16))
    macs = core.model_macs(vit_b, width=word(768), depth=word(12), classes=double(1000))
    assert type(macs) is int
    assert macs == 17_563_828_224
    rows = np.zeros((2, 255, 512))
    assert core.split_heads(rows, byte(4)).shape == (2, 4, 255, 128)


def test_rows_in_front_are_counted_in_whole_rows() -> None:
    with pytest.raises(TypeError, match=r"^Grid: registers: got 1\.5, takes a whole number$"):
        core.Grid(32, 32, 16, registers=1.5)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"^Grid\.token: row: got 0\.5, takes a whole number$"):
        GRID.token(0.5, 1)  # type: ignore[arg-type]
    flags: list[Any] = [0, 1, 2, "no", None]
    for value in flags:
        with pytest.raises(TypeError, match=r"^Grid: cls: got .*, takes True or False$"):
            core.Grid(32, 32, 16, cls=value)
    flags = [np.False_, np.True_]
    assert [core.Grid(32, 32, 16, cls=value).prefix for value in flags] == [0, 1]
