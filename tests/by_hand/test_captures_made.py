"""The generator's own arithmetic: its lean pass, its decoder, and how it names the file's tensors."""

from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from figures_src.by_hand.captures import extract
from figures_src.by_hand.captures.decoder import NAMES, Decoder, Step
from figures_src.by_hand.captures.fast_pass import fast_gelu, final_block_rows, lean_block
from figures_src.by_hand.captures.passes import Model, see
from figures_src.by_hand.captures.studies import removal
from tests.core.tiny_vit import SCALED, TINY, picture, tensors
from vitattn_core import block, gelu, load_checkpoint


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_the_fast_gelu_is_the_cores(dtype):
    x = np.linspace(-8, 8, 4001).astype(dtype)
    assert fast_gelu(x).dtype == dtype
    limit = 1e-6 if dtype == np.float32 else 1e-14
    np.testing.assert_allclose(fast_gelu(x), gelu(x), rtol=0, atol=limit)


@pytest.mark.parametrize("architecture", [SCALED, TINY, replace(TINY, biases=False)])
def test_the_lean_pass_is_the_cores(architecture):
    """With masks and without, with layer scale and biases and without."""
    found = tensors("timm", architecture, dtype=np.float64)
    model = load_checkpoint(found, architecture, "timm")
    X = model.first(picture(dtype=np.float64))["X"]
    mask = np.ones((1, len(X), len(X)), dtype=bool)
    mask[0, :3, 2] = False
    rows = X
    for weights, keep in zip(model.blocks, (None, mask), strict=True):
        np.testing.assert_allclose(
            lean_block(rows, weights, keep), block(rows, weights, keep).Z, rtol=0, atol=1e-12
        )
        rows = block(rows, weights, keep).Z
    np.testing.assert_allclose(
        final_block_rows(X, model.blocks, 0, {1: mask}), rows, rtol=0, atol=1e-12
    )
    assert np.abs(final_block_rows(X, model.blocks, 0, {}) - rows).max() > 1e-6


def test_the_decoder_is_torchs():
    """Transposed convolutions, batch norm and ReLU on the patch rows; the row of CLS takes no part."""
    torch.manual_seed(0)
    layers: list[torch.nn.Module] = []
    named: dict[str, torch.Tensor] = {}
    for step, (inside, outside) in enumerate(((12, 8), (8, 6), (6, 4)), start=1):
        up = torch.nn.ConvTranspose2d(inside, outside, 4, stride=2, padding=1)
        norm = torch.nn.BatchNorm2d(outside, eps=1e-5)
        norm.running_mean = torch.randn(outside)
        norm.running_var = torch.rand(outside) + 0.5
        layers += [up, norm, torch.nn.ReLU()]
        named |= {f"decoder.upconv{step}.{name}": t for name, t in up.state_dict().items()}
        named |= {f"decoder.bn{step}.{name}": t for name, t in norm.state_dict().items()}
    last = torch.nn.Conv2d(4, 1, 1)
    named |= {f"decoder.final_conv.{name}": t for name, t in last.state_dict().items()}
    model = torch.nn.Sequential(*layers, last).eval().double()
    found = {name: named[name].numpy().astype(np.float64) for name in NAMES}
    rows = np.random.default_rng(0).normal(size=(17, 12))
    maps = torch.from_numpy(rows[1:].T.reshape(1, 12, 4, 4).copy())
    with torch.no_grad():
        theirs = model(maps)[0, 0].numpy()
    ours = Decoder.of(found, 1e-5)
    np.testing.assert_allclose(ours.logits(rows), theirs, rtol=0, atol=1e-12)
    blinded = rows.copy()
    blinded[0] = 1e6
    np.testing.assert_array_equal(ours.logits(blinded), ours.logits(rows))
    assert np.abs(Decoder.of(found, 1e-1).logits(rows) - theirs).max() > 1e-3


def small_decoder(rng, width):
    """A random decoder of rows of this width, in float32."""
    steps = []
    for inside, outside in ((width, 8), (8, 6), (6, 4)):
        shapes = ((inside, 16 * outside), (outside,), (outside,), (outside,))
        steps.append(Step(*(rng.normal(size=shape).astype(np.float32) for shape in shapes)))
    last, bias = (rng.normal(size=size).astype(np.float32) for size in (4, 1))
    return Decoder(tuple(steps), last, bias)


@pytest.mark.parametrize("seed", range(4))
def test_what_cls_reads_last_is_on_no_path_to_the_output(seed):
    """Exactly: the generator holds the pass in which CLS is blind to one of the same arithmetic."""
    architecture = replace(SCALED, width=48, heads=6, hidden=192, layers=3, table=(9, 9))
    vit = load_checkpoint(tensors("timm", architecture, seed=seed), architecture, "timm")
    model = Model(vit, small_decoder(np.random.default_rng(seed), architecture.width))
    seen = see(model, "small", picture(seed=seed, height=18, width=18))
    found = {name: entry.value for name, entry in removal.cut_off(model, seen).items()}
    assert found["cut.patches.small"] == 0
    assert found["cut.saliency.small"] == 0
    assert found["cut.cls.small"] > 1e-2
    assert found["cut.unseen.small"] > 1e-4


def node(kind, inputs, outputs, name=""):
    return SimpleNamespace(op_type=kind, input=inputs, output=outputs, name=name)


def small_graph():
    """A graph as the exporter left it: one named bias, one nameless matrix, a table in two parts."""
    graph = object.__new__(extract.Graph)
    graph.nodes = [
        node("MatMul", ["x", "onnx::MatMul_1"], ["y"]),
        node("Add", ["a.bias", "y"], ["z"], "add"),
        node("Concat", ["onnx::Concat_2", "rest"], ["table"]),
        node("Reshape", ["onnx::Reshape_3", "size"], ["rest"]),
    ]
    graph.tensors = {
        "a.bias": np.zeros(3),
        "onnx::MatMul_1": np.ones((2, 3)),
        "onnx::Concat_2": np.zeros((1, 1, 2)),
        "onnx::Reshape_3": np.ones((1, 4, 2)),
    }
    graph.readers = extract.defaultdict(list)
    for each in graph.nodes:
        for name in each.input:
            graph.readers[name].append(each)
    return graph


def test_a_nameless_matrix_is_named_by_its_bias():
    found = extract.tensors(small_graph())
    assert {name: t.shape for name, t in found.items()} == {
        "a.bias": (3,),
        "a.weight": (2, 3),
        extract.POSITION: (1, 5, 2),
    }
    assert found[extract.POSITION][0, 0].tolist() == [0, 0]  # CLS in front


def test_what_does_not_name_a_matrix_is_refused():
    twice = small_graph()
    twice.readers["y"].append(twice.nodes[1])
    with pytest.raises(ValueError, match="readers of y: found 2, takes 1"):
        extract.tensors(twice)
    odd = small_graph()
    odd.tensors["onnx::MatMul_1"] = np.ones((2, 4))
    with pytest.raises(ValueError, match=r"got shape \(2, 4\) for a\.bias \(3,\)"):
        extract.tensors(odd)
    left = small_graph()
    left.tensors["onnx::Mul_9"] = np.ones(1)
    with pytest.raises(ValueError, match=r"readers of onnx::Mul_9: found 0, takes 1"):
        extract.tensors(left)
    without = small_graph()
    del without.tensors["onnx::Concat_2"]
    with pytest.raises(ValueError, match=r"position table: got parts \['Reshape'\]"):
        extract.tensors(without)
