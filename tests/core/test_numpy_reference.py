"""The NumPy code to copy gives what the core gives, and what is published of both files runs alone."""

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from figures_src.publish import markup
from figures_src.publish.code.definitions import definitions
from vitattn_core import AttentionWeights, BlockWeights, block, multi_head_attention
from vitattn_core import numpy_reference as reference

ROOT = Path(__file__).resolve().parents[2]
CORE = ROOT / "vitattn_core"
PAGE = (ROOT / "docs/implementation.md").read_text(encoding="utf-8")
SHOWN = [(found["file"], found["names"].split()) for found in markup.SOURCE.finditer(PAGE)]


def arrays(width: int, ratio: int, seed: int) -> dict[str, np.ndarray]:
    random = np.random.default_rng(seed)
    shapes = dict.fromkeys(("w_q", "w_k", "w_v", "w_o"), (width, width))
    shapes |= {"w_1": (width, ratio * width), "w_2": (ratio * width, width)}
    made = {name: random.standard_normal(shape) for name, shape in shapes.items()}
    return made | {
        name: random.standard_normal(width) for name in ("gain_1", "shift_1", "gain_2", "shift_2")
    }


@pytest.mark.parametrize(("tokens", "width", "heads"), [(5, 12, 3), (3, 4, 1), (7, 6, 6)])
def test_it_gives_what_the_core_gives(tokens, width, heads):
    w = arrays(width, 4, seed=tokens)
    random = np.random.default_rng(1)
    x = random.standard_normal((tokens, width))
    names = ("w_q", "w_k", "w_v", "w_o")
    attention = AttentionWeights(**{name: w[name] for name in names}, heads=heads)
    mask = random.random((tokens, tokens)) > 0.4
    mask[0] = False  # a row that keeps no key
    for keep in (None, mask):
        ours = reference.multi_head_self_attention(
            x, *(w[name] for name in names), heads=heads, mask=keep
        )
        core = multi_head_attention(x, attention, keep)
        np.testing.assert_allclose(ours[0], core["M"], atol=1e-12)
        np.testing.assert_allclose(ours[1], core["A"], atol=1e-12)
    norms = {name: w[name] for name in ("gain_1", "shift_1", "gain_2", "shift_2")}
    mlp = BlockWeights(attention=attention, eps=1e-6, w_1=w["w_1"], w_2=w["w_2"])
    trace = block(x, replace(mlp, **norms))  # type: ignore[arg-type]  # arrays, none of them eps
    np.testing.assert_allclose(reference.block(x, w, heads=heads, eps=1e-6), trace.Z, atol=1e-9)


def test_both_files_are_on_the_page():
    assert {file for file, _ in SHOWN} == {"numpy_reference", "torch_reference"}


@pytest.mark.parametrize(("file", "names"), SHOWN, ids=[file for file, _ in SHOWN])
def test_what_is_published_runs_alone(file, names):
    code = definitions(CORE / f"{file}.py", names)
    alone: dict[str, object] = {"__name__": "copied"}
    exec(compile(code, file, "exec"), alone)
    assert all(name in alone for name in names)
    assert ">>>" not in code and "vitattn_core" not in code
    copied = re.sub(r"\s", "", code)
    original = re.sub(r"\s", "", (CORE / f"{file}.py").read_text(encoding="utf-8"))
    assert copied.split('"""')[-1] in original  # the very lines of the file


def test_a_name_that_is_not_there_is_named():
    with pytest.raises(ValueError, match=r"torch_reference\.py defines no attend: it has self_att"):
        definitions(CORE / "torch_reference.py", ["attend"])
