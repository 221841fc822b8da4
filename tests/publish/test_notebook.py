"""Notebooks: what may stand in one, the light page made of it, and what runs it."""

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from html import unescape
from pathlib import Path
from typing import Any

import pytest

from figures_src.publish import links, markup
from figures_src.publish.notebooks import checks, kernels
from figures_src.publish.notebooks import pages as notebooks
from tests.built import Tags
from tests.conftest import ROOT

DOCS = ROOT / "docs"
HEAVIEST = 50_000  # bytes of a notebook's page, before compression, without the theme
PATHS = sorted((DOCS / "notebooks").glob("*.ipynb"))
PAGE = "notebooks/x.ipynb"
API = ["vitattn_core.torch_reference.Block"]
MANIFEST: dict[str, Any] = {"facts": {"n": {"text": "197"}}, "public": ["vitattn_core.softmax"]}


def made(*cells: dict, **changes: Any) -> str:
    """The text of a notebook file with these cells."""
    whole = {
        "nbformat": 4,
        "nbformat_minor": 5,
        "metadata": {
            "title": "A notebook",
            "description": "A notebook made up for a test, with a description as long as it takes.",
            "kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"},
        },
        "cells": [{"id": f"cell-{n}", "metadata": {}, **cell} for n, cell in enumerate(cells, 1)],
    }
    return json.dumps(whole | changes)


def text(source: str) -> dict:
    return {"cell_type": "markdown", "source": source}


def code(source: str, *outputs: dict, tags: tuple[str, ...] = ()) -> dict:
    ran = {"execution_count": None, "outputs": list(outputs), "metadata": {"tags": tags}}
    return {"cell_type": "code", "source": source, **ran}


def printed(words: str, stream: str = "stdout") -> dict:
    return {"output_type": "stream", "name": stream, "text": words}


def faults(source: str, page: str = PAGE, **manifest: Any) -> list[str]:
    """All that the build says about the notebook, beside the site's page on notation."""
    site = links.Site(DOCS, {"notation.md": ["letters"]}, [DOCS])
    read = notebooks.read(page, source)
    return [str(fault) for fault in checks.of(read, MANIFEST | manifest, site)]


# --- the source ---------------------------------------------------------------------------------

FAULTS = {
    "formula": ([text("Right."), text("One.\n\nTwo $\\frac{1}$.")], "cell 2, line 3: bad LaTeX"),
    "display formula": ([text("$$\n\\nosuch\n$$")], "cell 1, line 1: bad LaTeX"),
    "decimal": ([text("It is 0.25.")], r"cell 1, line 1: 0\.25 is quoted"),
    "integer": ([code("x = 197"), text("A\nB\nThere are 197.")], "cell 2, line 3: 197 is quoted"),
    "expression": ([text("There are {{ n = 197 }}.")], "cell 1, line 1: {{ … }} means nothing"),
    "expression in a formula": ([text("$N = {{ n = 197 }}$")], "cell 1, line 1: {{ … }} means"),
    "page": ([text("[a](../nowhere.md)")], "cell 1, line 1: there is no page"),
    "anchor": ([text("[a](../notation.md#no)")], "cell 1, line 1: page .* has no anchor"),
    "name": ([text("`vitattn_core.sotfmax`")], "cell 1, line 1: .* is no public name"),
    "kind of cell": ([{"cell_type": "raw", "source": "x"}], "cell 1: a cell is markdown or code"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_stops_the_build_with_notebook_cell_and_line(fault: str) -> None:
    cells, message = FAULTS[fault]
    (told,) = faults(made(*cells))
    assert re.match(rf"docs/notebooks/x\.ipynb, {message}", told)


def test_what_is_right_passes() -> None:
    right = (
        "An 8 × 8 image, $d_h = 2$, `vitattn_core.softmax`, `{{ x }}`, [a](../notation.md#letters)."
    )
    source = made(text(right), code("x = {{0.25}}"))
    assert faults(source) == []


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"nbformat_minor": 4}, "format: takes nbformat 4.5"),
        ({"metadata": {"title": "A notebook"}}, "metadata: has no 'description'"),
        ({"metadata": {"description": "Words."}}, "metadata: has no 'title'"),
    ],
)
def test_a_notebook_needs_ids_a_title_and_a_description(changes: dict, message: str) -> None:
    with pytest.raises(markup.PageError, match=re.escape(f"x.ipynb, {message}")):
        notebooks.read(PAGE, made(text("A"), **changes))


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.name)
def test_a_notebook_is_committed_without_outputs_or_with_those_of_its_code(path: Path) -> None:
    kept = f"notebooks/{path.name}" in notebooks.KEPT
    source = path.read_text(encoding="utf-8")
    cells = json.loads(source)["cells"]
    assert any(cell.get("outputs") for cell in cells) == kept
    assert all(cell.get("execution_count") is None for cell in cells)
    read = notebooks.read(f"notebooks/{path.name}", source)
    assert read.made_from == (read.digest() if kept else None)


def test_outputs_older_than_their_code_stop_the_build() -> None:
    page = notebooks.KEPT[0]
    held = json.loads((DOCS / page).read_text(encoding="utf-8"))
    assert not [told for told in faults(json.dumps(held), page, public=API) if "outputs" in told]
    code_cells = [cell for cell in held["cells"] if cell["cell_type"] == "code"]
    code_cells[-1]["source"][-1] += "  # one more word"
    stale = f"docs/{page}, metadata: the outputs are not those of the code: run make notebooks"
    assert stale in faults(json.dumps(held), page, public=API)


# --- the page made of it ------------------------------------------------------------------------


@pytest.fixture
def slim(tmp_path: Path) -> Callable[..., str]:
    """From cells, with the outputs they hold, to the page: by the real converter, not run again."""
    from mkdocs_jupyter.convert import nb2html

    def page(*cells: dict) -> str:
        path = tmp_path / "x.ipynb"
        path.write_text(made(*cells), encoding="utf-8")
        return notebooks.slim(
            nb2html(str(path)),
            notebooks.read(PAGE, path.read_text(encoding="utf-8")),
            "core.whl",
        )

    return page


def test_a_cell_becomes_what_the_other_pages_have(slim: Callable[..., str]) -> None:
    page = slim(
        text(
            "# T\n\nIf $a < b$, see [N](../notation.md#x) and `$`.\n\n$$\n\\sqrt{q}\n$$\n\n## Part"
        ),
        code('print("<b>")  # said', printed("<b>\n")),
        code("6", printed("5\n"), printed("6\n\n"), printed("7\n"), tags=("answer",)),
    )
    assert '<h2 id="part">Part<a class="headerlink" href="#part"' in page
    assert "<mi>a</mi><mo>&lt;</mo><mi>b</mi>" in page or 'role-weight">a</mi><mo>&lt;</mo>' in page
    assert '<a href="../notation.html#x">N</a> and <code>$</code>' in page
    assert '\n<div class="formula" tabindex="0"><math' in page
    assert '<pre><code>print(<span class="s2">"&lt;b&gt;"</span>)  <span class="c1"># said' in page
    assert "<pre>&lt;b&gt;</pre></div>" in page
    answer = re.findall(r"<details>\n<summary>The answer</summary>(.*?)</details>", page, re.DOTALL)
    assert len(answer) == 1
    assert "<pre>5\n6\n\n7</pre>" in answer[0]  # in one piece, however it came
    assert '<a href="x.ipynb" download>' in page


def test_a_progress_line_is_published_once_in_its_last_state(slim: Callable[..., str]) -> None:
    states = [printed(f"\rstep {n} of 3{' ' * (n < 3)}") for n in (1, 2, 3)]
    page = slim(text("# T"), code("x", printed("start\n"), *states, printed("\nlonger\rshort\n")))
    assert "<pre>start\nstep 3 of 3\nshortr</pre>" in page


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        (code("x", printed("careful", "stderr")), "cell 2: has an output of .*stderr: careful"),
        (
            code(
                "x", {"output_type": "display_data", "metadata": {}, "data": {"text/html": "<b>"}}
            ),
            "cell 2: has an output of text/html",
        ),
        (text("It costs 5 $."), r"cell 2: a \$ is left over"),
        (text("A bad $\\frac{1}$."), "cell 2: bad LaTeX"),
    ],
)
def test_what_has_no_place_on_the_page_stops_the_build(
    slim: Callable[..., str], cell: dict, message: str
) -> None:
    with pytest.raises(markup.PageError, match=rf"docs/notebooks/x\.ipynb, {message}"):
        slim(text("# T"), cell)


SVG = (
    '<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="a 3" viewBox="0 0 9 9">{}</svg>'
)


def drawn(marks: str, whole: str = SVG) -> dict:
    data = {"image/svg+xml": whole.format(marks)}
    return {"output_type": "display_data", "metadata": {}, "data": data}


def test_drawings_stand_side_by_side_and_take_their_colours_from_the_site(
    slim: Callable[..., str],
) -> None:
    one = drawn('<rect class="w9" fill="red" stroke="red"/><text y="9">most &lt; 1</text>')
    two = drawn('<g class="va-digit-ink" fill="red"><path d="M0 0h1"/></g>')
    page = slim(text("# T"), code("x", printed("a\n"), one, two, printed("b\n"), tags=("drawing",)))
    parts = page.split("<summary>The code that draws</summary>")[1]
    assert re.findall("<pre>([ab])</pre>|(va-drawings)", parts) == [
        ("a", ""), ("", "va-drawings"), ("b", "")
    ]  # fmt: skip
    assert '<rect class="w9" /><text y="9">most &lt; 1</text>' in parts
    assert '<g class="va-digit-ink"><path d="M0 0h1" /></g>' in parts
    assert parts.count('role="img" aria-label="a 3"') == 2
    assert "red" not in parts
    assert "base64" not in parts


@pytest.mark.parametrize(
    ("drawing", "message"),
    [
        (drawn("<image/>"), "draws what has no place on the page: <image>"),
        (drawn('<text onclick="x">a</text>'), "draws what has .*: <text>, onclick"),
        (drawn('<text style="fill:red">a</text>'), "draws what has .*: <text>, style"),
        (drawn('<rect id="a" class="w1"/>'), "draws what has .*: <rect>, id"),
        (drawn("<g><path/></g>"), "draws a <path> without a class"),
        (drawn("", SVG.replace(' aria-label="a 3"', "")), "draws without a name"),
        (
            {"output_type": "display_data", "metadata": {}, "data": {"image/png": "iVBORw0KGgo="}},
            "has an output of ",
        ),
    ],
)
def test_a_drawing_that_the_site_does_not_know_stops_the_build(
    slim: Callable[..., str], drawing: dict, message: str
) -> None:
    with pytest.raises(markup.PageError, match=rf"x\.ipynb, cell 2: {message}"):
        slim(text("# T"), code("x", drawing))


def test_a_cell_that_the_converter_lost_stops_the_build() -> None:
    with pytest.raises(markup.PageError, match="cell 1: is not in the converted page"):
        notebooks.slim("<div></div>", notebooks.read(PAGE, made(text("# T"))), "core.whl")


def article(site: Path, path: Path) -> str:
    """The built page without the theme around it."""
    built = site / path.relative_to(DOCS).with_suffix(".html")
    return built.read_text(encoding="utf-8").split("<article", 1)[1].split("</article>", 1)[0]


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.name)
def test_the_built_page_is_light_and_holds_no_script(site: Path, path: Path) -> None:
    page = article(site, path)
    assert len(page.encode()) <= HEAVIEST
    for tag, given in Tags(page).tags:
        assert tag not in ("script", "style", "img", "iframe", "clipboard-copy"), tag
        assert tag != "svg" or given["class"] == "va-drawing"
        assert not [name for name in given if name.startswith("on") or name == "style"], tag
        assert "jp-" not in given.get("class", "") + given.get("id", "")
    words = unescape(re.sub(r"<[^>]+>", "", re.sub(r"<code>.*?</code>", "", page, flags=re.DOTALL)))
    assert "$" not in words
    assert "{{" not in words


@pytest.mark.parametrize("path", PATHS, ids=lambda p: p.name)
def test_the_notebook_is_published_as_it_is_committed(site: Path, path: Path) -> None:
    published = site / path.relative_to(DOCS)
    assert published.read_bytes() == path.read_bytes()
    assert f'href="{path.name}" download' in article(site, path)


# --- running it ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the project with one page and one notebook."""
    folder = tmp_path_factory.mktemp("project")
    ignore = shutil.ignore_patterns("__pycache__")
    for room in ("figures_src", "vitattn_core", "build"):
        shutil.copytree(ROOT / room, folder / room, ignore=ignore)
    shutil.copy(ROOT / "requirements-docs.txt", folder)
    settings = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").split("\nnav:")[0]
    nav = "\nnav:\n  - Start: index.md\n  - One: notebooks/x.ipynb\n"
    (folder / "mkdocs.yml").write_text(settings + nav, encoding="utf-8")
    (folder / "docs" / "notebooks").mkdir(parents=True)
    start = "---\ntitle: Start\ndescription: The first page.\n---\n\n# Start\n"
    (folder / "docs" / "index.md").write_text(start, encoding="utf-8")
    return folder


def build(project: Path, *cells: dict, cache: bool = False) -> subprocess.CompletedProcess[str]:
    (project / "docs" / PAGE).write_text(made(text("# One"), *cells), encoding="utf-8")
    others = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", "build", "--strict"],
        cwd=project,
        env={**others, "NO_MKDOCS_2_WARNING": "1", "VITATTN_CACHE": str(cache).lower()},
        capture_output=True,
        text=True,
        check=False,
    )


def test_a_cell_that_fails_ends_the_build(project: Path) -> None:
    done = build(project, code("assert 1 + 1 == 3, 'not so'"))
    assert done.returncode != 0
    assert "notebooks/x.ipynb" in done.stderr
    assert "not so" in done.stderr


def test_a_bad_formula_ends_the_build(project: Path) -> None:
    done = build(project, text("Words.\n\nThen $\\frac{1}$."))
    assert done.returncode != 0
    assert "docs/notebooks/x.ipynb, cell 2, line 3: bad LaTeX" in done.stderr


def test_a_kept_page_is_made_anew_when_the_core_changes(project: Path) -> None:
    """Also: the kernel finds the core of its own project, and is not spoken to over the network."""
    cell = code(
        "import json\n\nimport vitattn_core\nfrom ipykernel.connect import "
        "get_connection_info\n\nprint(json.loads(get_connection_info())['transport'])\n"
        "print(vitattn_core.__file__)\nprint(vitattn_core.softmax([0.0, 0.0]))"
    )

    def output() -> list[str]:
        page = (project / "site" / "notebooks" / "x.html").read_text(encoding="utf-8")
        return re.findall(r"va-printed.*?<pre[^>]*>(.*?)</pre>", page, re.DOTALL)[0].splitlines()

    first = build(project, cell, cache=True)
    assert "Cache miss" in first.stderr, first.stderr
    assert output() == ["ipc", str(project / "vitattn_core/__init__.py"), "[0.5 0.5]"]
    assert "Cache hit" in build(project, cell, cache=True).stderr

    source = project / "vitattn_core" / "attention.py"
    right = source.read_text(encoding="utf-8")
    line = "    return e / np.where(total == 0, 1, total).astype(s.dtype)"
    assert line in right
    source.write_text(right.replace(line, line.replace("return e", "return 3 * e")), "utf-8")
    changed = build(project, cell, cache=True)
    assert "Cache miss" in changed.stderr
    assert output()[-1] == "[1.5 1.5]"
    assert len(list((project / ".cache" / "notebooks").iterdir())) == 1


def test_the_cache_follows_the_core_and_the_lock(tmp_path: Path) -> None:
    (tmp_path / "vitattn_core").mkdir()
    (tmp_path / "requirements-docs.txt").write_text("numpy==1\n")
    source = tmp_path / "vitattn_core" / "grid.py"
    source.write_text("a = 1\n")
    first = kernels.cache_folder(tmp_path)
    assert kernels.cache_folder(tmp_path) == first
    source.write_text("a = 2\n")
    second = kernels.cache_folder(tmp_path)
    (tmp_path / "requirements-docs.txt").write_text("numpy==2\n")
    third = kernels.cache_folder(tmp_path)
    source.rename(source.with_name("rows.py"))
    assert len({first, second, third, kernels.cache_folder(tmp_path)}) == 4


def test_a_socket_whose_address_would_be_too_long_is_not_asked_for(tmp_path: Path) -> None:
    short = Path(kernels.scratch_folder())
    assert kernels.environment(ROOT, short)["PYTHONPATH"].split(os.pathsep)[0] == str(ROOT)
    assert json.loads((short / "jupyter_nbconvert_config.json").read_text())["KernelManager"] == {
        "transport": "ipc",
        "ip": f"{short}/kernel",
    }
    long = tmp_path / ("x" * 100)
    long.mkdir()
    kernels.environment(ROOT, long)
    assert not list(long.iterdir())
