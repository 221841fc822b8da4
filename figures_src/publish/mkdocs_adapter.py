"""The hook of MkDocs: hands pages to pages.py and puts the files of build/ into the site.

Nothing else is here, so that a successor of MkDocs needs a new adapter only.
"""

import gzip
import os
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page

ROOT = Path(__file__).resolve().parents[2]
if str(ROOT) not in sys.path:  # `mkdocs build`, unlike `python -m mkdocs build`, does not look here
    sys.path.insert(0, str(ROOT))

from figures_src import stamp  # noqa: E402
from figures_src.publish import (  # noqa: E402
    markup,
    quoted_numbers,
    search_index,
    theme_css,
)
from figures_src.publish.checks import pages as check_pages  # noqa: E402
from figures_src.publish.code import outputs  # noqa: E402
from figures_src.publish.notebooks import kernels  # noqa: E402
from figures_src.publish.notebooks import pages as notebooks  # noqa: E402
from figures_src.publish.page_faults import listed  # noqa: E402

BUILD = ROOT / "build"
# Read by pages.py or inlined into a page, so not files of the site.
INLINED = ("manifest.json", "player.html", "explorer.html", "figures")

_serving = False
_drawn_from = ""  # the digest of the sources
_port_is_free = False
_manifest: dict[str, Any] = {}


def on_startup(command: str, dirty: bool) -> None:
    global _serving
    _serving = command == "serve"


def on_config(config: MkDocsConfig) -> None:
    """Kernels that find the core, a cache of notebooks that follows it, and what is not run."""
    os.environ.update(kernels.environment(ROOT, kernels.scratch_folder()))
    if _serving:
        _ask_for_port(*config.dev_addr)
    config.markdown_extensions.append("figures_src.kit.mathml")  # TeX to MathML, after arithmatex
    settings = config.plugins["mkdocs-jupyter"].config
    settings["execute_ignore"] = list(notebooks.KEPT)
    if settings["cache"]:
        folder = kernels.cache_folder(ROOT)
        kernels.drop_other_caches(folder)
        settings["cache_dir"] = str(folder)


def on_pre_build(config: MkDocsConfig) -> None:
    """`make docs` has drawn the figures; while serving, they follow the source."""
    if _serving:
        _draw_if_changed()
    try:
        manifest = markup.load_manifest(BUILD)
    except FileNotFoundError as error:
        raise PluginError(str(error)) from error
    _manifest.clear()
    _manifest.update(manifest)
    if faults := check_pages.faults(Path(config.docs_dir), manifest, BUILD):
        raise PluginError(f"pages cannot be built:\n{listed(faults)}")


def _ask_for_port(host: str, port: int) -> None:
    """Say so before the first build when the port cannot be had, and not in a traceback after it."""
    global _port_is_free
    if _port_is_free:
        return
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as asked:
        asked.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            asked.bind((host, port))
        except OSError as error:
            raise PluginError(
                f"port {port} of {host} cannot be had ({error.strerror}): name another one,"
                f" as make serve PORT={port + 1}"
            ) from error
    _port_is_free = True


def _draw_if_changed() -> None:
    """A child process, so that the changed modules are read anew."""
    global _drawn_from
    sources = stamp.sources(ROOT)
    if sources == _drawn_from:
        return
    if _drawn_from or not stamp.is_current(BUILD):
        drawn = subprocess.run([sys.executable, "-m", "figures_src"], cwd=ROOT, check=False)
        if drawn.returncode:
            raise PluginError("python -m figures_src failed: see above")
    _drawn_from = sources


def on_files(files: Files, config: MkDocsConfig) -> Files:
    for path in sorted(BUILD.rglob("*")):
        name = path.relative_to(BUILD)
        if path.is_file() and name.parts[0] not in INLINED and not name.parts[0].startswith("."):
            files.append(File.generated(config, name.as_posix(), abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    try:
        if _is_notebook(page):
            notebook = notebooks.read(page.file.src_uri, markdown)
            page.meta = {"title": notebook.title, "description": notebook.description}
            return markdown
        if (boost := search_index.BOOST.get(page.file.src_uri)) is not None:
            page.meta["search"] = {"boost": boost}
        printed = outputs.outputs(markdown, ROOT)
        source = markup.Source.of(page.file.src_uri, markdown, page.file.content_string, printed)
        page.meta["description"] = quoted_numbers.plain(
            page.meta["description"], _manifest["facts"]
        )
        return markup.expand(source, _manifest)
    except markup.PageError as error:
        raise PluginError(str(error)) from error


def on_page_content(content: str, page: Page, config: MkDocsConfig, files: Files) -> str:
    """Before the search plugin reads the page: its sections, and code kept out of the index."""
    if _is_notebook(page):
        try:
            notebook = notebooks.read(page.file.src_uri, page.markdown or "")
            content = notebooks.slim(content, notebook, _manifest["wheel"])
        except markup.PageError as error:
            raise PluginError(str(error)) from error
    return markup.in_sections(markup.without_code_in_search(content))


def _is_notebook(page: Page) -> bool:
    return page.file.src_uri.endswith(".ipynb")


def on_post_page(output: str, page: Page, config: MkDocsConfig) -> str:
    """After the search plugin has read the page, so that it never sees a drawing."""
    return markup.fill(output, _manifest, BUILD)


def on_post_build(config: MkDocsConfig) -> None:
    """After the search plugin has written its index: what is loaded with every page gets lean."""
    site = Path(config.site_dir)
    index = site / "search" / "search_index.json"
    if index.is_file():
        index.write_text(search_index.lean(index.read_text(encoding="utf-8")), encoding="utf-8")
    if (sitemap := site / "sitemap.xml").is_file():  # MkDocs packs it with the day of the build
        packed = gzip.compress(sitemap.read_bytes(), mtime=0)
        (site / "sitemap.xml.gz").write_bytes(packed)
    theirs = sorted((site / "assets" / "stylesheets").glob("*.css"))
    ours = (p for p in site.rglob("*") if p.suffix in (".html", ".js", ".css") and p not in theirs)
    sheets = {path.name: path.read_text(encoding="utf-8") for path in theirs}
    # The captures are scripts too, in UTF-16: they name no class.
    texts = (path.read_text(encoding="utf-8", errors="ignore") for path in sorted(ours))
    for name, css in theme_css.kept_lean(sheets, texts).items():
        (site / "assets" / "stylesheets" / name).write_text(css, encoding="utf-8")
