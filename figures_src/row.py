"""The picked row as the reader sees it: one state in, every text, path and level of the plates out.

`docs/javascripts/row.js` computes the same names from the same state in the page; a test compares
the two. The plates only bind these names to marks.
"""

import math
from dataclasses import dataclass
from typing import TypeAlias

import numpy as np

from vitattn_core import Trace, softmax
from vitattn_core.reading import effective_keys, entropy
from vitattn_core.teaching import GRID, HEADS, KEY_CHANNELS, VALUE_CHANNELS

from .alone import alone, queries
from .chain import chain
from .photos import NAMED_PATCHES
from .said import EMPTY, said
from .shapes import (
    NOTHING,
    STRIP,
    Arrow,
    Floats,
    Segment,
    along_axis,
    arrows,
    axis_of,
    axis_values,
    band,
    bar,
    crosses,
    curve,
    on_grid,
    order_by_weight,
    segments,
    squares,
    sticks,
    strip,
    ticks,
)
from .tokens import weight_level
from .written import MINUS, fixed, plain, read

Values: TypeAlias = dict[str, str]


@dataclass(frozen=True)
class State:
    """What is picked: photograph, query and key as rows of the sequence, head from 1, colour range.

    `head` 0 is the mean of the heads' weights, a display choice. `scale`, `position`, `mix`, `axis`
    and `bug` say how the pass was made, as the player's attributes do.
    """

    photo: str = "chelsea"
    query: int = GRID.token(5, 4)
    head: int = 1
    key: int | None = None  # None: the strongest key that is not the query itself
    range: str = "fit"
    scale: str = "head"
    position: str = "on"
    mix: str = "v"
    axis: str = "keys"
    bug: str = ""


@dataclass(frozen=True)
class Row:
    """The picked row: texts, paths and places by name, and what is drawn key by key.

    `levels`: paint of each cell; `segments`: of the unit bar, which ends at `bar_end`: at 1, or at
    the row's sum if that is more; `total`: that sum; `arrows`: towards the query.
    """

    query: int
    key: int
    values: Values
    levels: list[int]
    range_end: float
    segments: list[Segment]
    total: float
    bar_end: float
    arrows: list[Arrow]


def place(token: int) -> str:
    """Return "CLS" or "(row,column)"."""
    return "CLS" if token < GRID.prefix else "({},{})".format(*GRID.place(token))


def named(photo: str, token: int) -> str:
    """Return the place, and what is seen there if the photograph's list has a name for it."""
    name = None if token < GRID.prefix else NAMED_PATCHES[photo].get(GRID.place(token))
    return f"{place(token)}, {name}" if name else place(token)


def scrambled(query: int, heads: int, tokens: int) -> str:
    """Return whose outputs row `query` gets where heads are merged by reshape without transpose.

    The outputs lie head by head and row by row; a row takes `heads` of them, one after the other.
    """
    rows: dict[int, list[str]] = {}
    for n in range(heads * query, heads * (query + 1)):
        rows.setdefault(1 + n // tokens, []).append(place(n % tokens))
    return "outputs of " + ", of ".join(f"head {h} at {', '.join(p)}" for h, p in rows.items())


def strongest_other(query: int, weights: Floats) -> int:
    """Return the key that weighs most beside the query itself: the one pointed at by default."""
    return next(token for token in order_by_weight(weights) if token != query)


def row(state: State, trace: Trace, standard: Trace | None = None) -> Row:
    """Return the picked row of a pass, in written form.

    `standard` is the pass with nothing switched, to compare with; None: it is this one.
    """
    weights = trace.A.mean(axis=0) if state.head == 0 else trace.A[state.head - 1]
    a = weights[state.query]
    key = strongest_other(state.query, a) if state.key is None else state.key
    range_end = float((a if state.range == "fit" else weights).max())
    shown = segments(a)
    total = float(a.sum())
    bar_end = total if total > 1 + NOTHING else 1.0
    painted = np.concatenate([a[: GRID.prefix], on_grid(a, state.bug)])
    return Row(
        query=state.query,
        key=key,
        values={
            **_places(state, key, a),
            **_weights(a, state.query, key, range_end, shown),
            **_divisor(state, trace),
            **alone(trace, state.query, state.bug),
            **said(state, scrambled(state.query, len(trace.O), len(a))),
            **({} if a.any() else {"whole": EMPTY}),
            "taken": crosses(np.flatnonzero(np.isneginf(trace.masked[0, state.query])).tolist()),
            "bar.end": "1" if bar_end == 1 else fixed(bar_end, 3),
            "box.strip": f"0 {-STRIP} {plain(bar_end, 4)} {2 * STRIP:g}",
            **_moved(state, standard or trace, trace),
            **(_mean(state, trace, key) if state.head == 0 else _head(state, trace, key)),
        },
        levels=[weight_level(float(weight), range_end) for weight in painted],
        range_end=range_end,
        segments=shown,
        total=total,
        bar_end=bar_end,
        arrows=arrows(state.query, a),
    )


def _moved(state: State, standard: Trace, trace: Trace) -> Values:
    """Return how far the head's output (mean: all heads') and the row that leaves have moved."""
    heads, i = slice(None) if state.head == 0 else state.head - 1, state.query
    return {
        "delta.output": moved(standard.O[heads, i], trace.O[heads, i]),
        "delta.row": moved(standard.Z[i], trace.Z[i]),
    }


def moved(before: Floats, after: Floats) -> str:
    """Return how far numbers have moved, in lengths of the old ones."""
    length, distance = float(np.linalg.norm(before)), float(np.linalg.norm(after - before))
    if length == 0 and distance > 0:
        return "–"
    return fixed(distance / length if distance else 0.0, 3)


def _places(state: State, key: int, a: Floats) -> Values:
    return {
        "query": place(state.query),
        "query.named": named(state.photo, state.query),
        "key": place(key),
        "key.named": named(state.photo, key),
        "key.rank": str(1 + order_by_weight(a).index(key)),
        "weight.largest.key": named(state.photo, order_by_weight(a)[0]),
    }


def _weights(a: Floats, i: int, j: int, range_end: float, shown: list[Segment]) -> Values:
    rest = max(0.0, float(a.sum()) - sum(width for _, _, width in shown))
    return {
        "weight": fixed(a[j], 3),
        "weight.own": fixed(a[i], 3),
        "weight.largest": fixed(a.max(), 3),
        "range.end": fixed(range_end, 3),
        "row.sum": fixed(a.sum(), 3),
        "cls.share": fixed(a[0], 3),
        "entropy": fixed(entropy(a), 2),
        "keys": fixed(effective_keys(a), 1),
        "rest.count": str(GRID.tokens - len(shown)),
        "rest": fixed(rest, 3),
    }


def _divisor(state: State, trace: Trace) -> Values:
    number, name = divisor(state, trace)
    return {"divisor": name, "divisor.value": fixed(number, 0 if number.is_integer() else 2)}


def divisor(state: State, trace: Trace) -> tuple[float, str]:
    """Return what products are divided by, and how that is written."""
    heads, _, width = trace.Q.shape
    under = {"head": width, "model": heads * width, "off": 1}[state.scale]
    return math.sqrt(under), "1" if state.scale == "off" else f"√{under}"


def _head(state: State, trace: Trace, j: int) -> Values:
    """Return what one head shows: q, k and v of the row, its products, scores and mixture."""
    h, i = state.head - 1, state.query
    mixed = (trace.K if state.mix == "k" else trace.V)[h]
    q, k, v, o = trace.Q[h, i], trace.K[h, j], mixed[j], trace.O[h, i]
    P, S, s, a = trace.P[h, i], trace.S[h, i], trace.masked[h, i], trace.A[h, i]
    along = -1 if state.axis == "keys" else -2
    largest = trace.masked[h].max(axis=along, keepdims=True)
    tops = np.broadcast_to(np.where(np.isfinite(largest), largest, 0), trace.S[h].shape)
    totals = np.exp(trace.masked[h] - tops).sum(axis=along, keepdims=True)
    top, total = float(tops[i, j]), float(np.broadcast_to(totals, tops.shape)[i, j])
    exponentials = np.exp(s - tops[i])
    axis, axis_s = axis_of(P, 12), axis_of(np.append(s, top), 6)
    line = chain(
        **{"q": q, "k": k, "value": v, "product": P[j], "score": S[j]},
        taken_out=not np.isfinite(s[j]),
        **{"divisor": divisor(state, trace)[0], "top": top, "total": total, "weight": a[j]},
    )
    kept = s[np.isfinite(s)]
    free = softmax(trace.S[h], axis=along)[i]
    out: Values = {
        **queries(trace, h, i),
        "kept.count": str(len(kept)),
        "taken.count": str(len(s) - len(kept)),
        "kept.largest": fixed(kept.max(), 2) if len(kept) else "–",
        "kept.least": fixed(kept.min(), 2) if len(kept) else "–",
        "taken.share": fixed(free[~np.isfinite(s)].sum(), 3),
        "masked": told(s[j]),
        "masked.own": told(s[i]),
        "ticks.masked": ticks(s),
        "squares.masked.above": squares(np.where(np.isfinite(s), s, 0), 1, axis),
        "squares.masked.below": squares(np.where(np.isfinite(s), s, 0), -1, axis),
        "x.masked": along_axis(s[j], axis),
        "x.masked.own": along_axis(s[i], axis),
        "height.masked": stands(s[j]),
        "height.masked.own": stands(s[i]),
        "products.above": str(int((P > NOTHING).sum())),
        "products.below": str(int((P < -NOTHING).sum())),
        "product.largest": fixed(P.max(), 2),
        "product.largest.key": named(state.photo, order_by_weight(P)[0]),
        "product.least": fixed(P.min(), 2),
        "product.own": fixed(P[i], 2),
        "product": fixed(P[j], 2),
        "score.largest": fixed(S.max(), 2),
        "score.least": fixed(S.min(), 2),
        "scaled.own": fixed(S[i], 2),
        "scaled": fixed(S[j], 2),
        "products.spread": fixed(P.std(), 2),
        "scores.spread": fixed(S.std(), 2),
        "top": fixed(top, 2),
        "total": fixed(total, 2),
        "exponential": fixed(exponentials[j], 3),
        "exponential.own": fixed(exponentials[i], 3),
        "height.exponential": plain(exponentials[j], 4),
        "height.exponential.own": plain(exponentials[i], 4),
        "band.query": band(a, i),
        "band.key": band(a, j),
        "squares.products.above": squares(P, 1, axis),
        "squares.products.below": squares(P, -1, axis),
        "squares.scores.above": squares(S, 1, axis),
        "squares.scores.below": squares(S, -1, axis),
        "ticks.products": ticks(P),
        "ticks.scores": ticks(S),
        "sticks": sticks(s, exponentials),
        "curve": curve(top, axis_s),
        "x.product.own": along_axis(P[i], axis),
        "x.product": along_axis(P[j], axis),
        "x.scaled.own": along_axis(S[i], axis),
        "x.scaled": along_axis(S[j], axis),
        "x.exponential.own": along_axis(s[i], axis_s),
        "x.exponential": along_axis(s[j], axis_s),
        **axis_values("products", axis),
        **axis_values("scores", axis_s),
        "line.product": line.product,
        "line.score": line.score,
        "line.masked": f"{MINUS}∞" if np.isneginf(s[j]) else line.score,
        "line.top": line.top,
        "line.exponential": line.exponential,
        "line.total": line.total,
        "line.weight": line.weight,
    }
    for c in range(len(q)):
        out |= {
            f"channel.{c}": KEY_CHANNELS[h][c],
            f"q.{c}": fixed(q[c], 2),
            f"k.{c}": fixed(k[c], 2),
            f"own.k.{c}": fixed(trace.K[h, i, c], 2),
            f"own.v.{c}": fixed(trace.V[h, i, c], 2),
            f"bar.own.k.{c}": bar(trace.K[h, i, c], 6.6),
            f"bar.own.v.{c}": bar(trace.V[h, i, c], 6.6),
            f"qk.{c}": fixed(q[c] * k[c], 2),
            f"o.{c}": fixed(o[c], 2),
            f"line.q.{c}": line.q[c],
            f"line.k.{c}": line.k[c],
            f"line.av.{c}": line.weighted[c],
            f"bar.q.{c}": bar(q[c], 6.6),
            f"bar.k.{c}": bar(k[c], 6.6),
            f"bar.qk.{c}": bar(q[c] * k[c], 12),
            f"mixed.{c}": KEY_CHANNELS[h][c] if state.mix == "k" else VALUE_CHANNELS[c],
            f"strip.{c}": strip(a, mixed[:, c]),
            f"level.{c}": plain(-o[c], 3),
        }
    return out


def masked(score: float) -> str:
    """Return a score after the mask: −∞ for a key that is taken out."""
    return fixed(score, 2) if math.isfinite(score) else f"{MINUS}∞"


def told(score: float) -> str:
    """Return a score as a label on its axis; −∞ stands nowhere on it, and says so."""
    return masked(score) if math.isfinite(score) else f"{masked(score)}, off the axis"


def stands(score: float) -> str:
    """Return the height of a key's mark on the axis of the mask: none for a key that is out."""
    return "1" if math.isfinite(score) else "0"


def _mean(state: State, trace: Trace, j: int) -> Values:
    """Return the heads side by side: the model forms no mean of them."""
    i = state.query
    axis = axis_of(trace.P[:, i], 12)
    out: Values = {**axis_values("heads", axis), "scaled": "–"}
    for h in range(len(HEADS)):
        P, S, s = trace.P[h, i], trace.S[h, i], trace.masked[h, i]
        out |= {
            f"h{h}.ticks.masked": ticks(s),
            f"h{h}.masked": masked(s[j]),
            f"h{h}.masked.own": masked(s[i]),
            f"x.h{h}.masked": along_axis(s[j], axis),
            f"x.h{h}.masked.own": along_axis(s[i], axis),
            f"height.h{h}.masked": stands(s[j]),
            f"height.h{h}.masked.own": stands(s[i]),
            f"h{h}.ticks.products": ticks(P),
            f"h{h}.ticks.scores": ticks(S),
            f"h{h}.product": fixed(P[j], 2),
            f"h{h}.product.own": fixed(P[i], 2),
            f"h{h}.scaled": fixed(S[j], 2),
            f"h{h}.scaled.own": fixed(S[i], 2),
            f"x.h{h}.product": along_axis(P[j], axis),
            f"x.h{h}.product.own": along_axis(P[i], axis),
            f"x.h{h}.scaled": along_axis(S[j], axis),
            f"x.h{h}.scaled.own": along_axis(S[i], axis),
            f"h{h}.weight": fixed(trace.A[h, i, j], 4),
        }
        for c, number in enumerate(trace.O[h, i]):
            out[f"h{h}.o.{c}"] = fixed(number, 2)
            out[f"bar.h{h}.o.{c}"] = bar(number, 6.6)
            for name, array in (("q", trace.Q), ("k", trace.K), ("v", trace.V)):
                out[f"h{h}.{name}.{c}"] = fixed(array[h, i, c], 2)
                out[f"bar.h{h}.{name}.{c}"] = bar(array[h, i, c], 6.6)
    written = sum(read(out[f"h{h}.weight"]) for h in range(len(HEADS))) / len(HEADS)
    out["mean.weight"] = fixed(written, 4)
    return out
