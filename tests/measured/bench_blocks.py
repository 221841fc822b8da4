"""The blocked pass beside the explicit pass and torch's fused one: result, time, memory, as ratios.

`make bench` prints it; `python -m tests.measured.bench_blocks --record` also writes the ratios,
with the method and the machine, to figures_src/inputs/measurements/blocks.json, from where
docs/cost.md quotes them. A ratio below 1: the blocked pass takes less. Beside them, the two matrix
products of the blocks alone, and the blocked pass over queries so long that the largest score has
to be looked for.
"""

import ctypes
import json
import os
import platform
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from tests.conftest import ROOT
from vitattn_core import Grid, attention, blocked_attention, streaming

RECORD = ROOT / "figures_src" / "inputs" / "measurements" / "blocks.json"
HEADS, HEAD_WIDTH, PATCH = 12, 64, 16
# Side of the image in pixels: turns. The explicit pass is left out of the last: its matrices of all
# heads would take 7.6 GB each.
TURNS = {448: 25, 896: 9, 1792: 3}
LARGEST_EXPLICIT = 896
MORE = ("products", "long")
LONGER = 4
# Where these are set, NumPy's library of products leaves the kernel that it would pick for the processor.
OTHER_KERNEL = ("OPENBLAS_CORETYPE", "OPENBLAS_L2_SIZE")
ONE_THREAD = dict.fromkeys(("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS"), "1")

METHOD = (
    "12 heads of 64 channels, float32, one image, one thread. Time: processor time of the process, "
    "passes in turns after one turn to warm up, the quotient of the medians. Memory: the largest "
    "resident memory of a process of its own for each pass, less what it held before the call, the "
    "outputs included. Products: the time of the two matrix products of each block and nothing else, "
    "over that of the fused pass. Long: the blocked pass with queries four times as long, over the fused "
    "pass."
)

Pass = Callable[[], np.ndarray]


def tokens_of(side: int) -> int:
    return Grid(side, side, PATCH).tokens


def passes(tokens: int) -> dict[str, Pass]:
    """The passes over the same rows, each returning its outputs; `fused` where torch is there."""
    q, k, v = rows_of(tokens)
    found: dict[str, Pass] = {
        "blocks": lambda: blocked_attention(q, k, v),
        "explicit": lambda: attention(q, k, v)[0],
    }
    try:
        import torch
        from torch.nn.functional import scaled_dot_product_attention
    except ImportError:
        return found
    torch.set_num_threads(1)
    rows = [torch.from_numpy(array)[None] for array in (q, k, v)]
    found["fused"] = lambda: scaled_dot_product_attention(*rows)[0].numpy()
    return found


def rows_of(tokens: int) -> list[np.ndarray]:
    """Queries, keys and values of all heads."""
    random = np.random.default_rng(0)
    return [random.standard_normal((HEADS, tokens, HEAD_WIDTH), np.float32) for _ in range(3)]


def products_alone(tokens: int) -> Callable[[], None]:
    """The two matrix products of every block of the blocked pass, and nothing between them."""
    q, k, v = rows_of(tokens)
    room = np.empty(streaming.BLOCK**2, np.float32)
    parts = list(streaming._parts(tokens, streaming.BLOCK))

    def job() -> None:
        for head in range(HEADS):
            for rows in parts:
                for keys in parts:
                    shape = rows.stop - rows.start, keys.stop - keys.start
                    scores = room[: shape[0] * shape[1]].reshape(shape)
                    np.matmul(q[head, rows], k[head, keys].T, out=scores)
                    np.matmul(scores, v[head, keys])

    return job


def times(side: int) -> dict[str, Any]:
    """Median seconds of processor time of each pass, and how far the results lie apart."""
    jobs: dict[str, Callable[[], Any]] = {**passes(tokens_of(side))}
    if side > LARGEST_EXPLICIT:
        del jobs["explicit"]
    spent: dict[str, list[float]] = {name: [] for name in jobs}
    results = {name: job() for name, job in jobs.items()}  # warms up as well
    apart = max(float(np.abs(results["blocks"] - other).max()) for other in results.values())
    del results
    long, *others = rows_of(tokens_of(side))
    long *= LONGER
    more: dict[str, Callable[[], Any]] = {
        "products": products_alone(tokens_of(side)),
        "long": lambda: blocked_attention(long, *others),
    }
    for name, job in more.items():
        job()
        jobs[name], spent[name] = job, []
    for _ in range(TURNS[side]):
        for name, job in jobs.items():
            start = time.process_time()
            job()
            spent[name].append(time.process_time() - start)
    seconds = {name: statistics.median(taken) for name, taken in spent.items()}
    return {"seconds": seconds, "apart": apart, "kernel": kernel()}


def kernel() -> str:
    """The kernel that NumPy's OpenBLAS runs, as it names itself; "unknown" for another library."""
    maps = Path("/proc/self/maps").read_text(encoding="utf-8").split()
    for path in sorted({word for word in maps if "openblas" in word and "numpy" in word}):
        library = ctypes.CDLL(path)
        for name in ("scipy_openblas_get_corename64_", "openblas_get_corename"):
            if hasattr(library, name):
                told = getattr(library, name)
                told.restype = ctypes.c_char_p
                return f"OpenBLAS, {told().decode('ascii')}"
    return "unknown"


def resident() -> tuple[int, int]:
    """Bytes of memory that the process holds, and the most it has held (Linux)."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    kilobytes = {
        line.split(":")[0]: int(line.split()[1])
        for line in status.splitlines()
        if line.startswith(("VmRSS", "VmHWM"))
    }
    return 1024 * kilobytes["VmRSS"], 1024 * kilobytes["VmHWM"]


def memory(side: int, name: str) -> int:
    """Bytes that one pass takes at most, beyond what the process held; in a fresh process."""
    passes(400)[name]()  # what a library sets up once
    job = passes(tokens_of(side))[name]
    # What the first run has left free goes back to the system, or the call would use it uncounted.
    ctypes.CDLL(None).malloc_trim(0)
    Path("/proc/self/clear_refs").write_text("5", encoding="ascii")  # the peak is now what is held
    before, _ = resident()
    job()
    return resident()[1] - before


def in_a_process(*arguments: object) -> Any:
    command = [sys.executable, "-m", "tests.measured.bench_blocks", *map(str, arguments)]
    environment = {**os.environ, **ONE_THREAD}
    for name in OTHER_KERNEL:
        environment.pop(name, None)
    done = subprocess.run(
        command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True
    )
    return json.loads(done.stdout)


def measure() -> dict[str, dict[str, Any]]:
    """For each size: ratios of time and memory, blocked over other, and the largest difference."""
    found = {}
    for side in TURNS:
        taken = in_a_process("times", side)
        seconds = taken["seconds"]
        more = {name: seconds.pop(name) for name in MORE}
        held = {name: in_a_process("memory", side, name) for name in seconds}
        others = [name for name in seconds if name != "blocks"]
        found[str(tokens_of(side))] = {
            "time": {n: round(seconds["blocks"] / seconds[n], 2) for n in others},
            "memory": {n: float(f"{held['blocks'] / held[n]:.2g}") for n in others},
            "megabytes": {n: round(size / 1e6, 1) for n, size in held.items()},
            **{
                name: round(more[name] / seconds["fused"], 2) for name in MORE if "fused" in seconds
            },
            "apart": float(f"{taken['apart']:.1e}"),
            "kernel": taken["kernel"],
        }
    return found


def machine() -> str:
    """The class of the machine: cores, and the processor as it names itself."""
    file = Path("/proc/cpuinfo")
    lines = file.read_text(encoding="utf-8").splitlines() if file.is_file() else []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    name = names[0] if names else platform.processor()
    wide = ", AVX-512" if any("avx512f" in line for line in lines) else ""
    return f"{os.cpu_count()} cores, {platform.machine()}, {name}{wide}"


def versions() -> dict[str, str]:
    import torch

    return {
        "python": platform.python_version(),
        "numpy": np.__version__,
        "torch": torch.__version__,
    }


def lines(found: dict[str, dict[str, Any]]) -> list[str]:
    written = []
    for tokens, row in found.items():
        for other in row["time"]:
            held = row["megabytes"]
            written.append(
                f"N = {int(tokens):,}: blocks / {other}: time {row['time'][other]:.2f}, memory "
                f"{row['memory'][other]:g} ({held['blocks']:,} MB / {held[other]:,} MB), "
                f"results within {row['apart']:.0e}"
            )
        if "fused" in row["time"]:
            written.append(
                f"N = {int(tokens):,}: products alone / fused: {row['products']:.2f}, blocks with long "
                f"queries / fused: {row['long']:.2f} ({row['kernel']})"
            )
    return written


def report() -> list[str]:
    """Return the lines of this part of `make bench`."""
    if not Path("/proc/self/clear_refs").exists():
        return ["attention in blocks: not measured, this system does not tell a process's peak"]
    return [*lines(measure()), METHOD]


def record() -> list[str]:
    """Measure, write the record, return its lines."""
    found = measure()
    kept = {"method": METHOD, "machine": machine(), "versions": versions(), "ratios": found}
    RECORD.write_text(json.dumps(kept, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    return lines(found)


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["times", side]:
            print(json.dumps(times(int(side))))
        case ["memory", side, name]:
            print(json.dumps(memory(int(side), name)))
        case ["--record"]:
            print("\n".join(record()))
        case _:
            print("\n".join(report()))
