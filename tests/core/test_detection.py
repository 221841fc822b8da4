"""Which check catches which mistake: run here, and read from the page as it was built."""

import re
from html import unescape
from pathlib import Path

import numpy as np
import pytest
import torch

from vitattn_core import MISTAKES, core_with, loops, outcome, outcomes
from vitattn_core.checks import CHECKS, HEADS, PATCH, TOKENS
from vitattn_core.checks import _block as weights_of
from vitattn_core.checks import _image as image_of
from vitattn_core.checks import _keep as keep_of
from vitattn_core.checks import _numbers as numbers_of
from vitattn_core.mistakes import Change
from vitattn_core.torch_reference import self_attention

MARKS = {"●caught": "caught", "○passes": "let through", "–": "not run"}


def table(page: str) -> dict[str, dict[str, str]]:
    """The matrix of the built page: mistake -> check -> outcome, by what its cells say."""
    found = re.search(r'<table class="va-detection".*?</table>', page, re.DOTALL)
    assert found, "the page has no matrix"
    heads = re.findall(r'<th scope="col" data-check="([\w-]+)"', found[0])
    rows = {}
    for id, cells in re.findall(r'<tr data-mistake="([\w-]+)">(.*?)</tr>', found[0], re.DOTALL):
        words = [
            unescape(re.sub(r"<[^>]*>", "", c)).strip() for c in re.findall(r"<td.*?</td>", cells)
        ]
        rows[id] = dict(zip(heads, (MARKS[word] for word in words), strict=True))
    return rows


@pytest.fixture(scope="module")
def built_page(site: Path) -> str:
    return (site / "bug-lab.html").read_text(encoding="utf-8")


def fresh() -> dict[str, dict[str, str]]:
    """The matrix by running every check on every mistake, without the marks and without a cache."""
    return {
        id: {
            name: "let through" if check.holds(core) else "caught" for name, check in CHECKS.items()
        }
        for id, core in ((id, core_with(id)) for id in MISTAKES)
    }


def same(said: dict[str, dict[str, str]], run: dict[str, dict[str, str]]) -> None:
    """A check that never ran the line must have let it through."""
    assert list(said) == list(run)
    for id, line in run.items():
        told = {k: "let through" if v == "not run" else v for k, v in said[id].items()}
        assert told == line, id


def test_the_table_of_the_page_is_what_the_checks_do(built_page: str) -> None:
    said = table(built_page)
    reading = said.pop("reading")
    assert set(reading.values()) == {"not run"}
    assert said == outcomes()
    same(said, fresh())


def test_a_table_that_says_otherwise_is_seen() -> None:
    run = fresh()
    for id, line in run.items():
        for check in line:
            other = {k: dict(v) for k, v in run.items()}
            other[id][check] = "caught" if line[check] == "let through" else "let through"
            with pytest.raises(AssertionError):
                same(other, run)


@pytest.mark.parametrize("id", MISTAKES)
def test_the_strip_under_each_figure_names_the_checks_that_catch_it(
    built_page: str, id: str
) -> None:
    found = re.search(
        rf'id="figure-bug-lab-{id}".*?<p class="va-caught">(.*?)</p>', built_page, re.DOTALL
    )
    assert found
    caught = [CHECKS[check].title for check in CHECKS if outcome(check, id) == "caught"]
    named = re.findall(r"<b>(.*?)</b>", found[1])
    assert named == caught


def test_not_run_means_that_another_line_there_changes_nothing() -> None:
    """Put something in that no run could survive: where it is not run, the check still holds."""
    from vitattn_core.mistakes import core_changed

    quiet = [(c, m) for m in MISTAKES for c in CHECKS if outcome(c, m) == "not run"]
    assert len(quiet) > 5
    for check, id in quiet:
        mistake = MISTAKES[id]
        change = Change(module=mistake.module, right=mistake.right, wrong="raise SystemError")
        assert CHECKS[check].holds(core_changed([change])), (check, id)
    loud = [(c, m) for m in MISTAKES for c in CHECKS if outcome(c, m) == "let through"]
    for check, id in loud[:: len(CHECKS)]:
        mistake = MISTAKES[id]
        change = Change(module=mistake.module, right=mistake.right, wrong="raise SystemError")
        with pytest.raises(SystemError):
            CHECKS[check].holds(core_changed([change]))


# --- the second implementation, held to PyTorch ------------------------------------------------------


def test_the_loops_give_what_pytorch_gives() -> None:
    import vitattn_core as core

    w, keep = weights_of(core), keep_of()
    x = 2 * numbers_of(TOKENS, 6, turn=2.2)
    last, weights = loops.one_block(x, w, list(keep))
    t = torch.from_numpy
    normed = torch.nn.functional.layer_norm(t(x), (6,), eps=1e-6)
    parts = []
    for h in range(HEADS):
        own = slice(3 * h, 3 * h + 3)
        q, k, v = (t(m[:, own]) for m in (w.attention.w_q, w.attention.w_k, w.attention.w_v))
        mask = t(np.broadcast_to(keep, (1, TOKENS, TOKENS)).copy())
        output, a = self_attention(normed[None], q, k, v, mask)
        np.testing.assert_allclose(weights[h], a[0].numpy(), rtol=0, atol=1e-12)
        parts.append(output[0])
    y = t(x) + torch.cat(parts, dim=-1) @ t(w.attention.w_o)
    inside = torch.nn.functional.layer_norm(y, (6,), eps=1e-6) @ t(w.w_1)
    z = y + torch.nn.functional.gelu(inside) @ t(w.w_2)
    np.testing.assert_allclose(last, z.numpy(), rtol=0, atol=1e-12)


def test_the_loops_cut_patches_as_unfold_does() -> None:
    image = torch.from_numpy(image_of())
    theirs = torch.nn.functional.unfold(image[None], PATCH, stride=PATCH)[0].T
    np.testing.assert_array_equal(loops.cut(image_of(), PATCH), theirs.numpy())
