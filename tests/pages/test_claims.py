"""Every number of the pages on the trained model depends on the entries it names.

Change one entry, and the build stops.
"""

import math
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from figures_src import build
from figures_src.inputs import captures
from figures_src.pages import claims, registry
from figures_src.pages.checkpoint import facts as checkpoint
from figures_src.pages.learned_heads import facts as learned_heads
from figures_src.pages.weight_and_effect import facts as weight_and_effect
from figures_src.publish import markup, quoted_numbers
from tests.conftest import ROOT

PAGES = {
    "checkpoint.md": checkpoint,
    "learned-heads.md": learned_heads,
    "weight-and-effect.md": weight_and_effect,
}
CASES = [
    pytest.param(doc, claim.key, source, id=f"{claim.key}-{source}")
    for doc, module in PAGES.items()
    for claim in module.claims()
    for source in claim.sources
]
# One change keeps the order of numbers, one turns it round, two scramble it: a largest value, a rank or
# a count may survive one of them.
CHANGES: tuple[Callable[[float], float], ...] = (
    lambda x: 3 * x + 5,
    lambda x: -3 * x - 5,
    lambda x: math.sin(9973 * x) + 2,
    lambda x: math.sin(77377 * x) + 2,
)


def changed(value: Any, change: Callable[[float], float]) -> Any:
    """A value of the manifest with every number in it changed; True becomes False."""
    if isinstance(value, dict):
        return {key: changed(inner, change) for key, inner in value.items()}
    if isinstance(value, list):
        return [changed(inner, change) for inner in value]
    if isinstance(value, bool):
        return not value
    return int(change(value)) if isinstance(value, int) else change(value)


@pytest.fixture(scope="module")
def made() -> dict[str, Any]:
    return build.manifest()


def expand(doc: str, facts: dict[str, Any], made: dict[str, Any]) -> str:
    whole = (ROOT / "docs" / doc).read_text(encoding="utf-8")
    text = whole.split("---\n", 2)[2]
    html = markup.expand(markup.Source.of(doc, text, whole), {**made, "facts": facts})
    figures = registry.figures()
    for name in re.findall(r"\{\{ figure ([\w-]+)", text):
        try:
            html += quoted_numbers.marked(figures[name].caption + figures[name].alt, facts)
        except ValueError as error:
            raise markup.PageError(doc, 0, f"figure {name}: {error}") from error
    return html


def written(doc: str, key: str) -> str:
    """The claim as the page's module writes it now."""
    return next(c for c in PAGES[doc].claims() if c.key == key).write()


def spoil(monkeypatch: pytest.MonkeyPatch, source: str, change: Callable[[float], float]) -> None:
    """Change one source: a finding of the manifest; of a file its queries, and what its steps cost."""
    manifest, load = captures.manifest(), captures.load
    if source in manifest["findings"]:
        entry = manifest["findings"][source]
        other = {**entry, "value": changed(entry["value"], change)}
        findings = {**manifest["findings"], source: other}
        monkeypatch.setattr(captures, "manifest", lambda: {**manifest, "findings": findings})
        return

    def loaded(photo: str, layer: int) -> captures.Layer:
        found = load(photo, layer)
        if captures.name_of(photo, layer) != source:
            return found
        return replace(found, Q=found.Q[:, ::-1] * np.sign(change(0)))

    entry = manifest["files"][source]
    files = {**manifest["files"], source: {**entry, "lost": changed(entry["lost"], change)}}
    monkeypatch.setattr(captures, "manifest", lambda: {**manifest, "files": files})
    monkeypatch.setattr(captures, "load", loaded)


@pytest.mark.parametrize(("doc", "key", "source"), CASES)
def test_a_changed_entry_stops_the_build(doc, key, source, made, monkeypatch) -> None:
    assert written(doc, key) == made["facts"][key]["text"]
    stopped = 0
    for change in CHANGES:
        with monkeypatch.context() as patch:
            spoil(patch, source, change)
            try:
                text = written(doc, key)
            except (AssertionError, ValueError, IndexError):
                stopped += 1  # the module itself refuses: it says what the page says
                continue
        if text == made["facts"][key]["text"]:
            continue
        facts = {**made["facts"], key: {"text": text, "origin": "checkpoint"}}
        with pytest.raises(markup.PageError, match=key.replace(".", r"\.")):
            expand(doc, facts, made)
        stopped += 1
    assert stopped, f"{key} does not depend on {source}"


@pytest.mark.parametrize("doc", PAGES)
def test_as_they_are_the_pages_pass_and_quote_every_claim(doc, made) -> None:
    html = expand(doc, made["facts"], made)
    for claim in PAGES[doc].claims():
        assert f'data-fact="{claim.key}" data-origin="checkpoint"' in html


@pytest.mark.parametrize("doc", PAGES)
def test_the_list_names_every_entry(doc) -> None:
    found = PAGES[doc].claims()
    listed = claims.listed(found)
    for claim in found:
        for source in claim.sources:
            assert f"<code>{source}</code>" in listed


def test_a_claim_of_nothing_is_refused() -> None:
    with pytest.raises(KeyError, match=r"claim a\.key: no finding or file heads\.size"):
        claims.claim("a.key", ("heads.uniform_distance", "heads.size"), lambda: "1")
