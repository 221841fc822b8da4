"""Which room of `figures_src` reads which, with what is found by discovery counted as read.

Held for every module: kit and inputs read the core alone, the player reads them, the explorer the
player, pages all of these but no other page, publish the page's scripts (one reads addresses) and no
page; nothing reads by_hand.
"""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.built import ROOT

NAME = "figures_src"
FIGURES = ROOT / NAME
LOW = {
    "source_fault",
    "discovery",
    "stamp",
}  # of no room: how faults are told, modules found, builds kept
READS = {
    "kit": {"kit"},
    "inputs": {"inputs"},
    "player": {"kit", "inputs", "player"},
    "explorer": {"kit", "inputs", "player", "explorer"},
    "pages": {"kit", "inputs", "player", "explorer", "pages"},
    "publish": {"kit", "publish"},
    "by_hand": {"kit", "inputs", "player", "explorer", "pages", "publish", "by_hand"},
    "discovery": {"source_fault"},
    "source_fault": set(),
    "stamp": {"save"},
    "save": set(),
    "build": {"kit", "inputs", "player", "explorer", "pages", "publish"},
    "__main__": {"kit", "inputs", "player", "explorer", "pages", "publish", "build", "save"},
}
# What a state may be is one table, read by the page's own script: publish asks it about links.
TABLES = {f"{NAME}.player.page_scripts"}
LARGEST_ROOM, LARGEST_HALL = 15, 6


def modules(root: Path) -> dict[str, Path]:
    """The modules of a tree, by their dotted names."""
    return {
        ".".join(path.relative_to(root).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted((root / NAME).rglob("*.py"))
    }


def read_by(name: str, path: Path, every: dict[str, Path]) -> Iterator[str]:
    """What a module imports of its tree, and what it finds by discovery, by dotted names."""
    package = name if path.name == "__init__.py" else name.rpartition(".")[0]
    tree = ast.parse(path.read_text(encoding="utf-8"))
    packages: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom):
            above = ".".join(package.split(".")[: len(package.split(".")) - node.level + 1])
            base = ".".join(part for part in (above * bool(node.level), node.module) if part)
            for alias in node.names:
                full = f"{base}.{alias.name}"
                packages[alias.asname or alias.name] = full
                if base.split(".")[0] == NAME:
                    yield full if full in every else base
        elif isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name in every)
    for call in ast.walk(tree):
        if isinstance(call, ast.Call) and ast.unparse(call.func) == "discovery.modules":
            found = packages.get(ast.unparse(call.args[0]).removesuffix(".__name__"))
            yield from (other for other in every if found and other.startswith(f"{found}."))
        elif isinstance(call, ast.Call) and ast.unparse(call.func) == "modules":
            begins = ast.literal_eval(call.args[0])
            pages = re.compile(rf"{NAME}\.pages\.\w+\.{begins}\w*")
            yield from (other for other in every if pages.fullmatch(other))


def room(name: str) -> str:
    """The room of a module, or the module itself where it stands at the top."""
    return name.split(".")[1] if "." in name else NAME


def page(name: str, every: dict[str, Path]) -> str:
    """The page whose folder a module stands in, or nothing."""
    parts = name.split(".")
    folder = ".".join(parts[:3])
    inside = (
        len(parts) > 2 and parts[1] == "pages" and every.get(folder, Path()).name == "__init__.py"
    )
    return parts[2] if inside else ""


def faults(root: Path) -> list[str]:
    """Every import that the table does not allow."""
    every = modules(root)
    wrong = []
    for name, path in every.items():
        for other in read_by(name, path, every):
            mine, theirs = room(name), room(other)
            fits = theirs in READS.get(mine, set()) | LOW or (mine == "publish" and other in TABLES)
            between = {page(name, every), page(other, every)} - {""}
            if name != NAME and (not fits or (page(name, every) and len(between) > 1)):
                wrong.append(f"{name} reads {other}")
    return wrong


def test_rooms_read_only_those_below_them() -> None:
    assert faults(ROOT) == []


@pytest.mark.parametrize(
    ("file", "line"),
    [
        ("kit/chart.py", "from figures_src.player import state"),
        ("player/panels.py", "from ..pages.heads import facts"),
        ("player/element.py", "def late():\n    from figures_src.explorer import values"),
        ("pages/maps/facts.py", "from ..heads import figures"),
        (
            "player/tool_buttons.py",
            "from figures_src import pages\ndiscovery.modules(pages.__name__, [])",
        ),
        ("publish/markup.py", "from figures_src.player.element import player"),
        ("pages/heads/facts.py", "from figures_src.by_hand import stills"),
    ],
)
def test_an_import_that_runs_upwards_is_told(tmp_path: Path, file: str, line: str) -> None:
    for path in FIGURES.rglob("*.py"):
        copy = tmp_path / path.relative_to(ROOT)
        copy.parent.mkdir(parents=True, exist_ok=True)
        text = path.read_text(encoding="utf-8")
        copy.write_text(
            f"{text}\n{line}\n" if copy == tmp_path / NAME / file else text, encoding="utf-8"
        )
    told = {fault.split(" reads ")[0] for fault in faults(tmp_path)}
    assert told == {f"{NAME}." + file.removesuffix(".py").replace("/", ".")}


def test_each_page_has_its_folder_and_no_folder_is_large() -> None:
    pages = {path.stem.replace("-", "_") for path in (ROOT / "docs").glob("*.md")} - {"index"}
    folders = {
        path.name for path in (FIGURES / "pages").iterdir() if (path / "__init__.py").exists()
    }
    assert folders <= pages | {"explainer"}
    assert len(folders) > 10
    for folder in (FIGURES, *(path.parent for path in FIGURES.rglob("__init__.py"))):
        inside = [path for path in folder.glob("*.py") if path.name != "__init__.py"]
        assert len(inside) <= (LARGEST_HALL if folder == FIGURES else LARGEST_ROOM), folder
