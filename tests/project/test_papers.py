"""The papers of the project: stills, citation, workflows; and what pages name of them."""

import importlib.util
import re
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
import yaml
from PIL import Image

from figures_src.by_hand import stills
from tests.conftest import ROOT
from tests.site_reader import pages_of


def test_the_stills_show_what_is_built_now() -> None:
    held = stills.HELD.read_text(encoding="utf-8").strip()
    assert held == stills.inputs(), "run: make stills"


def test_the_stills_are_where_they_are_named() -> None:
    with Image.open(stills.SHARED) as shared, Image.open(stills.STRIP) as strip:
        assert shared.size == (1200, 630)
        assert strip.width > 1200
    assert stills.SHARED.stat().st_size < 300_000
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    named = re.search(r"!\[([^\]]{40,})\]\(figures_src/by_hand/stills\.png\)", readme)
    assert named, "README.md shows no strip, or shows it without words"


def test_without_addresses_no_page_has_an_absolute_one(site: Path) -> None:
    for name, page in pages_of(site):
        assert not [link for _, link in page.links if "/edit/" in link or "/issues/new" in link]
        assert "og:url" not in page.metas, name
        picture = page.metas["og:image"]
        assert not urlsplit(picture).scheme, name
        if name != "404.html":  # made for the root of a host
            assert (site / name).parent.joinpath(picture).resolve() == site / "assets/shared.png"


def test_there_is_an_icon(site: Path) -> None:
    for name, page in pages_of(site):
        icons = [link for tag, link in page.fetched if tag == "link" and "favicon" in link]
        assert len(icons) == 1, name
    assert (site / "assets" / "favicon.svg").read_text(encoding="utf-8").startswith("<svg")


def test_the_citation_can_be_read() -> None:
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["cff-version"] == "1.2.0"
    assert cited["title"] == "Self-attention in Vision Transformers"
    assert cited["authors"] == [{"name": "the vitattn contributors"}]
    assert cited["license"] == ["MIT", "CC-BY-4.0"]
    assert cited["message"]


def test_what_the_papers_link_to_is_there() -> None:
    """Every file, section and command that README and CONTRIBUTING name."""
    commands = set(re.findall(r"^([a-z]+):.*## ", (ROOT / "Makefile").read_text("utf-8"), re.M))
    seen = 0
    for name in ("README.md", "CONTRIBUTING.md"):
        text = (ROOT / name).read_text(encoding="utf-8")
        for target in re.findall(r"\]\(([^)\s]+)\)", re.sub(r"`[^`]*`", "", text)):
            path, _, anchor = target.partition("#")
            if urlsplit(target).scheme:
                continue
            seen += 1
            assert (ROOT / path).exists(), f"{name}: {target}"
            heads = (
                re.findall(r"^#+ (.+)$", (ROOT / path).read_text("utf-8"), re.M) if anchor else []
            )
            assert not anchor or anchor in {head.lower().replace(" ", "-") for head in heads}, (
                target
            )
        named = set(re.findall(r"`make ([a-z]+)[`\s]", text)) | set(
            re.findall(r"^make ([a-z]+)\b", text, re.M)
        )
        assert len(named) >= 3 and named <= commands, f"{name}: {named - commands}"
    assert seen > 12


def test_the_readme_says_what_the_core_does_and_it_does_it() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    block = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    assert block
    names: dict[str, Any] = {}
    exec(block[1], names)
    grid = names["Grid"](224, 224, 16)
    assert f"The {names['weights'].size} weights sum to one" in readme
    assert names["weights"].sum() == pytest.approx(1)
    assert f"{grid.rows} × {grid.columns} patches" in readme
    assert len(block[1].splitlines()) <= 7
    assert "Python 3.11 or newer and make" in readme
    said = re.search(r"# ([A-Z](?:, [A-Z])*), \.\.\. of one block", block[1])
    assert said and all(hasattr(names["trace"], array) for array in said[1].split(", "))


def test_the_end_of_the_themes_life_is_told_where_its_notice_is_silenced() -> None:
    """The date is the theme's own, read from the package that is installed."""
    theme = importlib.util.find_spec("material")
    assert theme and theme.origin
    notice = next(
        text
        for path in Path(theme.origin).parent.rglob("*.py")
        if "NO_MKDOCS_2_WARNING" in (text := path.read_text(encoding="utf-8"))
    )
    day = re.search(r"end of life on.*?([A-Z][a-z]+ \d+, \d{4})", notice, re.DOTALL)
    assert day
    written = datetime.strptime(day[1], "%B %d, %Y").date().isoformat()
    section = (
        (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8").partition("\n## The theme\n")[2]
    )
    assert written in section and "NO_MKDOCS_2_WARNING" in section
    assert "export NO_MKDOCS_2_WARNING" in (ROOT / "Makefile").read_text(encoding="utf-8")


def test_the_site_is_deployed_behind_the_gates() -> None:
    folder = ROOT / ".github" / "workflows"
    flows = {
        path.stem: yaml.safe_load(path.read_text(encoding="utf-8")) for path in folder.iterdir()
    }
    jobs = flows["pages"]["jobs"]
    assert jobs["check"]["uses"] == "./.github/workflows/check.yml"
    assert jobs["build"]["needs"] == "check"
    assert jobs["deploy"]["needs"] == "build"
    assert "workflow_call" in flows["check"][True]  # YAML reads the key `on` as true
    steps = [
        step
        for flow in flows.values()
        for job in flow["jobs"].values()
        for step in job.get("steps", [])
    ]
    used = [step["uses"] for step in steps if "uses" in step]
    assert len(used) >= 5
    assert all(re.fullmatch(r"actions/[a-z-]+@v\d+", action) for action in used)
    assert {"run": "bash .ci/run"}.items() <= flows["check"]["jobs"]["check"]["steps"][-1].items()
