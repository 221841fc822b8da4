"""Whether a claim of the player's text holds in a state: one function a kind of claim."""

import math
import re

import numpy as np

from figures_src.kit.numbers import MINUS, read
from tests.player.claimed_state import COUNTS, SAME, Case, largest_of, reads
from tests.player.row_truth import place
from vitattn_core.teaching import CHANNELS, HEADS


def m2(found: re.Match[str], *groups: int) -> re.Match[str]:
    """A match with some of its groups, for a rule that counts from 1."""
    chosen = groups or (2, 3)
    return Groups(found[0], *(found[group] for group in chosen))  # type: ignore[return-value]


class Groups:
    """The text and groups of a match."""

    def __init__(self, *texts: str | None) -> None:
        self._texts = texts

    def __getitem__(self, group: int) -> str | None:
        return self._texts[group]

    def groups(self) -> tuple[str | None, ...]:
        return self._texts[1:]


def at_the_largest(case: Case, found: re.Match[str]) -> bool:
    most = largest_of(case.a)
    if "everywhere" in found[0]:
        return len(most) == len(case.a)
    more = int(found[2]) if found[2] else 0
    return found[1] == place(int(most[0])) and more == len(most) - 1 < len(case.a) - 1


def products(case: Case, found: re.Match[str]) -> bool:
    P = case.trace.P[case.h, case.i]
    most, kind = largest_of(P), found[0]
    if kind.startswith("All"):
        return len(most) == len(P) == int(found[1]) and reads(found[2], float(P.max()))
    if "those" in kind:
        return 1 < len(most) == int(found[4]) < len(P) and reads(found[3], float(P.max()))
    return len(most) == 1 and found[6] == place(int(most[0])) and reads(found[5], float(P.max()))


def arrows(case: Case, found: re.Match[str]) -> bool:
    weights, words = case.others, found[1]
    if words.startswith("none"):
        return len(weights) == 0
    if words.startswith("the only"):
        return len(weights) == 1
    if of := re.fullmatch(r"the (\w+) other keys that have any weight", words):
        return len(weights) == COUNTS[of[1]] <= 9
    if of := re.fullmatch(r"nine of (\d+) other keys, all of the same weight", words):
        return len(weights) == int(of[1]) > 9 and np.ptp(weights) <= SAME
    if words == "nine other keys that no key outweighs":
        return len(weights) > 9 and weights[8] - weights[9] <= SAME
    assert words == "the nine strongest other keys", words
    return len(weights) > 9 and weights[8] - weights[9] > SAME


def wholes(case: Case, found: re.Match[str]) -> bool:
    words, columns = found[1], case.trace.A.sum(axis=1)[max(case.h, 0)]
    if words.startswith("nothing"):
        return case.is_empty and not case.kept.any()
    if words == "one whole":
        return case.is_whole and case.state.axis == "keys"
    count = int((columns > 0).sum())
    assert np.allclose(columns[columns > 0], 1)
    if words == "one whole, that of the only key":
        return case.state.axis == "queries" and count == 1
    number = re.fullmatch(r"(\d+) different wholes, one a key( that takes part)?", words)
    assert number is not None, words
    everything = count == len(columns)
    return (
        case.state.axis == "queries"
        and int(number[1]) == count
        and everything == (number[2] is None)
    )


def settles(case: Case, found: re.Match[str]) -> bool:
    words = found[1]
    if "lies at 0" in words:
        return case.is_empty and not case.trace.O[case.h, case.i].any()
    if "no mean" in words:
        return not case.is_whole and not case.is_empty
    mixed = (case.trace.K if case.state.mix == "k" else case.trace.V)[case.h]
    mean = np.average(mixed, axis=0, weights=case.a)
    return case.is_whole and bool(np.allclose(case.trace.O[case.h, case.i], mean))


def tops(case: Case, found: re.Match[str]) -> bool:
    number, words, scores = found[1], found[2], case.scores
    if words == "for no score is left":
        return number == "–" and not np.isfinite(scores).any()
    of_key = words == "the largest score that this key gets from any query"
    assert of_key or words == "the largest score", words
    return (
        np.isfinite(scores).any()
        and reads(number, float(scores.max()))
        and of_key == (case.state.axis == "queries")
    )


def read_by_heads(case: Case, found: re.Match[str]) -> bool:
    rows = case.trace.A[:, case.i]
    if "nothing" in found[1]:
        return not rows.any()
    pairs = [np.abs(rows[g] - rows[h]).max() <= 1e-9 for g, h in ((0, 1), (0, 2), (1, 2))]
    way = {
        "each in its own way": sum(pairs) == 0,
        "all three alike": sum(pairs) == 3,
        "two of them alike": sum(pairs) == 1,
    }
    return bool(rows.any()) and way[found[2]]


def difference(case: Case, found: re.Match[str]) -> bool:
    words, state, outputs = found[1], case.state, case.trace.O[:2, case.i, :3].sum(axis=1)
    diff = float(case.trace.M[case.i, CHANNELS.index("diff")])
    is_own = abs(0.3 * (outputs[0] - outputs[1]) - diff) <= 1e-9
    if words.startswith("but three rows of one head"):
        return state.bug == "merge"
    if state.bug == "merge" or not is_own:
        return False
    if words.startswith("diff = 0 minus 0"):
        return not outputs.any() and case.is_empty
    if "keys say nothing" in words:
        return state.mix == "k"
    if state.mix == "k" or case.is_empty:
        return False
    why = {
        "nothing surrounds CLS": case.is_cls,
        "without position nothing is near": state.position == "off",
    }
    why["the widths are no shares"] = state.axis == "queries"
    why["keys are taken out"] = not case.kept.all()
    if reason := re.search(r"; (.+)\.$", words):
        return why[reason[1]]
    alone = case.kept.sum() < 100  # near keys among few that are left are not looked for
    return (
        words == "diff = what my kind looks like minus what surrounds me."
        and (alone or case.near_me())
        and not any(why.values())
    )


def first_terms(case: Case, found: re.Match[str]) -> bool:
    """Whose numbers the two brackets of diff hold, and what they are called."""
    joined = case.trace.joined[case.i].reshape(3, 4)[:2, :3].ravel()
    texts = [text.strip("()") for n in (1, 3) for text in (found[n] or "").split(" + ")]
    if not all(reads(text, float(number)) for text, number in zip(texts, joined, strict=True)):
        return False
    own = case.trace.O[:2, case.i, :3].ravel()
    state = case.state
    is_told = (
        (state.mix, state.position, state.axis) == ("v", "on", "keys")
        and not case.is_cls
        and bool(case.kept.all())
    )
    if found[2] == "in the place of head 1":
        return found[4] == "in the place of head 2" and state.bug == "merge"
    if (found[2], found[4]) == ("head 1: my kind", "head 2: around me"):
        return is_told and not case.is_empty and np.array_equal(joined, own)
    plain = (found[2], found[4]) == ("head 1", "head 2")
    return plain and np.array_equal(joined, own) and (not is_told or case.is_empty)


def channels(case: Case, found: re.Match[str]) -> bool:
    """Of the row's twelve: how many come from pixels, from the place, and how many are still 0."""
    content, added = case.trace.content[case.i], case.added
    pixels, place_, still = found[1], found[2], found[3]
    never = [n for n, name in enumerate(CHANNELS) if name in ("cls", "diff", "out")]
    if case.is_cls:
        return (
            (pixels, still)
            == ("none from pixels", "one that marks it, and eleven that are still 0")
            and place_.startswith("none from a place")
            and ("left out" in place_) == (case.state.position == "off")
            and not added.any()
            and np.flatnonzero(content).tolist() == [CHANNELS.index("cls")]
        )
    from_pixels = {"light", "redgreen", "blueyellow", "spot"}
    is_placed = case.state.position == "on"
    zeros = 12 - 4 - 1 - (4 if is_placed else 0)
    words = {7: "seven that are still 0", 3: "three that are still 0"}[zeros]
    places = "four from its place" if is_placed else "none from its place, which is left out"
    of_place = [n for n, name in enumerate(CHANNELS) if name.startswith(("cos", "sin"))]
    return (
        (pixels, place_, still) == ("four from its pixels and a constant", places, words)
        and not content[[*never, *of_place]].any()
        and set(np.flatnonzero(added)) <= set(of_place)
        and bool(added.any()) == is_placed
        and content[CHANNELS.index("keel")] == case.trace.content[1, CHANNELS.index("keel")] != 0
        and len(from_pixels) == 4
    )


def counted(case: Case, found: re.Match[str]) -> bool:
    kept = int(case.kept.sum())
    taken = len(case.kept) - kept
    words = [
        found[2] == ("key takes" if kept == 1 else "keys take"),
        found[4] == ("is" if taken == 1 else "are"),
    ]
    return (int(found[1]), int(found[3])) == (kept, taken) and all(words)


def ends(case: Case, found: re.Match[str]) -> bool:
    scores = case.trace.masked[case.h, case.i][case.kept]
    shown_ = [text for text in found.groups() if text]
    if len(scores) < 2:
        start = "No score stays." if len(scores) == 0 else "The only score that stays"
        return (
            found[0].startswith(start)
            and len(shown_) == len(scores)
            and all(map(reads, shown_, scores))
        )
    return len(shown_) == 2 and all(map(reads, shown_, (scores.min(), scores.max())))


def spread(case: Case, found: re.Match[str]) -> bool:
    if found[1] == "–" or found[2] == "–":
        return found[1] == found[2] == "–" and not case.is_whole
    p = case.a[case.a > 0]
    entropy = float(-(p * np.log(p)).sum())
    return case.is_whole and reads(found[1], entropy) and reads(found[2], math.exp(entropy))


def line_of_key(case: Case, found: re.Match[str]) -> bool:
    """What is raised, and what is divided by: a key that is out has no score to raise e to."""
    out = not np.isfinite(case.trace.masked[case.h, case.i, case.key])
    if (found[1] == f"{MINUS}∞") != out:
        return False
    finite = case.scores[np.isfinite(case.scores)]
    if not out and not reads(found[1].removeprefix(f"s {MINUS} ").strip("()"), float(finite.max())):
        return False
    if found[3] == "no score is left:":
        return len(finite) == 0
    return len(finite) > 0 and reads(
        found[3].removeprefix("÷ "), float(np.exp(finite - finite.max()).sum())
    )


def shares(case: Case, found: re.Match[str]) -> bool:
    return (
        found[1] == place(case.i)
        and reads(found[2], case.a[case.i])
        and reads(found[4], case.a[case.key])
    )


def above_and_below(case: Case, found: re.Match[str]) -> bool:
    P = case.trace.P[case.h, case.i]
    above, below = int((P > 1e-9).sum()), int((P < -1e-9).sum())
    zero = int(found[4] or 0)
    one = found[2].startswith("product lies")
    return (int(found[1]), int(found[3]), zero) == (
        above,
        below,
        len(P) - above - below,
    ) and one == (above == 1)


def of_patches(case: Case, found: re.Match[str]) -> bool:
    if case.is_cls:
        return found[0].startswith("CLS stands in front of them as row 0 ") and found[0].endswith(
            "has no pixels."
        )
    return (
        found[1] == place(case.i) and int(found[2]) == case.i and found[0].endswith(": its pixels.")
    )


def flows(case: Case, found: re.Match[str]) -> bool:
    letters = {"Values": "v", "Keys": "k"}
    if letters[found[1]] != case.state.mix:
        return False
    own = {", its own too": case.a[case.i] > 0, ", but nothing of its own": case.a[case.i] == 0}
    return case.is_empty if "cannot" in found[2] else not case.is_empty and bool(own[found[3]])


def adds(case: Case, found: re.Match[str]) -> bool:
    base = (case.trace.U if case.state.bug == "residual" else case.trace.X)[case.i]
    normed, own = (
        case.state.bug == "residual",
        np.allclose(case.trace.M[case.i], mixed_by_heads(case)),
    )
    read_ = {
        "what it has read": own and not case.is_empty,
        "what other rows have read": case.state.bug == "merge" and not case.is_empty,
        "nothing, since every key is taken out": case.is_empty and not case.trace.M[case.i].any(),
    }
    words = ("takes", "its normed form") if normed else ("keeps", "what it was")
    return (
        (found[1], found[2]) == words
        and bool(read_[found[3]])
        and np.allclose(case.trace.Y[case.i] - case.trace.M[case.i], base)
    )


def mixed_by_heads(case: Case) -> np.ndarray:
    from vitattn_core.teaching import weights

    return case.trace.O[:, case.i].ravel() @ weights().block.attention.w_o


def unit_counts(case: Case, found: re.Match[str]) -> bool:
    diff, out = CHANNELS.index("diff"), CHANNELS.index("out")
    F, G = case.trace.F[case.i], case.trace.G[case.i]
    gap = case.trace.W[case.i, diff] - case.trace.W[case.i, out]
    # What goes into a unit is above 0 where diff lies more than half a spread above out, or below it.
    above = [bool(case.trace.H[case.i, unit] > 0) for unit in (0, 1)]
    return (
        reads(found[1], float(F[out]))
        and not G[2:].any()
        and above == [gap > 0.5 + 1e-12, gap < -0.5 - 1e-12]
    )


def out_came_in(case: Case, found: re.Match[str]) -> bool:
    came = (case.trace.U if case.state.bug == "residual" else case.trace.X)[
        case.i, CHANNELS.index("out")
    ]
    return (came == 0) == found[0].startswith("out came in as 0")


def scaled(case: Case, found: re.Match[str]) -> bool:
    P, S = case.trace.P[case.h, case.i], case.trace.S[case.h, case.i]
    order = np.array_equal(np.argsort(P, kind="stable"), np.argsort(S, kind="stable"))
    return (
        reads(found[1], float(P.std()))
        and reads(found[2], float(S.std()))
        and (order or np.ptp(P) <= 1e-9)
    )


def mean_of(case: Case, found: re.Match[str]) -> bool:
    three = [read(text) for text in found.groups()[:3]]
    return abs(read(found[4]) - case.a[case.key]) <= 1e-4 and math.isclose(
        sum(three) / 3, read(found[4]), abs_tol=1e-4
    )


def of_place(case: Case, words: str) -> bool:
    none = "for no place" if case.is_cls else "from no place"
    return words == ("from the place" if case.added.any() else none)


def of_a_map(case: Case, found: re.Match[str]) -> bool:
    h = int(found[1]) - 1
    weights = case.trace.A[h, case.i]
    return (
        found[2] == HEADS[h]
        and reads(found[3], float(weights.max()))
        and reads(found[4], float(weights[0]))
    )


def before_and_after(case: Case, found: re.Match[str]) -> bool:
    rows = [case.trace.P[case.h, case.i], case.trace.S[case.h, case.i]]
    ends_ = [float(end(row)) for row in rows for end in (np.min, np.max)]
    return all(map(reads, found.groups(), ends_))


def always(_: Case, __: re.Match[str]) -> bool:
    return True
