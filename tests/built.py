"""What `make docs` built, read as files: for tests that need no browser."""

from html.parser import HTMLParser
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]


class Tags(HTMLParser):
    """Every opening tag of a document, with its attributes."""

    def __init__(self, text):
        super().__init__()
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, {name: value or "" for name, value in attrs}))


def read(folder, pattern, *, at_least=1):
    """The files of a folder by name; a missing build is an error, not an empty success."""
    files = sorted((ROOT / folder).rglob(pattern))
    assert len(files) >= at_least, f"{folder} has no {pattern}: run `make docs` first"
    return {str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in files}
