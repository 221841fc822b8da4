"""The hook of MkDocs: a fault in a page ends `mkdocs build` with its file and line."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError

from figures_src.publish import mkdocs_adapter
from tests.conftest import ROOT


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The site's own settings over a copy of its pages."""
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    (tmp_path / "mkdocs.yml").write_text(
        f"INHERIT: {ROOT / 'mkdocs.yml'}\n"
        f"hooks: [{ROOT / 'figures_src' / 'publish' / 'mkdocs_adapter.py'}]\n"
        f"theme: {{custom_dir: {ROOT / 'figures_src' / 'publish' / 'theme'}}}\n"
        f"watch: []\n",
        encoding="utf-8",
    )
    return tmp_path


def build(project: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict", "-f", str(project / "mkdocs.yml")],
        cwd=ROOT,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1"},
        capture_output=True,
        text=True,
        check=False,
    )


def test_faults_end_the_build_all_at_once(site: Path, project: Path) -> None:
    """Without them the same pages build: `make docs` has built them, or there were no `site`."""
    expected = []
    for name in ("masks.md", "index.md"):
        page = project / "docs" / name
        text = page.read_text(encoding="utf-8") + "\n\nThere are 4,321 of them.\n\n[a][nope]\n"
        page.write_text(text, encoding="utf-8")
        last = text.count("\n")
        expected.append(f"docs/{name}:{last - 2}: 4,321 is quoted from no fact")
        expected.append(f"docs/{name}:{last}: a link whose address is not defined: [a][nope]")
    wrong = build(project)
    assert wrong.returncode != 0
    told = [line for line in wrong.stderr.splitlines() if line.startswith("docs/")]
    assert len(told) == len(expected)
    assert all(a.startswith(b) for a, b in zip(told, sorted(expected), strict=True)), told
    assert "4 faults in 2 files" in wrong.stderr
    assert not list((project / "site").rglob("*.html"))  # nothing is built of pages with faults


def test_without_figures_the_build_names_the_command(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mkdocs_adapter, "BUILD", tmp_path)
    with pytest.raises(PluginError, match="run make docs"):
        mkdocs_adapter.on_pre_build(MkDocsConfig())
