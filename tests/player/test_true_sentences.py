"""What a sentence says of a state is true in that state, whatever the state: NumPy says whether it is.

The player's text is read as it stands in each special state. Every claim in it has a rule here, and words
that make a claim, such as "largest", "all" or "its pixels", may stand nowhere outside of one.
"""

import re
from collections import Counter

from figures_src.kit.numbers import MINUS
from tests.player.claimed_state import REAL, WHERE, Case, N, Rule, reads
from tests.player.claims import (
    above_and_below,
    adds,
    always,
    arrows,
    at_the_largest,
    before_and_after,
    channels,
    counted,
    difference,
    ends,
    first_terms,
    flows,
    line_of_key,
    m2,
    mean_of,
    of_a_map,
    of_patches,
    of_place,
    out_came_in,
    products,
    read_by_heads,
    scaled,
    settles,
    shares,
    spread,
    tops,
    unit_counts,
    wholes,
)
from tests.player.row_truth import place
from tests.player.special_states import shown
from tests.player.told_text import told

# Each claim of the player's text, and whether it holds; the state decides among the words that stand there.
RULES: list[tuple[str, Rule]] = [
    (
        rf"largest {REAL} (?:at {WHERE}(?: and {N} more)?(?=on CLS)|everywhere)",
        lambda c, m: at_the_largest(c, m2(m)) and reads(m[1], float(c.a.max())),
    ),
    (
        rf"All {N} are the same, {REAL}\.|The largest, {REAL}, are those of {N} keys\.|The "
        rf"largest, {REAL}, is that of {WHERE}\.",
        products,
    ),
    (r"arrows: (.+?)(?=\. In the strips)", arrows),
    (r"197 scores become 197 shares of (.+?)(?=\. The row of)", wholes),
    (
        rf"(The line across lies at 0|The widths do not sum to 1, so this is a sum and no "
        rf"mean:|(?:The widths sum to 1 in this row, so that the|The) line across is their "
        rf"weighted mean),? the output of {WHERE}\.",
        settles,
    ),
    (
        rf"m = ({REAL}|–), (for no score is left|the largest score(?: that this key gets from "
        rf"any query)?)",
        lambda c, m: tops(c, m2(m, 1, 3)),
    ),
    (
        r"m cancels in the quotient; it is subtracted so that no e grows too large\.|Each key has an m of "
        r"its own here: this m and the curve are those of the pointed key\.",
        lambda c, m: m[0].startswith("Each") == (c.state.axis == "queries"),
    ),
    (
        r"Three heads (have nothing to read, since every key is taken out; no small map is "
        r"coloured|have read the photograph, (each in its own way|all three alike|two of them "
        r"alike); each small map is coloured up to its own largest weight)\.",
        read_by_heads,
    ),
    (r"Only here can two heads meet: ([^¶]+?\.)(?= ¶)", difference),
    (r"0\.3 × \(([^a-z]+)\) \(([^()]+)\) − 0\.3 × \(([^a-z]+)\) \(([^()]+)\)", first_terms),
    (
        r"becomes twelve numbers: (.+?), (four from its place|none from (?:a|its) place(?:, "
        r"which is left out(?: for all)?)?), ([^;]+); their sum",
        channels,
    ),
    (rf"{N} (keys? takes?) part, {N} (are|is) taken out\.", counted),
    (
        rf"No score stays\.|The only score that stays: {REAL}\.|Smallest and largest score "
        rf"that stays: {REAL} and {REAL}\.",
        ends,
    ),
    (
        rf"entropy ({REAL}|–) natsas spread as ({REAL}|–) equal keys",
        lambda c, m: spread(c, m2(m, 1, 3)),
    ),
    (
        rf"e(s {MINUS} \(?{REAL}\)?|{MINUS}∞) [=≈] {REAL}(no score is left:|÷ {REAL}) [=≈] {REAL}",
        lambda c, m: line_of_key(c, m2(m, 1, 2, 4)),
    ),
    (rf"The row of {WHERE} keeps {REAL} for itself; {WHERE} gets {REAL}\.", shares),
    (
        rf"{N} (products? lies?) above zero \(filled squares\), {N} below \(hollow\)(?:, {N} (?:is|are) zero "
        rf"\(no square\))?",
        above_and_below,
    ),
    (
        rf"CLS stands in front of them as row 0 of the sequence, and has no pixels\.|The patch "
        rf"{WHERE} becomes row {N} of the sequence: its pixels\.",
        of_patches,
    ),
    (
        r"(Values|Keys) (cannot flow in: every key is taken out|flow in by weight)(, its own "
        r"too|, but nothing of its own)?",
        flows,
    ),
    (
        rf"The row of {WHERE} (keeps|takes) (what it was|its normed form) and adds ([^.]+)\.",
        lambda c, m: adds(c, m2(m, 2, 3, 4)),
    ),
    (
        rf"they ask whether diff lies more than half a spread above out, or below it\. "
        rf"Together they write {REAL} to out; 46 are zero\.",
        unit_counts,
    ),
    (
        r"out came in as 0, so diff − out is what diff was, in spreads: the mean is taken "
        r"back\.|out came in normed, and not as 0, so diff − out is no longer what diff was\.",
        out_came_in,
    ),
    (
        rf"The spread of the row goes from {REAL} to {REAL}; the order of the keys stays as it "
        rf"was\.",
        scaled,
    ),
    (
        rf"mean of the heads’ weights, for display only \({REAL} \+ {REAL} \+ {REAL}\) ÷ 3 "
        rf"[=≈] {REAL}",
        mean_of,
    ),
    (r"(from the pixels|of its own) ¶", lambda c, m: (m[1] == "of its own") == c.is_cls),
    (r"(from the place|for no place|from no place) ¶", lambda c, m: of_place(c, m[1])),
    (
        rf"row cos{REAL} (from the pixels|of its own) \+ \(?{REAL}\)? (from the place|for no "
        rf"place|from no place)",
        lambda c, m: (m[2] == "of its own") == c.is_cls and of_place(c, m[4]),
    ),
    (
        r"CLS has no pixels: it is a row of its own, put in front of the patches\.|CLS stands "
        r"in front of all patches",
        lambda c, _: c.is_cls,
    ),
    (r"16 × 16 pixels × 3 colours = 768 numbers", lambda c, _: not c.is_cls),
    (rf"head ([123])([a-z ]+?)largest {REAL}CLS {REAL}", of_a_map),
    (
        rf"Smallest and largest: {REAL} and {REAL} before, {REAL} and {REAL} after\.",
        before_and_after,
    ),
    (
        rf"key {WHERE}: score ({REAL}|–), weight {REAL}",
        lambda c, m: (
            m[1] == place(c.key) and (m[2] == "–") == (c.h < 0) and reads(m[4], float(c.a[c.key]))
        ),
    ),
]
# What is said of every row, whatever the state, and why it always holds.
ALWAYS: list[tuple[str, str]] = [
    (r"cut into 14 × 14 squares of 16 × 16 pixels", "the grid"),
    (r"spot compares [^¶]+ written later\.", "the teaching weights"),
    (r"This row alone: its mean .+? No other row has a say\.", "layer norm"),
    (r"mean 0(?= ¶)|−?[\d.]+ ¶ mean(?= ¶)|x − mean", "layer norm"),
    (
        r"Every row makes its own three\.|One row, three roles:[^.]+\.|Each head has its own "
        r"three matrices[^¶]+",
        "the projections",
    ),
    (r"meets the key of every row\.|all 197 keys", "the products"),
    (
        r"A score of −∞ becomes a weight of exactly 0\. An encoder on one image usually has "
        r"no mask\.",
        "the softmax",
    ),
    (r"all 197 widths, CLS first", "the order of the bar"),
    (r"their weight together, without a mask: ", "the number is held by test_row.py"),
    (r"The heads side by side: the model forms no mean of them\.", "heads"),
    (
        r"The mean of the three heads’ weights is a display choice: the model forms no such row\.",
        "heads",
    ),
    (
        r"mean (?:red|green|blue), 0 to 255|all three, (?:centre 8 × 8|around it)",
        "a number, or a dash",
    ),
    (r"scores that stay|Take \S+ out, or put it back|−∞ ¶ taken out", "headings"),
    (
        r"What is added to is x itself, not its normed form; the place channels stay as they "
        r"were\.",
        "W_O writes no place",
    ),
    (
        r"That is the bug: x itself, with its mean and its spread, is lost\.",
        "said of that bug alone: test_said.py",
    ),
    (r"From here on this row works alone\.|this row works alone", "the MLP"),
    (r"every patch, and CLS, is a row", "the sequence"),
    (r"Embed and place(?= ¶)|three heads, four numbers each", "headings"),
    (r"W ?O?: a line for each number of o, a column for each channel of M;", "the matrix"),
]
# A plate's description for those who do not see it, the last text of a plate: it says what is drawn in any
# state, so it may name no case but as one.
CLAIMING = re.compile(
    r"\b(largest|smallest|strongest|least|nine|only|alone|alike|all|every|each|own|none|nothing|no|"
    r"everywhere|same|order|mean|equal|whole|wholes|pixels?|place|surrounds?|kind|flow|read|keeps|"
    r"takes? part|take out|taken out|come|came|entropy|shares?)\b"
)


PATTERNS = [(re.compile(pattern), rule) for pattern, rule in RULES]
PATTERNS += [(re.compile(pattern), always) for pattern, _ in ALWAYS]


def faults(case: Case, where: str, text: str, met: Counter[str]) -> list[str]:
    """The claims of a text that do not hold, and the words that claim something and "
    "have no rule."""
    found, rest = [], text
    for pattern, rule in PATTERNS:
        for claim in pattern.finditer(text):
            met[pattern.pattern] += 1
            if not rule(case, claim):
                found.append(f"{where}: false: {claim[0]!r} in {case.state}")
        rest = pattern.sub(lambda claim: "·" * len(claim[0]), rest)
    for word in CLAIMING.finditer(rest):
        around = rest[max(0, word.start() - 30) : word.end() + 30]
        found.append(f"{where}: no rule for {word[0]!r} in {around!r}")
    return found


def seen_of(where: str, text: str) -> str:
    """The text without a plate's description for those who do not see it, the last one "
    "that stands there."""
    is_plate = " " not in where and where not in ("legend", "readouts", "chosen")
    return text.rstrip(" ¶").rpartition(" ¶ ")[0] + " ¶ " if is_plate else text


def test_every_claim_of_the_players_text_is_true_in_every_special_state() -> None:
    met: Counter[str] = Counter()
    wrong: dict[str, str] = {}
    for state, trace, row in shown():
        case = Case(state, trace, row.key)
        for where, text in told(state, row.values).items():
            for fault in faults(case, where, seen_of(where, text), met):
                wrong.setdefault(re.sub(r"[\d.]+", "0", fault.partition(" in State")[0]), fault)
        assert len(row.arrows) == min(9, len(case.others)), state
    assert not wrong, f"{len(wrong)} kinds of fault:\n" + "\n".join(wrong.values())
    unmet = [pattern.pattern for pattern, _ in PATTERNS if not met[pattern.pattern]]
    assert not unmet, f"rules for claims that nobody makes: {unmet}"
