"""Weights of fused attention (case O22): recorded from torch's own layers, checked, or refused."""

import math

import pytest
import torch
from torch import nn
from torch.nn import functional as F

from vitattn_core.torch_reference import Block, recorded_weights

BATCH, TOKENS, WIDTH, HEADS = 2, 5, 12, 4  # an odd number of heads has no fast path


@pytest.fixture
def rows():
    torch.manual_seed(1)
    return torch.randn(BATCH, TOKENS, WIDTH)


@pytest.fixture
def layer():
    torch.manual_seed(2)
    return nn.MultiheadAttention(WIDTH, HEADS, batch_first=True)


def encoder(**other):
    torch.manual_seed(3)
    return nn.TransformerEncoderLayer(
        WIDTH, HEADS, 48, dropout=0.0, activation="gelu", batch_first=True, norm_first=True, **other
    )


def test_o22_a_fused_layer_gives_no_weights_and_its_hook_never_fires(layer, rows):
    """The symptom: None, no error."""
    seen: list[object] = []

    class Watched(nn.Module):
        """As models are written: a dropout module that the explicit path would pass through."""

        def __init__(self):
            super().__init__()
            self.drop = nn.Dropout(0.0)

        def forward(self, q, k, v):
            return F.scaled_dot_product_attention(q, k, v, dropout_p=self.drop.p)

    model = Watched()
    model.drop.register_forward_hook(lambda *given: seen.append(given))
    q, k, v = rows.chunk(3, -1)
    model(q, k, v)
    assert seen == []
    assert layer(rows, rows, rows, need_weights=False)[1] is None


def test_they_are_the_weights_that_the_explicit_path_returns(layer, rows):
    keep = torch.ones(TOKENS, TOKENS, dtype=torch.bool)
    keep[0, 2:] = False
    for mask in (None, ~keep):
        right, explicit = layer(rows, rows, rows, attn_mask=mask, average_attn_weights=False)
        with recorded_weights() as maps:
            output, none = layer(rows, rows, rows, attn_mask=mask, need_weights=False)
        assert none is None
        (weights,) = maps
        assert weights.shape == (BATCH, HEADS, TOKENS, TOKENS)
        torch.testing.assert_close(weights, explicit, rtol=0, atol=1e-6)
        torch.testing.assert_close(output, right, rtol=0, atol=1e-6)
        torch.testing.assert_close(weights.sum(-1), torch.ones_like(weights[..., 0]))


def test_one_map_a_block_in_order(rows):
    first, second = Block(WIDTH, heads=HEADS), Block(WIDTH, heads=2)
    with recorded_weights() as maps:
        inside = second(first(rows))
    assert [tuple(a.shape) for a in maps] == [(BATCH, h, TOKENS, TOKENS) for h in (HEADS, 2)]
    torch.testing.assert_close(inside, second(first(rows)), rtol=0, atol=0)


def test_a_path_without_weights_raises(rows):
    """The encoder's fast path never calls the function: an error, not an empty list."""
    fast = encoder().eval()
    with (
        torch.inference_mode(),
        pytest.raises(RuntimeError, match=r"never called.*set_fastpath_enabled\(False\)"),
        recorded_weights(),
    ):
        quick = fast(rows)
    torch.backends.mha.set_fastpath_enabled(False)
    try:
        with torch.inference_mode(), recorded_weights() as maps:
            slow = fast(rows)
    finally:
        torch.backends.mha.set_fastpath_enabled(True)
    assert len(maps) == 1
    torch.testing.assert_close(slow, quick, rtol=0, atol=1e-5)


@pytest.mark.parametrize(
    "kind",
    ["none", "boolean", "added", "causal", "nothing left", "no image"],
)
def test_masks_mean_what_the_kernel_means(kind, rows):
    q, k, v = (part.double() for part in rows.chunk(3, -1))
    keep = torch.rand(BATCH, TOKENS, TOKENS) > 0.4
    keep[..., 0] = True
    if kind == "nothing left":
        keep[0, 1] = False
    added = torch.zeros(TOKENS, TOKENS, dtype=torch.float64)
    added[1, 2], added[0, 3] = -math.inf, 1.5
    given: dict = {
        "none": {},
        "boolean": {"attn_mask": keep},
        "added": {"attn_mask": added},
        "causal": {"is_causal": True},
        "nothing left": {"attn_mask": keep, "scale": 0.3},
        "no image": {"attn_mask": keep[:0]},
    }[kind]
    if kind == "no image":
        q, k, v = (part[:0] for part in (q, k, v))
    with recorded_weights() as maps:
        output = F.scaled_dot_product_attention(q, k, v, **given)
    torch.testing.assert_close(maps[0] @ v, output)
    assert maps[0].shape == (len(q), TOKENS, TOKENS)
    if kind == "nothing left":
        assert maps[0][0, 1].eq(0).all()
        assert output[0, 1].eq(0).all()


@pytest.mark.parametrize("boolean", [True, False])
def test_a_mask_and_causal_at_once_hide_what_either_hides(boolean, rows):
    """The kernel takes both where there are heads; without them it refuses the two together."""
    q, k, v = (part.double()[:, None] for part in rows.chunk(3, -1))
    keep = torch.rand(BATCH, 1, TOKENS, TOKENS) > 0.4
    keep[..., 0] = True
    mask = keep if boolean else torch.where(keep, 0.5, -math.inf).double()
    with recorded_weights() as maps:
        output = F.scaled_dot_product_attention(q, k, v, attn_mask=mask, is_causal=True)
    torch.testing.assert_close(maps[0] @ v, output)
    assert not maps[0].triu(1).any()
    assert not maps[0][~keep].any()
    assert maps[0][keep.tril()].gt(0).all()


def test_dropped_weights_and_a_wrong_kernel_are_refused(rows, monkeypatch):
    q, k, v = rows.chunk(3, -1)
    with pytest.raises(RuntimeError, match=r"dropout_p=0\.1.*eval mode"), recorded_weights():
        F.scaled_dot_product_attention(q, k, v, dropout_p=0.1)
    right = F.scaled_dot_product_attention

    def keys_mixed(query, key, value, *given, **other):
        return right(query, key, key, *given, **other)

    monkeypatch.setattr(F, "scaled_dot_product_attention", keys_mixed)
    with (
        pytest.raises(RuntimeError, match="off the kernel's output"),
        recorded_weights(),
    ):
        F.scaled_dot_product_attention(q, k, v)
    assert F.scaled_dot_product_attention is keys_mixed  # put back, after an error too


def test_o22_another_library_gives_an_empty_tuple_and_the_recording_the_weights():
    """A ViT of Transformers: nothing from its fused path, all maps from the recording."""
    from transformers import ViTConfig, ViTModel

    sizes: dict = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
    config = ViTConfig(**sizes, intermediate_size=32, image_size=32, patch_size=8)
    assert config.layer_norm_eps == 1e-12  # as the page says
    torch.manual_seed(4)
    model = ViTModel(config).eval()
    model.set_attn_implementation("sdpa")
    images = torch.randn(1, 3, 32, 32)
    with torch.inference_mode():
        assert model(images, output_attentions=True).attentions == ()
        with recorded_weights() as maps:
            model(images)
        model.set_attn_implementation("eager")
        explicit = model(images, output_attentions=True).attentions
    assert [tuple(a.shape) for a in maps] == [(1, 2, 17, 17)] * 2  # 4 x 4 patches and CLS
    for recorded, right in zip(maps, explicit, strict=True):
        torch.testing.assert_close(recorded, right, rtol=0, atol=1e-6)


def test_a_function_taken_by_its_name_beforehand_is_not_seen(rows):
    taken = F.scaled_dot_product_attention
    words = r"never called through torch\.nn\.functional"
    with pytest.raises(RuntimeError, match=words), recorded_weights():
        taken(*rows.chunk(3, -1))


def test_an_error_inside_is_not_hidden():
    with pytest.raises(ZeroDivisionError), recorded_weights():
        raise ZeroDivisionError
