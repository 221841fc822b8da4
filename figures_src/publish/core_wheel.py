"""The core as a wheel beside the pages: whoever has the site has the code.

It is the file that `pip install .` would make and install.
"""

import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flit_core import wheel

ROOT = Path(__file__).resolve().parents[2]
DAY = "1580601600"  # of every file in it, in seconds: two builds give the same bytes


def file() -> tuple[str, bytes]:
    """Return the name and the bytes of the wheel that pyproject.toml describes."""
    with tempfile.TemporaryDirectory() as folder, _on_one_day():
        made = wheel.make_wheel_in(ROOT / "pyproject.toml", Path(folder)).file
        return made.name, made.read_bytes()


@contextmanager
def _on_one_day() -> Iterator[None]:
    """Set the day that flit writes, whatever whoever called had set."""
    before = os.environ.get("SOURCE_DATE_EPOCH")
    os.environ["SOURCE_DATE_EPOCH"] = DAY
    try:
        yield
    finally:
        if before is None:
            del os.environ["SOURCE_DATE_EPOCH"]
        else:
            os.environ["SOURCE_DATE_EPOCH"] = before
