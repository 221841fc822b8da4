"""Faults of pages: where each stands and what to do about it; all of them are told at once."""

from collections.abc import Iterable


class PageError(Exception):
    """A page that cannot be built: file, line and reason. Line 0 is the file as a whole."""

    def __init__(self, page: str, line: int, reason: object) -> None:
        where = f"docs/{page}:{line}" if line else f"docs/{page}"
        super().__init__(f"{where}: {reason}")
        self.reason = str(reason)
        self.order: tuple[str, int, int] = (page, line, 0)


def listed(faults: Iterable[PageError]) -> str:
    """Return all faults, one a line, by file and line, the same sentence once, and their count."""
    ordered = sorted(faults, key=lambda fault: (fault.order, str(fault)))
    lines = list(dict.fromkeys(map(str, ordered)))
    files = len({fault.order[0] for fault in ordered})
    count = f"{len(lines)} fault{'s' * (len(lines) != 1)} in {files} file{'s' * (files != 1)}"
    return "\n".join([*lines, count])
