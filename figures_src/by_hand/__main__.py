"""python -m figures_src.by_hand: make the files to take away out of the built page (needs a Chromium)."""

import argparse

from .film import film
from .page import chromium
from .plates import plates, save
from .shown import FILM, PLATES, of_film, written


def main() -> None:
    """Make the twelve plates, then the film and its loop, and keep what they show; see --help."""
    parser = argparse.ArgumentParser(prog="python -m figures_src.by_hand", description=__doc__)
    parser.add_argument("--plates", action="store_true", help="leave the film as it is")
    options = parser.parse_args()
    with chromium() as browser:
        files, digests = plates(browser)
        save(files)
        PLATES.write_text(written(digests), encoding="utf-8")
        if not options.plates:
            film(browser)
            FILM.write_text(of_film(digests) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
