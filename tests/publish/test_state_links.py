"""Links to states: where the state cannot be shown, they lead to a still or are no links."""

from pathlib import Path
from urllib.parse import unquote

from tests.built import ROOT, Tags, read

SITE = ROOT / "site"
HOMES = {"index.html": "the player", "checkpoint.html": "the explorer"}


def _tags(path: Path) -> list[tuple[str, dict[str, str]]]:
    return Tags(path.read_text(encoding="utf-8")).tags


def test_a_link_to_a_state_leads_somewhere_without_a_script() -> None:
    """On the element's own page the state itself is told by data-state, for the script."""
    ids = {path: {a["id"] for _, a in _tags(path) if "id" in a} for path in SITE.glob("*.html")}
    wrong: list[tuple[str, object]] = []
    counted = dict.fromkeys(HOMES, 0)
    for name, text in read("site", "*.html").items():
        page = ROOT / name
        for tag, attributes in Tags(text).tags:
            if tag != "a" or "va-state" not in attributes.get("class", "").split():
                continue
            href, state = attributes.get("href"), attributes.get("data-state", "")
            here = page.name in HOMES and state.startswith("#")
            counted[page.name] = counted.get(page.name, 0) + here
            if href is None:
                if not here:
                    wrong.append((page.name, attributes))
                continue
            file, _, fragment = unquote(href).partition("#")
            there = page.parent / file if file else page
            leads = fragment in ids.get(there, set()) if here else "=" in fragment
            if not there.is_file() or not leads:
                wrong.append((page.name, href))
    assert not wrong
    assert min(counted[name] for name in HOMES) > 10
