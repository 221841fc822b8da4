"""What the fold "What if …?" says that a change does to a row is true, in every special state."""

import math
import re
from functools import cache

import numpy as np

from figures_src.inputs import photographs
from figures_src.kit.numbers import read
from figures_src.player import page_data, page_scripts
from figures_src.player.row import SCRIPTS, State
from figures_src.player.state import DEFAULTS
from tests.player.picked_rows import SWITCHES, pass_through
from tests.player.row_truth import row_of
from tests.player.special_states import QUERY, STANDARD, changes
from vitattn_core import Trace
from vitattn_core.teaching import GRID

# What the player gives to the script of a fold.
PLAYER = """
window.vitattn.part = () => {};
window.vitattn.words = window.vitattn.row.places();
"""
N = r"(\d+(?:\.\d+)?)"


@cache
def engine() -> page_scripts.PageScripts:
    scripts = [
        *page_scripts.of_docs(*SCRIPTS),
        ("assets/teaching.js", page_data.scripts()["assets/teaching.js"]),
        *page_scripts.of_docs("row"),
        ("the player", PLAYER),
        *page_scripts.of_docs("what-if"),
    ]
    return page_scripts.PageScripts(scripts)


def word(token: int) -> str:
    return "cls" if token == 0 else "{}.{}".format(*GRID.place(token))


def keys_of(a: np.ndarray) -> float:
    p = a[a > 0] / a.sum()
    return math.exp(float(-(p * np.log(p)).sum()))


def near(text: str, number: float) -> bool:
    return abs(read(text) - number) <= 0.5 * 10.0 ** -len(text.partition(".")[2]) * (1 + 1e-6)


def is_true(
    text: str, made: dict[str, str], dropped: tuple[int, ...], before: np.ndarray, after: np.ndarray
) -> bool:
    """Whether what is said of the row holds; a sentence of no known kind does not."""
    total, kept = float(after.sum()), np.delete(np.arange(197), dropped)
    if text.startswith("Nothing is changed yet"):
        return made == STANDARD and not dropped
    if text.startswith("No key is dropped, so there is no mask"):
        return made["bug"] == "mask" and not dropped and np.array_equal(before, after)
    if text.startswith("No key takes part: all weights are 0"):
        return total == 0
    if found := re.match(
        rf"Now (.+) sum to 1 over the 197 queries, and this row sums to {N}(: [^.]+)?\.", text
    ):
        every = found[1] == "each key’s weights"
        whole = abs(total - 1) <= 1e-9
        return every == (not dropped) and near(found[2], total) and (found[3] is None) == whole
    if text.startswith("Only the key"):
        return made["bug"] == "mask" and set(np.flatnonzero(after)) <= set(dropped)
    if text.startswith("Every weight is painted one patch too far"):
        return made["bug"] == "offset"
    if text.startswith("The painted row stays exactly as it was."):
        return bool(np.abs(before - after).max() <= 1e-12)
    if found := re.match(rf"The {N} of .+ goes to (.+): (each|its) weight grows by {N}%\.", text):
        gone, grown = before[list(dropped)].sum(), 100 * (after[kept] / before[kept] - 1)
        one = len(kept) == 1
        words = (found[2] == "the only other key") == one == (found[3] == "its")
        return (
            words and near(found[1], float(gone)) and all(near(found[4], float(g)) for g in grown)
        )
    if found := re.match(
        r"All (\d+) weights are equal: (.+?) no longer tells? one key from another\.", text
    ):
        return int(found[1]) == len(after) and np.ptp(after) <= 1e-12 < np.ptp(before)
    found = re.match(
        rf"The row is (.+): as spread as {N} equal keys, before {N}; {N} of its weight has changed "
        r"place\.( The order of the keys is the same\.)?",
        text,
    )
    assert found is not None, text
    now, then = keys_of(after), keys_of(before)
    way = {
        "flatter": now > then,
        "sharper": now < then,
        "about as flat": abs(now / then - 1) < 0.005,
    }
    order = bool((np.diff(after[np.argsort(before)]) >= -1e-12).all())
    moved = float(np.abs(before - after).sum() / 2)
    numbers = near(found[2], now) and near(found[3], then) and near(found[4], moved)
    whole = bool(abs(total - 1) <= 1e-9)
    return bool(way[found[1]]) and numbers and (found[5] is None or order) and whole


def test_what_is_said_of_a_change_is_true_in_every_special_state() -> None:
    image = photographs.image("chelsea")
    standard = pass_through(image, tuple(STANDARD.values()))
    wrong, kinds = [], set()
    for change, dropped in changes():
        made = STANDARD | change
        trace: Trace = pass_through(image, tuple(made.values()), dropped)
        for query in (0, QUERY):
            for head in (0, 1, 2):
                before, after = (
                    row_of(State(query=query, head=head), one) for one in (standard, trace)
                )
                state = DEFAULTS | made | {"dropped": ",".join(map(word, dropped))}
                told = {
                    "state": state,
                    "query": query,
                    "head": head,
                    "output": 0.5,
                    "leaving": 0.25,
                }
                held = engine().hold({"O": np.asarray(trace.O, dtype=np.float64)})
                told |= {"pass": held, "before": before.tolist(), "after": after.tolist()}
                said = " ".join(engine().call("whatIf.consequence", told))
                engine().drop(held)
                kinds.add(" ".join(said.split()[:2]))
                if not is_true(said, made, dropped, before, after):
                    wrong.append(
                        f"{said!r}: query {query}, head {head}, {change}, {len(dropped)} dropped"
                    )
    assert not wrong, f"{len(wrong)}: " + "\n".join(wrong[:10])
    assert len(kinds) >= 9, kinds
    assert set(SWITCHES) == set(STANDARD)
