"""The files to take away: small, well formed, in the site's colours, true to the row, still until played."""

import re
from xml.etree import ElementTree

import pytest

from figures_src import cascade, tokens, tree
from figures_src.take import files as take
from figures_src.take import sheet
from figures_src.take.files import files
from figures_src.take.flat import path
from figures_src.take.formula import formula
from figures_src.take.lean import coarse, rows
from figures_src.take.motion import CALM
from figures_src.take.shared import shared
from figures_src.take.words import Run, lines
from vitattn_core import STAGES

NAMES = [
    *(name(entry.id) for entry in STAGES for name in (take.still, take.chapter)),
    take.FILM,
]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.fixture(scope="module")
def made() -> dict[str, str]:
    return files()


def test_every_stage_every_chapter_and_the_film_are_there(made: dict[str, str]) -> None:
    assert sorted(made) == sorted(NAMES)
    assert len(made) == 2 * len(STAGES) + 1


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_small_and_stands_alone(made: dict[str, str], name: str) -> None:
    text = made[name]
    assert len(text.encode()) <= take.MOST
    root = ElementTree.fromstring(text)
    assert root.tag == f"{SVG}svg"
    assert root.find(f"{SVG}title") is not None
    assert len((root.findtext(f"{SVG}desc") or "").split()) > 8
    ids = [node.attrib["id"] for node in root.iter() if "id" in node.attrib]
    assert len(set(ids)) == len(ids)
    used = [address for node in root.iter() if (address := node.attrib.get("href"))]
    used += [
        found for node in root.iter() for found in re.findall(r"url\((.*?)\)", str(node.attrib))
    ]
    assert used
    assert all(re.match(r"data:image/(jpeg|png|webp);base64,", a) or a[1:] in ids for a in used)
    assert not re.search(
        r"https?:|@import|<script|\bon\w+=", text.replace("http://www.w3.org/", "")
    )
    assert root.findall(f".//{SVG}text")[-1].text == sheet.CREDIT
    assert "CC BY 4.0" in sheet.CREDIT
    assert "CC0" in sheet.CREDIT


@pytest.mark.parametrize("name", NAMES)
def test_every_colour_is_of_the_token_table(made: dict[str, str], name: str) -> None:
    known = {getattr(token, scheme) for token in tokens.TOKENS for scheme in ("light", "dark")}
    known |= {tokens.weight_colour(n / 63) for n in range(64)} | set(tokens.WEIGHT_STOPS)
    style = re.search(r"<style>(.*?)</style>", made[name])
    assert style
    found = set(re.findall(r"#[0-9a-f]{3,8}\b", style[1]))
    assert found
    long = {f"#{a}{a}{b}{b}{c}{c}" if len(h) == 4 else h for h in found for _, a, b, c, *_ in [h]}
    assert long <= known
    marks = made[name].replace(style[0], "")
    painted = re.findall(r'\b(?:fill|stroke|stop-color|style)="([^"]*)"', marks)
    assert set(painted) <= {"url(#ramp)", *tokens.WEIGHT_STOPS}
    assert not re.search(r"\b(?:rgb|hsl|oklch)a?\(", made[name])


@pytest.mark.parametrize("name", NAMES)
def test_light_and_dark_follow_the_reader_s_scheme(made: dict[str, str], name: str) -> None:
    dark = re.search(r"@media\(prefers-color-scheme:dark\)\{((?:\.\w+\{[^}]*\})+)\}", made[name])
    assert dark
    page = {token.name: token for token in tokens.TOKENS}["page"]
    assert page.dark in dark[1]
    assert re.search(r"\.a\{fill:#fff\}", made[name]), "the ground comes first"


@pytest.mark.parametrize("entry", STAGES, ids=lambda entry: entry.id)
def test_a_still_does_not_move_and_a_chapter_moves_only_for_who_wants_it(
    made: dict[str, str], entry
) -> None:
    still, moving = made[take.still(entry.id)], made[take.chapter(entry.id)]
    assert not re.search(r"animation|transition|<animate|<set", still)
    assert "<animate" not in moving
    rules, _, frames = moving.partition(CALM)[2].partition("@keyframes")
    assert rules.count("animation:") > 3
    assert "animation" not in moving.partition(CALM)[0]
    assert "animation" not in frames
    assert "infinite" not in moving
    assert re.search(r"translate:|scale:|dashoffset:", frames), "a fade alone does not count"


@pytest.mark.parametrize("entry", STAGES, ids=lambda entry: entry.id)
def test_what_a_still_prints_is_the_plate(made: dict[str, str], entry) -> None:
    """Every number of the plate, in words and in panels, as it stands there."""
    root = ElementTree.fromstring(made[take.still(entry.id)])
    written = "".join("".join(node.itertext()) + "\n" for node in root.iter(f"{SVG}text"))
    source = sheet.picture(entry.id)
    seen = 0
    for node in tree.find(source.source, ".va-take [data-t]"):
        if node in source.drawn.of:
            assert node.text().split()[-1] in written, node.attrs["data-t"]
            seen += 1
    assert seen >= 6
    assert source.row.values["token"] == "75"


@pytest.mark.parametrize("name", NAMES)
def test_no_words_are_smaller_than_the_least(made: dict[str, str], name: str) -> None:
    """11 px; the letters of the photograph's marks are drawn at twice their size."""
    sizes = [
        float(size) for size in re.findall(r"(?:font-size:|font:[^};]*?)([\d.]+)px", made[name])
    ]
    assert sizes
    small = {size for size in sizes if size < 11}
    raised = {round(part.size, 1) for s in STAGES for part in formula(s.formula, 18)}
    assert small <= {7.4, 8.0} | raised, small


# Its parts -------------------------------------------------------------------------------------


def test_paths_are_scaled_command_by_command() -> None:
    assert path("M2 1v-0.5H3V0h-1z", 10, 100) == "M20 100v-50H30V0h-10z"
    assert path("M0 0Q1 2 3 4L5 6", 2, 3) == "M0 0Q2 6 6 12L10 18"
    assert path("M1.26 0v1M1.31 0v1M9 0v0", 10, 20, digits=0) == "M13 0v20"


def test_lines_end_before_they_are_too_wide_and_keep_their_words() -> None:
    words = Run("one two three four five six seven", 16, "var(--va-ink)")
    made = lines([words, Run("bold", 16, "var(--va-ink)", weight="700")], 120)
    assert len(made) > 2
    assert all(sum(part.width for part in line) <= 120 for line in made)
    assert "".join(part.text + " " for line in made for part in line).split()[-2:] == [
        "seven",
        "bold",
    ] or (made[-1][-1].text == "bold")


def test_formulas_are_read_and_unknown_tex_is_refused() -> None:
    parts = formula(r"s_{ij} = \frac{q_i \cdot k_j}{\sqrt{d_h}}", 18)
    assert "".join(part.text for part in parts) == "sij = qi · kj / √dh"
    assert {part.colour for part in parts if part.text == "q"} == {"var(--va-query)"}
    with pytest.raises(ValueError, match=r"got \\alpha"):
        formula(r"\alpha", 18)
    assert all(formula(entry.formula, 18) for entry in STAGES)


def test_what_is_repeated_is_written_once() -> None:
    long = f'<path d="{"M0 0v1" * 30}"/>'
    body, once = shared(f"<g>{long}</g><text>a</text><g>{long}</g>")
    assert body.count("<use") == 2
    assert once.count("M0 0v1" * 30) == 1
    assert shared("<g><path/></g><g><path/></g>")[1] == ""


def test_coarse_shapes_cover_what_fine_ones_did() -> None:
    assert rows("M0 0h1v1h-1zM1 0h1v1h-1zM3 0h1v1h-1zM0 1h1v1h-1z") == (
        "M0 0h2v1h-2zM3 0h1v1h-1zM0 1h1v1h-1z"
    )
    assert coarse("M0 0V1H0.5V2H0.501V-1H1V0z") == "M0 0V1H0.5V-1H1V0z"


def test_the_style_sheet_is_applied_as_a_browser_would() -> None:
    root = tree.read(
        '<div class="va-groups"><svg class="va-numbers role-key"><text>1</text></svg></div>'
    )
    svg, text = tree.find(root, "svg")[0], tree.find(root, "text")[0]
    own = cascade.style(text, cascade.style(svg, cascade.ROOT))
    assert cascade.resolved(own, "fill") == "var(--va-ink)"
    assert own["text-anchor"] == "middle"
    assert own["font-size"] == "14px"
    assert cascade.resolved(cascade.style(svg, cascade.ROOT), "--role") == "var(--va-key)"
    assert cascade._holds("@container player (min-width: 1000px)")
    assert not cascade._holds("@container player (max-width: 999px)")
    assert not cascade._holds("@media (forced-colors: active)")
