"""A loaded checkpoint and its source: what was loaded stays, and what cannot be loaded is named."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import torch

from tests.core.tiny_vit import FITTING, TINY, picture, tensors
from vitattn_core import NAMINGS, load_checkpoint


@pytest.mark.parametrize("naming", NAMINGS)
@pytest.mark.parametrize("kind", ["numpy", "tensor", "parameter"])
def test_what_is_loaded_stays_when_its_source_goes_on_learning(naming: str, kind: str) -> None:
    """A state dict holds references: halved in place, it halved biases, norms, CLS and positions too."""
    a = replace(FITTING[naming], resize="linear")
    arrays = tensors(naming, a)
    makes: dict[str, Any] = {
        "numpy": np.copy,
        "tensor": torch.tensor,
        "parameter": lambda t: torch.nn.Parameter(torch.tensor(t)),
    }
    source = {name: makes[kind](array) for name, array in arrays.items()}
    model = load_checkpoint(source, a, naming)
    before = model.run(picture())
    with torch.no_grad():
        for tensor in source.values():
            tensor *= 0.5
    after = model.run(picture())
    np.testing.assert_array_equal(after.rows, before.rows)
    for one, other in zip(before.traces, after.traces, strict=True):
        for name in one:
            np.testing.assert_array_equal(one[name], other[name])
    plain = load_checkpoint(arrays, a, naming).run(picture())
    np.testing.assert_array_equal(before.rows, plain.rows)


def load(changed: dict[str, Any] | None = None, naming: str = "torchvision", **other: Any) -> Any:
    return load_checkpoint({**tensors(naming, TINY), **(changed or {})}, TINY, naming, **other)


def test_a_tensor_of_another_type_is_named() -> None:
    name = "encoder.ln.weight"
    tensor = torch.tensor(tensors("torchvision", TINY)[name])
    message = (
        rf"^load_checkpoint: {name}: got bfloat16, takes float32 or float64; `tensor\.float\(\)`"
    )
    for odd in (tensor.bfloat16(), torch.nn.Parameter(tensor.bfloat16())):
        with pytest.raises(TypeError, match=message):
            load({name: odd})
    for odd, words in (
        (tensor.half(), "got float16"),
        (np.ma.array(tensor, mask=True), "got a masked"),
    ):
        with pytest.raises(TypeError, match=rf"^load_checkpoint: {name}: {words}"):
            load({name: odd})


def test_what_is_left_aside_is_a_list_of_names_that_are_not_needed() -> None:
    """A string is a list of letters; a name in use, left aside, was used and counted out."""
    head = {"head": torch.zeros(2, 8, dtype=torch.bfloat16)}  # left aside, its type does not matter
    loaded = load(head, leave=["head"])
    count = len(tensors("torchvision", TINY))
    assert loaded.summary == f"{count} of {count} tensors used; left aside: head"
    with pytest.raises(TypeError, match=r"leave: got the string 'head', takes \['head'\]$"):
        load(head, leave="head")
    with pytest.raises(ValueError, match=r"to be left aside, and needed: encoder\.ln\.weight$"):
        load(leave=["encoder.ln.weight"])
    with pytest.raises(ValueError, match=r"missing: heads\.weight$"):
        load(leave=["heads.weight"])


def test_what_a_library_does_not_have_is_named_by_its_field() -> None:
    has = {name: set(naming.names) for name, naming in NAMINGS.items()}
    fields: tuple[tuple[str, Any, str], ...] = (
        ("registers", 2, "registers"),
        ("layer_scale", True, "scale_1"),
    )
    seen = 0
    for field, value, role in fields:
        for naming, roles in has.items():
            a = replace(TINY, **{field: value})
            if role in roles:
                a.shapes(NAMINGS[naming])
                continue
            seen += 1
            with pytest.raises(ValueError, match=rf"^Architecture: {field}: got {value}, takes "):
                load_checkpoint(tensors(naming, TINY), a, naming)
    assert seen > 4


@pytest.mark.parametrize(
    ("field", "value", "words"),
    [
        ("registers", -1, "got -1, takes 0 or more"),
        ("table_front", -1, "got -1, takes 0 or more"),
        ("table_front", 3, "got 3, takes 0, 1 or 1"),
        ("patch", (2, 2), r"got \(2, 2\), takes a whole number"),
        ("layers", 0, "got 0, takes 1 or more"),
        ("width", "8", "got '8', takes a whole number"),
        ("table", 6, r"got 6, takes \(rows, columns\)"),
        ("table", (3, 2, 1), r"got \(3, 2, 1\), takes \(rows, columns\)"),
        ("table", (3, 2.5), "got 2.5, takes a whole number"),
        ("biases", 1, "got 1, takes True or False"),
        ("layer_scale", "no", "got 'no', takes True or False"),
        ("activation", ["gelu"], r"got \['gelu'\], takes one of gelu"),
        ("eps", "1e-6", "got '1e-6', takes a number"),
        ("eps", float("nan"), "got nan, takes more than 0"),
        ("resize", "bilinear", "got 'bilinear', takes None, linear or cubic"),
    ],
)
def test_an_architecture_names_the_field(field: str, value: Any, words: str) -> None:
    with pytest.raises((TypeError, ValueError), match=rf"^Architecture: {field}: {words}"):
        replace(TINY, **{field: value})


def test_what_is_no_state_dict_and_no_naming() -> None:
    with pytest.raises(TypeError, match=r"tensors: got list, takes .*`model\.state_dict\(\)`"):
        load_checkpoint([1], TINY, "timm")  # type: ignore[arg-type]
    for naming in ("Timm", ["timm"], None):
        with pytest.raises(KeyError, match=r"got naming .*, takes one of timm, torchvision"):
            load_checkpoint({}, TINY, naming)  # type: ignore[arg-type]
