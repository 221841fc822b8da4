"""Inputs that keep every shape and mean something else: no shape check can tell them apart.

Only the last test needs torch.
"""

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

import vitattn_core
from tests.core.tiny_vit import FITTING, TINY, picture, tensors
from vitattn_core import (
    Grid,
    checks,
    cost,
    layer_norm,
    load_checkpoint,
    loops,
    patchify,
    resize_positions,
    rollout,
)
from vitattn_core.attention import linear


@pytest.mark.parametrize(
    ("naming", "first", "second"),
    [
        ("timm", "blocks.0.mlp.fc1", "blocks.0.mlp.fc2"),
        ("torchvision", *(f"encoder.layers.encoder_layer_0.mlp.{n}" for n in (0, 3))),
        ("torchvision-1", *(f"encoder.layers.encoder_layer_0.mlp.linear_{n}" for n in (1, 2))),
    ],
)
def test_a_square_mlp_reads_its_two_matrices_in_their_order(naming, first, second):
    square = replace(FITTING[naming], hidden=8)
    found = tensors(naming, square)
    block = load_checkpoint(found, square, naming).blocks[0]
    np.testing.assert_array_equal(block.w_1, found[f"{first}.weight"].T)
    np.testing.assert_array_equal(block.w_2, found[f"{second}.weight"].T)


def test_the_scale_after_attention_is_the_first_one_and_that_after_the_mlp_the_second():
    found = tensors("timm", FITTING["timm"])
    block = load_checkpoint(found, FITTING["timm"], "timm").blocks[0]
    np.testing.assert_array_equal(block.scale_1, found["blocks.0.ls1.gamma"])
    np.testing.assert_array_equal(block.scale_2, found["blocks.0.ls2.gamma"])


def test_a_table_of_as_many_places_on_another_grid_is_resized():
    """3 × 2 places for 2 × 3 patches: the count is the same, and each place is another."""
    way = replace(TINY, resize="linear")
    checkpoint = load_checkpoint(tensors("torchvision", way), way, "torchvision")
    wide = Grid(4, 6, 2)
    expected = resize_positions(
        checkpoint.position[1:].astype(float), Grid(6, 4, 2, cls=False), Grid(4, 6, 2, cls=False)
    )
    np.testing.assert_allclose(checkpoint.positions(wide)[1:], expected, atol=1e-6)
    trace = checkpoint.run(picture(height=4, width=6)).traces[0]
    np.testing.assert_allclose(trace.position[1:], expected, atol=1e-6)
    unstated = load_checkpoint(tensors("torchvision", TINY), TINY, "torchvision")
    with pytest.raises(ValueError, match="got a grid of 2 × 3, takes 3 × 2"):
        unstated.positions(wide)


def test_a_bias_is_one_row_of_numbers():
    rows, matrix = np.ones((2, 3)), np.ones((3, 4))
    for shape in ((2, 4), (1, 4), (1,)):
        said = re.escape(f"here: bias: got shape {shape}, takes (4,)")
        with pytest.raises(ValueError, match=said):
            linear("here", rows, matrix, np.ones(shape))


def test_an_eps_that_is_no_number_is_refused():
    with pytest.raises(ValueError, match="layer_norm: eps: got nan, takes 0 or more"):
        layer_norm([1.0, 2.0], eps=float("nan"))


def test_a_film_is_no_batch_of_images():
    with pytest.raises(ValueError, match=r"patchify: image: got shape \(1, 2, 3, 4, 4\)"):
        patchify(np.ones((1, 2, 3, 4, 4)), 2)


def test_a_row_with_weights_to_spare_is_not_cut():
    grid = Grid(4, 4, 2)
    for request in (grid.field, grid.off_grid):
        for tokens in (4, 6):
            with pytest.raises(ValueError, match=rf"got shape \({tokens},\), takes \(…, 5\)"):
                request(np.ones(tokens) / tokens)


def test_a_share_to_discard_is_rounded_down():
    """Of nine weights, 0.3 are 2.7: two go, as in the loops."""
    layer = np.arange(1.0, 10.0).reshape(3, 3)
    layer /= layer.sum(axis=1, keepdims=True)
    expected = loops.rolled_out([layer.tolist()], 2)
    np.testing.assert_allclose(rollout([layer], discard=0.3), expected, atol=1e-12)


def test_an_image_of_one_channel_costs_a_third_to_embed():
    grid, size = Grid(32, 32, 16), {"width": 8, "depth": 1, "classes": 2}
    dear, cheap = (cost.model_macs(grid, **size, channels=n) for n in (3, 1))
    assert dear - cheap == 2 * grid.patches * 16**2 * 8


def test_parity_compares_the_weights_too_and_a_batch_hides_other_keys_in_each_image(monkeypatch):
    """Weights that are wrong where the rows that leave are right; masks that are not all the same."""
    sound = checks._run

    def turned(*given):
        trace = sound(*given)
        return SimpleNamespace(**{**dict(trace.items()), "A": trace.A[..., ::-1]})

    assert checks.parity(vitattn_core)
    monkeypatch.setattr(checks, "_run", turned)
    assert not checks.parity(vitattn_core)
    monkeypatch.undo()
    seen = []

    def noted(*given):
        seen.append(given[3])
        return sound(*given)

    monkeypatch.setattr(checks, "_run", noted)
    assert checks.batch(vitattn_core)
    keeps = seen[0]
    assert len({keep.tobytes() for keep in keeps}) == len(keeps) == 3


def test_grouped_queries_are_refused():
    import torch

    from vitattn_core.torch_reference import recorded_weights

    q = torch.ones(1, 2, 3, 4)
    with pytest.raises(RuntimeError, match="enable_gqa=True; takes calls"), recorded_weights():
        torch.nn.functional.scaled_dot_product_attention(q, q, q, enable_gqa=True)
