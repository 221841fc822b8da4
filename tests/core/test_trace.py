"""Trace and STAGES: one order of names, and nothing in a trace can be changed."""

import re
from collections.abc import Mapping

import numpy as np
import pytest

from tests.core.strategies import plain_block
from vitattn_core import STAGES, Trace, block, stack, stage, teaching
from vitattn_core import teaching_pass as run

IDS = ["patches", "embed", "norm", "qkv", "scores", "scale"]
IDS += ["mask", "softmax", "mix", "heads", "residual", "mlp"]


@pytest.fixture
def weights():
    return plain_block(4, heads=2)


@pytest.fixture(scope="module")
def photograph():
    y, x = np.mgrid[0:224, 0:224]
    return np.stack([y, x, (x * y) % 256]).astype(np.uint8)  # no photograph needed here


def test_the_twelve_stages():
    assert [entry.id for entry in STAGES] == IDS
    for entry in STAGES:
        texts = (
            entry.title,
            entry.symbol,
            entry.formula,
            entry.shape,
            entry.sentence,
            entry.section,
        )
        assert all(texts)
        assert entry.arrays
        assert entry.sentence.endswith(".")
        assert "\n" not in entry.sentence
        assert stage(entry.id) is entry
    with pytest.raises(KeyError, match="takes one of patches, embed"):
        stage("soft-max")


def test_a_pass_runs_through_the_stages_in_order(photograph):
    t = run(photograph)
    assert list(t) == [name for entry in STAGES for name in entry.arrays]


def test_the_shapes_that_the_stages_name(photograph):
    """The shape in words is that of one of the stage's arrays, without the axis of heads."""
    t = run(photograph)
    for entry in STAGES:
        words = tuple(int(n) for n in re.findall(r"\d+", entry.shape))
        assert words in {t[name].shape[-2:] for name in entry.arrays}, entry.id


def test_names_work_as_keys_and_as_attributes(weights):
    t = block(np.eye(4), weights)
    assert isinstance(t, Mapping)
    assert next(iter(t)) == "X"
    assert list(t)[-1] == "Z"
    assert len(t) == len(list(t))
    for name in t:
        assert getattr(t, name) is t[name]
    assert "pixels" not in t  # a bare block starts at X
    with pytest.raises(AttributeError, match="no array 'pixels'; this pass has X, U"):
        t.pixels  # noqa: B018
    with pytest.raises(KeyError, match="no array 'scores'"):
        t["scores"]
    assert not hasattr(t, "__deepcopy__")
    assert "A (2, 4, 4)" in repr(t)


def test_the_order_is_that_of_the_stages_whatever_was_handed_in():
    assert list(Trace({"Z": np.ones(1), "A": np.ones(1), "X": np.ones(1)})) == ["X", "A", "Z"]
    with pytest.raises(ValueError, match="got B, takes pixels, content"):
        Trace({"B": np.ones(1)})


def test_nothing_in_a_trace_can_be_written_to(weights):
    t = block(np.eye(4), weights)
    for name, array in t.items():
        with pytest.raises(ValueError, match="read-only"):
            array[...] = 0
        with pytest.raises((AttributeError, TypeError)):
            setattr(t, name, array)


def test_a_trace_does_not_change_when_its_input_does(weights):
    x = np.eye(4)
    first, second = stack(x, [weights, weights])
    x[:] = 7
    np.testing.assert_array_equal(first.X, np.eye(4))
    np.testing.assert_array_equal(second.X, first.Z)


def test_the_teaching_pass_keeps_its_photograph_and_its_table(photograph):
    before = photograph.copy()
    t = run(photograph)
    np.testing.assert_array_equal(photograph, before)
    np.testing.assert_array_equal(t.content + t.position, t.X)
    np.testing.assert_array_equal(t.position, teaching.weights().position)
