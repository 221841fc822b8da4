"""What the explorer says of a state is true in it, as NumPy has it, of the captured heads and of ties."""

import math
import re
from typing import Any

import numpy as np

from figures_src.explorer import values as learned
from figures_src.inputs import captures
from figures_src.kit.numbers import MINUS, read
from vitattn_core import key_mask, products, softmax
from vitattn_core.masks import hide

GRID, DEFAULTS = captures.GRID, learned.DEFAULTS
SAME = 1e-12
REAL = rf"{MINUS}?\d+(?:\.\d+)?(?:·10⁻[⁰¹²³⁴⁵⁶⁷⁸⁹]+)?"
PART = rf"(itself|CLS|\(\d+,\d+\)) ({REAL})"
ALL = ",".join("cls" if t == 0 else "{}.{}".format(*GRID.place(t)) for t in range(GRID.tokens))


def without(*left: str) -> str:
    return ",".join(word for word in ALL.split(",") if word not in left)


CHANGES: list[dict[str, str]] = [
    {},
    {"divisor": "model"},
    {"divisor": "none"},
    {"dropped": "7.13"},
    {"dropped": "7.5,cls,7.13"},
    {"dropped": ALL},
    {"dropped": without("7.5")},
    {"dropped": without("7.13")},
    {"dropped": without("7.13", "cls")},
    {"dropped": without("7.13", "cls", "0.0")},
    {"dropped": ALL, "divisor": "none"},
]
Heads = list[tuple[np.ndarray, np.ndarray, np.ndarray]]  # Q, K less its mean, the mean key


def captured(layer: int) -> Heads:
    found = captures.load("chelsea", layer)
    return list(zip(found.Q, found.K, found.mean_key, strict=True))


def tied(*, keys: int) -> Heads:
    """Heads in which so many keys have the same largest score, and all others one that is lower."""
    Q, K = np.ones((257, 64)), np.zeros((257, 64))
    K[40 : 40 + keys] = 0.5
    return [(Q, K, np.full(64, 0.1))] * 6


def cases() -> list[tuple[dict[str, str], Heads]]:
    found = []
    for query in ("cls", "7.5", "15.15"):
        for head in ("1", "4", "mean"):
            for change in CHANGES:
                found.append((DEFAULTS | {"query": query, "head": head} | change, captured(9)))
    for keys in (0, 1, 2, 3, 4, 30, 217):
        for head in ("2", "mean"):
            found.append((DEFAULTS | {"query": "7.5", "head": head}, tied(keys=keys)))
    return found


def token_of(word: str) -> int:
    return 0 if word == "cls" else GRID.token(*map(int, word.split(".")))


def reads(text: str, number: float) -> bool:
    digits = len(text.partition(".")[2].partition("·")[0])
    near = max(10.0**-digits, abs(number) * 0.1 if "·" in text else 0)
    return abs(read(text) - number) <= (0.5 + 1e-6) * near


def sentence_fault(text: str, a: np.ndarray, query: int) -> str | None:
    """What is wrong with the sentence that says what a row reads from."""
    who, told = text.split(" reads ", 1)
    weighing = int((a > 0).sum())
    if who != learned.place(query):
        return "of another row"
    if told == "from no key: every key is taken out.":
        return None if weighing == 0 else "something is read"
    if alike := re.fullmatch(rf"(most )?from (\d+) keys alike: ({REAL}) each\.", told):
        most = int((a.max() - a <= SAME).sum())
        right = most == int(alike[2]) > 1 and reads(alike[3], float(a.max()))
        return (
            None if right and (alike[1] is None) == (most == weighing) else f"{most} of {weighing}"
        )
    parts = [
        ("itself" if key == "itself" else key, weight) for key, weight in re.findall(PART, told)
    ]
    keys = [
        query if key == "itself" else next(t for t in range(257) if learned.place(t) == key)
        for key, _ in parts
    ]
    if not all(reads(weight, float(a[key])) for key, (_, weight) in zip(keys, parts, strict=True)):
        return "another weight"
    rest = np.delete(a, keys)
    if told.endswith(", and from no other key."):
        return None if len(keys) == weighing and not rest.any() else "there are others"
    falling = np.diff(a[keys])
    if not told.startswith("most from ") or (falling > SAME).any():
        return "no such sentence"
    return None if a[keys].min() - rest.max() > SAME else "another key has as much"


def row_of(state: dict[str, str], heads: Heads) -> tuple[np.ndarray, np.ndarray]:
    """The row of weights, and the scores of the picked head's keys as they were."""
    root = {"head": 8.0, "model": math.sqrt(384), "none": 1.0}[state["divisor"]]
    keep = np.ones(GRID.tokens, dtype=bool)
    keep[[token_of(word) for word in state["dropped"].split(",") if word]] = False
    i = token_of(state["query"])
    picked = heads if state["head"] == "mean" else [heads[int(state["head"]) - 1]]
    scores = [products(Q[i : i + 1], K) / root for Q, K, _ in picked]
    Q, K, mean = picked[0]
    return np.mean([softmax(hide(s, key_mask(keep)))[0] for s in scores], axis=0), (K + mean) @ Q[
        i
    ] / root


def faults(
    state: dict[str, str], heads: Heads, said: dict[str, Any], key: int, out: bool
) -> list[str]:
    a, scores = row_of(state, heads)
    values, i = said, token_of(state["query"])
    found = [fault] if (fault := sentence_fault(values["say"], a, i)) else []
    most = np.flatnonzero(a.max() - a <= SAME)
    at = f"at {learned.place(int(most[0]))}" + (
        f" and {len(most) - 1} more" if len(most) > 1 else ""
    )
    if values["largest.at"] != ("everywhere" if len(most) == 257 else at):
        found.append(f"largest {values['largest.at']}")
    shares = a[a > 0]
    spread = float(-(shares * np.log(shares)).sum())
    dashes = [values[name] == "–" for name in ("entropy", "keys")]
    if abs(a.sum() - 1) > 1e-9:
        found += [] if all(dashes) else ["an entropy of no distribution"]
    elif (
        any(dashes)
        or not reads(values["entropy"], spread)
        or not reads(values["keys"], math.exp(spread))
    ):
        found.append("entropy")
    if (values["distance"] == "–") != (i == 0 or not a[1:].any()):
        found.append("distance")
    if state["head"] == "mean":
        return found
    dropped = token_of(learned_word(key)) in [
        token_of(word) for word in state["dropped"].split(",") if word
    ]
    kept = np.delete(scores, [token_of(word) for word in state["dropped"].split(",") if word])
    if out != dropped or (values["line.power"] == f"{MINUS}∞") != dropped:
        found.append(f"e to {values['line.power']}")
    if (values["line.out"] == f"taken out: {MINUS}∞") != dropped or (
        values["line.out"] == ""
    ) == dropped:
        found.append(f"mask {values['line.out']}")
    if not dropped and not reads(
        values["line.power"].removeprefix(f"s {MINUS} ").strip("()"), float(kept.max())
    ):
        found.append(f"top {values['line.power']}")
    if (values["line.over"] == "no score is left:") != (len(kept) == 0):
        found.append(f"over {values['line.over']}")
    if len(kept) and not reads(
        values["line.over"].removeprefix("÷ "), float(np.exp(kept - kept.max()).sum())
    ):
        found.append(f"total {values['line.over']}")
    if not reads(values["score"], float(scores[key])) or not reads(
        values["line.weight"], float(a[key])
    ):
        found.append("score or weight")
    return found


def learned_word(token: int) -> str:
    return "cls" if token == 0 else "{}.{}".format(*GRID.place(token))


def test_what_the_explorer_says_is_true_in_every_special_state() -> None:
    scripts, wrong = learned.scripts(), []
    kinds = set()
    for state, heads in cases():
        held = [scripts.hold({"Q": Q, "K": K, "mean": mean}) for Q, K, mean in heads]
        picked = held if state["head"] == "mean" else [held[int(state["head"]) - 1]]
        shown = scripts.call("explorerRow.readRow", state, picked)
        for key in (None, GRID.token(7, 13), 0):
            pointed = scripts.call("explorerRow.readKey", state, picked, shown, key)
            values = {**shown["values"], **pointed["values"]}
            found = faults(state, heads, values, pointed["key"], pointed["isOut"])
            wrong += [f"{fault}: {values['say']} {state}" for fault in found]
            kinds.add(re.sub(rf"{PART}|\d+|CLS|\(.*?\)|{REAL}", "…", values["say"]))
        for one in held:
            scripts.drop(one)
    assert not wrong, f"{len(wrong)} faults: " + "\n".join(wrong[:12])
    assert len(kinds) >= 8, kinds  # as many kinds of sentences as there are


def test_a_false_sentence_of_the_explorer_would_be_seen() -> None:
    a = np.zeros(257)
    a[[3, 4, 5, 6]] = (0.4, 0.2, 0.2, 0.2)
    three = "(0,0) reads most from (0,2) 0.400, (0,3) 0.200 and (0,4) 0.200."
    assert sentence_fault(three, a, 1) == "another key has as much"
    assert sentence_fault("(0,0) reads most from (0,2) 0.400.", a, 1) is None
    assert sentence_fault("(0,0) reads from no key: every key is taken out.", a, 1)
    assert sentence_fault("(0,0) reads from (0,2) 0.400, and from no other key.", a, 1)
    assert sentence_fault("(0,0) reads most from 4 keys alike: 0.400 each.", a, 1)
