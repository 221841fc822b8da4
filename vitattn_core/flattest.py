"""The flattest row of weights that gives an output: one of many rows that the output cannot tell apart.

Source: Brunner et al. 2020, on rows of weights that give the same output; the flattest of them is the
one of largest entropy.
Shapes: N_k keys, d_v channels of a value.
"""

import numpy as np
from numpy.typing import ArrayLike

from .arrays import Array, as_array, as_floats, as_rows

# How far one step of Newton's method may move a score: little at first, and in the end to where values
# that nearly coincide are told apart.
REACH = 30 * 1.3 ** np.arange(100)


def flattest_weights(values: ArrayLike, output: ArrayLike, keep: ArrayLike | None = None) -> Array:
    """Return the most even row of weights (N_k,) on the kept keys that mixes to `output` (d_v,).

    values (N_k, d_v); keep (N_k,) boolean, True = may have weight. The row is a softmax of scores
    that are linear in the values (the maximum of entropy under these conditions), found by Newton's
    method. Raises ValueError where no row of weights on these keys gives the output.

    One output, many rows: all weight on the middle value, half on either end, and, flattest, a third on each.

    >>> values = np.array([[0.0], [1.0], [2.0]])
    >>> [(np.array(row) @ values).item() for row in ([0, 1, 0], [0.5, 0, 0.5])]
    [1.0, 1.0]
    >>> flattest_weights(values, [1.0]).round(9).tolist()
    [0.333333333, 0.333333333, 0.333333333]
    """
    v = as_rows("flattest_weights: values", values).astype(np.float64)
    target = as_floats("flattest_weights: output", output).astype(np.float64)
    if v.ndim != 2 or target.shape != v.shape[1:]:
        raise ValueError(
            f"flattest_weights: got values {v.shape} and output {target.shape}, "
            "takes (N_k, d_v) and (d_v,)"
        )
    kept = np.ones(len(v), dtype=bool) if keep is None else as_array("flattest_weights: keep", keep)
    if kept.dtype != np.bool_ or kept.shape != v.shape[:1]:
        error = TypeError if kept.dtype != np.bool_ else ValueError
        raise error(
            f"flattest_weights: keep: got {kept.dtype} of shape {kept.shape}, "
            f"takes booleans of shape {v.shape[:1]}"
        )
    known = np.append(v[kept].ravel(), target)
    if not np.isfinite(known).all():
        raise ValueError("flattest_weights: got NaN or infinity, takes finite numbers")
    away = v[kept] - target  # the row sought mixes these to 0
    row = _flattest(away / (np.abs(away).max(initial=0) or 1))
    # An output on the edge of what the keys can give may lie a rounding outside.
    single = np.float32 in (as_array("", values).dtype, as_array("", output).dtype)
    rounding = (1e-6 if single else 1e-13) * np.abs(known).max(initial=0)
    if not kept.any() or np.abs(row @ away).max(initial=0) > rounding:
        raise ValueError("flattest_weights: no row of weights on the kept keys gives this output")
    weights = np.zeros(len(v))
    weights[kept] = row
    return weights


def _flattest(away: Array) -> Array:
    """Return the softmax of away · tilt that mixes `away` nearest to 0, by Newton's method.

    Where 0 lies on the edge of the values' hull, the keys off that edge have weight 0 in the limit:
    each step then makes them about e times lighter, and the others settle among themselves. So that
    this goes on until they are far below rounding, the curvature is taken from its square root.
    Where 0 lies outside, if only by a rounding, there is no limit: the best row met is returned.
    """
    tilt = np.zeros(away.shape[1])
    row, height = _tilted(away, tilt)
    best, least = row, np.inf
    for reach in REACH if len(away) else ():
        slope = row @ away
        off = np.abs(slope).max(initial=0)
        if off < least:
            best, least = row, off
        if off <= 1e-14:
            break
        root = np.sqrt(row)[:, None] * (away - slope)  # rootᵀ root is the curvature
        _, sizes, turned = np.linalg.svd(root, full_matrices=False)
        seen = sizes > 1e-13 * sizes.max(initial=0)
        ways = turned[seen]  # each bends by itself, and none may move a score by more than `reach`
        most = reach / np.abs(away @ ways.T).max(axis=0, initial=1e-300)
        step = np.clip(ways @ slope / np.maximum(sizes[seen] ** 2, 1e-290), -most, most) @ ways
        length = 1.0
        while _tilted(away, tilt - length * step)[1] > height + 1e-12 and length > 1e-9:
            length /= 2
        tilt = tilt - length * step
        row, height = _tilted(away, tilt)
    return best


def _tilted(away: Array, tilt: Array) -> tuple[Array, float]:
    """Return softmax(away · tilt) and the logarithm of its sum, which is least at the row sought."""
    scores = away @ tilt
    top = float(scores.max(initial=-np.inf))
    e = np.exp(scores - top)
    total = e.sum()
    return e / max(total, 1.0), top + float(np.log(max(total, 1.0)))
