"""Code on the pages: it runs as the copy button copies it, alone and in an interpreter of its own."""

import json
import os
import re
import subprocess
import sys
from functools import cache

import pytest

from tests.built import ROOT, read
from tests.publish.docs_examples import DOCS, PythonFences, sybil

# Runs each source in a copy of an interpreter that has loaded what most of them load: a copy is made
# in no time, and what one source changes, no other sees. Nothing of the project is loaded before.
RUN_ALL = """
import contextlib, json, os, sys, traceback
import numpy, torch

torch.set_num_threads(1)
told = []
for source in json.load(sys.stdin):
    reading, writing = os.pipe()
    if os.fork() == 0:
        words = ""
        try:
            with contextlib.redirect_stdout(None):
                exec(compile(source, "<pasted>", "exec"), {"__name__": "__main__"})
        except BaseException:
            words = traceback.format_exc()
        os.write(writing, words.encode()[-50_000:])
        os._exit(0)
    os.close(writing)
    with open(reading, "rb") as pipe:
        told.append(pipe.read().decode(errors="replace"))
    os.wait()
json.dump(told, sys.stdout)
"""


@cache
def fences():
    """Every Python fence of the pages: the text that its copy button copies, by page and line."""
    found = {}
    for page in sorted(DOCS.rglob("*.md")):
        document = sybil.parse(page)
        for region in PythonFences().lexers[0](document):
            line = document.text.count("\n", 0, region.start) + 1
            found[f"{page.name}:{line}"] = str(region.lexemes["source"])
    return found


def interpreter(program, text):
    return subprocess.run(
        [sys.executable, "-c", program],
        input=text,
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def faults(sources):
    """What each source raises when it runs alone, "" if nothing."""
    if hasattr(os, "fork"):
        done = interpreter(RUN_ALL, json.dumps(sources))
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)
    alone = [interpreter("import sys; exec(sys.stdin.read())", source) for source in sources]
    return [done.stderr if done.returncode else "" for done in alone]


@pytest.fixture(scope="module")
def raised():
    found = fences()
    return dict(zip(found, faults(list(found.values())), strict=True))


@pytest.mark.parametrize("place", fences())
def test_code_runs_as_pasted(place, raised):
    """Alone; no prompt and no output line is copied along."""
    assert not re.search(r"^\s*(>>>|\.\.\.|In \[|\$ )", fences()[place], re.M)
    assert not raised[place]


def test_a_block_that_leans_on_another_fails():
    defined = "from vitattn_core import softmax\nimport numpy as np\nnp.leaks = softmax"
    leaning = ["softmax([1.0])", "import numpy as np\nnp.leaks([1.0])", "raise SystemExit(1)"]
    first, *others = faults([defined, *leaning])
    assert not first
    assert all(others)


def test_the_pages_have_code():
    assert len(fences()) >= 6


def test_no_prompt_in_the_code_of_the_built_pages():
    for name, markup in read("site", "*.html", at_least=4).items():
        code = re.findall(r"<pre[^>]*>(.*?)</pre>", markup, re.S)
        assert not any("&gt;&gt;&gt;" in re.sub(r"<[^>]+>", "", block) for block in code), name
