"""The site as it was built, from disk: links, ids, hosts, leftovers, search, figures, facts."""

import json
import re
import unicodedata
from collections import Counter
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from figures_src.kit.mathml import ROLES
from figures_src.publish import captions, links, markdown_spans, markup, quoted_numbers
from tests.conftest import ROOT
from tests.site_reader import PageRead, html_pages, read

NOT_FOUND = "404.html"  # a host shows it at any depth, so its addresses begin at the root


@pytest.fixture(scope="module")
def read_pages(site: Path) -> list[PageRead]:
    return [read(path) for path in html_pages(site) if path.name != NOT_FOUND]


@pytest.fixture(scope="module")
def manifest() -> dict:
    return markup.load_manifest(ROOT / "build")


def test_every_page_of_the_nav_was_built(site: Path) -> None:
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:")[1]
    sources = re.findall(r":\s+([\w/-]+)\.(?:md|ipynb)", nav)
    assert sources[0] == "index"
    built = {path.relative_to(site).as_posix() for path in html_pages(site)}
    assert built == {f"{source}.html" for source in sources} | {NOT_FOUND}


def test_every_internal_link_and_anchor_leads_somewhere(
    site: Path, read_pages: list[PageRead]
) -> None:
    broken, checked = [], 0
    for page in read_pages:
        addresses = page.links + [(0, address) for _, address in page.fetched]
        for line, address in addresses:
            parts = urlsplit(address)
            if parts.scheme or parts.netloc or "=" in parts.fragment:
                continue
            checked += 1
            target = page.path.parent / unquote(parts.path) if parts.path else page.path
            anchor = unquote(parts.fragment)
            if not target.is_file():
                broken.append(f"{page.path.name}:{line}: {address}")
            elif anchor and target.suffix == ".html" and anchor not in read(target.resolve()).ids:
                broken.append(f"{page.path.name}:{line}: {address}: no such anchor")
    assert not broken
    assert checked > 20 * len(read_pages)


def test_every_link_to_a_state_names_settings_that_its_element_has(
    site: Path, read_pages: list[PageRead], manifest: dict
) -> None:
    homes = {site / home.replace(".md", ".html"): of for of, home in links.HOMES.items()}
    found: Counter[str] = Counter()
    for page in read_pages:
        for _, address in page.links:
            parts = urlsplit(address)
            if "=" not in parts.fragment:
                continue
            target = page.path.parent / parts.path if parts.path else page.path
            of = homes[target.resolve()]
            found[of] += 1
            links.read_state(parts.fragment, manifest, of)
    assert set(found) == set(links.HOMES)


def test_ids_are_unique_on_each_page(read_pages: list[PageRead]) -> None:
    for page in read_pages:
        twice = [name for name, count in Counter(page.ids).items() if count > 1]
        assert not twice, page.path.name


def test_nothing_is_fetched_from_another_host(site: Path) -> None:
    """Links may leave the site; what loads by itself may not."""
    foreign = []
    for path in html_pages(site):
        foreign += [
            f"{path.name}: <{tag}> {address}"
            for tag, address in read(path).fetched
            if re.match(r"(https?:)?//", address)
        ]
    for path in site.rglob("*.css"):
        text = path.read_text(encoding="utf-8")
        for address in re.findall(r"(?:url\(|@import\s+)[\"']?([^\"')\s;]+)", text):
            if re.match(r"(https?:)?//", address):
                foreign.append(f"{path.name}: {address}")
    for path in (site / "javascripts").rglob("*.js"):
        code = re.sub(r"//.*|/\*.*?\*/", "", path.read_text(encoding="utf-8"), flags=re.DOTALL)
        foreign += [f"{path.name}: {word}" for word in ("fetch(", "XMLHttpRequest") if word in code]
    assert not foreign


def test_nothing_of_the_source_is_left_over(read_pages: list[PageRead]) -> None:
    for page in read_pages:
        text = " ".join(page.prose)
        for mark in ("{{", "}}", r"\(", r"\[", "$$", "](", "!!!", "???"):
            assert mark not in text, f"{mark} in {page.path.name}"
        whole = page.path.read_text(encoding="utf-8")
        assert "arithmatex" not in whole
        assert "va-player-slot" not in whole


def test_only_what_a_reader_needs_is_published(site: Path) -> None:
    kept = re.compile(r".*\.(html|css|js|svg|png|webp|mp4|woff2|txt|json|xml|gz|map|ipynb|whl)")
    assert not [p for p in site.rglob("*") if p.is_file() and not kept.fullmatch(p.name)]
    assert not [p for p in site.rglob("*") if p.name.startswith((".", "manifest"))]


def test_the_search_index_holds_words_and_no_drawing(
    site: Path, read_pages: list[PageRead]
) -> None:
    entries = json.loads((site / "search" / "search_index.json").read_text())["docs"]
    index = " ".join(f"{entry['title']} {entry['text']}" for entry in entries)
    assert len(index) > 1000
    assert "<math" not in index
    assert "<svg" not in index
    for page in read_pages:
        words = " ".join(page.prose)
        for text in page.unindexed:
            # a label that the prose has too proves nothing
            if len(text) > 12 and words.count(text) == 1:
                assert text not in index, f"{text!r} of a figure of {page.path.name}"


def test_every_figure_is_used_and_the_player_stands_on_the_explainer(
    site: Path, read_pages: list[PageRead], manifest: dict
) -> None:
    used = {name for page in read_pages for name in page.ids}
    assert not [name for name in manifest["figures"] if f"figure-{name}" not in used]
    explainer = read(site / "index.html")
    drawn = [f"stage-{stage['id']}" for stage in manifest["stages"]]
    assert drawn
    assert [name for name in explainer.ids if name in drawn] == drawn


def test_every_fact_is_quoted(manifest: dict) -> None:
    quoted = set()
    texts = [path.read_text(encoding="utf-8") for path in (ROOT / "docs").rglob("*.md")]
    texts += [sentence.text for sentence in captions.sentences()]
    for text in texts:
        for found in markdown_spans.EXPRESSION.finditer(text):
            if quote := quoted_numbers.QUOTE.fullmatch(found["inner"]):
                quoted.add(quote["key"].removesuffix(quoted_numbers.WORD))
    assert not sorted(set(manifest["facts"]) - quoted)


def test_every_letter_of_a_role_wears_its_colour(read_pages: list[PageRead]) -> None:
    coloured: Counter[str] = Counter()
    for page in read_pages:
        for letter, worn in page.letters:
            role = ROLES.get(unicodedata.normalize("NFKC", letter).lower())
            assert worn == (f"role-{role}" if role else ""), f"{letter} in {page.path.name}"
            coloured[role or ""] += 1
    assert set(ROLES.values()) <= set(coloured)


def test_each_page_says_what_it_is(read_pages: list[PageRead]) -> None:
    descriptions = []
    for page in read_pages:
        text = page.path.read_text(encoding="utf-8")
        assert '<html lang="en"' in text
        assert re.search(r"<title>[^<]{10,}</title>", text)
        assert page.metas["author"] == "the vitattn contributors"
        assert page.metas["viewport"]
        assert 50 <= len(page.metas["description"]) <= 200, page.path.name
        assert page.metas["og:description"] == page.metas["description"]
        assert page.headings.count("h1") == 1
        assert page.headings[0] == "h1"
        descriptions.append(page.metas["description"])
    assert len(set(descriptions)) == len(descriptions)


def test_no_address_of_the_site_is_absolute(read_pages: list[PageRead]) -> None:
    """SITE_URL is empty unless a host sets it: the site then works from any folder."""
    for page in read_pages:
        own = [address for _, address in page.links] + [address for _, address in page.fetched]
        assert not [address for address in own if address.startswith("/")]
        assert "og:url" not in page.metas
