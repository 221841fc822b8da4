"""What a picked row has to say, from NumPy and the core's trace alone: a number or words for each name.

Nothing here is read from the page's scripts, nor from what draws with them. A text is checked
against a number and its digits, a path against the numbers in it.
"""

import math
import re
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from figures_src.inputs import photographs
from figures_src.player import switch_words
from figures_src.player.row import State
from tests.player.pictures import Picture
from vitattn_core import Trace, gelu, softmax
from vitattn_core.teaching import CHANNELS, HEADS, KEY_CHANNELS, VALUE_CHANNELS

MINUS = "\u2212"
CELL, CLS_TOP, ARM = (
    16,
    -18,
    4,
)  # the photograph's panel, in its pixels; a cross ends 4 inside a cell
TIE = 1e-9  # this near to the middle between two texts, either may be written
SAME = 1e-12  # weights this near to each other are equal, and stand as in the sequence


@dataclass(frozen=True)
class Num:
    """A number with `digits` decimals, and what stands after it; a reader sees a true minus."""

    value: float
    digits: int
    unit: str = ""
    mark: bool = False  # for a mark: an ASCII minus

    def fault(self, text: str) -> str | None:
        body = text.removesuffix(self.unit)
        if not re.fullmatch(rf"{'-' if self.mark else MINUS}?\d+(\.\d+)?", body):
            return f"{text!r} is no number as it should be written"
        if len(body.partition(".")[2]) != self.digits or not text.endswith(self.unit):
            return f"{text!r} takes {self.digits} decimals and {self.unit!r}"
        number = float(body.replace(MINUS, "-"))
        if number == 0 and body[0] in (MINUS, "-"):
            return f"{text!r} has a minus before zero"
        off = abs(number - self.value)
        return None if off <= 0.5 * 10.0**-self.digits + TIE else f"{text!r} is {self.value!r}"


@dataclass(frozen=True)
class Digits:
    """A number with `digits` decimals or more: as many as its sum or quotient needs to hold."""

    value: float
    digits: int = 2

    def fault(self, text: str) -> str | None:
        shown = len(text.partition(".")[2])
        if shown < self.digits:
            return f"{text!r} takes {self.digits} decimals or more"
        return Num(self.value, shown).fault(text)


@dataclass(frozen=True)
class Counted:
    """A number with some digits that count, at least `digits`; tiny ones as 4.2·10⁻⁸."""

    value: float
    digits: int = 2

    def fault(self, text: str) -> str | None:
        if text == "0":
            return None if self.value == 0 else f"{text!r} is {self.value!r}"
        body, _, raised = text.partition("·10⁻")
        power = -int("".join(str("⁰¹²³⁴⁵⁶⁷⁸⁹".index(d)) for d in raised)) if raised else 0
        if len(re.sub(r"\D", "", body).lstrip("0")) < self.digits:
            return f"{text!r} takes {self.digits} digits that count"
        unit = 10.0 ** (power - len(body.partition(".")[2]))
        off = abs(float(body.replace(MINUS, "-")) * 10.0**power - self.value)
        return None if off <= 0.5 * unit * (1 + 1e-6) else f"{text!r} is {self.value!r}"


def weight_text(value: float) -> "Truth":
    """A weight: three decimals, or two digits that count where three decimals say next to nothing."""
    return Num(value, 3) if value >= 0.01 else Counted(value)


def total_text(value: float) -> "Truth":
    """A sum of exponentials: two decimals, or as a weight where it is less than 1."""
    return Num(value, 2) if value >= 1 else weight_text(value)


@dataclass(frozen=True)
class Words:
    """These words, to the letter."""

    value: str

    def fault(self, text: str) -> str | None:
        return None if text == self.value else f"{text!r} is {self.value!r}"


@dataclass(frozen=True)
class Path:
    """A path: letters, and after each its numbers, rounded to so many decimals, in turn."""

    steps: list[tuple[str, list[float]]]
    digits: dict[str, tuple[int, ...]] = field(default_factory=dict)

    def fault(self, text: str) -> str | None:
        found = [
            (letter, numbers(after))
            for letter, after in re.findall(r"([a-zA-Z])([^a-zA-Z]*)", text)
        ]
        if [letter for letter, _ in found] != [letter for letter, _ in self.steps]:
            return f"{len(found)} steps {text[:60]!r}… are {len(self.steps)}: {self.steps[:3]}…"
        for (letter, ours), (_, truth) in zip(found, self.steps, strict=True):
            digits = (*self.digits.get(letter, ()), 9, 9)
            if len(ours) != len(truth) or any(
                abs(a - b) > 0.5 * 10.0**-n + TIE
                for a, b, n in zip(ours, truth, digits, strict=False)
            ):
                return f"{letter}{ours} is {letter}{truth}"
        return None


@dataclass(frozen=True)
class Box:
    """Numbers between spaces."""

    value: tuple[float, ...]

    def fault(self, text: str) -> str | None:
        ours = [float(number) for number in text.split(" ")]
        same = len(ours) == len(self.value) and np.allclose(ours, self.value, rtol=0, atol=6e-5)
        return None if same else f"{text!r} is {self.value}"


Truth = Num | Digits | Counted | Words | Path | Box | Picture
Truths = dict[str, Truth]


def numbers(text: str) -> list[float]:
    return [float(number) for number in re.findall(r"-?\d+(?:\.\d+)?", text)]


# Places and order ----------------------------------------------------------------------------------


def place(token: int) -> str:
    return "CLS" if token == 0 else f"({(token - 1) // 14},{(token - 1) % 14})"


def named(photo: str, token: int) -> str:
    if token == 0:
        return "CLS"
    name = photographs.NAMED_PATCHES[photo].get(((token - 1) // 14, (token - 1) % 14))
    return place(token) + (f", {name}" if name else "")


def corner(token: int) -> tuple[int, int]:
    return (0, CLS_TOP) if token == 0 else (16 * ((token - 1) % 14), 16 * ((token - 1) // 14))


def ranked(weights: np.ndarray) -> list[int]:
    """Rows by weight, the largest first; equal ones but for rounding as in the sequence."""
    return sorted(range(len(weights)), key=lambda t: (-round(float(weights[t]) / SAME), t))


def row_of(state: State, trace: Trace) -> np.ndarray:
    heads = trace.A if state.head == 0 else trace.A[[state.head - 1]]
    return np.mean(heads[:, state.query], axis=0)


def entropy(weights: np.ndarray) -> float:
    if not weights.any():
        return 0.0
    shares = weights / weights.sum()
    return -sum(p * math.log(p) for p in shares.tolist() if p > 0)


def is_whole(weights: np.ndarray) -> bool:
    """Whether a row sums to 1: only then are its weights shares, whose spread has an entropy."""
    return abs(float(weights.sum()) - 1) <= 1e-9


def reach(values: ArrayLike, least: float) -> float:
    """The first of five axes, from `least` up, that holds all finite values."""
    array = np.asarray(values, dtype=float)
    most = max([least, *np.abs(array[np.isfinite(array)]).ravel().tolist()])
    return next((axis for axis in (6, 12, 24, 48, 96) if axis >= most), 96)


def bar(value: float, full: float) -> Num:
    return Num(float(np.clip(value / full, -1, 1)), 3, mark=True)


def along(value: float, full: float) -> Truth:
    return Num(50 + 50 * value / full, 2, "%", mark=True) if math.isfinite(value) else Words("0%")


def axis(name: str, full: float) -> Truths:
    labels = {f"axis.{name}.{n}": Num(full * (n - 2) / 2, 0) for n in range(5)}
    return {f"box.{name}": Box((-full, 0, 2 * full, 1)), **labels}


def ticks(values: ArrayLike) -> Path:
    kept = [v for v in np.asarray(values, dtype=float).tolist() if math.isfinite(v)]
    return Path([step for v in kept for step in (("M", [v, 0.0]), ("v", [1.0]))], {"M": (2,)})


def squares(values: ArrayLike, sign: int, full: float) -> Path:
    steps: list[tuple[str, list[float]]] = []
    for token, value in enumerate(np.asarray(values, dtype=float).tolist()):
        if value * sign > 1e-9:
            side = CELL * min(1, math.sqrt(abs(value) / full))
            x, y = corner(token)
            at = [x + (CELL - side) / 2, y + (CELL - side) / 2]
            steps += [("M", at), ("h", [side]), ("v", [side]), ("h", [-side]), ("z", [])]
    return Path(steps, {"M": (1, 1), "h": (1,), "v": (1,)})


def crosses(tokens: list[int]) -> Path:
    steps: list[tuple[str, list[float]]] = []
    for token in tokens:
        x, y = corner(token)
        steps += [("M", [x + ARM, y + ARM]), ("l", [8, 8]), ("m", [0, -8]), ("l", [-8, 8])]
    return Path(steps)


def four(name: str, values: ArrayLike, full: float = 6.6, *, at_least: bool = False) -> Truths:
    """Numbers side by side, each with its bar."""
    found: Truths = {}
    for c, x in enumerate(np.asarray(values, dtype=float).tolist()):
        text: Truth = Digits(x) if at_least else Num(x, 2)
        found |= {f"{name}.{c}": text, f"bar.{name}.{c}": bar(x, full)}
    return found


# The row -------------------------------------------------------------------------------------------


def truths(state: State, trace: Trace, standard: Trace) -> Truths:
    """Every name of a row but those of the arithmetic lines, which add up (`test_row_lines.py`)."""
    a, i = row_of(state, trace), state.query
    order = ranked(a)
    key = state.key if state.key is not None else next(t for t in order if t != i)
    of_head = _mean(state, trace, key) if state.head == 0 else _head(state, trace, key, a)
    taken = np.flatnonzero(np.isneginf(trace.masked[0, i])).tolist()
    return {
        "query": Words(place(i)),
        "query.named": Words(named(state.photo, i)),
        "key": Words(place(key)),
        "key.named": Words(named(state.photo, key)),
        "key.rank": Words(str(1 + order.index(key))),
        "taken": crosses(taken),
        **_weights(state, trace, a, key),
        **_divisor(state),
        **_moved(state, trace, standard),
        **_words(state),
        **_alone(state, trace),
        **of_head,
    }


def drawn(weights: np.ndarray) -> list[int]:
    """The keys that the unit bar draws one by one: CLS, then the patches from 0.018 up, falling."""
    return [0, *(t for t in ranked(weights) if t > 0 and weights[t] >= 0.018)]


def bar_end(weights: np.ndarray) -> float:
    total = float(weights.sum())
    return total if total > 1 + 1e-9 else 1.0


def range_end(state: State, trace: Trace) -> float:
    if state.range == "fit":
        return float(row_of(state, trace).max())
    return float((trace.A.mean(axis=0) if state.head == 0 else trace.A[state.head - 1]).max())


def _weights(state: State, trace: Trace, a: np.ndarray, key: int) -> Truths:
    parts, end = drawn(a), bar_end(a)
    return {
        "weight": weight_text(a[key]),
        "weight.own": weight_text(a[state.query]),
        "weight.largest": weight_text(a.max()),
        "range.end": weight_text(range_end(state, trace)),
        "row.sum": Num(a.sum(), 3),
        "cls.share": weight_text(a[0]),
        "entropy": Num(entropy(a), 2) if is_whole(a) else Words("–"),
        "keys": Num(math.exp(entropy(a)), 1) if is_whole(a) else Words("–"),
        "rest.count": Words(str(197 - len(parts))),
        "rest": Num(np.delete(a, parts).sum(), 3),
        "bar.end": Words("1") if end == 1 else Num(end, 3),
        "box.strip": Box((0, -4.5, end, 9)),
    }


def _zero_products(P: np.ndarray) -> str:
    count = int((np.abs(P) <= 1e-9).sum())
    verb = "is" if count == 1 else "are"
    return f", {count} {verb} zero (no square)" if count else ""


def _divisor(state: State) -> Truths:
    under = {"head": 4, "model": 12, "off": 1}[state.scale]
    words = "1" if state.scale == "off" else f"√{under}"
    digits = 3 if state.scale == "model" else 0
    return {"divisor": Words(words), "divisor.value": Num(math.sqrt(under), digits)}


def _moved(state: State, trace: Trace, standard: Trace) -> Truths:
    def share(before: np.ndarray, after: np.ndarray) -> Truth:
        length, way = np.linalg.norm(before), np.linalg.norm(after - before)
        if length == 0 and way > 0:
            return Words("–")
        return Num(float(way / length) if way else 0.0, 3)

    heads = slice(None) if state.head == 0 else slice(state.head - 1, state.head)
    outputs = [pass_.O[heads, state.query].ravel() for pass_ in (standard, trace)]
    rows = [pass_.Z[state.query] for pass_ in (standard, trace)]
    return {"delta.output": share(*outputs), "delta.row": share(*rows)}


def _words(state: State) -> Truths:
    """What the joined numbers are; all other words are held by test_true_sentences.py."""
    merge = state.bug == "merge"
    told: Truths = {
        "joined.of": Words(f"outputs of {merged(state.query)}" if merge else switch_words.JOINED)
    }
    addresses = np.arange(3 * 197 * 4).reshape(197, 12)[state.query] if merge else None
    for n in range(12):
        head = n // 4 if addresses is None else int(addresses[n]) // (197 * 4)
        name = KEY_CHANNELS[head][n % 4] if state.mix == "k" else VALUE_CHANNELS[n % 4]
        told[f"joined.name.{n}"] = Words(name + ("" if merge else "¹²³"[head]))
    return told


def merged(query: int) -> str:
    """Whose outputs a reshape without transpose puts into a row, by reshaping their addresses."""
    addresses = np.arange(3 * 197).reshape(197, 3)[query]
    heads: dict[int, list[str]] = {}
    for address in addresses.tolist():
        heads.setdefault(1 + address // 197, []).append(place(address % 197))
    return ", of ".join(f"head {head} at {', '.join(places)}" for head, places in heads.items())


def _alone(state: State, trace: Trace) -> Truths:
    i, x = state.query, trace.X[state.query]
    base = (trace.U if state.bug == "residual" else trace.X)[i]
    rise = reach([base, trace.Y[i]], 6)
    found: Truths = {
        "token": Words(str(i)),
        "token.sum": Words(f"{i} = 1 + 14 × {(i - 1) // 14} + {(i - 1) % 14}" if i else "0"),
        "x.token": Num(100 * (i + 0.5) / 197, 2, "%", mark=True),
        "grid.columns": Words("14"),
        **_pixels(trace, i),
        "norm.mean": Digits(x.mean()),
        "norm.spread": Digits(x.std()),
        "norm.ticks.x": ticks(x),
        "norm.ticks.centred": ticks(x - x.mean()),
        "norm.ticks.u": ticks(trace.U[i]),
        **axis("norm", 6),
        **four("position", x - trace.content[i], 6, at_least=True),
        **_mlp(trace, i),
    }
    for name in ("content", "X", "U", "joined", "M", "Y", "Z"):
        found |= four(name, trace[name][i], 6, at_least=name == "content")
    for name, values in (("base", base), ("M", trace.M[i]), ("Y", trace.Y[i])):
        found |= {f"rise.{name}.{c}": Num(v / rise, 3, mark=True) for c, v in enumerate(values)}
    found |= {f"base.{c}": Digits(v) for c, v in enumerate(base)}
    found |= {f"added.{c}": Digits(v) for c, v in enumerate(trace.M[i])}
    for h in range(len(HEADS)):
        weights = trace.A[h, i]
        painted = weights[:196] if state.bug == "offset" else weights[1:]
        found[f"map.{h}"] = Picture(painted, float(weights.max()))
        found |= {f"map.{h}.largest": weight_text(weights.max())}
        found |= {f"map.{h}.cls": weight_text(weights[0])}
    return found


def _pixels(trace: Trace, i: int) -> Truths:
    names = ("red", "green", "blue", "centre", "rim")
    found: Truths = {}
    if i == 0:
        for name in names:
            found |= {f"pixels.{name}": Words("–"), f"bar.pixels.{name}": Words("0")}
        return found
    patch = (trace.pixels[i - 1].reshape(3, 16, 16) + 1) * 127.5
    middle = np.zeros((16, 16), dtype=bool)
    middle[4:12, 4:12] = True
    means = [*patch.mean(axis=(1, 2)), patch[:, middle].mean(), patch[:, ~middle].mean()]
    for name, mean in zip(names, map(float, means), strict=True):
        found |= {f"pixels.{name}": Num(mean, 1), f"bar.pixels.{name}": bar(mean, 255)}
    return found


def _mlp(trace: Trace, i: int) -> Truths:
    diff, out = CHANNELS.index("diff"), CHANNELS.index("out")
    units = (0, 1)
    full = reach(trace.H[i, units], 6)
    x = np.linspace(-full, full, 97)
    points = np.column_stack([x, -gelu(x)]).tolist()
    found: Truths = {
        "mlp.diff": Digits(trace.W[i, diff]),
        "mlp.out": Digits(trace.W[i, out]),
        "mlp.written": Num(trace.F[i, out], 2),
        "mlp.curve": Path(
            [("M" if n == 0 else "L", p) for n, p in enumerate(points)], {"M": (2, 2), "L": (2, 2)}
        ),
        "box.gelu": Box((-full, -full, 2 * full, full * 7 / 6)),
        **axis("mlp", full),
    }
    for unit in units:
        before, after = float(trace.H[i, unit]), float(trace.G[i, unit])
        found |= {
            f"mlp.before.{unit}": Num(before, 2),
            f"mlp.after.{unit}": Digits(after),
            f"x.mlp.before.{unit}": along(before, full),
            f"height.mlp.{unit}": Num(after / full, 4, mark=True),
        }
    return found


def _masked(score: float, out: str) -> Truth:
    return Num(score, 2) if math.isfinite(score) else Words(out)


def _head(state: State, trace: Trace, j: int, a: np.ndarray) -> Truths:
    h, i = state.head - 1, state.query
    P, S, s = trace.P[h, i], trace.S[h, i], trace.masked[h, i]
    mixed = (trace.K if state.mix == "k" else trace.V)[h]
    every = trace.masked[h] if state.axis == "keys" else trace.masked[h].T
    tops = np.where(np.isfinite(every.max(axis=1)), every.max(axis=1), 0)
    sums = np.exp(every - tops[:, None]).sum(axis=1)
    over = np.full(197, i) if state.axis == "keys" else np.arange(197)
    e = np.exp(s - tops[over])
    top, kept, out = float(tops[over[j]]), np.isfinite(s), f"{MINUS}∞, off the axis"
    full, full_s = reach(P, 12), reach([*s, top], 6)
    free = softmax(trace.S[h], axis=-1 if state.axis == "keys" else -2)[i]
    found: Truths = {
        "product": Num(P[j], 2),
        "product.own": Num(P[i], 2),
        "product.largest": Num(P.max(), 2),
        "product.least": Num(P.min(), 2),
        "products.above": Words(str(int((P > 1e-9).sum()))),
        "products.below": Words(str(int((P < -1e-9).sum()))),
        "words.zero": Words(_zero_products(P)),
        "products.spread": Num(math.sqrt(((P - P.mean()) ** 2).mean()), 2),
        "scaled": Num(S[j], 2),
        "scaled.own": Num(S[i], 2),
        "score.largest": Num(S.max(), 2),
        "score.least": Num(S.min(), 2),
        "scores.spread": Num(math.sqrt(((S - S.mean()) ** 2).mean()), 2),
        "masked": _masked(s[j], out),
        "masked.own": _masked(s[i], out),
        "kept.count": Words(str(int(kept.sum()))),
        "taken.count": Words(str(int((~kept).sum()))),
        "kept.least": Num(s[kept].min(), 2) if kept.any() else Words(""),
        "kept.largest": Num(s[kept].max(), 2) if kept.sum() > 1 else Words(""),
        "taken.share": Num(free[~kept].sum(), 3),
        "top": Num(top, 2) if sums[over[j]] else Words("–"),
        "total": total_text(sums[over[j]]),
        "exponential": weight_text(e[j]),
        "exponential.own": weight_text(e[i]),
        "height.exponential": Num(e[j], 4, mark=True),
        "height.exponential.own": Num(e[i], 4, mark=True),
        "height.masked": Words("1" if kept[j] else "0"),
        "height.masked.own": Words("1" if kept[i] else "0"),
        "ticks.products": ticks(P),
        "ticks.scores": ticks(S),
        "ticks.masked": ticks(s),
        "sticks": _sticks(s, e),
        "curve": _curve(top, full_s) if sums[over[j]] else Path([]),
        **_strips(a, mixed, i, j),
        **axis("products", full),
        **axis("scores", full_s),
        **four("q", trace.Q[h, i]),
        **{f"bar.k.{c}": bar(x, 6.6) for c, x in enumerate(trace.K[h, j])},
        **four("qk", trace.Q[h, i] * trace.K[h, j], 12, at_least=True),
        **four("own.k", trace.K[h, i]),
        **four("own.v", trace.V[h, i]),
    }
    places = {"product": P, "scaled": S, "masked": s}
    found |= {f"x.{name}": along(v[j], full) for name, v in places.items()}
    found |= {f"x.{name}.own": along(v[i], full) for name, v in places.items()}
    found |= {"x.exponential": along(s[j], full_s), "x.exponential.own": along(s[i], full_s)}
    shown = {"products": P, "scores": S, "masked": np.where(kept, s, 0)}
    for name, values in shown.items():
        found[f"squares.{name}.above"] = squares(values, 1, full)
        found[f"squares.{name}.below"] = squares(values, -1, full)
    for c in range(4):
        found |= {
            f"channel.{c}": Words(KEY_CHANNELS[h][c]),
            f"mixed.{c}": Words(KEY_CHANNELS[h][c] if state.mix == "k" else VALUE_CHANNELS[c]),
            f"o.{c}": Num(trace.O[h, i, c], 2),
            f"level.{c}": Num(-trace.O[h, i, c], 3, mark=True),
        }
    return found


def _sticks(scores: np.ndarray, heights: np.ndarray) -> Path:
    steps: list[tuple[str, list[float]]] = []
    for s, height in zip(scores.tolist(), heights.tolist(), strict=True):
        if math.isfinite(s) and height >= 0.0005:
            steps += [("M", [s, 1.0]), ("v", [-height])]
    return Path(steps, {"M": (2,), "v": (4,)})


def _curve(top: float, full: float) -> Path:
    s = np.linspace(-full, top, 60)
    points = np.column_stack([s, 1 - np.exp(s - top)]).tolist()
    steps = [("M" if n == 0 else "L", point) for n, point in enumerate(points)]
    return Path(steps, {"M": (2, 4), "L": (2, 4)})


def _strips(a: np.ndarray, mixed: np.ndarray, i: int, j: int) -> Truths:
    """The mixture: in the order of the unit bar, each key as wide as its weight, as high as its value."""
    order = [0, *(t for t in ranked(a) if t > 0)]
    start = dict(zip(order, np.cumsum([0, *a[order]]).tolist(), strict=False))
    found: Truths = {}
    for name, token in (("query", i), ("key", j)):
        steps = [("M", [start[token], -4.5]), ("h", [a[token]]), ("v", [9.0]), ("h", [-a[token]])]
        found[f"band.{name}"] = Path([*steps, ("z", [])], {"M": (4,), "h": (4,)})
    for c in range(4):
        path: list[tuple[str, list[float]]] = [("M", [0.0, 0.0])]
        for token in order:
            if a[token] >= 0.0002:
                path += [("V", [-mixed[token, c]]), ("H", [start[token] + a[token]])]
        found[f"strip.{c}"] = Path([*path, ("V", [0.0]), ("z", [])], {"V": (3,), "H": (4,)})
    return found


def _mean(state: State, trace: Trace, j: int) -> Truths:
    """The heads side by side."""
    i, out = state.query, f"{MINUS}∞"
    full = reach(trace.P[:, i], 12)
    found: Truths = {"scaled": Words("–"), **axis("heads", full)}
    for h in range(3):
        P, S, s = trace.P[h, i], trace.S[h, i], trace.masked[h, i]
        found |= {
            f"h{h}.product": Num(P[j], 2),
            f"h{h}.product.own": Num(P[i], 2),
            f"h{h}.scaled": Num(S[j], 2),
            f"h{h}.scaled.own": Num(S[i], 2),
            f"h{h}.masked": _masked(s[j], out),
            f"h{h}.masked.own": _masked(s[i], out),
            f"h{h}.ticks.products": ticks(P),
            f"h{h}.ticks.scores": ticks(S),
            f"h{h}.ticks.masked": ticks(s),
            f"height.h{h}.masked": Words("1" if math.isfinite(s[j]) else "0"),
            f"height.h{h}.masked.own": Words("1" if math.isfinite(s[i]) else "0"),
            **four(f"h{h}.o", trace.O[h, i]),
            **{
                f"h{h}.mixed.{c}": Words(
                    KEY_CHANNELS[h][c] if state.mix == "k" else VALUE_CHANNELS[c]
                )
                for c in range(4)
            },
        }
        for name, values in {"product": P, "scaled": S, "masked": s}.items():
            found |= {f"x.h{h}.{name}": along(values[j], full)}
            found |= {f"x.h{h}.{name}.own": along(values[i], full)}
        for name, array in (("q", trace.Q), ("k", trace.K), ("v", trace.V)):
            found |= four(f"h{h}.{name}", array[h, i])
    return found
