"""The files under docs/ as they are on the disk: read as UTF-8, without conflicts, no heavy pictures."""

import re
from collections.abc import Iterator
from pathlib import Path

from .page_faults import PageError

PICTURES = (".png", ".jpg", ".jpeg", ".gif", ".webp", ".avif", ".svg", ".bmp", ".tif", ".tiff")
HEAVIEST = 300_000  # bytes of one picture
# The marks that a merge leaves behind. The middle one is seven signs too, and could be a heading.
CONFLICT = re.compile(r"^(?:<{7}|\|{7}|>{7})(?: .*)?$", re.MULTILINE)
# Signs that nobody sees: they break what is copied, searched or read out. A soft hyphen has &shy;.
INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f\u00ad\u200b-\u200f\u2028-\u202e\u2060-\u2064\ufeff]"
)


def text_of(path: Path, docs: Path, *, mark: bool = False) -> str:
    """Return the text of a file, its byte order mark if asked; PageError for a line that is not UTF-8."""
    page = path.relative_to(docs).as_posix()
    content = path.read_bytes()
    try:
        return content.decode("utf-8" if mark else "utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError as error:
        start = error.start
        line = content.count(b"\n", 0, start) + 1
        byte = content[start] if start < len(content) else 0
        reason = f"byte 0x{byte:02x} is not UTF-8: save the file as UTF-8"
        raise PageError(page, line, reason) from None


def conflicts(text: str) -> Iterator[tuple[int, str]]:
    """(line, reason) of each mark that an unfinished merge left in a text."""
    for found in CONFLICT.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield line, f"an unfinished merge: {found[0]}"


def invisible(text: str) -> Iterator[tuple[int, str]]:
    """(line, reason) of each sign of a text that nobody sees."""
    for found in INVISIBLE.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        yield line, f"an invisible sign, U+{ord(found[0]):04X}: delete it"


def published(docs: Path, pattern: str) -> list[Path]:
    """Return the files of a name that MkDocs publishes: none that is hidden, nor README.md."""
    return [
        path
        for path in sorted(docs.rglob(pattern))
        if path.is_file()
        and path != docs / "README.md"
        and not any(part.startswith(".") for part in path.relative_to(docs).parts)
    ]


def heavy_pictures(docs: Path) -> dict[str, str]:
    """Return the pictures that are too heavy, by path from docs, each with the reason."""
    found = {}
    for path in published(docs, "*"):
        size = path.stat().st_size if path.suffix.lower() in PICTURES else 0
        if size > HEAVIEST:
            said = f"{size / 1000:,.0f} kB, a picture takes at most {HEAVIEST // 1000} kB"
            found[path.relative_to(docs).as_posix()] = said
    return found
