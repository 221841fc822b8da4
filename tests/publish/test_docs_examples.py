"""Every Python-looking fence of a page is run: counted without the parser that runs them."""

from pathlib import Path

import pytest
from sybil.example import SybilFailure

from tests.publish.docs_examples import DOCS, PythonFences, sybil

PAGES = sorted(DOCS.rglob("*.md"))


def fences(text: str) -> int:
    """Opening lines of fences whose language is Python's, by eye and not by the parser."""
    count, closing = 0, ""
    for line in text.splitlines():
        bare = line.strip()
        mark = bare[: len(bare) - len(bare.lstrip("`~"))]
        if closing:
            if bare == mark and mark[:1] == closing[:1] and len(mark) >= len(closing):
                closing = ""
        elif len(mark) >= 3 and len(set(mark)) == 1:
            closing = mark
            words = bare[len(mark) :].replace("{", " ").replace(".", " ").split()
            count += bool(words) and words[0].lower() in (
                "python",
                "py",
                "pycon",
                "python3",
                "ipython",
            )
    return count


def executed(path: Path) -> int:
    """Fences of the page that the parser hands to pytest."""
    document = sybil.parse(path)
    starts = set()
    for lexed in PythonFences().lexers[0](document):
        inside = [e for e in document.examples() if lexed.start <= e.region.start < lexed.end]
        if inside:
            starts.add(lexed.start)
    return len(starts)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_pytest_takes_the_page_up(page: Path) -> None:
    """In Python 3.11 the pattern `**/*.md` passes over pages that stand in docs/ itself."""
    assert sybil.should_parse(page)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_each_python_fence_of_a_page_is_executed(page: Path) -> None:
    assert executed(page) == fences(page.read_text(encoding="utf-8"))


def test_the_count_sees_what_a_stock_parser_passes_over(tmp_path: Path) -> None:
    text = (
        '```python title="x" hl_lines="1"\nassert True\n```\n\n'
        "!!! note\n    ```py\n    assert True\n    ```\n\n"
        "~~~pycon\n>>> 1 + 1\n2\n~~~\n\n```text\n```python\n```\n\n```{ .python }\n1\n```\n"
    )
    page = tmp_path / "page.md"
    page.write_text(text, encoding="utf-8")
    assert fences(text) == 4
    assert executed(page) == 4


@pytest.mark.parametrize("block", ["assert 1 + 1 == 3", ">>> 1 + 1\n3", ">>> 0.251\n0.25\n"])
def test_a_block_is_judged(tmp_path: Path, block: str) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"```python\n{block}\n```\n", encoding="utf-8")
    (example,) = sybil.parse(page).examples()
    if "0.25" in block:
        example.evaluate()  # compared to the digits written
        return
    with pytest.raises((AssertionError, SybilFailure)):
        example.evaluate()
