"""Whether the committed film is that of the page as it is now; before a release a stale one fails.

    python -m tests.gates.check_film

The film takes minutes to make, so between releases an older one is named and kept: the first heading
of CHANGELOG.md says which it is.
"""

import json
import re

from figures_src.by_hand.shown import FILM, PLATES, of_film
from tests.conftest import ROOT


def main() -> None:
    """Compare; exit with a sentence where the film is stale and the changelog names a release."""
    digests = json.loads(PLATES.read_text(encoding="utf-8"))
    if FILM.read_text(encoding="utf-8").strip() == of_film(digests):
        print("The film is that of the page as it is now.")
        return
    found = re.search(
        r"^## (.+)$", (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"), re.MULTILINE
    )
    heading = found[1] if found else ""
    if heading.lower().startswith("unreleased"):
        print("!! The film is older than the page: run make stills before a release.")
        return
    raise SystemExit(
        f"The film is older than the page, and CHANGELOG.md opens with {heading!r}: run make stills"
    )


if __name__ == "__main__":
    main()
