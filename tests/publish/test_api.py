"""The page of names: everything the core exports, as the source has it."""

import importlib
import inspect
import re
from html import unescape
from pathlib import Path

import pytest

import vitattn_core
from figures_src import build
from figures_src.publish import api_page
from tests.conftest import ROOT


@pytest.fixture(scope="module")
def built_page(site: Path) -> str:
    return (site / "api.html").read_text(encoding="utf-8")


def missing(page: str) -> list[str]:
    """Names of `__all__` that have no heading on the page."""
    headings = re.findall(r"<h3 id=\"[\w-]+\">(\w+)<a", page)
    return [name for name in vitattn_core.__all__ if name not in headings]


def test_every_exported_name_is_there(built_page: str) -> None:
    assert missing(built_page) == []
    heading = re.search(r'<h3 id="core-softmax">.*?</h3>', built_page)
    assert heading
    assert missing(built_page.replace(heading[0], "")) == ["softmax"]


@pytest.mark.parametrize("entry", api_page.names(), ids=lambda e: f"{e.module}.{e.name}")
def test_an_entry_says_what_the_source_says(built_page: str, entry: api_page.Name) -> None:
    assert entry.doc.strip(), "has no docstring"
    words = unescape(re.sub(r"<[^>]*>", "", built_page))
    first = " ".join(entry.doc.split("\n\n")[0].replace("`", "").split())
    assert first in " ".join(words.split())
    assert entry.signature in words
    if entry.module == "torch_reference":
        return
    apart = entry.module in api_page.APART
    thing = (None if apart else getattr(vitattn_core, entry.name, None)) or getattr(
        importlib.import_module(f"vitattn_core.{entry.module}"), entry.name
    )
    if inspect.isfunction(thing) or inspect.isclass(thing):
        assert list(inspect.signature(thing).parameters) == parameters(entry.signature)


def parameters(signature: str) -> list[str]:
    """The names before the colons of a signature, brackets inside annotations left out."""
    inside = signature[signature.index("(") + 1 : signature.rindex(")", 0, end_of(signature))]
    depth, names, word = 0, [], ""
    for sign in inside + ",":
        depth += (sign in "([") - (sign in ")]")
        if sign == "," and depth == 0:
            names.append(word.partition(":")[0].partition("=")[0].strip().lstrip("*"))
            word = ""
        else:
            word += sign
    return [name for name in names if name]


def end_of(signature: str) -> int:
    returns = signature.find(") -> ")
    return len(signature) if returns < 0 else returns + 1


def test_names_of_the_torch_reference_are_public_without_importing_torch() -> None:
    assert "vitattn_core.torch_reference.recorded_weights" in build.public_names()
    assert "vitattn_core.torch_reference.self_attention" in build.public_names()


def test_the_modules_stand_in_one_list() -> None:
    modules = {entry.module for entry in api_page.names()}
    assert modules == set(api_page.ORDER)
    private = {"arrays", "counts", "__init__"}
    assert {p.stem for p in (ROOT / "vitattn_core").glob("*.py")} - private == modules
