"""The core as a wheel beside the pages: whoever has the site has the code.

It is the file that `pip install .` would make and install.
"""

import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from flit_core.wheel import make_wheel_in

from figures_src.stamp import is_source

ROOT = Path(__file__).resolve().parents[3]
DAY = "1580601600"  # of every file in it, in seconds: two builds give the same bytes


def file() -> tuple[str, bytes]:
    """Return the name and the bytes of the wheel that pyproject.toml describes.

    It is packed in a copy, since whatever stands in the folder is packed: locks of an editor too.
    """
    with tempfile.TemporaryDirectory() as folder, _on_one_day():
        copy, package = Path(folder), Path(folder) / "vitattn_core"
        package.mkdir()
        for path in filter(is_source, (ROOT / "vitattn_core").iterdir()):
            shutil.copy(path, package)
        for name in ("pyproject.toml", "LICENSE"):
            shutil.copy(ROOT / name, copy)
        made = make_wheel_in(copy / "pyproject.toml", copy).file
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
