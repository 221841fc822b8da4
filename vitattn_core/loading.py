"""A checkpoint from a plain dict of arrays, strict: what is missing, unknown or odd is named."""

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .architecture import ACTIVATIONS, Architecture
from .arrays import Array, as_array
from .attention import AttentionWeights
from .block import BlockWeights
from .checkpoint import Checkpoint
from .namings import NAMINGS


def _check(
    shapes: Mapping[str, tuple[int, ...]], given: Mapping[str, object], leave: frozenset[str]
) -> None:
    """Raise ValueError that names every missing, unknown and odd-shaped tensor."""
    faults = []
    if missing := [name for name in (*shapes, *sorted(leave)) if name not in given]:
        faults.append(f"missing: {', '.join(missing)}")
    if unknown := [str(name) for name in given if name not in shapes and name not in leave]:
        faults.append(f"unknown: {', '.join(unknown)}")
    if needed := sorted(leave & set(shapes)):
        faults.append(f"to be left aside, and needed: {', '.join(needed)}")
    odd = [
        f"{name} {have}, takes {shape}"
        for name, shape in shapes.items()
        if name in given and (have := _shape(name, given[name])) != shape
    ]
    if odd:
        faults.append(f"of another shape: {'; '.join(odd)}")
    if faults:
        raise ValueError(f"load_checkpoint: {'. '.join(faults)}")


def _shape(name: str, tensor: object) -> tuple[int, ...]:
    shape = getattr(tensor, "shape", None)
    return tuple(as_array(f"load_checkpoint: {name}", tensor).shape if shape is None else shape)


def _plain(name: str, tensor: object) -> NDArray[Any]:
    """Return a copy of a tensor, so that what is loaded stays when its source goes on learning."""
    if hasattr(tensor, "detach"):  # torch's: a parameter records gradients, and needs none here
        tensor = tensor.detach()
    request = f"load_checkpoint: {name}"
    try:
        return as_array(request, tensor).copy()
    except (TypeError, ValueError):
        if str(getattr(tensor, "dtype", "")) != "torch.bfloat16":
            raise
        raise TypeError(
            f"{request}: got bfloat16, takes float32 or float64; `tensor.float()` loses nothing"
        ) from None


def load_checkpoint(
    tensors: Mapping[str, ArrayLike],
    architecture: Architecture,
    naming: str,
    *,
    leave: Iterable[str] = (),
) -> Checkpoint:
    """Return a checkpoint from its tensors, by name; `naming` is one of `NAMINGS`.

    `leave`: names that are there and not used, as a class head's. The tensors are copied: what is
    loaded stays as it was when they change.
    Raises ValueError that names every tensor which is missing, unknown or of another shape, or is to
    be left aside and needed; KeyError for an unknown naming; TypeError unless all tensors used are
    float32, or all float64, and for a `leave` that is one string.

    A tensor that is missing is named, and nothing random stands in its place:

    >>> tiny = Architecture(
    ...     width=4, layers=1, heads=2, hidden=8, patch=2, channels=3, registers=0, table=(2, 2),
    ...     table_front=1, biases=True, layer_scale=False, activation="gelu", eps=1e-6, resize=None,
    ... )
    >>> tensors = {name: np.zeros(shape) for name, shape in tiny.shapes(NAMINGS["timm"]).items()}
    >>> load_checkpoint(tensors, tiny, "timm").summary
    '18 of 18 tensors used'
    >>> del tensors["blocks.0.attn.qkv.weight"]
    >>> load_checkpoint(tensors, tiny, "timm")
    Traceback (most recent call last):
    ValueError: load_checkpoint: missing: blocks.0.attn.qkv.weight
    """
    if not isinstance(naming, str) or naming not in NAMINGS:
        raise KeyError(f"load_checkpoint: got naming {naming!r}, takes one of {', '.join(NAMINGS)}")
    if not isinstance(tensors, Mapping):
        raise TypeError(
            f"load_checkpoint: tensors: got {type(tensors).__name__}, takes names with their arrays, "
            "as of `model.state_dict()`"
        )
    if isinstance(leave, str):
        raise TypeError(f"load_checkpoint: leave: got the string {leave!r}, takes [{leave!r}]")
    names, aside = NAMINGS[naming], frozenset(leave)
    a = architecture
    shapes = a.shapes(names)
    _check(shapes, tensors, aside)
    arrays = {name: _plain(name, tensors[name]) for name in shapes}
    used: set[str] = set()
    kind = arrays[names.name("cls")].dtype

    def take(role: str, i: int | None = None) -> Array:
        name = names.name(role, i)
        if arrays[name].dtype != kind or kind not in (np.float32, np.float64):
            raise TypeError(
                f"load_checkpoint: {name}: got {arrays[name].dtype}, "
                f"takes float32 or float64, the same for all ({names.name('cls')} is {kind})"
            )
        used.add(name)
        return arrays[name]

    def matrix(role: str, i: int) -> Array:
        stored = take(f"{role}.weight", i)
        return np.ascontiguousarray(stored.T if names.transposed else stored)

    def projections(i: int) -> dict[str, Array | None]:
        """Return W_Q, W_K, W_V and their biases; a fused tensor holds all Q, then all K, then all V."""
        if names.fused:
            weights = list(np.split(matrix("qkv", i), 3, axis=1))
            biases: list[Array | None] = (
                list(np.split(take("qkv.bias", i), 3)) if a.biases else [None, None, None]
            )
        else:
            weights = [matrix(role, i) for role in "qkv"]
            biases = [take(f"{role}.bias", i) if a.biases else None for role in "qkv"]
        found: dict[str, Array | None] = {}
        for letter, weight, bias in zip("qkv", weights, biases, strict=True):
            found |= {f"w_{letter}": np.ascontiguousarray(weight), f"b_{letter}": bias}
        return found

    def one(i: int) -> BlockWeights:
        return BlockWeights(
            attention=AttentionWeights(
                **projections(i),  # type: ignore[arg-type]
                w_o=matrix("out", i),
                b_o=take("out.bias", i),
                heads=a.heads,
            ),
            w_1=matrix("mlp_1", i),
            b_1=take("mlp_1.bias", i),
            w_2=matrix("mlp_2", i),
            b_2=take("mlp_2.bias", i),
            gain_1=take("norm_1.weight", i),
            shift_1=take("norm_1.bias", i),
            gain_2=take("norm_2.weight", i),
            shift_2=take("norm_2.bias", i),
            scale_1=take("scale_1", i) if a.layer_scale else None,
            scale_2=take("scale_2", i) if a.layer_scale else None,
            eps=a.eps,
            activation=ACTIVATIONS[a.activation],
        )

    kernel = take("patch.weight")
    loaded = {
        "embedding": np.ascontiguousarray(kernel.reshape(a.width, -1).T),  # (C·P·P, D)
        "bias": take("patch.bias"),
        "cls": take("cls").reshape(a.width),
        "position": take("position")[0],
        "gain": take("norm.weight"),
        "shift": take("norm.bias"),
    }
    registers = take("registers")[0] if a.registers else None
    blocks = tuple(one(i) for i in range(a.layers))
    summary = f"{len(used)} of {len(tensors) - len(aside)} tensors used"
    if aside:
        summary += f"; left aside: {', '.join(sorted(aside))}"
    return Checkpoint(architecture=a, registers=registers, blocks=blocks, summary=summary, **loaded)
