"""A finding: a value with its own tolerance and a sentence that says what it is."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

DIGITS = 6


@dataclass(frozen=True)
class Finding:
    """value: number, text, or array of numbers; tolerance: how far a second run may be off, absolute."""

    value: Any
    tolerance: float
    says: str

    def plain(self) -> dict[str, Any]:
        """Return it as JSON has it: numbers with six significant digits."""
        return {"value": plain(self.value), "tolerance": self.tolerance, "says": self.says}


def plain(value: Any) -> Any:
    """Return nested lists of plain numbers, six significant digits each."""
    if isinstance(value, Mapping):
        return {key: plain(inner) for key, inner in value.items()}
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        return [plain(inner) for inner in value]
    if isinstance(value, (bool, np.bool_)):
        return bool(value)
    if isinstance(value, (int, np.integer)):
        return int(value)
    if isinstance(value, (float, np.floating)):
        return float(f"{float(value):.{DIGITS}g}")
    return value


Findings = dict[str, Finding]


def apart(one: Any, other: Any) -> float:
    """Return the largest difference of two plain values; infinite where they are not alike."""
    if isinstance(one, Mapping) and isinstance(other, Mapping) and one.keys() == other.keys():
        return max((apart(one[key], other[key]) for key in one), default=0.0)
    if isinstance(one, list) and isinstance(other, list) and len(one) == len(other):
        return max((apart(a, b) for a, b in zip(one, other, strict=True)), default=0.0)
    numbers = (int, float)
    if isinstance(one, numbers) and isinstance(other, numbers):
        return abs(float(one) - float(other))
    return 0.0 if one == other else float("inf")
