"""What `make check` needs from outside Python: found, or named as missing.

A missing program is a failure where CI=true, and otherwise a line that says what was not checked.
"""

import os
import re
import shutil
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ROOT / "node_modules"
COMES_WITH = {
    "java": "Java 17 or newer (Debian: default-jre-headless)",
    "node": "Node 18 or newer (Debian: nodejs and npm)",
    "firefox-esr": "Firefox (Debian: firefox-esr)",
}


def missing(*, programs: tuple[str, ...], files: tuple[str, ...]) -> list[str]:
    """Return what is not there, each with what to install; `files` are paths in node_modules."""
    absent = [COMES_WITH[name] for name in programs if shutil.which(name) is None]
    for name in files:
        if not (PACKAGES / name).is_file():
            package = re.match(r"(@[^/]+/)?[^/]+", name)
            absent.append(f"{package[0] if package else name} (npm ci --ignore-scripts)")
    return absent


def not_run(check: str, absent: list[str]) -> int:
    """Say loudly what was not checked and why; return the exit status: 1 where CI=true."""
    in_ci = os.environ.get("CI") == "true"
    print(f"!!! {check}: NOT CHECKED. Missing: {'; '.join(absent)}", file=sys.stderr)
    return 1 if in_ci else 0


def pages(site: Path) -> list[Path]:
    """Return every built page; none at all is an error, not an empty success."""
    found = sorted(site.rglob("*.html"))
    if not found:
        raise SystemExit(f"{site} holds no page: run make docs first")
    return found
