"""The wheel beside the pages: the core and its licence, always the same bytes, named where it is needed."""

import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from figures_src.publish.code import wheel as core_wheel
from tests.built import ROOT


def test_it_holds_the_core_and_its_licence_and_nothing_else(site: Path) -> None:
    (wheel,) = site.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    ours = {f"vitattn_core/{path.name}" for path in (ROOT / "vitattn_core").glob("*.py")}
    about = {name for name in names if ".dist-info/" in name}
    assert ours <= set(names) and set(names) - ours - about <= {"vitattn_core/py.typed"}
    assert any(name.endswith("licenses/LICENSE") for name in about)


def test_it_is_the_same_whatever_the_day(site: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (wheel,) = site.glob("*.whl")
    name, content = core_wheel.file()
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1000000000")
    assert core_wheel.file() == (name, content) == (wheel.name, wheel.read_bytes())


def test_a_program_runs_with_it_alone(site: Path, tmp_path: Path) -> None:
    """Python imports from a wheel as from a folder: what stands in it is all that the core needs."""
    (wheel,) = site.glob("*.whl")
    code = "import vitattn_core as v; print(v.__file__, v.softmax([[0.0, 0.0]]).tolist())"
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(wheel)},
        capture_output=True,
        text=True,
        check=True,
    )
    assert wheel.name in done.stdout and done.stdout.endswith("[[0.5, 0.5]]\n")


def test_pages_whose_code_imports_it_say_so_once(site: Path) -> None:
    (wheel,) = site.glob("*.whl")
    for page in sorted((ROOT / "docs").glob("*.md")):
        imports = "\nfrom vitattn_core" in page.read_text(encoding="utf-8")
        html = (site / page.with_suffix(".html").name).read_text(encoding="utf-8")
        assert html.count(f'href="{wheel.name}"') == imports, page.name
    for notebook in sorted((ROOT / "docs/notebooks").glob("*.ipynb")):
        imports = "from vitattn_core" in notebook.read_text(encoding="utf-8")
        html = (site / "notebooks" / notebook.with_suffix(".html").name).read_text(encoding="utf-8")
        assert (f'href="../{wheel.name}"' in html) == imports, notebook.name
