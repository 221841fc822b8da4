"""Multi-head attention and a pre-norm block in plain NumPy, to read and to copy.

Source: Vaswani et al. 2017, eq. 1 and section 3.2.2; Dosovitskiy et al. 2020, eq. 2 and 3. The core
computes the same with a name for every step and an error for every wrong input; this file needs
nothing but NumPy. Weights are stored (in, out), so a projection is `x @ w`. Nothing imports it.
"""

import math

import numpy as np


def layer_norm(x: np.ndarray, gain: np.ndarray, shift: np.ndarray, eps: float) -> np.ndarray:
    """Bring each row of x (..., D) to mean 0 and variance 1 (divided by D), then gain and shift (D,).

    >>> layer_norm(np.array([[1.0, 3.0]]), np.ones(2), np.zeros(2), eps=0.0).tolist()
    [[-1.0, 1.0]]
    """
    centred = x - x.mean(axis=-1, keepdims=True)
    variance = (centred**2).mean(axis=-1, keepdims=True)
    return centred / np.sqrt(variance + eps) * gain + shift


def multi_head_self_attention(
    x: np.ndarray,
    w_q: np.ndarray,
    w_k: np.ndarray,
    w_v: np.ndarray,
    w_o: np.ndarray,
    *,
    heads: int,
    mask: np.ndarray | None = None,
) -> tuple[np.ndarray, np.ndarray]:
    """Several heads side by side, joined by w_o; returns the output and every head's weights.

    x (N, D); w_q, w_k, w_v (D, D), head by head, D a multiple of heads; w_o (D, D); mask (N, N),
    True = keep. Returns (N, D) and (heads, N, N); a row that keeps no key gives zeros.

    >>> x, eye = np.eye(2), np.eye(2)
    >>> output, weights = multi_head_self_attention(x, eye, eye, 3 * eye, eye, heads=2)
    >>> weights[0].round(3).tolist()
    [[0.731, 0.269], [0.5, 0.5]]
    """
    tokens = len(x)
    # (N, D) -> (N, heads, d_h) -> (heads, N, d_h): a head gets channels of every row
    q, k, v = ((x @ w).reshape(tokens, heads, -1).swapaxes(0, 1) for w in (w_q, w_k, w_v))
    scores = q @ k.swapaxes(1, 2) / math.sqrt(q.shape[-1])  # (heads, N, N): query, key
    if mask is not None:
        scores = np.where(mask, scores, -np.inf)  # out before the softmax, exactly
    top = scores.max(axis=-1, keepdims=True)
    e = np.exp(scores - np.where(top == -np.inf, 0, top))  # the largest score cancels
    total = e.sum(axis=-1, keepdims=True)
    weights = e / np.where(total == 0, 1, total)  # each row over its keys
    joined = (weights @ v).swapaxes(0, 1).reshape(tokens, -1)  # heads side by side again
    return joined @ w_o, weights


def gelu(x: np.ndarray) -> np.ndarray:
    """The exact GELU, x times the share of a normal distribution below x.

    >>> gelu(np.array([-1.0, 0.0, 1.0])).round(3).tolist()
    [-0.159, 0.0, 0.841]
    """
    return x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))) / 2


def block(x: np.ndarray, w: dict[str, np.ndarray], *, heads: int, eps: float) -> np.ndarray:
    """One pre-norm encoder block on rows x (N, D); w holds its arrays by the names used below.

    >>> none, one, zero = np.zeros((2, 2)), np.ones(2), np.zeros(2)
    >>> arrays = dict.fromkeys(("w_q", "w_k", "w_v", "w_o", "w_1", "w_2"), none)
    >>> arrays |= dict.fromkeys(("gain_1", "gain_2"), one) | dict.fromkeys(("shift_1", "shift_2"), zero)
    >>> block(np.array([[0.0, 2.0]]), arrays, heads=1, eps=1e-6).tolist()
    [[0.0, 2.0]]
    """
    u = layer_norm(x, w["gain_1"], w["shift_1"], eps)
    y = x + multi_head_self_attention(u, w["w_q"], w["w_k"], w["w_v"], w["w_o"], heads=heads)[0]
    normed = layer_norm(y, w["gain_2"], w["shift_2"], eps)  # raw x was added, not u
    return y + gelu(normed @ w["w_1"]) @ w["w_2"]
