"""The hook of MkDocs: hands pages to pages.py and puts the files of build/ into the site.

Nothing else is here, so that a successor of MkDocs needs a new adapter only.
"""

import subprocess
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

from figures_src import pages

ROOT = Path(__file__).resolve().parents[1]
BUILD = ROOT / "build"
# Read by pages.py or inlined into a page, so not files of the site.
INLINED = ("manifest.json", "player.html", "figures")

_serving = False
_drawn_from = 0.0
_manifest: dict[str, Any] = {}


def on_startup(command: str, dirty: bool) -> None:
    global _serving
    _serving = command == "serve"


def on_pre_build(config: MkDocsConfig) -> None:
    """`make docs` has drawn the figures; while serving, they follow the source."""
    if _serving:
        _draw_if_changed()
    try:
        manifest = pages.load_manifest(BUILD)
    except FileNotFoundError as error:
        raise PluginError(str(error)) from error
    _manifest.clear()
    _manifest.update(manifest)


def _draw_if_changed() -> None:
    """A child process, so that the changed modules are read anew."""
    global _drawn_from
    sources = [p for room in ("vitattn_core", "figures_src") for p in (ROOT / room).rglob("*.py")]
    newest = max(path.stat().st_mtime for path in sources)
    if newest <= _drawn_from:
        return
    made = BUILD / "manifest.json"
    if not (_drawn_from == 0 and made.is_file() and made.stat().st_mtime >= newest):
        drawn = subprocess.run([sys.executable, "-m", "figures_src"], cwd=ROOT, check=False)
        if drawn.returncode:
            raise PluginError("python -m figures_src failed: see above")
    _drawn_from = newest


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for path in sorted(BUILD.rglob("*")):
        name = path.relative_to(BUILD)
        if path.is_file() and name.parts[0] not in INLINED and not name.parts[0].startswith("."):
            files.append(File.generated(config, name.as_posix(), abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    whole = page.file.content_string
    source = pages.Source.of(page.file.src_uri, markdown, whole)
    try:
        return pages.expand(source, _manifest, Path(config.docs_dir))
    except pages.PageError as error:
        raise PluginError(str(error)) from error


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """After the search plugin has read the page, so that it never sees a drawing."""
    return pages.fill(output, _manifest, BUILD)
