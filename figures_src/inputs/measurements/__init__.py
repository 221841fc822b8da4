"""What was measured of the blocked pass, from the record that `tests/measured/bench_blocks.py` writes."""

import json
from functools import cache
from pathlib import Path
from typing import Any

RECORD = Path(__file__).parent / "blocks.json"


@cache
def record() -> dict[str, Any]:
    """Return the record: method, machine, versions, and ratios by N."""
    measurements: dict[str, Any] = json.loads(RECORD.read_text(encoding="utf-8"))
    return measurements


def ratios() -> dict[str, dict[str, Any]]:
    """Return for each N the ratios of `time` and of `memory`, the blocked pass over each other one."""
    ratios_by_name: dict[str, dict[str, Any]] = record()["ratios"]
    return ratios_by_name
