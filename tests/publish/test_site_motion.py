"""Movement that starts by itself: none in our style sheets, pages and pictures.

The theme's own style sheet is not ours and not looked at here.
"""

import re

import pytest

from tests.built import ROOT, Tags, read

MOVING_TAGS = {"animate", "animatetransform", "animatemotion", "set", "marquee", "blink"}
CALM = "prefers-reduced-motion: no-preference"


def movements(css):
    """Declarations that can move something, unless readers who want no motion are spared."""
    css, found, stack = re.sub(r"/\*.*?\*/", "", css, flags=re.S), [], []
    for text, end in re.findall(r"([^{};]*)([{};])", css):
        if end == "{":
            stack.append(text.strip())
            continue
        name, _, value = (part.strip() for part in text.partition(":"))
        if re.fullmatch(r"(-webkit-)?(animation|transition)(-name|-property)?", name) and (
            value not in ("none", "0s")
        ):
            asked = any("playing" in selector for selector in stack)  # the reader pressed play
            spared = any(CALM in re.sub(r":\s*", ": ", rule) for rule in stack)
            if not spared or ("animation" in name and not asked):
                found.append(f"{' '.join(stack)} {{ {name}: {value} }}")
        if end == "}" and stack:
            stack.pop()
    return found


def moving(markup):
    """Elements of a page that move, play or reload without being asked."""
    return [
        tag
        for tag, attributes in Tags(markup).tags
        if tag in MOVING_TAGS
        or "autoplay" in attributes
        or (tag == "meta" and attributes.get("http-equiv", "").lower() == "refresh")
        or (tag in ("video", "audio") and "controls" not in attributes)
        or attributes.get("src", "").partition("?")[0].lower().endswith(".gif")
    ]


def is_animated(picture):
    """A GIF at all, a PNG with frames, a WebP with frames."""
    return (
        picture[:4] == b"GIF8"
        or (picture[:4] == b"\x89PNG" and b"acTL" in picture[:200])
        or (picture[8:12] == b"WEBP" and b"ANIM" in picture[:200])
    )


def test_o29_movement_that_starts_by_itself():
    """In what is ours: no animation unasked, no transition for those who want none, no GIF."""
    for name, css in (read("docs/stylesheets", "*.css") | read("build/assets", "*.css")).items():
        assert not movements(css), name
    pages = read("site", "*.html", at_least=4)
    for name, markup in (pages | read("build", "*.html")).items():
        assert not moving(markup), name
        for inline in re.findall(r"<style[^>]*>(.*?)</style>", markup, re.S):
            assert not movements(inline), name
    pictures = [
        path
        for path in (ROOT / "site").rglob("*")
        if path.suffix in (".png", ".webp", ".gif", ".jpg")
    ]
    assert pictures
    for path in pictures:
        assert not is_animated(path.read_bytes()), path


@pytest.mark.parametrize(
    "css",
    [
        ".a { animation: spin 2s infinite }",
        ".a { color: red; transition: all 1s; }",
        "@media (min-width: 9px) { .a { animation-name: spin } }",
        "@media (prefers-reduced-motion: no-preference) { .a { animation: spin 2s } }",
        "@media (prefers-reduced-motion: reduce) { [playing] .a { animation: spin 2s } }",
    ],
)
def test_the_check_of_style_sheets_can_fail(css):
    assert movements(css)


def test_motion_on_request_is_fine():
    calm = "@media (prefers-reduced-motion:no-preference) { "
    assert not movements(calm + "vit-player[playing] .a { animation: row 2s } }")
    assert not movements(calm + ".a { transition: opacity .2s } }")
    assert not movements(".a { animation: none; transition: none }")


@pytest.mark.parametrize(
    "markup",
    [
        "<svg><animate/></svg>",
        "<video autoplay controls>",
        "<audio>",
        '<img src="a.GIF?1">',
        '<meta http-equiv="Refresh" content="5">',
    ],
)
def test_the_check_of_pages_can_fail(markup):
    assert moving(markup)


def test_the_check_of_pictures_can_fail():
    assert is_animated(b"GIF89a")
    assert is_animated(b"RIFF\0\0\0\0WEBPVP8X" + bytes(10) + b"ANIM")
    assert not is_animated(b"RIFF\0\0\0\0WEBPVP8 ")
