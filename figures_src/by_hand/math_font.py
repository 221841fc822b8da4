"""How docs/assets/fonts/vitattn-math.woff2 was made. Not part of a build: run once, by hand.

    python -m figures_src.by_hand.math_font STIXTwoMath-Regular.ttf     (needs fonttools and brotli)

The source is STIX Two Math 2.11 b159, as the TTF in the wheel of ziamath 0.13 (SIL Open Font
License; its reserved font name is "TM Math", and STIX Fonts is a trademark, so the cut has a name
of its own). A browser without a font for maths neither stretches brackets nor places indices, so
one has to come with the page; a whole one weighs half a megabyte. Kept are the characters of
CODE_POINTS, the taller forms of what stretches, and for INDICES the forms drawn for small sizes
(ssty; these for every character would double the file). Not kept: upright Greek, bold, script,
fraktur, sans-serif and typewriter alphabets, hinting, kerning. The list beside the font says what
can be written; a test holds each formula to it, and the font to 40 KB. Two things are changed: the index
of a letter stands equally low under all letters, and the signs of a root are made anew (ROOTS).
"""

import sys
from pathlib import Path
from typing import Any

FONTS = Path(__file__).resolve().parents[2] / "docs" / "assets" / "fonts"
NAME = "VitAttn Math"


def _italic(letters: str, capital: int, small: int) -> str:
    """A mathematical alphabet: where its A and a stand, and which letters of it."""
    return "".join(
        chr((capital if c.isupper() else small) + ord(c.lower()) - ord("a")) for c in letters
    )


LATIN = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
ASCII = "".join(map(chr, range(0x20, 0x7F)))
# U+1D434 𝐴, U+1D44E 𝑎: a browser draws <mi>a</mi> from here; italic h is U+210E.
ITALIC = _italic(LATIN.replace("h", ""), 0x1D434, 0x1D44E) + "ℎ"
# What the pages use today beyond these two alphabets; "√" is drawn by \sqrt.
USED = "×−∑→∞≠⊤⋅⋯‖√ε\xa0"
# And what a page may soon want: a character costs little, one that stretches about 700 bytes.
RESERVE = "±·≈≡≤≥≪≫∝∈∼∏∂∇∀⊙⊕ℝ′…⌊⌋⟨⟩⏞⏟¯ˆ\u0302" + "𝛼𝛽𝛾𝛿𝜀𝜃𝜆𝜇𝜋𝜌𝜎𝜏𝜑𝛥𝛴𝜖𝜙"
INDICES = ITALIC + "0123456789−+=()′"
# Heights of the signs of a root, in thousandths of the letters' size. The source has its smallest at 1188,
# a third more than a line needs, so that it hangs below the line; and its taller signs are wider, which
# makes Chromium leave as much room after every root as the widest would take. These are the source's
# first sign, made lower or taller and never wider.
ROOTS = (800, 870, 950, 1030, 1110, 1188, 1320, 1500, 1855, 2371, 2892)
ROOT_FOOT = -90  # where the foot of a sign stands; a browser moves it under its line
CODE_POINTS = frozenset(ASCII + ITALIC + USED + RESERVE)


def _small_forms_only_for(characters: str, font: Any) -> None:
    names = font.getBestCmap()
    keep = {names[ord(c)] for c in characters if ord(c) in names}
    table = font["GSUB"].table
    features = [f for f in table.FeatureList.FeatureRecord if f.FeatureTag == "ssty"]
    for index in {i for f in features for i in f.Feature.LookupListIndex}:
        for part in table.LookupList.Lookup[index].SubTable:
            part = getattr(part, "ExtSubTable", part)
            forms = part.alternates if hasattr(part, "alternates") else part.mapping
            for name in [n for n in forms if n not in keep]:
                del forms[name]


def _roots_of_one_width(font: Any) -> None:
    """Put the signs of ROOTS in place of those of the source."""
    from fontTools.pens.transformPen import TransformPen
    from fontTools.pens.ttGlyphPen import TTGlyphPen
    from fontTools.ttLib.tables.otTables import MathGlyphVariantRecord

    variants = font["MATH"].table.MathVariants
    root = font.getBestCmap()[ord("√")]
    signs = variants.VertGlyphConstruction[variants.VertGlyphCoverage.glyphs.index(root)]
    glyphs, first = font.getGlyphSet(), font["glyf"][root]
    foot, height = first.yMin, first.yMax - first.yMin
    width, side = font["hmtx"][root]
    records, made = [], {}
    for tall in ROOTS:
        by = tall / height
        pen = TTGlyphPen(None)
        glyphs[root].draw(TransformPen(pen, (1, 0, 0, by, 0, ROOT_FOOT - foot * by)))
        record = MathGlyphVariantRecord()
        record.VariantGlyph = root if tall == min(ROOTS) else f"{root}.{tall}"
        record.AdvanceMeasurement = tall
        records.append(record)
        made[record.VariantGlyph] = pen.glyph()
    for name, glyph in made.items():
        font["glyf"][name] = glyph
        font["hmtx"][name] = (width, side)
    font.setGlyphOrder(list(font["glyf"].glyphOrder))
    signs.MathGlyphVariantRecord, signs.VariantCount = records, len(records)
    signs.GlyphAssembly = None


def main(source: Path) -> None:
    from fontTools import subset
    from fontTools.ttLib import TTFont

    options = subset.Options()
    options.flavor = "woff2"
    options.hinting = False
    options.layout_features = ["ssty"]
    options.name_IDs = ["*"]
    options.name_languages = [0x409]
    options.notdef_outline = True
    options.glyph_names = False
    options.drop_tables += ["DSIG"]
    font = TTFont(source, recalcTimestamp=False)  # the same bytes each time
    # A browser puts an index lower the deeper its letter reaches: p_i would hang below x_i.
    font["MATH"].table.MathConstants.SubscriptBaselineDropMin.Value = 0
    _roots_of_one_width(font)
    _small_forms_only_for(INDICES, font)
    cutter = subset.Subsetter(options)
    cutter.populate(unicodes=[ord(c) for c in CODE_POINTS])
    cutter.subset(font)
    for record in list(font["name"].names):
        if record.nameID in (1, 3, 4, 6, 16):
            record.string = NAME.replace(" ", "") if record.nameID in (3, 6) else NAME
        elif record.nameID not in (0, 2, 5, 7, 13, 14):
            font["name"].removeNames(nameID=record.nameID)
    FONTS.mkdir(parents=True, exist_ok=True)
    subset.save_font(font, FONTS / "vitattn-math.woff2", options)
    held = sorted(font.getBestCmap())
    lines = [f"U+{point:04X} {chr(point)}".rstrip() for point in held]
    (FONTS / "vitattn-math.txt").write_text("\n".join(lines) + "\n", encoding="utf-8")
    size = (FONTS / "vitattn-math.woff2").stat().st_size
    print(f"{len(held)} characters, {len(font.getGlyphOrder())} glyphs, {size} bytes")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
