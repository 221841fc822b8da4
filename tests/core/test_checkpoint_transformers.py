"""transformers' own models, tiny and random, through our pass: the same weights, the same rows."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch
import transformers
from safetensors.numpy import load_file

from tests.core.tiny_vit import TINY
from vitattn_core import load_checkpoint

BASE = replace(TINY, width=12, layers=2, heads=3, hidden=24, patch=4, table=(2, 2))
SIZES: dict[str, Any] = {
    "hidden_size": BASE.width,
    "num_hidden_layers": BASE.layers,
    "num_attention_heads": BASE.heads,
    "image_size": 8,
    "patch_size": BASE.patch,
}
MASK = ("embeddings.mask_token",)
POOLER = ("pooler.dense.weight", "pooler.dense.bias")
DINO = replace(BASE, layer_scale=True, resize="cubic")


def vit(**other):
    config = transformers.ViTConfig(**SIZES, intermediate_size=BASE.hidden, **other)
    return transformers.ViTModel, config


def dinov2(**other):
    return transformers.Dinov2Model, transformers.Dinov2Config(**SIZES, mlp_ratio=2, **other)


def registers(**other):
    config = transformers.Dinov2WithRegistersConfig(
        **SIZES, mlp_ratio=2, num_register_tokens=3, **other
    )
    return transformers.Dinov2WithRegistersModel, config


# family, its file's naming, its naming in memory, architecture, names left aside
MODELS = [
    (vit, "transformers-vit", "transformers-vit-5", BASE, POOLER),
    (dinov2, "transformers-dinov2", "transformers-dinov2-5", DINO, MASK),
    (
        registers,
        "transformers-dinov2",
        "transformers-dinov2-5",
        replace(DINO, registers=3),
        MASK,
    ),
]
every = pytest.mark.parametrize(
    ("family", "saved", "live", "architecture", "leave"),
    MODELS,
    ids=lambda v: getattr(v, "__name__", ""),
)


def made(family, dtype=torch.float32, **other):
    """A random model of a family, its norms and layer scales not at 1 and 0, eager attention."""
    torch.manual_seed(4)
    kind, config = family(**other)
    config._attn_implementation = "eager"
    model = kind(config).to(dtype).eval()
    with torch.no_grad():
        for parameter in model.parameters():
            parameter.add_(0.2 * torch.randn_like(parameter))
    return model


def arrays(model):
    return {name: tensor.numpy() for name, tensor in model.state_dict().items()}


def compare(model, checkpoint, image, tolerance):
    with torch.no_grad():
        theirs = model(torch.from_numpy(image)[None], output_attentions=True)
    run = checkpoint.run(image)
    assert len(theirs.attentions) == len(run.traces)
    for trace, A in zip(run.traces, theirs.attentions, strict=True):
        np.testing.assert_allclose(trace.A, A[0].numpy(), rtol=0, atol=tolerance)
    rows = theirs.last_hidden_state[0].numpy()
    np.testing.assert_allclose(run.rows, rows, rtol=0, atol=10 * tolerance)
    assert run.rows.dtype == image.dtype
    return run


def image_of(side, dtype=np.float32):
    return np.random.default_rng(5).normal(size=(3, side, side)).astype(dtype)


@every
@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("biases", [True, False])
def test_weights_and_rows_are_theirs(family, saved, live, architecture, leave, dtype, biases):
    model = made(family, dtype, qkv_bias=biases)
    a = replace(architecture, biases=biases, eps=model.config.layer_norm_eps)
    checkpoint = load_checkpoint(arrays(model), a, live, leave=leave)
    double = dtype == torch.float64
    exact = 1e-6 if family is vit else 1e-13  # their ViT takes its softmax in float32
    image = image_of(8, np.float64 if double else np.float32)
    compare(model, checkpoint, image, exact if double else 1e-6)


@every
def test_a_saved_file_has_the_names_of_its_naming(
    family, saved, live, architecture, leave, tmp_path
):
    model = made(family)
    model.save_pretrained(tmp_path)
    found = load_file(tmp_path / "model.safetensors")
    a = replace(architecture, eps=model.config.layer_norm_eps)
    checkpoint = load_checkpoint(found, a, saved, leave=leave)
    count = len(found) - len(leave)
    assert checkpoint.summary.startswith(f"{count} of {count} tensors used; left aside: ")
    compare(model, checkpoint, image_of(8), 1e-6)


def test_dinov2_on_another_grid_resizes_its_table_by_cubics():
    """As in the checkpoint of the captures; linear is another model."""
    model = made(dinov2, torch.float64)
    found = {name: tensor.astype(np.float64) for name, tensor in arrays(model).items()}
    image = image_of(20, np.float64)
    a = replace(DINO, eps=model.config.layer_norm_eps)
    checkpoint = load_checkpoint(found, a, "transformers-dinov2-5", leave=MASK)
    compare(model, checkpoint, image, 1e-6)  # they interpolate in float32
    linear = replace(a, resize="linear")
    with pytest.raises(AssertionError):
        compare(
            model,
            load_checkpoint(found, linear, "transformers-dinov2-5", leave=MASK),
            image,
            1e-6,
        )


@every
def test_the_libraries_default_eps_is_not_ours_to_assume(family, saved, live, architecture, leave):
    """transformers' ViT has 1e-12, its DINOv2 1e-6; torch's default, 1e-5, is another model."""
    model = made(family)
    assert model.config.layer_norm_eps == (1e-12 if family is vit else 1e-6)
    assert model.config.hidden_act == "gelu"
    for eps, right in ((model.config.layer_norm_eps, True), (1e-3, False)):
        a = replace(architecture, eps=eps)
        checkpoint = load_checkpoint(arrays(model), a, live, leave=leave)
        if right:
            compare(model, checkpoint, image_of(8), 1e-6)
        else:
            with pytest.raises(AssertionError):
                compare(model, checkpoint, image_of(8), 1e-6)


@every
def test_o22_sdpa_gives_no_weights_and_ours_are_the_eager_ones(
    family, saved, live, architecture, leave, recwarn
):
    """With a fused kernel the tuple of weights is empty, without an error; the rows are the same."""
    model = made(family)
    a = replace(architecture, eps=model.config.layer_norm_eps)
    image = image_of(8)
    run = compare(model, load_checkpoint(arrays(model), a, live, leave=leave), image, 1e-6)
    fused = made(family)
    fused.set_attn_implementation("sdpa")
    with torch.no_grad():
        theirs = fused(torch.from_numpy(image)[None], output_attentions=True)
    assert not theirs.attentions
    assert len(run.traces) == architecture.layers
    for trace in run.traces:
        np.testing.assert_allclose(trace.A.sum(axis=-1), 1, rtol=0, atol=1e-6)
    np.testing.assert_allclose(run.rows, theirs.last_hidden_state[0].numpy(), rtol=0, atol=1e-5)
