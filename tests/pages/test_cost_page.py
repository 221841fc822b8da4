"""The page on cost: every count it prints, by products with shapes; every ratio, from the record."""

import json
import re

import pytest

from figures_src.inputs import measurements
from figures_src.inputs.models import MODELS
from figures_src.pages.cost.facts import entries
from tests.conftest import ROOT
from tests.core.test_cost import Counting, counted_block
from tests.measured import bench_blocks
from vitattn_core import streaming

PAGE = (ROOT / "docs" / "cost.md").read_text(encoding="utf-8")
QUOTED = dict(re.findall(r"\{\{ (cost\.[\w.]+) = ([^}]+?) \}\}", PAGE))


class Shape:
    """A matrix that is only its shape, for products at the models' real sizes."""

    def __init__(self, *shape):
        self.shape = shape

    @property
    def T(self):
        return Shape(*self.shape[::-1])


class ByShape:
    """A matrix product that multiplies nothing: n·k·m for (n, k) @ (k, m)."""

    def __init__(self):
        self.macs = 0

    def __call__(self, a, b):
        assert a.shape[1] == b.shape[0]
        self.macs += a.shape[0] * a.shape[1] * b.shape[1]
        return Shape(a.shape[0], b.shape[1])

    def take(self):
        macs, self.macs = self.macs, 0
        return macs


def block_by_shape(tokens, heads, head_width, ratio=4):
    """One block head by head, as `counted_block` does it with numbers."""
    matmul, width, terms = ByShape(), heads * head_width, {}
    x = Shape(tokens, width)
    qkv = [[matmul(x, Shape(width, head_width)) for _ in range(3)] for _ in range(heads)]
    terms["qkv"] = matmul.take()
    scores = [matmul(q, k.T) for q, k, _ in qkv]
    terms["scores"] = matmul.take()
    for s, (_, _, v) in zip(scores, qkv, strict=True):
        assert matmul(s, v).shape == (tokens, head_width)
    terms["mix"] = matmul.take()
    y = matmul(x, Shape(width, width))
    terms["output"] = matmul.take()
    matmul(matmul(y, Shape(width, ratio * width)), Shape(ratio * width, width))
    terms["mlp"] = matmul.take()
    return terms, sum(s.shape[0] * s.shape[1] for s in scores)


@pytest.mark.parametrize("sizes", [(1, 1, 1, 1), (5, 2, 3, 4), (4, 3, 2, 2), (6, 1, 4, 3)])
def test_counting_by_shape_is_counting_by_multiplying(sizes):
    assert block_by_shape(*sizes) == counted_block(*sizes)


def test_the_product_by_shape_counts_what_is_multiplied():
    import numpy as np

    by_hand, by_shape = Counting(), ByShape()
    by_hand(np.ones((2, 3)), np.ones((3, 4)))
    by_shape(Shape(2, 3), Shape(3, 4))
    assert by_hand.take() == by_shape.take() == 24


def number(text):
    return float(text.replace(",", "").removesuffix("%"))


@pytest.mark.parametrize("which", [0, 1], ids=["low", "high"])
@pytest.mark.parametrize("key", MODELS)
def test_a_line_of_the_ledger_is_counted(key, which):
    model = MODELS[key]
    side = model.sides[which]
    patches = (side // model.patch) ** 2
    tokens = patches + 1
    terms, slots = block_by_shape(tokens, model.heads, model.width // model.heads)
    block, pair = sum(terms.values()), terms["scores"] + terms["mix"]
    embedding = patches * 3 * model.patch**2 * model.width
    expected = {
        "side": side,
        "tokens": tokens,
        "projections": terms["qkv"] + terms["output"],
        "pair": pair,
        "mlp": terms["mlp"],
        "slots": slots,
        "model": embedding + model.depth * block + 1000 * model.width,
    }
    place = f"cost.{key}.{('low', 'high')[which]}"
    for name, value in expected.items():
        assert QUOTED[f"{place}.{name}"] == f"{value:,}", name
    assert QUOTED[f"{place}.share"] == f"{100 * pair / block:.1f}%"


@pytest.mark.parametrize("key", MODELS)
def test_a_line_of_the_crossovers_is_counted(key):
    model = MODELS[key]

    def terms(tokens):
        return block_by_shape(tokens, model.heads, model.width // model.heads)[0]

    for name, others in (
        ("projections", ("qkv", "output")),
        ("rest", ("qkv", "output", "mlp")),
    ):
        place = f"cost.{key}.even_{name}"
        for which, reached in (("below", False), ("above", True)):
            side = int(number(QUOTED[f"{place}.{which}"]))
            assert side % model.patch == 0
            counts = terms((side // model.patch) ** 2 + 1)
            pair = counts["scores"] + counts["mix"]
            assert (pair >= sum(counts[other] for other in others)) is reached
        at = terms(int(number(QUOTED[place])))
        assert at["scores"] + at["mix"] == sum(at[other] for other in others)


def test_the_counts_of_the_counter_are_counted():
    terms, _ = block_by_shape(64, 12, 64)
    pair = terms["scores"] + terms["mix"]
    projections = terms["qkv"] + terms["output"]
    assert number(QUOTED["cost.counter.pair_macs"]) == pair
    assert number(QUOTED["cost.counter.pair"]) == 2 * pair
    assert number(QUOTED["cost.counter.projections"]) == 2 * projections
    assert number(QUOTED["cost.counter.both"]) == 2 * (projections + pair)


def test_each_number_of_the_page_is_on_it():
    assert {fact.key for fact in entries()} <= set(QUOTED)


# --- what was measured -------------------------------------------------------------------------------


def test_the_ratios_of_the_page_are_those_of_the_record():
    """Read from both files, past the facts: two digits of each ratio, and none left out."""
    record = json.loads(bench_blocks.RECORD.read_text(encoding="utf-8"))
    origins = {fact.key: fact.origin for fact in entries()}
    seen = 0
    for tokens, row in record["ratios"].items():
        for what in ("time", "memory"):
            for other, ratio in row[what].items():
                quoted = QUOTED[f"cost.measured.{tokens}.{what}.{other}"]
                assert float(quoted) == pytest.approx(ratio, rel=0.005)
                assert origins[f"cost.measured.{tokens}.{what}.{other}"] == "measured"
                seen += 1
        for name in bench_blocks.MORE:
            assert float(QUOTED[f"cost.measured.{tokens}.{name}"]) == row[name]
            seen += 1
    assert seen == sum(key.startswith("cost.measured.") for key in QUOTED) == 16


def test_the_record_is_whole():
    record = measurements.record()
    assert record["method"] == bench_blocks.METHOD
    assert set(record) == {"method", "machine", "versions", "ratios"}
    sizes = {str(bench_blocks.tokens_of(side)) for side in bench_blocks.TURNS}
    assert set(record["ratios"]) == sizes == {"785", "3137", "12545"}
    for tokens, row in record["ratios"].items():
        others = {"fused"} if tokens == "12545" else {"explicit", "fused"}
        assert set(row["time"]) == set(row["memory"]) == others
        assert set(row) == {"time", "memory", "megabytes", "apart", "kernel", *bench_blocks.MORE}
        assert row["apart"] < 1e-5  # the passes gave the same outputs
        for other, ratio in row["memory"].items():
            assert ratio == pytest.approx(
                row["megabytes"]["blocks"] / row["megabytes"][other], rel=0.05
            )
        assert row["megabytes"]["blocks"] < 2000  # the limit for the longest sequence


def test_what_the_page_says_about_the_ratios_holds():
    """Below 1 beside the explicit pass; memory about that of the fused one; its time not reached."""
    for tokens, row in measurements.ratios().items():
        if tokens != "12545":
            assert row["time"]["explicit"] < 1 and row["memory"]["explicit"] < 0.1
        assert 0.5 < row["memory"]["fused"] < 1.5
        assert 1 < row["time"]["fused"] <= row["long"] * 1.05
        assert row["products"] > 0.6 * row["time"]["fused"]  # "mostly"
        assert 0.85 < row["products"] < row["time"]["fused"]  # "would hardly be faster"
        kernel = row["kernel"].removeprefix("OpenBLAS, ")
        assert f"OpenBLAS with its kernel {kernel}" in PAGE
    assert "two Intel cores" in PAGE and measurements.record()["machine"].startswith("2 cores")
    assert "Intel" in measurements.record()["machine"]
    versions = measurements.record()["versions"]
    assert f"NumPy {versions['numpy'][:3]}" in PAGE and f"PyTorch {versions['torch'][:4]}" in PAGE


@pytest.mark.parametrize("side", bench_blocks.TURNS)
def test_the_measured_rows_are_short_and_the_long_ones_are_not(side):
    q, k, _ = bench_blocks.rows_of(bench_blocks.tokens_of(side))
    for head in range(bench_blocks.HEADS):
        longest_key = streaming._longest(k[head]) / bench_blocks.HEAD_WIDTH**0.5
        assert streaming._longest(q[head]) * longest_key <= streaming.SLACK
        for rows in streaming._parts(len(q[head]), streaming.BLOCK):
            longest = bench_blocks.LONGER * streaming._longest(q[head][rows])
            assert longest * longest_key > streaming.SLACK


def test_the_bench_prints_what_is_recorded():
    record = measurements.record()
    printed = "\n".join(bench_blocks.lines(record["ratios"]))
    for tokens, row in record["ratios"].items():
        for other in row["time"]:
            said = f"time {row['time'][other]:.2f}, memory {row['memory'][other]:g}"
            assert f"N = {int(tokens):,}: blocks / {other}: {said}" in printed
        assert f"N = {int(tokens):,}: products alone / fused: {row['products']:.2f}" in printed
        assert row["kernel"] in printed


def test_the_bench_lets_the_library_choose_its_kernel(monkeypatch):
    """Both variables are taken from the children together; all else is handed on."""
    seen = {}

    def run(command, *, env, **options):
        seen.update(env)
        return type("Done", (), {"stdout": "1"})

    for name in bench_blocks.OTHER_KERNEL:
        monkeypatch.setenv(name, "Haswell")
    monkeypatch.setattr(bench_blocks.subprocess, "run", run)
    assert bench_blocks.in_a_process("times", 448) == 1
    assert not set(bench_blocks.OTHER_KERNEL) & set(seen)
    assert seen["OPENBLAS_NUM_THREADS"] == "1" and "PATH" in seen
