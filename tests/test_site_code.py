"""Code on the pages: it runs as the copy button copies it, alone and in a fresh interpreter."""

import re
import subprocess
import sys

import pytest

from tests.built import ROOT, read
from tests.docs_examples import DOCS, PythonFences, sybil


def fences():
    """Every Python fence of the pages: the text that its copy button copies, named by its line."""
    for page in sorted(DOCS.rglob("*.md")):
        document = sybil.parse(page)
        for region in PythonFences().lexers[0](document):
            line = document.text.count("\n", 0, region.start) + 1
            yield pytest.param(str(region.lexemes["source"]), id=f"{page.name}:{line}")


def run_alone(source):
    return subprocess.run(
        [sys.executable, "-"], input=source, cwd=ROOT, capture_output=True, text=True, check=False
    )


@pytest.mark.parametrize("source", list(fences()))
def test_o30_code_runs_as_pasted(source):
    """Alone, in a fresh interpreter; no prompt and no output line is copied along."""
    assert not re.search(r"^\s*(>>>|\.\.\.|In \[|\$ )", source, re.M)
    done = run_alone(source)
    assert done.returncode == 0, done.stderr


def test_the_pages_have_code_and_a_block_that_leans_on_another_fails():
    assert len(list(fences())) >= 6
    assert run_alone("print(softmax([1.0]))\n").returncode == 1


def test_no_prompt_in_the_code_of_the_built_pages():
    for name, markup in read("site", "*.html", at_least=4).items():
        code = re.findall(r"<pre[^>]*>(.*?)</pre>", markup, re.S)
        assert not any("&gt;&gt;&gt;" in re.sub(r"<[^>]+>", "", block) for block in code), name
