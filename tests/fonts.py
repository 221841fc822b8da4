"""Fonts for a browser of the tests, by a fontconfig file of its own: the system stays as it is.

What measures text runs with the fonts that come with matplotlib, the same on every machine.
"""

import os
from collections.abc import Iterable
from pathlib import Path
from xml.sax.saxutils import escape

import matplotlib

OWN = Path(matplotlib.get_data_path()) / "fonts" / "ttf"
# Which family a page's generic names stand for.
GENERIC = {"system-ui": 0, "sans-serif": 0, "serif": 1, "monospace": 2}


def configured(
    files: Iterable[Path], families: tuple[str, str, str], folder: Path
) -> dict[str, str | float | bool]:
    """Return the environment of a browser that knows only these font files.

    families: what stands for sans-serif, serif and monospace. folder: a new one, for the file.
    """
    fonts = folder / "fonts"
    fonts.mkdir(parents=True)
    for file in files:
        (fonts / file.name).symlink_to(file)
    aliases = "".join(
        f'<match target="pattern"><test name="family"><string>{name}</string></test>'
        '<edit name="family" mode="assign" binding="strong">'
        f"<string>{escape(families[kind])}</string></edit></match>"
        for name, kind in GENERIC.items()
    )
    last = (  # for every name that is not known here
        '<match target="pattern"><edit name="family" mode="append_last">'
        f"<string>{escape(families[0])}</string></edit></match>"
    )
    head = '<?xml version="1.0"?><!DOCTYPE fontconfig SYSTEM "fonts.dtd">'
    written = f"<dir>{fonts}</dir><cachedir>{folder / 'cache'}</cachedir>{aliases}{last}"
    file = folder / "fonts.conf"
    file.write_text(f"{head}<fontconfig>{written}</fontconfig>", encoding="utf-8")
    return {**os.environ, "FONTCONFIG_FILE": str(file)}


def own(folder: Path) -> dict[str, str | float | bool]:
    """Return the environment with the tests' own fonts: DejaVu, as matplotlib's package has it."""
    files = sorted(OWN.glob("DejaVuSans*.ttf")) + sorted(OWN.glob("DejaVuSerif*.ttf"))
    assert len(files) >= 12, f"{OWN} holds {len(files)} fonts of DejaVu"
    return configured(files, ("DejaVu Sans", "DejaVu Serif", "DejaVu Sans Mono"), folder)
