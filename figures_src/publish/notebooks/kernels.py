"""What runs the notebooks: the same kernel for everybody, and a cache that follows the core.

A kernel is a process of its own. It finds vitattn_core by an absolute path, since it starts in the
notebook's folder; it reads no settings of its user; and where the system has them it is spoken to
over sockets in a folder, not over the network.
"""

import atexit
import hashlib
import json
import os
import shutil
import tempfile
from functools import cache
from pathlib import Path

from figures_src.stamp import is_source

LONGEST = 100  # characters in the address of a socket; the systems allow 103 to 107


@cache
def scratch_folder() -> Path:
    """A folder for the kernels of this process, removed when it ends."""
    folder = tempfile.mkdtemp(prefix="va-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return Path(folder)


def environment(root: Path, scratch: Path) -> dict[str, str]:
    """The variables that a kernel of the project at `root` needs; its settings go to `scratch`."""
    address = str(scratch / "kernel")
    if os.name == "posix" and len(f"{address}-1") <= LONGEST:
        # Else the default stays: TCP, on the loopback address only.
        settings = {"KernelManager": {"transport": "ipc", "ip": address}}
        path = scratch / "jupyter_nbconvert_config.json"
        path.write_text(json.dumps(settings), encoding="utf-8")
    others = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    paths = [str(root), *(path for path in others if path and path != str(root))]
    return {
        "PYTHONPATH": os.pathsep.join(paths),
        "JUPYTER_CONFIG_DIR": str(scratch),
        "JUPYTER_RUNTIME_DIR": str(scratch),
        "IPYTHONDIR": str(scratch),
    }


def cache_folder(root: Path) -> Path:
    """Where converted notebooks may be kept; its name changes with the core and with the lock.

    The key of mkdocs-jupyter is the notebook alone: after a change of the core it would show the
    old numbers.
    """
    seen = hashlib.sha256()
    core = (path for path in (root / "vitattn_core").rglob("*.py") if is_source(path))
    for path in [root / "requirements-docs.txt", *sorted(core)]:
        seen.update(f"{path.relative_to(root).as_posix()}\n".encode())
        seen.update(path.read_bytes())
    return root / ".cache" / "notebooks" / seen.hexdigest()[:16]


def drop_other_caches(folder: Path) -> None:
    """Remove what was kept for other states of the core."""
    for other in folder.parent.glob("*"):
        if other != folder:
            shutil.rmtree(other)
