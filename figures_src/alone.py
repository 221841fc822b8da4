"""The picked row at the stages where it works alone, or where its heads are joined.

`docs/javascripts/row.js` computes the same names in the page.
"""

import math
from typing import TypeAlias

import numpy as np

from vitattn_core import Trace, gelu
from vitattn_core.teaching import CHANNELS, GRID, HEADS, weights

from .shapes import Floats, along_axis, axis_of, axis_values, bar, grid_map, ticks
from .worked import worked
from .written import fixed, operand, plain

Values: TypeAlias = dict[str, str]

REACH = 6.0  # bars of channels: half a cell is 6
NORM_AXIS = 6.0
CENTRE = slice(GRID.patch // 4, GRID.patch - GRID.patch // 4)
MAP_LEVELS = 8  # of the small maps, one path each
WORKING = (0, 1)  # the units of the MLP that are not zero


def alone(trace: Trace, i: int, bug: str = "") -> Values:
    """Return every name of the stages patches, embed, norm, heads, residual and mlp for row i.

    `bug` says how the pass was made, as the player's attribute does.
    """
    base = trace.U if bug == "residual" else trace.X
    out: Values = {
        "token": str(i),
        "token.sum": counted(i),
        "x.token": f"{plain(100 * (i + 0.5) / GRID.tokens, 2)}%",
        "grid.columns": str(GRID.columns),
        **_pixels(trace, i),
        **_norm(trace.X[i], trace.U[i]),
    }
    for name in ("content", "position", "X", "U", "joined", "M", "Y", "Z"):
        for c, number in enumerate(_place(trace, i) if name == "position" else trace[name][i]):
            out[f"{name}.{c}"] = fixed(number, 2)
            out[f"bar.{name}.{c}"] = bar(float(number), REACH)
    rise = axis_of(np.stack([base[i], trace.Y[i]]), REACH)
    for name, rows in (("base", base), ("M", trace.M), ("Y", trace.Y)):
        out |= {f"rise.{name}.{c}": plain(x / rise, 3) for c, x in enumerate(rows[i])}
    out |= {f"base.{c}": fixed(x, 2) for c, x in enumerate(base[i])}
    return {**out, **_maps(trace, i, bug), **_mlp(trace, i), **_lines(trace, i, base[i])}


def counted(i: int) -> str:
    """Return the sequence row, and how it is counted from the patch's place."""
    if i < GRID.prefix:
        return str(i)
    return "{} = {} + {} × {} + {}".format(i, GRID.prefix, GRID.columns, *GRID.place(i))


def _place(trace: Trace, i: int) -> Floats:
    """Return what was added to the row for its place: nothing in a pass without position."""
    return trace.X[i] - trace.content[i]


def _pixels(trace: Trace, i: int) -> Values:
    """Return mean colours of the patch, from 0 to 255; CLS has none."""
    names = ("red", "green", "blue", "centre", "rim")
    if i < GRID.prefix:
        return {f"pixels.{name}": "–" for name in names} | {
            f"bar.pixels.{name}": "0" for name in names
        }
    side = GRID.patch
    patch = (trace.pixels[i - GRID.prefix].reshape(3, side, side) + 1) / 2 * 255
    inside = patch[:, CENTRE, CENTRE]
    rim = (patch.sum() - inside.sum()) / (patch.size - inside.size)
    means = (*patch.mean(axis=(1, 2)), inside.mean(), rim)
    pairs = list(zip(names, (float(mean) for mean in means), strict=True))
    return {f"pixels.{name}": fixed(mean, 1) for name, mean in pairs} | {
        f"bar.pixels.{name}": bar(mean, 255) for name, mean in pairs
    }


def _norm(x: Floats, u: Floats) -> Values:
    reach = NORM_AXIS
    return {
        "norm.mean": fixed(x.mean(), 2),
        "norm.spread": fixed(x.std(), 2),
        "norm.ticks.x": ticks(x),
        "norm.ticks.centred": ticks(x - x.mean()),
        "norm.ticks.u": ticks(u),
        **axis_values("norm", reach),
    }


def _maps(trace: Trace, i: int, bug: str) -> Values:
    """Return a small map of each head's row of weights, one path for each of eight levels."""
    out: Values = {}
    for h in range(len(HEADS)):
        row = trace.A[h, i]
        for level in range(1, MAP_LEVELS + 1):
            out[f"map.{h}.{level}"] = grid_map(row, level, MAP_LEVELS, bug)
        out[f"map.{h}.largest"] = fixed(row.max(), 3)
        out[f"map.{h}.cls"] = fixed(row[0], 3)
    return out


def _mlp(trace: Trace, i: int) -> Values:
    out: Values = {
        "mlp.diff": fixed(trace.W[i, CHANNELS.index("diff")], 2),
        "mlp.out": fixed(trace.W[i, CHANNELS.index("out")], 2),
        "mlp.written": fixed(trace.F[i, CHANNELS.index("out")], 2),
    }
    units = list(WORKING)
    reach = axis_of(trace.H[i, units], 6)
    points = np.linspace(-reach, reach, 97)
    pairs = zip(points, gelu(points), strict=True)
    out["mlp.curve"] = "M" + "L".join(f"{plain(x, 2)} {plain(-y, 2)}" for x, y in pairs)
    out["box.gelu"] = f"{-reach:g} {-reach:g} {2 * reach:g} {reach * 7 / 6:g}"
    for unit in units:
        before, after = float(trace.H[i, unit]), float(trace.G[i, unit])
        out |= {
            f"mlp.before.{unit}": fixed(before, 2),
            f"mlp.after.{unit}": fixed(after, 2),
            f"x.mlp.before.{unit}": along_axis(before, reach),
            f"height.mlp.{unit}": plain(after / reach, 4),
        }
    return out | axis_values("mlp", reach)


def _lines(trace: Trace, i: int, base: Floats) -> Values:
    """Return the arithmetic lines of these stages: one channel each, worked through.

    `base` (D,): the row that M is added to.
    """
    light, diff, last = (CHANNELS.index(name) for name in ("light", "diff", "out"))
    content, x, u = trace.content[i], trace.X[i], trace.U[i]
    w_o = weights().block.attention.w_o
    width = trace.O.shape[-1]
    kind, around = (float(trace.joined[i, h * width :][:3].sum()) for h in (0, 1))
    gain = float(w_o[0, diff])
    place = CHANNELS.index("cos_row")
    steps = {
        "embed": worked([content[place], _place(trace, i)[place]], lambda n: n[0] + n[1], x[place]),
        "norm": worked(
            [x[light], float(x.mean()), float(x.std())], lambda n: (n[0] - n[1]) / n[2], u[light]
        ),
        "heads": worked([kind, around], lambda n: gain * n[0] - gain * n[1], trace.M[i, diff]),
        "residual": worked([base[diff], trace.M[i, diff]], lambda n: n[0] + n[1], trace.Y[i, diff]),
        "mlp": worked(
            [trace.Y[i, last], *(trace.G[i, unit] for unit in WORKING)],
            lambda n: n[0] + n[1] + n[2],
            trace.Z[i, last],
        ),
    }
    out: Values = {"line.heads.gain": fixed(gain, 1)}
    for stage, (inputs, result) in steps.items():
        out[f"line.{stage}.0"] = inputs[0]
        out |= {f"line.{stage}.{n}": operand(text) for n, text in enumerate(inputs[1:], start=1)}
        out[f"line.{stage}"] = result
    return out


def queries(trace: Trace, h: int, i: int) -> Values:
    """Return the line of stage qkv: the first number of q, from the entries of W_Q that are not 0."""
    w_q = weights().block.attention.w_q[:, h * trace.Q.shape[-1]]
    used = np.flatnonzero(w_q)
    inputs, result = worked(
        [float(trace.U[i, c]) for c in used],
        lambda n: math.fsum(a * float(w_q[c]) for a, c in zip(n, used, strict=True)),
        float(trace.Q[h, i, 0]),
    )
    terms = (
        f"{text} × {operand(fixed(float(w_q[c]), 1))} ({CHANNELS[c].replace('_', ' ')})"
        for text, c in zip(inputs, used, strict=True)
    )
    return {"line.qkv.terms": " + ".join(terms), "line.qkv": result}
