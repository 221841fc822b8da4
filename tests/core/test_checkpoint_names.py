"""timm's and torchvision's names and shapes, written out: those libraries are not installed here.

A ViT-Ti of timm with layer scale and registers, and torchvision's ViT-B/16, as their files list them.
"""

from dataclasses import replace

from tests.core.tiny_vit import TINY
from vitattn_core import NAMINGS

D, MLP = 192, 768
TIMM = {
    "cls_token": (1, 1, D),
    "reg_token": (1, 4, D),
    "pos_embed": (1, 1369, D),
    "patch_embed.proj.weight": (D, 3, 14, 14),
    "patch_embed.proj.bias": (D,),
    "blocks.0.norm1.weight": (D,),
    "blocks.0.norm1.bias": (D,),
    "blocks.0.attn.qkv.weight": (3 * D, D),
    "blocks.0.attn.qkv.bias": (3 * D,),
    "blocks.0.attn.proj.weight": (D, D),
    "blocks.0.attn.proj.bias": (D,),
    "blocks.0.ls1.gamma": (D,),
    "blocks.0.norm2.weight": (D,),
    "blocks.0.norm2.bias": (D,),
    "blocks.0.mlp.fc1.weight": (MLP, D),
    "blocks.0.mlp.fc1.bias": (MLP,),
    "blocks.0.mlp.fc2.weight": (D, MLP),
    "blocks.0.mlp.fc2.bias": (D,),
    "blocks.0.ls2.gamma": (D,),
    "norm.weight": (D,),
    "norm.bias": (D,),
}
LAYER = "encoder.layers.encoder_layer_0."
TORCHVISION = {
    "class_token": (1, 1, 768),
    "conv_proj.weight": (768, 3, 16, 16),
    "conv_proj.bias": (768,),
    "encoder.pos_embedding": (1, 197, 768),
    f"{LAYER}ln_1.weight": (768,),
    f"{LAYER}ln_1.bias": (768,),
    f"{LAYER}self_attention.in_proj_weight": (2304, 768),
    f"{LAYER}self_attention.in_proj_bias": (2304,),
    f"{LAYER}self_attention.out_proj.weight": (768, 768),
    f"{LAYER}self_attention.out_proj.bias": (768,),
    f"{LAYER}ln_2.weight": (768,),
    f"{LAYER}ln_2.bias": (768,),
    f"{LAYER}mlp.0.weight": (3072, 768),
    f"{LAYER}mlp.0.bias": (3072,),
    f"{LAYER}mlp.3.weight": (768, 3072),
    f"{LAYER}mlp.3.bias": (768,),
    "encoder.ln.weight": (768,),
    "encoder.ln.bias": (768,),
}


def of_block(names, block):
    """The same names for another block."""
    both = {name.replace("blocks.0", f"blocks.{block}") for name in names}
    return {name.replace("layer_0.", f"layer_{block}.") for name in both}


def test_timm():
    a = replace(
        TINY,
        width=D,
        layers=1,
        heads=3,
        hidden=MLP,
        patch=14,
        registers=4,
        table=(37, 37),
        table_front=0,
        layer_scale=True,
    )
    assert a.shapes(NAMINGS["timm"]) == TIMM
    plain = replace(a, registers=0, table_front=1, layer_scale=False, biases=False)
    left = {n for n in TIMM if ".ls" not in n and "reg" not in n and "qkv.bias" not in n}
    shapes = plain.shapes(NAMINGS["timm"])
    assert set(shapes) == left
    assert shapes["pos_embed"] == (1, 1370, D)
    assert set(replace(a, layers=3).shapes(NAMINGS["timm"])) == {
        name for block in range(3) for name in of_block(TIMM, block)
    }


def test_torchvision():
    a = replace(TINY, width=768, layers=1, heads=12, hidden=3072, patch=16, table=(14, 14))
    assert a.shapes(NAMINGS["torchvision"]) == TORCHVISION
    whole = replace(a, layers=12).shapes(NAMINGS["torchvision"])
    assert set(whole) == {name for block in range(12) for name in of_block(TORCHVISION, block)}
    first = {  # as torchvision's published files of 2022 have them
        name.replace("mlp.0", "mlp.linear_1").replace("mlp.3", "mlp.linear_2") for name in whole
    }
    assert set(replace(a, layers=12).shapes(NAMINGS["torchvision-1"])) == first
    numbers = 0
    for shape in whole.values():
        size = 1
        for side in shape:
            size *= side
        numbers += size
    assert numbers == 86_567_656 - 1000 * 769  # the published count, less the class head
