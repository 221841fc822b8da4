"""The theme's style sheets keep what a page can use, and lose the rest."""

from pathlib import Path

import pytest

from figures_src.publish import theme_css

PAGE = '<p class="used" id="here" data-kind="plain">text</p>'


def lean(css: str, *texts: str) -> str:
    return theme_css.lean({"theme.css": css}, texts or (PAGE,))["theme.css"]


@pytest.mark.parametrize(
    "css",
    [
        ".used{color:red}",
        "#here{color:red}",
        "p>em:first-child{color:red}",
        "[data-kind=plain]{color:red}",
        ".used:not(.unknown){color:red}",  # true of every element without it
        "@media print{.used{color:red}}",
        "@font-face{font-family:x}",
        "@keyframes move{to{top:0}}",
        ".used{--there:1;color:var(--there)}",
    ],
)
def test_what_can_be_used_stays(css: str) -> None:
    assert lean(css) == css


@pytest.mark.parametrize(
    "css",
    [
        ".unknown{color:red}",
        "#nowhere{color:red}",
        ".used .unknown{color:red}",
        ".used.unknown{color:red}",
        "[data-kind=other]{color:red}",
        "@media print{.unknown{color:red}}",
        "@media print{@media screen{.unknown{color:red}}}",
        ".used{--nobody-reads:1}",
        ".used{--first:1}.used{--second:var(--first)}",  # read by what nobody reads
    ],
)
def test_what_cannot_be_used_goes(css: str) -> None:
    assert lean(css) == ""


def test_of_a_list_the_part_that_can_be_used_stays() -> None:
    assert lean(".unknown,.used,#nowhere{color:red;top:0}") == ".used{color:red;top:0}"


def test_a_script_or_another_style_sheet_can_use_it_too() -> None:
    assert lean(".made{color:red}", PAGE, 'node.classList.add("made")') == ".made{color:red}"
    assert lean(":root{--kept:1}", PAGE, "p{top:var(--kept)}") == ":root{--kept:1}"


def test_the_site_has_the_theme_less_what_no_page_uses(site: Path) -> None:
    sheets = {path.name: path.read_text() for path in (site / "assets/stylesheets").glob("*.css")}
    main = next(css for name, css in sheets.items() if name.startswith("main."))
    assert ".md-header" in main and ".md-search" in main  # on every page
    assert ".md-post" not in main and ".md-banner" not in main  # on none
    texts = [
        path.read_text(errors="ignore")
        for path in site.rglob("*")
        if path.suffix in (".html", ".js", ".css")
    ]
    assert theme_css.lean(sheets, texts) == sheets
