"""The seeded faults can be planted, and what plants them tells one that is caught from one that is not."""

from pathlib import Path

import pytest

from tests.faults import Fault, load, run, wrong


def test_every_entry_has_its_line_once_and_its_tests() -> None:
    assert load()
    assert not wrong(load())


def fault(name: str, **change: str) -> Fault:
    given = {"file": "core.py", "old": "HALF = 0.5", "new": "HALF = 0.4"} | change
    return Fault(name=name, caught_by=("test_core.py",), **given)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    root = tmp_path / "root"
    root.mkdir()
    (root / "pytest.ini").write_text("[pytest]\npythonpath = .\n")
    (root / "core.py").write_text("HALF = 0.5\nUNUSED = 1\n")
    (root / "test_core.py").write_text(
        "import core\n\ndef test_half():\n    assert core.HALF * 2 == 1\n"
    )
    return root


def test_an_entry_that_cannot_be_planted_is_told(tree: Path) -> None:
    (tree / "core.py").write_text("HALF = 0.5\nHALF = 0.5\n")
    assert "core.py has 2 of 'HALF = 0.5', takes 1" in wrong([fault("twice")], tree)[0]
    assert "core.py has 0 of" in wrong([fault("gone", old="THIRD")], tree)[0]
    other = Fault("no test", "core.py", "HALF", "HALF", ("test_no.py",))
    assert any("no test_no.py" in what for what in wrong([other], tree))
    assert any("2 entries" in what for what in wrong([fault("one"), fault("one")], tree))


def test_a_fault_is_caught_or_survives_and_a_broken_off_run_goes_on(
    tree: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    seen = tmp_path / "seen.json"
    caught, survivor = fault("seen"), fault("unseen", old="UNUSED = 1", new="UNUSED = 2")
    assert run([caught, survivor], root=tree, seen=seen) == 1
    told = capsys.readouterr().out
    assert "seen: caught" in told and "not caught: unseen" in told
    assert (tree / "core.py").read_text() == "HALF = 0.5\nUNUSED = 1\n", (
        "the tree itself is left alone"
    )
    assert run([caught], root=tree, seen=seen) == 0
    assert "1 of them caught in an earlier run" in capsys.readouterr().out
    (tree / "test_core.py").write_text("def test_half():\n    assert False\n")
    assert run([caught], root=tree, seen=seen) == 1, "it fails anyway, and says nothing"
    assert "fails without the fault too" in capsys.readouterr().out
