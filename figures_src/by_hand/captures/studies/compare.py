"""A second run against the committed captures: whole numbers within one step, findings within tolerance.

Steps and mean keys may differ by one unit in the last place of a float16: at a rounding's edge, 1e-7 decides.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np

from figures_src.by_hand.captures.findings import apart
from figures_src.inputs.captures import RECORD, VALUES

HALF = 2.0**-10  # one unit in the last place of a float16, relative
NOISE = 1e-4  # of float32, on a mean key near 0
SMALL = {"cls": ("<f2", 2e-3), "lengths": ("<f2", 0.02), "saliency": ("u1", 1)}


def differences(
    old: Mapping[str, bytes],
    new: Mapping[str, bytes],
    old_findings: Mapping[str, Any],
    new_findings: Mapping[str, Any],
) -> list[str]:
    """Return a line for each file or finding that is missing, new, or too far off."""
    lines = [f"{name}: in one of the two only" for name in sorted(old.keys() ^ new.keys())]
    for name in sorted(old.keys() & new.keys()):
        if (off := steps_apart(name, old[name], new[name])) > 1:
            lines.append(f"{name}: {off:.2f} steps apart, takes up to 1")
    names = old_findings.keys() ^ new_findings.keys()
    lines += [f"{name}: in one of the two only" for name in sorted(names)]
    for name in sorted(old_findings.keys() & new_findings.keys()):
        off = apart(old_findings[name]["value"], new_findings[name]["value"])
        if off > (limit := old_findings[name]["tolerance"]):
            lines.append(f"{name}: {off:g} apart, takes up to {limit:g}")
    return lines


def steps_apart(name: str, old: bytes, new: bytes) -> float:
    """Return the largest difference of two files of one name: 1 is what a second run may be off."""
    if len(old) != len(new):
        return float("inf")
    kind = name.removesuffix(".bin").split("-")[-1]
    if kind in SMALL:
        dtype, small = SMALL[kind]
        numbers = [np.frombuffer(content, dtype).astype(np.float64) for content in (old, new)]
        return float(np.abs(numbers[0] - numbers[1]).max() / small)
    record, parts = (VALUES, "Vv") if kind == "v" else (RECORD, "QqKk")
    first, second = (np.frombuffer(content, record) for content in (old, new))
    worst = 0.0
    for whole, step in zip(parts[::2], parts[1::2], strict=True):
        ints = first[whole].astype(int) - second[whole]
        steps = first[step].astype(np.float64)
        ratio = np.abs(steps - second[step]) / steps / HALF
        worst = max(worst, float(np.abs(ints).max()), float(ratio.max()))
    if "mean" in (record.names or ()):
        mean = first["mean"]
        unit = np.maximum(np.abs(np.spacing(mean)).astype(np.float64), NOISE)
        off = np.abs(mean.astype(np.float64) - second["mean"]) / unit
        worst = max(worst, float(off.max()))
    return worst
