"""The site as a host builds it that has said where it and its sources are, from another folder and day.

One build answers both what the addresses add to its pages and what of folder and day is left in it.
"""

import gzip
import os
import sys
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

from tests.conftest import ROOT
from tests.project.test_build import contents
from tests.project.test_places import DAY, run
from tests.site_reader import PageRead, pages_of

SITE_URL = "https://example.org/project/"
REPO_URL = "https://example.org/owner/project"


@pytest.fixture(scope="module")
def hosted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built strictly by the command of MkDocs itself, which finds the project by its settings alone."""
    folder = tmp_path_factory.mktemp("hosted")
    done = run(
        str(Path(sys.executable).parent / "mkdocs"),
        "build",
        "--strict",
        "-q",
        "-f",
        os.path.relpath(ROOT / "mkdocs.yml", folder),
        "-d",
        str(folder / "site"),
        cwd=folder,
        PYTHONPATH="",
        REPO_URL=REPO_URL,
        SITE_URL=SITE_URL,
        SOURCE_DATE_EPOCH=DAY,
    )
    assert done.returncode == 0, done.stderr
    return folder / "site"


def test_with_addresses_every_page_links_to_its_source(hosted: Path) -> None:
    found = 0
    for name, page in pages_of(hosted):
        assert page.metas["og:image"] == f"{SITE_URL}assets/shared.png"
        links = [unquote(link) for _, link in page.links]
        assert any(link.startswith(f"{REPO_URL}/issues/new?title=Error on “") for link in links), (
            name
        )
        edits = [link for link in links if link.startswith(f"{REPO_URL}/edit/main/")]
        if name == "404.html":
            assert not edits
            continue
        found += 1
        assert page.metas["og:url"] == f"{SITE_URL}{name}"
        assert len(edits) == 1, name
        assert (ROOT / edits[0].removeprefix(f"{REPO_URL}/edit/main/")).is_file(), name
        foreign = [address for _, address in page.fetched if urlsplit(address).netloc]
        assert not foreign, name
    assert found >= 4


def test_the_page_for_what_is_not_there_works_at_any_depth(hosted: Path) -> None:
    page = PageRead(hosted / "404.html")
    own = [link for _, link in page.links] + [address for _, address in page.fetched]
    own = [link for link in own if not link.startswith((REPO_URL, "#"))]
    assert len(own) > 8
    for link in own:
        assert link.startswith("/project/"), link
        assert (hosted / urlsplit(link).path.removeprefix("/project/")).is_file(), link


def test_the_day_leaves_no_trace_and_the_map_names_every_page(hosted: Path, site: Path) -> None:
    made = contents(hosted)
    packed = made["sitemap.xml.gz"]
    assert packed[4:8] == bytes(4)  # where the format keeps a time
    assert gzip.decompress(packed) == made["sitemap.xml"]
    assert [name for name, content in made.items() if b"2001-09-09" in content] == []
    pages = {path.relative_to(site).as_posix() for path in site.rglob("*.html")} - {"404.html"}
    named = {f"{SITE_URL}{page}".encode() for page in pages}
    found = made["sitemap.xml"].split(b"<loc>")[1:]
    assert {part.split(b"</loc>")[0] for part in found} == named
