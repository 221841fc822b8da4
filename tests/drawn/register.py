"""Who reads which figure."""

from collections.abc import Callable

from .marks import Figure

Reader = Callable[[Figure], None]
READERS: dict[str, Reader] = {}
WHAT: dict[str, str] = {}


def reads(name: str, what: str) -> Callable[[Reader], Reader]:
    """Register what reads a figure, and what of it: lengths, places, levels, words."""

    def register(reader: Reader) -> Reader:
        assert name not in READERS, name
        READERS[name], WHAT[name] = reader, what
        return reader

    return register
