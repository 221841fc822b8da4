"""The arithmetic lines of a picked row: who computes with the printed numbers gets the printed results."""

import ast
import dataclasses
import math
import re
from functools import cache
from xml.etree import ElementTree

import numpy as np

from figures_src.inputs import photographs
from figures_src.kit.numbers import MINUS, read
from figures_src.player.arithmetic_line import KEY_STAGES, lines
from figures_src.player.bound import Bound
from figures_src.player.row import Row, State, row
from tests.player.picked_rows import random_rows
from vitattn_core import STAGES, Trace
from vitattn_core.teaching import CHANNELS, GRID, HEADS, weights

BY_HEAD = {"head": 4, "model": 12, "off": 1}  # under the root that products are divided by


@cache
def rows() -> list[tuple[State, Trace, Row]]:
    """Seeded states, the pass of each, and what the scripts say."""
    states = random_rows(12, passes=24, rows=8)
    return [(state, trace, row(state, trace, standard)) for state, trace, standard in states]


def unit(text: str) -> float:
    """One in the last place of a written number: 0.01 for 3.76, 1e-9 for 1.2·10⁻⁸."""
    mantissa = re.match(rf"[{MINUS}-]?\d+(?:\.(\d+))?", text)
    assert mantissa is not None, text
    power = read("1·10" + text.split("·10")[1]) if "·10" in text else 1
    return 10.0 ** -len(mantissa[1] or "") * power


def gives(number: float, text: str) -> bool:
    """Whether a number, rounded as `text` is, reads `text`."""
    return abs(number - read(text)) <= unit(text) * (0.5 + 1e-6)


def surely_gives(number: float, text: str) -> bool:
    """Whether it does so and is not in the middle between two texts, where a reader may round up or down."""
    return abs(number - read(text)) <= unit(text) * (0.5 - 1e-6)


def decimals(text: str) -> int:
    return len(text.partition(".")[2])


def significant(text: str) -> int:
    """How many digits of a written number count."""
    digits = re.sub(r"\D", "", text.split("·10")[0]).lstrip("0")
    return len(digits)


def divided(state: State, trace: Trace, key: int) -> tuple[float, float]:
    """What is subtracted from a key's score, and what its exponential is divided by."""
    scores = trace.masked[state.head - 1]
    every = scores[state.query] if state.axis == "keys" else scores[:, key]
    top = float(every.max()) if np.isfinite(every).any() else 0.0
    return top, float(np.exp(every - top).sum())


# The line of a key ---------------------------------------------------------------------------------


def test_the_line_of_a_key_adds_up_and_every_number_of_it_is_the_cores() -> None:
    for state, trace, shown in rows():
        if state.head == 0:
            continue
        values, h, i, j = shown.values, state.head - 1, state.query, shown.key
        line = {name.removeprefix("line."): text for name, text in values.items()}
        out = bool(np.isneginf(trace.masked[h, i, j]))
        divisor = math.sqrt(BY_HEAD[state.scale])
        top, total = divided(state, trace, j)
        mixed = (trace.K if state.mix == "k" else trace.V)[h, j]
        truth = {
            **{f"q.{c}": trace.Q[h, i, c] for c in range(4)},
            **{f"k.{c}": trace.K[h, j, c] for c in range(4)},
            **{f"av.{c}": trace.A[h, i, j] * mixed[c] for c in range(4)},
            "product": trace.P[h, i, j],
            "score": trace.S[h, i, j],
            **({"top": top} if total else {}),
            "exponential": 0 if out else math.exp(trace.S[h, i, j] - top),
            "total": total,
            "weight": trace.A[h, i, j],
        }
        for name, number in truth.items():
            assert gives(float(number), line[name]), (name, number, line[name], state)
        assert line["masked"] == (f"{MINUS}∞" if out else line["score"]), state

        q, k = ([read(line[f"{name}.{c}"]) for c in range(4)] for name in "qk")
        assert gives(sum(a * b for a, b in zip(q, k, strict=True)), line["product"]), state
        for name, (number, blur) in rounded_steps(line, divisor, out).items():
            text, sign = line[name], line[f"sign.{name}"]
            assert sign == "≈" or gives(number, text), (name, number, text, state)
            assert sign == "=" or not surely_gives(number, text), (name, "says ≈ and is =", state)
            assert abs(number - read(text)) <= blur + unit(text), (name, number, text, state)


def rounded_steps(
    line: dict[str, str], divisor: float, out: bool
) -> dict[str, tuple[float, float]]:
    """The steps that divide or raise: the result of their printed terms, and how far rounding may move it."""
    product, score, e, total = (
        read(line[name]) for name in ("product", "score", "exponential", "total")
    )
    steps = {"score": (product / divisor, unit(line["product"]) / divisor)}
    if out:
        return steps
    top = read(line["top"])
    power = math.exp(score - top)
    share = e / total
    blur = share * (unit(line["exponential"]) / e + unit(line["total"]) / total) if e else 0.0
    return steps | {"exponential": (power, power * 0.0101), "weight": (share, blur)}


def test_the_sum_of_a_line_has_no_digits_that_it_does_not_need() -> None:
    """With one digit less in q and k, the sum or one of the plate's products would not hold."""
    checked = 0
    for state, trace, shown in rows():
        if state.head == 0:
            continue
        line, h = shown.values, state.head - 1
        digits = decimals(line["line.q.0"])
        assert 2 <= digits <= 9
        if digits == 2:
            continue
        q, k = (array[h, token] for array, token in ((trace.Q, state.query), (trace.K, shown.key)))
        terms = [
            round(float(a), digits - 1) * round(float(b), digits - 1)
            for a, b in zip(q, k, strict=True)
        ]
        held = [surely_gives(number, line[f"qk.{c}"]) for c, number in enumerate(terms)]
        assert not (all(held) and surely_gives(sum(terms), line["line.product"])), state
        checked += 1
    assert checked > 20


def test_the_mean_of_heads_is_the_mean_of_the_printed_weights() -> None:
    checked = 0
    for state, trace, shown in rows():
        if state.head:
            continue
        printed = [shown.values[f"h{h}.weight"] for h in range(len(HEADS))]
        for h, text in enumerate(printed):
            assert gives(trace.A[h, state.query, shown.key], text)
            assert len(text.partition(".")[2]) == 4
        assert gives(sum(map(read, printed)) / 3, shown.values["mean.weight"])
        assert (
            abs(read(shown.values["mean.weight"]) - trace.A[:, state.query, shown.key].mean())
            <= 1e-4
        )
        checked += 1
    assert checked >= 40


# Numbers that stand together on a plate ------------------------------------------------------------


def sums_of(values: dict[str, str], state: State) -> dict[str, tuple[float, str]]:
    """What a reader can add, multiply or divide on the plates: the result from printed terms, as printed."""
    n = {name: read(text) for name, text in values.items() if re.fullmatch(NUMBER, text)}
    found = {
        **{
            f"embed {c}": (n[f"content.{c}"] + n[f"position.{c}"], values[f"X.{c}"])
            for c in range(12)
        },
        **{
            f"residual {c}": (n[f"base.{c}"] + n[f"added.{c}"], values[f"Y.{c}"]) for c in range(12)
        },
        **{
            f"unit {u}": (sign * (n["mlp.diff"] - n["mlp.out"]) * 4 - 2, values[f"mlp.before.{u}"])
            for u, sign in enumerate((1, -1))
        },
        "written": (n["mlp.after.0"] + n["mlp.after.1"], values["mlp.written"]),
    }
    if state.head == 0:
        return found
    found |= {
        **{f"term {c}": (n[f"line.q.{c}"] * n[f"line.k.{c}"], values[f"qk.{c}"]) for c in range(4)},
        "q·k": (sum(n[f"qk.{c}"] for c in range(4)), values["product"]),
    }
    return found


NUMBER = rf"{MINUS}?\d+(\.\d+)?(·10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"


def bare(text: str) -> str:
    return text.strip("()")


def test_what_stands_together_on_a_plate_adds_up() -> None:
    faults, seen = [], 0
    for state, _, shown in rows():
        sums = sums_of(shown.values, state)
        seen += len(sums)
        faults += [
            f"{name}: {number:.6f}, shown {text} in {state}"
            for name, (number, text) in sums.items()
            if not gives(number, text)
        ]
    assert seen > 26 * len(rows())
    assert not faults, f"{len(faults)} of {seen}: " + "\n".join(faults[:6])


def test_one_number_has_one_look_on_a_plate_and_in_the_line() -> None:
    pairs = {
        "product": "line.product",
        "scaled": "line.score",
        "top": "line.top",
        "total": "line.total",
        "exponential": "line.exponential",
        "weight": "line.weight",
    }
    everywhere = {
        "norm.mean": "line.norm.1",
        "norm.spread": "line.norm.2",
        "M.10": "line.heads",
        "content.4": "line.embed.0",
        "position.4": "line.embed.1",
        "X.4": "line.embed",
        "base.10": "line.residual.0",
        "added.10": "line.residual.1",
        "Y.10": "line.residual",
        "mlp.after.0": "line.mlp.1",
        "mlp.after.1": "line.mlp.2",
        "Z.11": "line.mlp",
    }
    for state, _, shown in rows():
        told = everywhere | ({} if state.head == 0 else {**pairs, "q.0": "line.qkv"})
        for name, other in told.items():
            assert shown.values[name] == bare(shown.values[other]), (name, state)


# The lines of the stages at which no key is pointed at ---------------------------------------------


def arithmetic(text: str) -> tuple[str, str]:
    """What stands before and after the last "=" of a line, as Python reads it: no words, no names."""
    text = re.sub(r"\([^()]*[a-z][^()]*\)|\b(from|of) [a-z ]+\d*", "", text)
    text = re.sub(r"[a-z]{2,}", "", text)
    before, _, after = text.rpartition("=")
    return before.translate(str.maketrans("×÷−", "*/-")), after.strip()


def other_lines(shown: Row, trace: Trace) -> dict[str, str]:
    """The lines of the stages at which no key is pointed at, as the reader sees them."""
    mean = row(State(query=shown.query, head=0), trace).values
    one = row(State(query=shown.query), trace).values
    written = lines(Bound(dataclasses.replace(shown, values=mean | one | shown.values)))
    unseen = (
        "va-not-cls" if shown.query < GRID.prefix else "va-only-cls"
    )  # as the style sheet has it

    def text(mark: ElementTree.Element) -> str:
        seen = not {unseen, "va-who"} & set(mark.get("class", "").split())
        inside = (mark.text or "") + "".join(text(part) for part in mark) if seen else ""
        return inside + (mark.tail or "")

    texts = {
        p.get("data-line", ""): text(p) for p in ElementTree.fromstring(f"<div>{written}</div>")
    }
    assert set(texts) == {"key"} | {entry.id for entry in STAGES} - set(KEY_STAGES)
    return {name: line for name, line in texts.items() if name != "key"}


def numbers_of(state: State, trace: Trace) -> dict[str, list[float]]:
    """Of each line the core's numbers, the result last."""
    i = state.query
    at = {name: CHANNELS.index(name) for name in ("light", "cos_row", "diff", "out")}
    base = (trace.U if state.bug == "residual" else trace.X)[i]
    x, content, joined = trace.X[i], trace.content[i], trace.joined[i]
    gain = float(weights().block.attention.w_o[0, at["diff"]])
    cos, light, diff, out = (
        at.values() if False else (at["cos_row"], at["light"], at["diff"], at["out"])
    )
    found = {
        "embed": [content[cos], x[cos] - content[cos], x[cos]],
        "norm": [x[light], x.mean(), x.std(), trace.U[i, light]],
        "heads": [gain, *joined[:3], gain, *joined[4:7], trace.M[i, diff]],
        "residual": [base[diff], trace.M[i, diff], trace.Y[i, diff]],
        "mlp": [trace.Y[i, out], *trace.G[i, :2], trace.Z[i, out]],
    }
    if state.head:
        column = weights().block.attention.w_q[:, 4 * (state.head - 1)]
        used = np.flatnonzero(column)
        terms = [number for c in used for number in (trace.U[i, c], column[c])]
        found["qkv"] = [*terms, trace.Q[state.head - 1, i, 0]]
    return {name: [float(number) for number in numbers] for name, numbers in found.items()}


def test_the_other_lines_add_up_and_every_number_of_them_is_the_cores() -> None:
    parsed = 0
    for state, trace, shown in rows():
        i, texts, truth = state.query, other_lines(shown, trace), numbers_of(state, trace)
        for name, text in texts.items():
            if name == "patches":
                wanted = ["1", "14", str(i)] if i else []
                assert re.findall(r"\d+", text) == wanted, text
                assert i == 0 or 1 + 14 * ((i - 1) // 14) + (i - 1) % 14 == i
                continue
            if name not in truth:
                continue  # one head's line, while the mean of heads is chosen
            before, result = arithmetic(text)
            assert gives(eval(before), result), (name, state, text)
            for number, part in zip(truth[name], [*terms(before), result], strict=True):
                assert gives(number, part), (name, number, part, text, state)
            parsed += 1
    assert parsed >= 5 * len(rows())


def terms(before: str) -> list[str]:
    """The numbers of a computation as they are written, in its order."""
    found: dict[int, str] = {}
    for node in ast.walk(ast.parse(before.strip(), mode="eval").body):
        if isinstance(node, ast.Constant | ast.UnaryOp):  # a sign is met before its number
            text = ast.get_source_segment(before.strip(), node)
            found.setdefault(node.end_col_offset or 0, text or "")
    return [found[place] for place in sorted(found)]


def test_the_names_of_the_terms_of_q_are_its_channels() -> None:
    for state, _, shown in rows():
        if state.head:
            used = np.flatnonzero(weights().block.attention.w_q[:, 4 * (state.head - 1)])
            names = re.findall(r"\(([a-z ]+)\)", shown.values["line.qkv.terms"])
            assert names == [CHANNELS[c].replace("_", " ") for c in used]


def test_a_wrong_line_would_be_seen() -> None:
    assert gives(3.755, "3.76")
    assert not gives(3.7549, "3.76")
    assert not gives(-3.76, "3.76")
    assert arithmetic("0.3 × −4.69 (head 1: my kind) = −1.41") == ("0.3 * -4.69  ", "−1.41")
    assert terms("(-4.050 - (-0.17)) / 1.78") == ["-4.050", "-0.17", "1.78"]
    assert other_lines(row(State(), photographs.trace("chelsea")), photographs.trace("chelsea"))
