"""The files of the captures, by name: Q and K of every layer, some values, rows of CLS, lengths."""

from collections.abc import Mapping

import numpy as np

from figures_src.by_hand.captures.studies.removal import sigmoid
from figures_src.inputs.captures import name_of

from .passes import LAYERS, Seen
from .quantise import layer_record, lost, values_record

# Values weigh 16 KB a head, so only where a page mixes them: cat, the shift heads and the last layer.
WITH_VALUES = (("chelsea", 4), ("chelsea", 12))


def files(photos: Mapping[str, Seen]) -> tuple[dict[str, bytes], dict[str, dict[str, float]]]:
    """Return the content of each file, and what its steps cost rows of weights."""
    made: dict[str, bytes] = {}
    cost: dict[str, dict[str, float]] = {}
    for photo, seen in photos.items():
        for layer in range(1, LAYERS + 1):
            trace, name = seen.traces[layer - 1], name_of(photo, layer)
            record = layer_record(trace.Q, trace.K)
            made[name] = record.tobytes()
            cost[name] = {key: float(f"{v:.3g}") for key, v in lost(record, trace.A).items()}
            if (photo, layer) in WITH_VALUES:
                made[name.replace(".bin", "-v.bin")] = values_record(trace.V).tobytes()
        lengths = np.linalg.norm(np.stack([t.V for t in seen.traces]), axis=-1)
        for part, numbers in (("cls", seen.weights[:, :, 0]), ("lengths", lengths)):
            made[f"{photo}-{part}.bin"] = numbers.astype("<f2").tobytes()
        saliency = np.rint(255 * sigmoid(seen.logits)).astype(np.uint8)
        made[f"{photo}-saliency.bin"] = saliency.tobytes()
    return made, cost
