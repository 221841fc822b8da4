"""Figures in dark mode: every colour follows the scheme, and text can be read in both.

The names test_o28 to test_o30 go on from tests/core/test_cases.py. What only a browser sees, the colours
really painted, is in tests/browser.
"""

import re

import pytest

from tests.built import Tags, read

PAINT = ("fill", "stroke", "color", "stop-color", "flood-color", "lighting-color")
FOLLOWS = re.compile(
    r"none|transparent|inherit|currentcolor|url\(#[\w-]+\)|var\(--va-[\w-]+\)", re.I
)
A_NUMBER = re.compile(r"--[\w-]+:\s*-?[\d.]+")  # all that a style attribute may set
RAW = re.compile(r"#[0-9a-f]{3,8}\b|\b(?:rgb|hsl|hwb|lab|lch|oklab|oklch)a?\(", re.I)


def raw_colours(markup):
    """Marks that would not follow the scheme: a colour of their own, or a style sheet inside."""
    found = []
    for tag, attributes in Tags(markup).tags:
        paints = [(name, attributes[name], FOLLOWS) for name in PAINT if name in attributes]
        styles = [
            ("style", part, A_NUMBER) for part in attributes.get("style", "").split(";") if part
        ]
        found += [
            f'{tag} {name}="{value}"'
            for name, value, allowed in paints + styles
            if not allowed.fullmatch(value.strip())
        ]
        found += ["<style>"] * (tag == "style")
    return found


def schemes():
    """The tokens as the site gets them: {"light": {name: hex}, "dark": {name: hex}}."""
    css = read("build/assets", "tokens.css")["build/assets/tokens.css"]
    light = re.search(r":root\s*\{(.*?)\}", css, re.S)
    dark = re.search(r"\[data-md-color-scheme=\"?slate\"?\]\s*\{(.*?)\}", css, re.S)
    assert light
    assert dark
    return {
        scheme: dict(re.findall(r"--va-([\w-]+):\s*(#[0-9a-f]{6})", found[1]))
        for scheme, found in (("light", light), ("dark", dark))
    }


def contrast(one, other):
    """The contrast ratio of two hex colours, 1 to 21 (WCAG 2.2)."""

    def luminance(colour):
        parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_o28_figures_in_dark_mode():
    """No figure has a colour of its own; each token stands in both schemes; text has 4.5 to 1."""
    figures = read("build", "*.html") | read("build", "*.svg", at_least=0)
    # A picture to take away stands alone, so it carries its colours with it.
    figures = {name: text for name, text in figures.items() if "/assets/take/" not in name}
    for name, markup in figures.items():
        assert Tags(markup).tags, name
        assert not raw_colours(markup), name
    tokens = schemes()
    assert set(tokens["light"]) == set(tokens["dark"])
    player = read("docs/stylesheets", "player.css")["docs/stylesheets/player.css"]
    assert not RAW.search(player)
    used = set(re.findall(r"var\(--va-([\w-]+)\)", player + "".join(figures.values())))
    assert used
    assert used <= {*tokens["light"], "ramp"}  # ramp: the stops of the weights, a gradient
    for colours in tokens.values():
        for name in ("ink", "quiet", "query", "key", "value", "weight", "output"):
            for ground in ("page", "panel"):
                assert contrast(colours[name], colours[ground]) >= 4.5, (name, ground)


@pytest.mark.parametrize(
    "mark",
    [
        '<text fill="#000000">',
        '<path stroke="black"/>',
        '<g style="fill:rgb(0,0,0)">',
        "<style>",
        '<stop stop-color="white"/>',
        '<g style="--v:0.5;color:red">',
    ],
)
def test_the_check_of_figures_can_fail(mark):
    assert raw_colours(f"<svg>{mark}</svg>")
    assert not raw_colours('<svg style="--w:-1.5"><text fill="currentColor" stroke="none"></svg>')


def test_the_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.005)
