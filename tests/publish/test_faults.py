"""How faults are told: all of them, by file and line, once each, with their count."""

from pathlib import Path

from figures_src.publish import captions, quoted_numbers
from figures_src.publish.page_faults import CodeError, PageError, listed


def test_all_faults_are_listed_by_file_and_line_once_each_and_counted() -> None:
    faults = [
        PageError("b.md", 10, "second"),
        PageError("b.md", 9, "first"),
        CodeError("pages/heads/figures.py", 3, "caption"),
        PageError("b.md", 9, "first"),
        PageError("a.png", 0, "heavy"),
    ]
    assert listed(faults).splitlines() == [
        "docs/a.png: heavy",
        "docs/b.md:9: first",
        "docs/b.md:10: second",
        "figures_src/pages/heads/figures.py:3: caption",
        "4 faults in 3 files",
    ]
    assert listed(faults[:1]).splitlines()[-1] == "1 fault in 1 file"


def test_quote_writes_captions_anew_and_says_where(tmp_path: Path) -> None:
    room = tmp_path / "figures_src" / "pages" / "heads"
    room.mkdir(parents=True)
    text = (
        '@figure(\n    "x",\n    caption="All {{ n = 5 }} "\n    "and {{ n.word = Five }}.",\n'
        '    alt="No {{ m = 1 }}.",\n)\ndef x():\n    return "{{ n = 5 }}"\n'
    )
    (room / "figures.py").write_text(text, encoding="utf-8")
    facts = {"n": {"text": "12", "origin": "formula"}, "m": {"text": "1", "origin": "formula"}}
    folder = tmp_path / "figures_src"
    assert captions.rewrite(facts, folder) == [
        "figures_src/pages/heads/figures.py:3: n: 5 becomes 12",
        "figures_src/pages/heads/figures.py:4: n.word: Five becomes Twelve",
    ]
    written = (room / "figures.py").read_text(encoding="utf-8")
    assert written == text.replace("n = 5 }} ", "n = 12 }} ", 1).replace("Five", "Twelve")
    assert captions.rewrite(facts, folder) == []


def test_a_change_is_told_once_at_each_of_its_lines(tmp_path: Path) -> None:
    docs = tmp_path / "docs"
    docs.mkdir()
    (docs / "a.md").write_text("{{ n = 5 }} and {{ n = 5 }}\n\n{{ n = 5 }}\n", encoding="utf-8")
    facts = {"n": {"text": "12", "origin": "formula"}}
    assert quoted_numbers.rewrite_pages(docs, facts) == [
        "docs/a.md:1: n: 5 becomes 12",
        "docs/a.md:3: n: 5 becomes 12",
    ]
