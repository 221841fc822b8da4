"""The picked row as the reader sees it: one state in, every text, path and level of the plates out.

`docs/javascripts/row.js` computes the same names from the same state in the page; a test compares
the two. The plates only bind these names to marks.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from vitattn_core import Trace
from vitattn_core.teaching import GRID, HEADS, KEY_CHANNELS, VALUE_CHANNELS

from .chain import chain
from .photos import NAMED_PATCHES
from .tokens import weight_level
from .written import fixed

Values: TypeAlias = dict[str, str]
Arrow: TypeAlias = tuple[str, str, str]  # shaft, head, width
Segment: TypeAlias = tuple[int, float, float]  # sequence row, where it starts, how wide it is

AXES = (6.0, 12.0, 24.0, 48.0, 96.0)  # how far an axis of products or scores may reach
CELL = 16  # units of the photograph's panel: its pixels
CLS_TOP = -18  # CLS is a cell above patch (0,0)
COLLECTED = 0.018  # weights below this stand together at the end of the unit bar
ARROWS = 9
WIDEST = 4.0  # the strongest arrow, in units of the panel
RIM = 9.0  # from the middle of the query's cell to the tip of an arrow


@dataclass(frozen=True)
class State:
    """What is picked: photograph, query and key as rows of the sequence, head from 1, colour range."""

    photo: str = "chelsea"
    query: int = GRID.token(5, 4)
    head: int = 1
    key: int | None = None  # None: the strongest key that is not the query itself
    range: str = "fit"


@dataclass(frozen=True)
class Row:
    """The picked row: texts, paths and places by name, and what is drawn key by key.

    `levels`: paint of each sequence row; `segments`: of the unit bar; `arrows`: towards the query.
    """

    query: int
    key: int
    values: Values
    levels: list[int]
    range_end: float
    segments: list[Segment]
    arrows: list[Arrow]


def place(token: int) -> str:
    """Return "CLS" or "(row,column)"."""
    return "CLS" if token < GRID.prefix else "({},{})".format(*GRID.place(token))


def named(photo: str, token: int) -> str:
    """Return the place, and what is seen there if the photograph's list has a name for it."""
    name = None if token < GRID.prefix else NAMED_PATCHES[photo].get(GRID.place(token))
    return f"{place(token)}, {name}" if name else place(token)


def corner(token: int) -> tuple[int, int]:
    """Return the upper left corner (x, y) of a row's cell in the panel."""
    if token < GRID.prefix:
        return 0, CLS_TOP
    row, column = GRID.place(token)
    return column * CELL, row * CELL


def squares(values: np.ndarray, sign: int, axis: float) -> str:
    """Return one path of a square for each value of this sign; area = size, a full cell at `axis`."""
    marks = []
    for token, value in enumerate(values):
        if not value * sign > 0:
            continue
        side = CELL * min(1.0, math.sqrt(abs(value) / axis))
        x, y = (edge + (CELL - side) / 2 for edge in corner(token))
        marks.append(f"M{x:.1f} {y:.1f}h{side:.1f}v{side:.1f}h{-side:.1f}z")
    return "".join(marks)


def ticks(values: np.ndarray) -> str:
    """Return one path of a tick for each finite value, in the axis's own units."""
    return "".join(f"M{value:.2f} 0v1" for value in values if math.isfinite(value))


def sticks(values: np.ndarray, heights: np.ndarray) -> str:
    """Return one path of a stick for each finite value, as high as told (0 to 1), from the foot up."""
    pairs = zip(values, heights, strict=True)
    return "".join(f"M{v:.2f} 1v{-h:.4f}" for v, h in pairs if math.isfinite(v) and h >= 0.0005)


def curve(top: float, axis: float) -> str:
    """Return e^(s − top) from the left end of the axis to `top`, from the foot up."""
    points = np.linspace(-axis, top, 60)
    return "M" + "L".join(f"{s:.2f} {1 - math.exp(s - top):.4f}" for s in points)


def order(weights: np.ndarray) -> list[int]:
    """Return rows in the order of the unit bar: CLS first, then falling (equal: as in the sequence)."""
    patches = sorted(range(GRID.prefix, GRID.tokens), key=lambda token: (-weights[token], token))
    return [*range(GRID.prefix), *patches]


def segments(weights: np.ndarray) -> list[Segment]:
    """Return the segments of the unit bar that are wide enough to be drawn one by one."""
    ordered = order(weights)
    shown = [t for t in ordered if t < GRID.prefix or weights[t] >= COLLECTED]
    starts = np.concatenate([[0.0], np.cumsum(weights[shown])])
    return [(t, float(x), float(weights[t])) for t, x in zip(shown, starts, strict=False)]


def strip(weights: np.ndarray, values: np.ndarray) -> str:
    """Return a staircase in bar order: each key as wide as its weight and as high as its value."""
    path, x = ["M0 0"], 0.0
    for token in order(weights):
        if weights[token] >= 0.0002:
            path.append(f"V{-values[token]:.3f}H{x + weights[token]:.4f}")
        x += weights[token]
    return "".join(path) + "V0z"


def arrows(query: int, weights: np.ndarray) -> list[Arrow]:
    """Return the arrows from the strongest other keys to the query; width ∝ weight in this row."""
    others = [int(t) for t in np.argsort(-weights, kind="stable") if t != query][:ARROWS]
    largest = float(weights[others[0]])
    widths = (WIDEST * float(weights[t]) / largest if largest > 0 else 0.0 for t in others)
    return [arrow(t, query, width) for t, width in zip(others, widths, strict=True)]


def arrow(key: int, query: int, width: float) -> Arrow:
    """Return a bent shaft from the middle of the key's cell and a head at the rim of the query's."""
    (x0, y0), (x1, y1) = ((x + CELL / 2, y + CELL / 2) for x, y in (corner(key), corner(query)))
    bx, by = (x0 + x1) / 2 + 0.16 * (y1 - y0), (y0 + y1) / 2 - 0.16 * (x1 - x0)
    reach = math.hypot(x1 - bx, y1 - by)
    ux, uy = (x1 - bx) / reach, (y1 - by) / reach  # where the arrow points to, length 1
    tip_x, tip_y = x1 - RIM * ux, y1 - RIM * uy
    long, half = 3 + width, 1.5 + 0.8 * width
    end_x, end_y = tip_x - long * ux, tip_y - long * uy
    shaft = f"M{x0:.1f} {y0:.1f}Q{bx:.1f} {by:.1f} {end_x:.1f} {end_y:.1f}"
    left = f"L{end_x - half * uy:.1f} {end_y + half * ux:.1f}"
    right = f"L{end_x + half * uy:.1f} {end_y - half * ux:.1f}"
    return shaft, f"M{tip_x:.1f} {tip_y:.1f}{left}{right}z", f"{width:.3f}"


def entropy(weights: np.ndarray) -> float:
    """Return −Σ a ln a in nats; weights of 0 add nothing."""
    positive = weights[weights > 0]
    return float(-(positive * np.log(positive)).sum())


def axis_of(values: np.ndarray, least: float) -> float:
    """Return how far the axis reaches: the first of `AXES`, from `least` up, that holds all values."""
    largest = float(np.abs(values[np.isfinite(values)]).max(initial=0))
    return next((axis for axis in AXES if axis >= max(least, largest)), AXES[-1])


def strongest_other(query: int, weights: np.ndarray) -> int:
    """Return the key that weighs most beside the query itself: the one pointed at by default."""
    return next(int(t) for t in np.argsort(-weights, kind="stable") if t != query)


def row(state: State, trace: Trace) -> Row:
    """Return the picked row of one head of a pass, in written form."""
    h, i = state.head - 1, state.query
    q, K, V = trace.Q[h, i], trace.K[h], trace.V[h]
    P, S, s, A = trace.P[h, i], trace.S[h, i], trace.masked[h, i], trace.A[h, i]
    j = strongest_other(i, A) if state.key is None else state.key
    top = float(s.max())
    exponentials = np.exp(s - top)
    total = float(exponentials.sum())
    range_end = float((A if state.range == "fit" else trace.A[h]).max())
    divisor = math.sqrt(len(q))
    axis, axis_s = axis_of(P, 12), axis_of(s, 6)
    largest = int(np.argmax(A))
    written = chain(
        **{"q": q, "k": K[j], "value": V[j], "product": P[j], "score": s[j]},
        **{"divisor": divisor, "top": top, "total": total, "weight": A[j]},
    )
    out: Values = {
        "query": place(i),
        "query.named": named(state.photo, i),
        "key": place(j),
        "key.named": named(state.photo, j),
        "head": f"head {state.head}, {HEADS[h]}",
        "products.above": str(int((P > 0).sum())),
        "products.below": str(int((P < 0).sum())),
        "product.largest": fixed(P.max(), 2),
        "product.largest.key": named(state.photo, int(np.argmax(P))),
        "product.least": fixed(P.min(), 2),
        "product.own": fixed(P[i], 2),
        "product": fixed(P[j], 2),
        "score.largest": fixed(S.max(), 2),
        "score.least": fixed(S.min(), 2),
        "scaled.own": fixed(S[i], 2),
        "scaled": fixed(S[j], 2),
        "divisor": f"√{len(q)}",
        "divisor.value": fixed(divisor, 0),
        "products.spread": fixed(P.std(), 2),
        "scores.spread": fixed(S.std(), 2),
        "weight": fixed(A[j], 3),
        "weight.own": fixed(A[i], 3),
        "weight.largest": fixed(A[largest], 3),
        "weight.largest.key": named(state.photo, largest),
        "range.end": fixed(range_end, 3),
        "row.sum": fixed(A.sum(), 3),
        "cls.share": fixed(A[0], 3),
        "entropy": fixed(entropy(A), 2),
        "keys": fixed(math.exp(entropy(A)), 1),
        "top": fixed(top, 2),
        "total": fixed(total, 2),
        "exponential": fixed(exponentials[j], 3),
        "exponential.own": fixed(exponentials[i], 3),
        "squares.products.above": squares(P, 1, axis),
        "squares.products.below": squares(P, -1, axis),
        "squares.scores.above": squares(S, 1, axis),
        "squares.scores.below": squares(S, -1, axis),
        "ticks.products": ticks(P),
        "ticks.scores": ticks(S),
        "sticks": sticks(s, exponentials),
        "curve": curve(top, axis_s),
        "line.product": written.product,
        "line.score": written.score,
        "line.top": written.top,
        "line.exponential": written.exponential,
        "line.total": written.total,
        "line.weight": written.weight,
    }
    for c in range(len(q)):
        out |= {
            f"channel.{c}": KEY_CHANNELS[h][c],
            f"q.{c}": fixed(q[c], 2),
            f"k.{c}": fixed(K[j, c], 2),
            f"qk.{c}": fixed(q[c] * K[j, c], 2),
            f"o.{c}": fixed(trace.O[h, i, c], 2),
            f"v.{c}": fixed(V[j, c], 2),
            f"line.q.{c}": written.q[c],
            f"line.k.{c}": written.k[c],
            f"line.av.{c}": written.weighted[c],
            f"bar.q.{c}": bar(q[c], 6.6),
            f"bar.k.{c}": bar(K[j, c], 6.6),
            f"bar.qk.{c}": bar(q[c] * K[j, c], 12),
            f"strip.{c}": strip(A, V[:, c]),
            f"level.{c}": f"{-trace.O[h, i, c]:.3f}",
        }
    for name, value, reach in (
        *(("product.own", P[i], axis), ("product", P[j], axis)),
        *(("scaled.own", S[i], axis), ("scaled", S[j], axis)),
        *(("exponential.own", s[i], axis_s), ("exponential", s[j], axis_s)),
    ):
        out[f"x.{name}"] = percent(value, reach)
    for n, part in enumerate((-1.0, -0.5, 0.0, 0.5, 1.0)):
        out[f"axis.products.{n}"] = fixed(part * axis, 0)
        out[f"axis.scores.{n}"] = fixed(part * axis_s, 0)
    out["box.products"] = f"{-axis:g} 0 {2 * axis:g} 1"
    out["box.scores"] = f"{-axis_s:g} 0 {2 * axis_s:g} 1"
    shown = segments(A)
    rest = max(0.0, 1 - sum(width for _, _, width in shown)) if A.sum() > 0 else 0.0
    out["rest.count"] = str(GRID.tokens - len(shown))
    out["rest"] = fixed(rest, 3)
    return Row(
        query=i,
        key=j,
        values=out,
        levels=[weight_level(float(a), range_end) for a in A],
        range_end=range_end,
        segments=shown,
        arrows=arrows(i, A),
    )


def bar(value: float, reach: float) -> str:
    """Return a signed bar's length: −1 to 1 of the half cell it may fill."""
    return f"{max(-1.0, min(1.0, value / reach)):.3f}"


def percent(value: float, reach: float) -> str:
    """Return where a value stands on an axis from −reach to reach."""
    if not math.isfinite(value):
        return "0%"
    return f"{50 + 50 * value / reach:.2f}%"
