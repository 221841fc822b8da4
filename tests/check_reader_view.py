"""What a browser's reader view keeps of the notebooks and the sources: every output and every table.

    python -m tests.check_reader_view [site]    (needs Node, and packages from `npm ci`)

`make check` runs it. The extractor is Mozilla's Readability, on the built pages.
"""

import json
import subprocess
import sys
from pathlib import Path

from tests import outside

SCRIPT = outside.ROOT / "tests" / "reader_view.mjs"
NEEDED = ("@mozilla/readability/package.json", "jsdom/package.json")


def main(site: Path) -> int:
    """Check the pages of `site`; return the exit status."""
    absent = outside.missing(programs=("node",), files=NEEDED)
    if absent:
        return outside.not_run("the reader view", absent)
    pages = [*sorted((site / "notebooks").glob("*.html")), site / "sources.html"]
    command = ["node", str(SCRIPT), *map(str, pages)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)
    faults = [
        f"{Path(page).relative_to(site)}: {kind}: {kept} of {there}"
        for page, kinds in told.items()
        for kind, (there, kept) in kinds.items()
        if kept != there
    ]
    print("\n".join(faults), end="\n" if faults else "")
    seen = sum(there for kinds in told.values() for there, _ in kinds.values())
    print(f"Reader view: {len(pages)} pages, {seen} outputs, tables and rows: {len(faults)} lost")
    return 1 if faults or not seen else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else outside.ROOT / "site")))
