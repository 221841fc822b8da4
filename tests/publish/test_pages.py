"""What a page may write: each fault stops the build with file and line; each right thing passes."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from figures_src.kit import mathml
from figures_src.player import state
from figures_src.publish import markdown_spans, markup, quoted_numbers
from figures_src.publish.checks import bare_numbers
from figures_src.publish.checks import pages as check_pages

MANIFEST: dict[str, Any] = {
    "facts": {
        "eye_weight": {"text": "0.364", "origin": "teaching"},
        "tokens": {"text": "197", "origin": "formula"},
        "macs": {"text": "465,708", "origin": "formula"},
        "loss": {"text": "−0.5", "origin": "teaching"},
        "share": {"text": "36 %", "origin": "teaching"},
    },
    "figures": {"row": {"file": "figures/row.svg", "alt": "one row"}},
    "states": {"state": state.TABLE.as_data()},
    "public": ["vitattn_core.softmax", "vitattn_core.scale"],
}
HEAD = "---\ntitle: A page\ndescription: A page for tests.\n---\n"  # the text begins in line 5


@pytest.fixture
def docs(tmp_path: Path) -> Path:
    folder = tmp_path / "docs"
    folder.mkdir()
    start = "# Start\n\n## A part\n\n## A part\n\n## Own {#given}\n\n"
    (folder / "index.md").write_text(f'{HEAD}{start}<a id="by-hand"></a>\n\n{{{{ figure row }}}}\n')
    return folder


def expand(text: str, page: str = "notation.md", head: str = HEAD) -> str:
    return markup.expand(markup.Source.of(page, text, head + text), MANIFEST)


def faults(text: str, docs: Path, head: str = HEAD) -> list[str]:
    """All that the build says about the page with this text."""
    (docs / "notation.md").write_text(head + text, encoding="utf-8")
    return [str(fault) for fault in check_pages.faults(docs, MANIFEST)]


FAULTS = {
    "unknown key": ("One.\n\nIt is {{ eye_wieght = 0.364 }}.", 7, "'eye_weight'"),
    "changed literal": ("It is {{ eye_weight = 0.365 }}.", 5, "'0.365'.*'0.364'"),
    "changed literal in a formula": ("$a = {{ eye_weight = 0.4 }}$", 5, "'0.4'.*'0.364'"),
    "bare decimal": ("One.\nTwo is 0.25 here.", 6, r"0\.25"),
    "bare integer": ("There are 197 rows.", 5, "197"),
    "bare grouped integer": ("There are 465,708 products.", 5, "465,708"),
    "bare percentage": ("About 36 % of it.", 5, "36 %"),
    "bare words of a percentage": ("About 7 per cent of it.", 5, "7 per cent"),
    "bare number in a formula": ("One.\n\n$$\nN = 197\n$$", 8, "197"),
    "bare grouped number in a formula": ("$465{,}708$", 5, re.escape("465{,}708")),
    "bare number in a link's words": ("[the 197 rows](index.md)", 5, "197"),
    "bare number in a state's words": ("{{ state head=2 : 197 rows }}", 5, "197"),
    "bare number in a table": ("| a |\n| --- |\n| 1.5 |", 7, r"1\.5"),
    "unknown figure": ("One.\n\n{{ figure rwo }}", 7, "'row'"),
    "unknown function": ("Use `vitattn_core.sofmax(x)`.", 5, "vitattn_core.softmax"),
    "unknown page": ("One\n[there](nowhere.md).", 6, "nowhere.md"),
    "unknown anchor": ("See\n\n[it](index.md#a-prat).", 7, "'a-part'"),
    "unknown anchor on the page": ("See [it](#nothing).", 5, "nothing"),
    "unknown anchor of a reference": ("See [it].\n\n[it]: index.md#no", 7, "'no'"),
    "state as a link": ("[it](index.md#stage=scores)", 5, "state of the player"),
    "bad LaTeX": ("One.\n\nSee $\\sofmax(x)$.", 7, "sofmax"),
    "bad LaTeX on display": ("$$\n\\frac{a}\n$$", 5, "bad LaTeX"),
    "unknown setting": ("{{ state colour=red : it }}", 5, "colour"),
    "unknown value": ("{{ state head=4 : it }}", 5, "head takes 1, 2, 3 or mean.*“4”"),
    "unknown stage": ("{{ state stage=sofmax : it }}", 5, "sofmax"),
    "unknown bug": ("{{ state bug=nothing : it }}", 5, "merge.*offset.*nothing"),
    "query off the grid": ("{{ state query=14.0 : it }}", 5, "13.13"),
    "dropped key off the grid": ("{{ state dropped=cls,1.99 : it }}", 5, r"1\.99"),
    "key dropped twice": ("{{ state dropped=5.4,5.4 : it }}", 5, r"“5\.4” stands twice"),
    "place off the stage": ("{{ state at=1.5 : it }}", 5, r"from 0 to 1; “1\.5”"),
    "film that would not end": ("{{ state speed=0.0001 : it }}", 5, r"from 0\.25 to 4; “0\.0001”"),
    "setting that stands twice": ("{{ state head=2 head=3 : it }}", 5, "“head” stands twice"),
    "setting without a value": ("{{ state head : it }}", 5, "name=value"),
    "unknown expression": ("{{ plyer }}", 5, "none of"),
    "open expression": (
        "One.\n\nIt is {{ eye_weight = 0.364 }.",
        7,
        "not closed|quoted from no fact",
    ),
    "figure in a formula": ("${{ figure row }}$", 5, "numbers only"),
}


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_names_file_line_and_cure(name: str, docs: Path) -> None:
    text, line, reason = FAULTS[name]
    told = faults(text, docs)
    assert len(told) == 1, told
    assert told[0].startswith(f"docs/notation.md:{line}: ")
    assert re.search(reason, told[0], re.DOTALL), told[0]


def test_a_number_in_the_front_matter_is_refused(docs: Path) -> None:
    head = "---\ntitle: A\ndescription: All 197 rows\n---\n"
    (told,) = faults("Text.", docs, head)
    assert told.startswith("docs/notation.md:3: 197")


def test_a_page_is_looked_at_anew_when_it_or_another_one_changes(docs: Path) -> None:
    """While serving, pages that have not changed are not read again; what they link to may have."""
    text = "See [it](index.md#a-part), 197 times, and 197 times.\n"
    first = faults(text, docs)
    assert [told.split(":")[1] for told in first] == ["5", "5"]
    assert faults(text, docs) == first
    assert faults("See [it](index.md#a-part).\n", docs) == []
    index = (docs / "index.md").read_text().replace("A part", "Another part")
    (docs / "index.md").write_text(index)
    (told,) = faults("See [it](index.md#a-part).\n", docs)
    assert "has no anchor 'a-part'" in told


RIGHT = [
    "Python 3.11, WCAG 2.2.2, CC BY 4.0, version 1.26.4.",
    "Vaswani et al., 2017; arXiv:1706.03762; ICLR 2021; (Elhage, 2021).",
    "ViT-B/16 at 384 and ViT-L/14, §3.2, Section 3.1, Table 2.4, pp. 120–135.",
    "16×16 patches, 14 rows, patch (5,4), and 12.",
    "`0.123` and `x = 197`",
    "```jinja\nx = 197.5\n{{ not_an_expression }}\n```",
    "    !!! note\n        ~~~text\n        `vitattn_core.nothing` 0.5 {{\n        ~~~",
    "[words](https://example.org/1234/0.5)",
    '<div style="width: 12.5%">x</div>',
    "<!-- 0.123 {{ nothing }} -->",
    "`vitattn_core.softmax(x, axis=-1)` and `vitattn_core`",
    "[a](index.md#a-part) [b](index.md#a-part_1) [c](index.md#given) [d](index.md#by-hand)",
    "[e](index.md#figure-row)",
    r"It costs \$5 and \$6.",
]


@pytest.mark.parametrize("text", RIGHT)
def test_what_is_right_is_left_alone(text: str, docs: Path) -> None:
    assert expand(text) == text
    assert faults(text, docs) == []


def test_a_quote_shows_key_and_origin() -> None:
    assert expand("It is {{ eye_weight = 0.364 }}.") == (
        'It is <span class="fact" data-fact="eye_weight" data-origin="teaching">0.364</span>.'
    )


def test_a_quote_in_a_formula_is_plain_tex() -> None:
    text = r"$\frac{{{ macs = 465,708 }}}{2} {{ loss = −0.5 }}$"
    assert expand(text) == r"$\frac{465{,}708}{2} -0.5$"


def test_a_state_leaves_its_defaults_out_and_keeps_the_players_order() -> None:
    text = "{{ state query=cls stage=scores head=1 range=fit dropped=0.1,cls : the *row* $q$ }}"
    address = "#stage=scores&amp;query=cls&amp;dropped=0.1,cls"
    link = f'<a class="va-state" href="{{}}{address}">the *row* $q$</a>'
    assert expand(text) == link.format("index.html")
    assert expand(text, page="deeper/page.md") == link.format("../index.html")
    still = 'href="gallery.html#still-scores" data-state='  # until a script can show the state
    assert expand(text, page="index.md") == link.format("").replace("href=", still)


def test_a_photographs_own_first_patch_is_left_out_and_no_other() -> None:
    for photo, first in state.OPENS.items():
        said = f"photo={photo}" if photo != state.DEFAULTS["photo"] else "stage=softmax"
        link = expand(f"{{{{ state photo={photo} query={first['query']} : it }}}}")
        assert f'href="index.html#{said}"' in link
        link = expand(f"{{{{ state photo={photo} query=0.0 : it }}}}")
        assert "query=0.0" in link


def test_a_state_at_its_defaults_still_leads_to_the_player() -> None:
    assert 'href="index.html#stage=softmax"' in expand("{{ state query=5.4 : it }}")


def test_drawings_are_put_in_after_the_markdown(tmp_path: Path) -> None:
    build = tmp_path / "build"
    (build / "figures").mkdir(parents=True)
    (build / "figures" / "row.svg").write_text("<svg>drawn</svg>")
    (build / "player.html").write_text("<vit-player>played</vit-player>")
    slots = expand("{{ figure row }}\n\n{{ player }}")
    assert "drawn" not in slots
    assert "played" not in slots
    filled = markup.fill(slots, MANIFEST, build)
    assert 'id="figure-row" data-search-exclude><svg>drawn</svg></figure>' in filled
    assert "<vit-player>played</vit-player>" in filled
    assert "slot" not in filled


def test_a_missing_manifest_names_the_command(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="make docs"):
        markup.load_manifest(tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps(MANIFEST))
    assert markup.load_manifest(tmp_path) == MANIFEST


def test_quote_writes_the_current_values_in(docs: Path) -> None:
    page = docs / "index.md"
    page.write_text("a {{ eye_weight = 0.1 }} $x = {{macs = 5}}$\n```\n{{ tokens = 1 }}\n```\n")
    changes = quoted_numbers.rewrite_pages(docs, MANIFEST["facts"])
    assert page.read_text() == (
        "a {{ eye_weight = 0.364 }} $x = {{macs = 465,708}}$\n```\n{{ tokens = 1 }}\n```\n"
    )
    assert changes == [
        "docs/index.md:1: eye_weight: 0.1 becomes 0.364",
        "docs/index.md:1: macs: 5 becomes 465,708",
    ]
    assert quoted_numbers.rewrite_pages(docs, MANIFEST["facts"]) == []


def test_every_character_of_a_page_is_in_one_span() -> None:
    text = "a `b` $c$\n```\n$d$\n```\n$$\ne\n$$ <!-- f --> {{ g = 1 }} \\$ h $5 and $6\n~~~\nopen"
    found = list(markdown_spans.spans(text))
    assert "".join(text[s.start : s.end] for s in found) == text
    kinds = [s.kind for s in found if s.kind != "prose"]
    assert kinds == ["code", "inline", "fence", "display", "comment", "expression", "fence"]


def test_each_exception_has_a_reason_and_is_needed() -> None:
    patterns = [pattern for pattern, _ in bare_numbers.EXCEPTIONS]
    assert all(reason for _, reason in bare_numbers.EXCEPTIONS)
    assert len(set(patterns)) == len(patterns)
    assert [n for _, n in bare_numbers.bare("N = 2048 rows, 1900 keys, 0.5")] == [
        "2048",
        "1900",
        "0.5",
    ]


@pytest.mark.parametrize(
    ("tex", "roles"),
    [
        (r"q_i \cdot k_j", ["query", "key"]),
        (r"\mathbf{Q} \mathbf{v}", ["query", "value"]),
        (r"o_i = \sum_j a_{ij} v_j, \alpha", ["output", "weight", "value", "weight"]),
        (r"u, x, y, z, s, \operatorname{softmax}(S), \text{a key}", []),
    ],
)
def test_letters_wear_the_colour_of_their_role(tex: str, roles: list[str]) -> None:
    assert re.findall(r'class="role-(\w+)"', mathml.convert(tex, display=False)) == roles


def test_below_the_player_each_heading_opens_a_section() -> None:
    slot = markup.ELEMENT.format("player")
    found = markup.in_sections(f'<h2 id="a">A</h2>{slot}<p>b</p><h2 id="c">C</h2><p>d</p>')
    section = '<section class="md-typeset"><h2 id="c">C</h2><p>d</p></section>\n'
    assert found == f'<h2 id="a">A</h2>{slot}<p>b</p>{section}'
    assert markup.in_sections('<h2 id="a">A</h2>') == '<h2 id="a">A</h2>'
