"""Code on a page that the build cannot run keeps what it printed: it is run here, and prints that."""

import contextlib
import importlib.metadata
import io
import re
import textwrap
import warnings
from pathlib import Path

import pytest

from tests.publish.docs_examples import DOCS

KEPT = re.compile(
    r"^```python\n(?P<code>(?:(?!```).*\n)*?)```\n\n```output (?P<package>\w+) (?P<version>\S+)\n"
    r"(?P<output>(?:(?!```).*\n)*?)```$",
    re.MULTILINE,
)


def kept(page: Path) -> list[re.Match[str]]:
    return list(KEPT.finditer(page.read_text(encoding="utf-8")))


PLACES = [(page, n) for page in sorted(DOCS.glob("*.md")) for n in range(len(kept(page)))]


def fault(match: re.Match[str]) -> str:
    """What is wrong with a kept output, in words; "" if nothing is."""
    installed = importlib.metadata.version(match["package"]).partition("+")[0]
    if match["version"] != installed:
        return f"kept from {match['package']} {match['version']}, and {installed} is installed"
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(compile(match["code"], "<page>", "exec"), {"__name__": "__page__"})
    if printed.getvalue().rstrip() != match["output"].rstrip():
        return "prints\n" + textwrap.indent(printed.getvalue(), "  ")
    return ""


@pytest.mark.parametrize(("page", "n"), PLACES, ids=[f"{page.name}-{n}" for page, n in PLACES])
def test_a_kept_output_is_what_the_code_prints(page: Path, n: int) -> None:
    assert not fault(kept(page)[n])


def test_every_fence_of_output_is_read() -> None:
    for page in DOCS.rglob("*.md"):
        fences = re.findall(r"^\s*```output\b", page.read_text(encoding="utf-8"), re.MULTILINE)
        assert len(fences) == len(kept(page)), page.name


def test_another_output_and_another_version_are_seen() -> None:
    version = importlib.metadata.version("torch").partition("+")[0]
    text = "```python\nprint(1)\n```\n\n```output torch {}\n{}\n```"
    faults = []
    for of, output in ((version, "1"), (version, "2"), ("0.1", "1")):
        match = KEPT.search(text.format(of, output))
        assert match
        faults.append(fault(match))
    assert not faults[0] and "prints" in faults[1] and "0.1" in faults[2]
