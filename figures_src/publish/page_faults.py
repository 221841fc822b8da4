"""Faults of pages: where each stands and what to do about it; all of them are told at once."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any


class PageError(Exception):
    """A page that cannot be built: file, line and reason. Line 0 is the file as a whole."""

    folder = "docs"

    def __init__(self, page: str, line: int, reason: object) -> None:
        where = f"{self.folder}/{page}".lstrip("/") + (f":{line}" if line else "")
        super().__init__(f"{where}: {reason}")
        self.reason = str(reason)
        self.order: tuple[str, int, int] = (page, line, 0)


class CodeError(PageError):
    """A sentence in a module of figures_src that cannot be shown: file, line and reason."""

    folder = "figures_src"

    @classmethod
    def of(cls, function: Callable[..., Any], reason: object) -> "CodeError":
        """The fault of a function, at the line where it begins."""
        code = function.__code__
        parts = Path(code.co_filename).parts
        file = "/".join(parts[parts.index(cls.folder) + 1 :] if cls.folder in parts else parts[-1:])
        return cls(file, code.co_firstlineno, reason)


class Faults(Exception):
    """All faults of one run."""

    def __init__(self, faults: Iterable[PageError]) -> None:
        super().__init__(listed(faults))


def listed(faults: Iterable[PageError]) -> str:
    """Return all faults, one a line, by file and line, the same sentence once, and their count."""
    ordered = sorted(faults, key=lambda fault: (fault.order, str(fault)))
    lines = list(dict.fromkeys(map(str, ordered)))
    files = len({fault.order[0] for fault in ordered})
    count = f"{len(lines)} fault{'s' * (len(lines) != 1)} in {files} file{'s' * (files != 1)}"
    return "\n".join([*lines, count])
