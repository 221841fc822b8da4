"""Faults in the sources of a drawing: one sentence with file and line, as pages have them.

`python -m figures_src` prints the sentence and ends; it shows no traceback, since the line is known.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]


class SourceFault(ValueError):
    """What is wrong at a place of the sources, and what is allowed there."""

    def __init__(self, place: str, message: str) -> None:
        super().__init__(f"{place}: {message}")


def line_of(function: Callable[..., Any]) -> str:
    """Return where a function stands, as `figures_src/pages/explainer/figures_cost.py:57`."""
    code = getattr(function, "__code__", None)
    return "?" if code is None else at(code.co_filename, code.co_firstlineno)


def calling_line(*besides: str) -> str:
    """Return the line that runs now: the innermost outside libraries and the functions `besides`."""
    frame: FrameType | None = sys._getframe(1)
    while frame is not None:
        code = frame.f_code
        path = Path(code.co_filename)
        foreign = "site-packages" in path.parts or path.name == "<string>"  # generated code
        if not foreign and code.co_qualname not in besides:
            return at(str(path), frame.f_lineno)
        frame = frame.f_back
    return "?"


def at(file: str, line: int) -> str:
    """Return a place as it is written in a message: the file from the project's folder, the line."""
    path = Path(file)
    shown_path = path.relative_to(ROOT).as_posix() if path.is_relative_to(ROOT) else str(path)
    return f"{shown_path}:{line}"
