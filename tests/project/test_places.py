"""The build wherever it runs: another processor, a second run beside it, an editor's files, another
folder, another day, a folder that cannot be written, a port that is taken."""

import json
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from mkdocs.config import load_config
from mkdocs.exceptions import PluginError

from figures_src import stamp
from figures_src.publish import mkdocs_adapter, quoted_numbers
from figures_src.save import BUILD, FRESH, save
from tests.conftest import ROOT
from tests.project.test_build import contents, draw

DAY = "1000000000"  # 2001-09-09, for whatever asks for the time of the build
LEFT_BY_EDITORS = (".#masks.md", "masks.md~", "#masks.md#", ".masks.md.swp")


def run(*command: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        command,
        cwd=cwd,
        env={**os.environ, "NO_MKDOCS_2_WARNING": "1", **environment},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def drawn() -> Path:
    """The folder build/, drawn from the sources as they are."""
    assert stamp.is_current(BUILD), "build/ is not what the sources draw: run make docs"
    return BUILD


def test_another_processor_draws_the_same_bytes(drawn: Path, tmp_path: Path) -> None:
    """Every product of matrices ends a few units elsewhere; nothing that a reader sees may move."""
    python = (sys.executable, "-B", "-X", f"pycache_prefix={tmp_path / 'cache'}")
    made = run(
        *python, "-m", "tests.core.other_kernel", "1", "figures_src", "--into", str(tmp_path / "a")
    )
    assert made.returncode == 0, made.stderr
    elsewhere, here = contents(tmp_path / "a"), contents(drawn)
    assert {name for name in here if here[name] != elsewhere.get(name)} == set()
    assert set(elsewhere) == set(here)


def test_two_runs_into_one_empty_folder_both_succeed(tmp_path: Path) -> None:
    """Nine pairs of runs that write at once, many small files each, so that their writes interleave."""
    files = {f"{n % 9}/{n}": str(n).encode() for n in range(300)}
    code = (
        "import sys; from pathlib import Path; from figures_src.save import save; sys.stdin.read(1)\n"
        "save({f'{n % 9}/{n}': str(n).encode() for n in range(300)}, Path(sys.argv[1]))"
    )
    for turn in range(9):
        folder = tmp_path / str(turn)
        pair = [
            subprocess.Popen(
                [sys.executable, "-c", code, str(folder)],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stderr=subprocess.PIPE,
            )
            for _ in range(2)
        ]
        for one in pair:
            assert one.stdin is not None
            one.stdin.write(b"g")
            one.stdin.flush()
        told = [one.communicate()[1].decode() for one in pair]
        assert [one.returncode for one in pair] == [0, 0], told
        assert contents(folder) == files


def test_what_a_stopped_run_left_behind_is_removed_and_a_running_one_is_left_alone(
    tmp_path: Path,
) -> None:
    for name in ("old", "young"):
        (tmp_path / f"{FRESH}{name}").mkdir()
        (tmp_path / f"{FRESH}{name}" / "0").write_bytes(b"half")
    os.utime(tmp_path / f"{FRESH}old", (0, 0))
    save({"a": b"1"}, tmp_path)
    assert set(contents(tmp_path)) == {"a", f"{FRESH}young/0"}


@pytest.fixture(scope="module")
def edited(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the stamp covers and nothing else, with what editors leave beside each file."""
    root = tmp_path_factory.mktemp("edited")
    for room in stamp.READ:
        shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
    for name in stamp.READ_FILES:
        shutil.copy(ROOT / name, root)
    left_by_editors(
        root,
        "vitattn_core",
        "figures_src",
        "figures_src/pages/heads",
        "figures_src/inputs/photographs",
    )
    return root


def left_by_editors(root: Path, *rooms: str) -> None:
    for room in rooms:
        (root / room / ".#grid.py").symlink_to("nothing")
        for name in LEFT_BY_EDITORS:
            if name.startswith(".#"):
                (root / room / name).symlink_to("nothing")
            else:
                (root / room / name).write_text("{{ nope }} 4,321", encoding="utf-8")


def test_in_another_folder_on_another_day_the_same_is_drawn(edited: Path, drawn: Path) -> None:
    """Under another hash seed and time zone, from what the stamp covers, beside what editors leave."""
    assert stamp.sources(edited) == stamp.sources(ROOT)
    zone = {"PYTHONHASHSEED": "1", "TZ": "Pacific/Kiritimati", "LC_ALL": "C"}
    draw(edited / "build", edited, **zone)
    elsewhere, here = contents(edited / "build"), contents(drawn)
    assert {"manifest.json", "player.html", "assets/tokens.css", "assets/teaching.js"} <= set(here)
    assert {name for name in here if here[name] != elsewhere.get(name)} == set()
    assert set(elsewhere) == set(here)


def test_what_editors_leave_is_not_quoted_or_published(edited: Path, site: Path) -> None:
    shutil.copytree(ROOT / "docs", edited / "docs", dirs_exist_ok=True)
    shutil.copy(ROOT / "mkdocs.yml", edited)
    left_by_editors(edited, "docs", "docs/notebooks", "docs/stylesheets")
    assert quoted_numbers.rewrite_pages(edited / "docs", {}) == []
    made = run(
        str(Path(sys.executable).parent / "mkdocs"),
        "build",
        "--strict",
        "-q",
        "-f",
        "mkdocs.yml",
        "-d",
        str(edited / "site"),
        cwd=edited,
        PYTHONPATH=str(edited),
        SOURCE_DATE_EPOCH=DAY,
    )
    assert made.returncode == 0, made.stderr
    # ... and it is the site, though another command built it, in another folder and on another day.
    copied, ours = contents(edited / "site"), contents(site)
    assert {name for name in ours if copied.get(name) != ours[name]} == set()
    assert set(copied) == set(ours)


def test_a_port_that_is_taken_is_told_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(mkdocs_adapter, "_port_is_free", False)
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(PluginError, match=rf"^port {port} of .*make serve PORT={port + 1}$"):
            mkdocs_adapter._ask_for_port("127.0.0.1", port)
    mkdocs_adapter._ask_for_port("127.0.0.1", port)  # free again, and from now on ours
    assert mkdocs_adapter._port_is_free


def test_the_port_is_asked_for_before_the_first_build(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(mkdocs_adapter, "_serving", True)
    monkeypatch.setattr(mkdocs_adapter, "_ask_for_port", lambda *place: asked.append(place))
    for key in ("PYTHONPATH", "JUPYTER_CONFIG_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR"):
        monkeypatch.setenv(key, os.environ.get(key, ""))
    settings = load_config(str(ROOT / "mkdocs.yml"), dev_addr="127.0.0.1:8765")
    mkdocs_adapter.on_config(settings)
    assert asked == [("127.0.0.1", 8765)]


def test_whatever_a_drawing_reads_is_drawn_anew_while_serving(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A photograph that is replaced by an older file, a capture, a style sheet, a file that goes."""
    for room in stamp.READ:
        (tmp_path / room).mkdir(parents=True)
    (tmp_path / "requirements-docs.txt").write_text("numpy", encoding="utf-8")
    photo = tmp_path / "figures_src" / "cat.png"
    photo.write_bytes(b"1")
    drawn: list[object] = []
    monkeypatch.setattr(mkdocs_adapter, "ROOT", tmp_path)
    monkeypatch.setattr(mkdocs_adapter, "BUILD", tmp_path / "build")
    monkeypatch.setattr(mkdocs_adapter, "_drawn_from", "")

    def drawing(command: object, **_: object) -> subprocess.CompletedProcess[str]:
        drawn.append(command)
        return subprocess.CompletedProcess([], 0)

    monkeypatch.setattr(subprocess, "run", drawing)

    def draws() -> int:
        before = len(drawn)
        mkdocs_adapter._draw_if_changed()
        return len(drawn) - before

    assert draws() == 1 and draws() == 0
    photo.write_bytes(b"2")
    os.utime(photo, (0, 0))
    assert draws() == 1 and draws() == 0
    for room in stamp.READ:
        (tmp_path / room / "new.bin").write_bytes(b"1")
        assert draws() == 1
        (tmp_path / room / "new.bin").unlink()
        assert draws() == 1
        (tmp_path / room / ".#new.bin").symlink_to("nothing")
        assert draws() == 0


@pytest.mark.skipif(os.name != "posix", reason="modes of files are those of POSIX")
def test_what_is_drawn_already_needs_no_folder_to_write_into(drawn: Path, tmp_path: Path) -> None:
    """As a user who may write nothing: no word when nothing changed, else one sentence."""
    as_nobody = (
        [] if os.getuid() else ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
    )
    root, into = tmp_path / "project", tmp_path / "project" / "build"
    root.mkdir()
    for room in ("vitattn_core", "figures_src"):
        shutil.copytree(ROOT / room, root / room, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(ROOT / "docs" / "stylesheets", root / "docs" / "stylesheets")
    shutil.copy(ROOT / "requirements-docs.txt", root)
    shutil.copytree(drawn, into)
    for path in sorted(root.rglob("*"), reverse=True):
        path.chmod(0o555 if path.is_dir() else 0o444)
    for path in (root, tmp_path, *(p for p in tmp_path.parents if str(p).count("/") > 1)):
        path.chmod(path.stat().st_mode | 0o555 if path != root else 0o555)
    python = (*as_nobody, sys.executable, "-B")
    # Another user's Python may be another one, and the stamp names it: have it written by theirs.
    ask = "from figures_src import stamp; print(stamp.sources())"
    theirs = run(*python, "-c", ask, cwd=root, PYTHONPATH=str(root))
    told = json.loads((into / stamp.NAME).read_text(encoding="utf-8"))
    (into / stamp.NAME).chmod(0o644)
    told["sources"] = theirs.stdout.strip()
    (into / stamp.NAME).write_text(json.dumps(told), encoding="utf-8")
    (into / stamp.NAME).chmod(0o444)
    command = (*python, "-m", "figures_src")
    nothing = run(*command, cwd=root, PYTHONPATH=str(root), HOME=str(tmp_path))
    assert (nothing.returncode, nothing.stdout) == (0, "figures_src: no change\n"), nothing.stderr
    elsewhere = run(*command, "--into", str(root / "other"), cwd=root, PYTHONPATH=str(root))
    for path in [root, *root.rglob("*")]:
        if path.is_dir():
            path.chmod(0o755)
    assert elsewhere.returncode == 1
    assert elsewhere.stderr.count("\n") == 1
    assert "cannot be written" in elsewhere.stderr and "--into FOLDER" in elsewhere.stderr
