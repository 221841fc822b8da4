"""Our pass against ONNX Runtime on the same file: weights of every layer and final rows."""

from pathlib import Path
from typing import Any

import numpy as np

from vitattn_core.arrays import Array

from .extract import model_file
from .passes import LAYERS, Seen

LIMIT = 1e-4  # largest difference of a weight, and of a final row


class Reference:
    """The model file in ONNX Runtime, with the weights of every layer and the final rows as outputs."""

    def __init__(self, path: Path | None = None) -> None:
        import onnx
        import onnxruntime

        model = onnx.load(path or model_file())
        nodes = list(model.graph.node)
        weights = [node.output[0] for node in nodes if node.op_type == "Softmax"]
        rows = [node.output[0] for node in nodes if "backbone.layernorm.bias" in node.input]
        if len(weights) != LAYERS or len(rows) != 1:
            raise ValueError(f"parity: found {len(weights)} softmaxes and {len(rows)} last norms")
        self.names = [*weights, *rows]
        for name in self.names:
            model.graph.output.append(onnx.helper.make_empty_tensor_value_info(name))
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self.session: Any = onnxruntime.InferenceSession(
            model.SerializeToString(), options, providers=["CPUExecutionProvider"]
        )

    def run(self, image: Array) -> tuple[list[Array], Array]:
        """Return A (6, 257, 257) of every layer, and final rows (257, 384)."""
        *weights, rows = self.session.run(self.names, {"input_image": image[None]})
        return [A[0] for A in weights], rows[0]


def differences(reference: Reference, seen: Seen) -> dict[str, float]:
    """Return the largest difference of weights and of final rows, our pass against the reference."""
    weights, rows = reference.run(seen.image)
    return {
        "weights": max(
            float(np.abs(t.A - A).max()) for t, A in zip(seen.traces, weights, strict=True)
        ),
        "rows": float(np.abs(seen.rows - rows).max()),
    }
