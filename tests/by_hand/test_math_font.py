"""The math font that comes with the site draws every character its formulas use."""

import re
from html import unescape
from pathlib import Path

from figures_src.by_hand.math_font import CODE_POINTS
from tests.conftest import ROOT
from tests.site_reader import html_pages

FONTS = ROOT / "docs" / "assets" / "fonts"
ITALIC = {"h": "ℎ"}  # Unicode has it elsewhere
INVISIBLE = set("\u2061\u2062\u2063\u200b\u2064")


def held() -> set[str]:
    """The list beside the font: lines of `U+0041 A`."""
    lines = (FONTS / "vitattn-math.txt").read_text(encoding="utf-8").splitlines()
    return {chr(int(line.split()[0].removeprefix("U+"), 16)) for line in lines}


def drawn(math: str) -> set[str]:
    """What a browser draws for a formula: a lone letter in <mi> comes from the italic alphabet."""
    characters: set[str] = set()
    for tag, text in re.findall(r"<(\w+)[^>]*>([^<]+)", math):
        text = unescape(text)
        if tag == "mi" and len(text) == 1 and text.isascii() and text.isalpha():
            first = 0x1D434 if text.isupper() else 0x1D44E
            text = ITALIC.get(text) or chr(first + ord(text.lower()) - ord("a"))
        characters |= set(text)
    if "<msqrt" in math or "<mroot" in math:
        characters.add("√")
    return characters - INVISIBLE - {"\n"}


def test_each_character_of_each_formula_is_in_the_font(site: Path) -> None:
    formulas = [
        math
        for path in html_pages(site)
        for math in re.findall(r"<math.*?</math>", path.read_text(encoding="utf-8"), re.DOTALL)
    ]
    assert len(formulas) > 20
    missing = {c for math in formulas for c in drawn(math)} - held()
    assert not missing, (
        f"not in the math font: {sorted(missing)}: see figures_src/by_hand/math_font.py"
    )


def test_the_reading_sees_italics_and_entities() -> None:
    assert drawn("<math><mi>q</mi><mi>max</mi><mo>&lt;</mo><mi>h</mi></math>") == set("𝑞max<ℎ")
    assert drawn("<math><msqrt><mi>d</mi></msqrt></math>") == set("√𝑑")


def test_the_list_is_what_the_script_asks_for() -> None:
    assert held() >= CODE_POINTS


def test_the_font_is_small_and_its_licence_lies_beside_it() -> None:
    assert (FONTS / "vitattn-math.woff2").stat().st_size <= 40_000
    licence = (FONTS / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert "Reserved Font Name TM Math" in licence
