"""What is kept from one build to the next: made once for a key, anew for another, and never half."""

from pathlib import Path

import pytest

from figures_src.publish import theme_css
from figures_src.publish.kept import digest, kept


def test_it_is_made_once_for_a_key(tmp_path: Path) -> None:
    made: list[str] = []

    def make() -> dict[str, int]:
        made.append("once")
        return {"number": len(made)}

    numbers = [kept("room", key, make, tmp_path)["number"] for key in ("a", "b", "a", "b")]
    assert numbers == [1, 2, 1, 2]


def test_what_was_broken_off_is_made_anew(tmp_path: Path) -> None:
    (tmp_path / "room").mkdir()
    (tmp_path / "room" / "a.json").write_text('{"of"', encoding="utf-8")
    assert kept("room", "a", lambda: [1], tmp_path) == kept("room", "a", lambda: [2], tmp_path)
    assert [path.name for path in (tmp_path / "room").iterdir()] == ["a.json"]


def test_where_nothing_can_be_written_nothing_is_kept(tmp_path: Path) -> None:
    (tmp_path / "room").write_text("a file in the way", encoding="utf-8")
    assert kept("room", "a", lambda: 1, tmp_path) == 1
    assert kept("room", "a", lambda: 2, tmp_path) == 2


def test_inputs_do_not_run_into_each_other() -> None:
    keys = {digest(inputs) for inputs in (["ab", "c"], ["a", "bc"], ["abc"], ["abc", ""], [b"abx"])}
    assert len(keys) == 5


@pytest.mark.parametrize("changed", ["sheet", "page"])
def test_the_style_sheets_follow_sheet_and_pages(changed: str, tmp_path: Path) -> None:
    sheets, pages = {"a.css": ".x{top:0}.y{top:1px}"}, ["x"]
    assert theme_css.kept_lean(sheets, pages, tmp_path) == {"a.css": ".x{top:0}"}
    if changed == "sheet":
        sheets = {"a.css": ".x{top:2px}.y{top:1px}"}
        assert theme_css.kept_lean(sheets, pages, tmp_path) == {"a.css": ".x{top:2px}"}
    else:
        both = theme_css.kept_lean(sheets, ["x y"], tmp_path)
        assert both == {"a.css": ".x{top:0}.y{top:1px}"}
