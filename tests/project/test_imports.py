"""Which way imports flow: NumPy alone in the core, torch at one edge, no page in the figures.

Each check runs in a fresh interpreter, or on the source, and is shown to be able to fail.
"""

import ast
import subprocess
import sys

import pytest

from tests.built import ROOT

CORE, FIGURES = ROOT / "vitattn_core", ROOT / "figures_src"
MODULES = sorted(f"vitattn_core.{p.stem}" for p in CORE.glob("*.py") if p.stem != "__init__")
WITH_TORCH = {"vitattn_core.torch_reference"}
HEAVY = {"torch", "matplotlib", "mkdocs", "PIL"}


def loaded_by(code):
    """Top-level modules that a fresh interpreter has loaded after running `code` in the project."""
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            f"{code}\nimport sys; print(*{{m.split('.')[0] for m in sys.modules}})",
        ],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return set(done.stdout.split())


def imported_in(source):
    """Absolute imports that stand anywhere in a source, also inside functions; relative as '.'."""
    found = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            found |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            found.add("." if node.level else (node.module or "").split(".")[0])
    return found


def outside():
    """Packages that a plain NumPy program has loaded anyway: NumPy and the standard library."""
    return set(sys.stdlib_module_names) | {"numpy", "vitattn_core", "."}


def test_the_core_loads_numpy_and_nothing_heavy():
    light = [name for name in MODULES if name not in WITH_TORCH]
    loaded = loaded_by("import " + ", ".join(["vitattn_core", *light]))
    assert {"vitattn_core", "numpy"} <= loaded
    assert not loaded & HEAVY


def test_the_check_of_a_fresh_interpreter_can_fail():
    assert {"torch", "PIL"} <= loaded_by("import vitattn_core.torch_reference, PIL")


@pytest.mark.parametrize("name", MODULES)
def test_the_core_names_numpy_and_the_standard_library_only(name):
    """In the source too, so that an import inside a function does not hide."""
    source = (CORE / f"{name.split('.')[1]}.py").read_text(encoding="utf-8")
    allowed = outside() | ({"torch"} if name in WITH_TORCH else set())
    assert imported_in(source) <= allowed - {"vitattn_core"}  # inside the package: relative


def opened_pages(code):
    """Files under docs/ that `code` opens, as Python itself reports them, and whether it loads torch."""
    watch = (
        "import sys\n"
        "seen = []\n"
        "note = lambda event, args: seen.append(str(args[0])) if event == 'open' else None\n"
        "sys.addaudithook(note)\n"
        f"{code}\n"
        "print(*[path for path in seen if path.endswith('.md')], 'torch' in sys.modules, sep='\\n')\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", watch], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    *pages, torch = done.stdout.split()
    return pages, torch == "True"


def test_drawing_reads_no_page_and_loads_no_torch():
    """Figures come from the core alone; a page points to them, never the other way round."""
    modules = [
        ".".join(p.relative_to(ROOT).with_suffix("").parts)
        for p in sorted(FIGURES.rglob("*.py"))
        if p.stem not in ("__main__", "__init__", "mkdocs_adapter", "math_font")
    ]
    assert len(modules) > 5
    everything = f"import {', '.join(modules)}; from figures_src import build; build.files()"
    assert opened_pages(everything) == ([], False)


def test_the_check_of_what_drawing_opens_can_fail():
    assert opened_pages("open('docs/index.md').close(); import torch") == (["docs/index.md"], True)


def test_the_check_of_sources_can_fail():
    assert imported_in("def f():\n    import torch.nn as nn\n    from os import path\n") == {
        "torch",
        "os",
    }
    assert imported_in("from .grid import Grid\nfrom vitattn_core import cost") == {
        ".",
        "vitattn_core",
    }
