"""The seven checks hold for the core, and each of them can fail.

Runs in the mutation test too, so it needs nothing but the core.
"""

import pytest

import vitattn_core
from vitattn_core.checks import CHECKS, COLUMNS, HEADS, ROWS, TOKENS, WIDTH
from vitattn_core.mistakes import Change, core_changed


@pytest.mark.parametrize("id", CHECKS)
def test_the_core_passes_a_check(id):
    assert CHECKS[id].holds(vitattn_core)


# No mistake of the list changes a shape or mixes the images of a batch: here are two that do.
FAULTS = {
    "shape": Change(
        module="grid",
        right="return on_grid.reshape(*weights.shape[:-1], self.rows, self.columns)",
        wrong="return on_grid.reshape(*weights.shape[:-1], self.columns, self.rows)",
    ),
    "batch": Change(
        module="block",
        right="centred = rows - rows.mean(axis=-1, keepdims=True)",
        wrong="centred = rows - rows.mean(axis=0, keepdims=True)",
    ),
    "row-sum": Change(
        module="attention",
        right="return e / np.where(total == 0, 1, total).astype(s.dtype)",
        wrong="return e",
    ),
    "equivariance": Change(
        module="patches",
        right="return content + position",
        wrong="return content + position + np.arange(len(position))[:, None]",
    ),
    "masked-key": Change(
        module="masks",
        right="return keys[None, :]",
        wrong="return np.ones_like(keys)[None, :]",
    ),
    "zero-weights": Change(module="block", right="Z = Y + _scaled(", wrong="Z = W + _scaled("),
    "parity": Change(
        module="block",
        right="phi = 0.5 * (1 + _erf(values.astype(np.float64) / math.sqrt(2)))",
        wrong="phi = 1 / (1 + np.exp(-1.702 * values.astype(np.float64)))",
    ),
}


@pytest.mark.parametrize("id", CHECKS)
def test_a_check_can_fail(id):
    try:
        core = core_changed([FAULTS[id]])
    except ValueError:
        pytest.fail(f"the line of the fault for {id} is no longer in the core")
    assert not CHECKS[id].holds(core)


def test_the_scene_can_tell_apart_what_mistakes_confuse():
    assert ROWS != COLUMNS  # height and width
    assert HEADS > 1  # merging one head is harmless
    assert WIDTH != WIDTH // HEADS  # the two roots
    assert TOKENS == ROWS * COLUMNS + 1  # CLS is there
