"""The core's times as ratios, so that they mean the same on any machine; `make bench` prints them.

Each pair is timed in turns in one process on one thread, and the medians are divided. Both sides of
a pair must give the same numbers, or there is nothing to compare.
"""

import math
import statistics
import time
from collections.abc import Callable

import numpy as np

from figures_src.inputs import photographs
from vitattn_core import AttentionWeights, BlockWeights, block, gelu, teaching, teaching_pass

ROUNDS = 9
TOKENS, WIDTH, HEADS = 197, 768, 12  # one block of ViT-B/16 at 224 pixels


def in_turns(ours: Callable[[], object], theirs: Callable[[], object]) -> tuple[float, float]:
    """Median milliseconds of each, called one after the other so that both meet the same machine."""
    times: tuple[list[float], list[float]] = ([], [])
    for turn in range(ROUNDS + 1):
        for call, spent in zip((ours, theirs), times, strict=True):
            start = time.perf_counter()
            call()
            if turn:  # the first call of each only warms up
                spent.append(1000 * (time.perf_counter() - start))
    return statistics.median(times[0]), statistics.median(times[1])


def naive(photograph: np.ndarray) -> np.ndarray:
    """The teaching pass as a few einsums, without a trace, checks or names; returns Z (197, 12)."""
    w = teaching.weights()
    inside, attention = w.block, w.block.attention
    cut = (2 * photograph.astype(float) / 255 - 1).reshape(3, 14, 16, 14, 16)
    pixels = cut.transpose(1, 3, 0, 2, 4)  # grid row, grid column, channel, y, x
    content = np.einsum("np,pd->nd", pixels.reshape(196, -1), w.embedding) + w.bias
    X = np.vstack([w.cls, content]) + w.position

    def norm(rows: np.ndarray) -> np.ndarray:
        centred = rows - rows.mean(axis=1, keepdims=True)
        return centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + inside.eps)

    U = norm(X)
    Q, K, V = (
        np.einsum("nd,dhk->hnk", U, matrix.reshape(12, 3, 4))
        for matrix in (attention.w_q, attention.w_k, attention.w_v)
    )
    S = np.einsum("hik,hjk->hij", Q, K) / 2
    e = np.exp(S - S.max(axis=-1, keepdims=True))
    O = np.einsum("hij,hjk->ihk", e / e.sum(axis=-1, keepdims=True), V)
    Y = X + np.einsum("ij,jd->id", O.reshape(197, 12), attention.w_o)
    G = gelu(np.einsum("nd,du->nu", norm(Y), inside.w_1) + inside.b_1)
    return Y + np.einsum("nu,ud->nd", G, inside.w_2)


def teaching_against_naive() -> str:
    image = photographs.image("chelsea")
    np.testing.assert_allclose(teaching_pass(image).Z, naive(image), rtol=0, atol=1e-12)
    ours, theirs = in_turns(lambda: teaching_pass(image), lambda: naive(image))
    return f"teaching pass / the same as bare einsums: {ours / theirs:.2f} ({ours:.1f} ms / {theirs:.1f} ms)"


def block_against_torch() -> str:
    try:
        import torch
        from torch.nn import functional
    except ImportError:
        return "block / torch with its fused attention: torch is not installed"
    torch.set_num_threads(1)
    random = np.random.default_rng(0)

    def matrix(*shape: int) -> np.ndarray:
        return (random.standard_normal(shape) / math.sqrt(shape[0])).astype(np.float32)

    names = ("w_q", "w_k", "w_v", "w_o")
    attention = AttentionWeights(**{n: matrix(WIDTH, WIDTH) for n in names}, heads=HEADS)
    weights = BlockWeights(
        attention=attention, w_1=matrix(WIDTH, 4 * WIDTH), w_2=matrix(4 * WIDTH, WIDTH), eps=1e-6
    )
    X = random.standard_normal((TOKENS, WIDTH)).astype(np.float32)
    t = {n: torch.from_numpy(getattr(attention, n)) for n in names}
    w_1, w_2, x = (torch.from_numpy(a) for a in (weights.w_1, weights.w_2, X))

    def split(rows: torch.Tensor) -> torch.Tensor:
        return rows.reshape(TOKENS, HEADS, -1).transpose(0, 1)

    @torch.inference_mode()
    def fused() -> torch.Tensor:
        u = functional.layer_norm(x, (WIDTH,), eps=1e-6)
        o = functional.scaled_dot_product_attention(
            split(u @ t["w_q"]), split(u @ t["w_k"]), split(u @ t["w_v"])
        )
        y = x + o.transpose(0, 1).reshape(TOKENS, WIDTH) @ t["w_o"]
        inner = functional.gelu(functional.layer_norm(y, (WIDTH,), eps=1e-6) @ w_1)
        return y + inner @ w_2

    np.testing.assert_allclose(block(X, weights).Z, fused().numpy(), rtol=0, atol=1e-3)
    ours, theirs = in_turns(lambda: block(X, weights), fused)
    return (
        f"block of ViT-B/16, float32 / torch with its fused attention: {ours / theirs:.2f} "
        f"({ours:.0f} ms / {theirs:.0f} ms)"
    )


def report() -> list[str]:
    """Return the lines of the core's part."""
    return [teaching_against_naive(), block_against_torch()]
