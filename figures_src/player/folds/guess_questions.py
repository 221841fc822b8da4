"""What the fold "Guess first" asks: the words only. The page computes every answer from its pass.

[name] in a sentence is a place that the page's script fills: a patch, a number, a list. `because` has
one sentence for each answer that the pass may give.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from figures_src.inputs.models import BASE
from figures_src.kit.numbers import percent, with_commas
from vitattn_core import Grid, cost
from vitattn_core.teaching import GRID, HEAD_WIDTH, HEADS, WIDTH

SIDES = (224, 1024)


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """One question.

    kind: the reader taps patches, picks one of `choices` (value: words), or moves a slider (per
    cent). maps: a caption for each photograph of the answer. gap: what the pass says, `outcome`: what
    the guess was worth. see: the state that shows it in the player. constants: numbers that need no pass.
    """

    id: str
    short: str
    kind: Literal["tap", "choice", "slider"]
    ask: str
    gap: str
    because: Mapping[str, str]
    choices: Mapping[str, str] = field(default_factory=dict)
    maps: tuple[str, ...] = ()
    outcome: str = ""
    see: Mapping[str, str] = field(default_factory=dict)
    constants: Mapping[str, str] = field(default_factory=dict)


SHARPER = {
    "sharper-kept": "Sharper; the keys keep their order",
    "sharper-changed": "Sharper; some keys change places",
    "flatter-kept": "Flatter; the keys keep their order",
    "flatter-changed": "Flatter; some keys change places",
    "same-kept": "It stays as it is",
}
ALL_ALIKE = "All scores of this row are equal, so no divisor can change a weight."
SPREAD = (
    "[keys.before] keys become [keys.after] (counted as equal keys); the largest weight goes "
    "from [top.before] to [top.after]."
)


def _share(side: int) -> Prompt:
    """How much of a block of ViT-B/16 is the pair term, at an image side in pixels."""
    tokens = Grid(side, side, GRID.patch).tokens
    pair, block = cost.pair_macs(tokens, BASE.width), cost.block_macs(tokens, BASE.width)
    small = side == SIDES[0]
    return Prompt(
        id=f"cost-{side}",
        short=f"Cost at {side} px",
        kind="slider",
        ask=f"A block of ViT-B/16, an image of {side} × {side} pixels: which share of its "
        "multiplications grows with the square of the number of rows?",
        gap=f"The two products that meet all pairs of rows, Q Kᵀ and A V, take {with_commas(pair)} of "
        f"{with_commas(block)} multiply-accumulates, with N = {with_commas(tokens)} rows.",
        because={
            "": "At this size the projections and the MLP, which grow with N alone, do nearly all "
            "of the work."
            if small
            else f"There are about {round(tokens / GRID.tokens)} times as many rows as at "
            f"{SIDES[0]} px. Pairs grow with N², the rest with N, so pairs count about "
            f"{round(tokens / GRID.tokens)} times as much against the rest."
        },
        constants={"share": f"{pair / block!r}", "percent": percent(pair / block)},
    )


PROMPTS = (
    Prompt(
        id="five",
        short="Five patches",
        kind="tap",
        ask="Which five patches will [place] read from most, with head [head]? Tap them. "
        "(CLS does not count.)",
        maps=("what you tapped", "the row of [place]; your patches are ringed"),
        gap="Five patches that no other outweighs hold [best]: [list]. CLS, off the photograph, gets [cls].",
        outcome="Your patches hold [caught] of the row; among those five: [hits].",
        because={
            "1": "“Like me” looks for what departs from an ordinary patch in the same direction: "
            "in light, in warmth, in a spot. It knows nothing of eyes, fur or rims.",
            "2": "“Near me” asks with place, so a guess by distance catches most of it.",
            "3": "“Opposite” looks for what departs from an ordinary patch the other way.",
        },
        see={"query": "[word]", "stage": "softmax"},
    ),
    Prompt(
        id="off",
        short="No divisor",
        kind="choice",
        ask="The scores of [place] are used as they are, without ÷ √d_h. What happens to its row?",
        choices=SHARPER,
        maps=("÷ √d_h, as it should be", "no divisor"),
        gap=SPREAD,
        because={
            "sharper-kept": "Without the divisor all differences between scores are "
            f"√{HEAD_WIDTH} = {round(HEAD_WIDTH**0.5)} times as large, and the exponential favours "
            "the strongest keys more. No two keys change places: dividing all scores by one "
            "positive number cannot swap two of them.",
            "same-kept": ALL_ALIKE,
        },
        see={"scale": "off", "stage": "softmax"},
    ),
    Prompt(
        id="model",
        short="√D for √d_h",
        kind="choice",
        ask=f"The scores of [place] are divided by √D = √{WIDTH}, the root of the model’s width, in "
        f"place of √d_h = √{HEAD_WIDTH}. What happens to its row?",
        choices=SHARPER,
        maps=("÷ √d_h, as it should be", "÷ √D"),
        gap=SPREAD,
        because={
            "flatter-kept": "A larger divisor brings the scores closer together. It is a step the "
            "other way from leaving the divisor out.",
            "same-kept": ALL_ALIKE,
        },
        see={"scale": "model", "stage": "softmax"},
    ),
    Prompt(
        id="keys",
        short="K for V",
        kind="choice",
        ask="The mixture takes keys where it should take values. What changes for [place]?",
        choices={
            "neither": "Nothing",
            "row": "Only the painted row",
            "output": "Only the output",
            "both": "The painted row and the output",
        },
        maps=("values mixed, as it should be", "keys mixed"),
        gap="The output goes from ([o]) to ([k]): it moves by [moved] of its length. The largest "
        "difference between the two painted rows is [apart].",
        because={
            "output": "A map of weights shows how much is taken from where, not what is taken. "
            "This bug leaves every map as it was.",
            "neither": "In this row keys and values happen to mix to the same numbers.",
        },
        see={"mix": "k", "stage": "mix"},
    ),
    Prompt(
        id="column",
        short="The column",
        kind="choice",
        ask="Every one of the 197 rows gives [place] some weight, with head [head]. What do these "
        "weights sum to?",
        choices={"one": "Exactly 1", "more": "More than 1", "less": "Less than 1"},
        maps=("what [place] reads from", "what reads [place]"),
        gap="The column of [place] sums to [sum], its row to [row.sum].",
        because={
            "more": "Softmax shares out a row, so every row sums to 1. Nothing shares out a column: "
            "many rows may want the same key.",
            "less": "Softmax shares out a row, so every row sums to 1. Nothing shares out a column: "
            "other keys may be wanted more.",
            "one": "Here the column happens to sum to 1; nothing makes it.",
        },
    ),
    Prompt(
        id="mean",
        short="Mean of two",
        kind="choice",
        ask="Take the mean of heads 1 and 2 for [place], key by key. Which of the two rows will it "
        "look like? (Like: at most a tenth of the weight stands elsewhere.)",
        choices={
            "first": f"Head 1, {HEADS[0]}",
            "second": f"Head 2, {HEADS[1]}",
            "both": "Both",
            "neither": "Neither",
        },
        maps=(f"head 1, {HEADS[0]}", f"head 2, {HEADS[1]}", "their mean"),
        gap="[tv] of the mean’s weight stands elsewhere than in head 1’s row, and as much as in "
        "head 2’s: it lies half-way. [keys.1] and [keys.2] equal keys become [keys.mean].",
        because={
            "neither": "A mean of rows can be a pattern that no head has. No model forms it: heads "
            "are joined by their outputs, not by their weights.",
            "both": "The two heads read nearly alike here, so their mean hides little.",
        },
        see={"head": "mean", "stage": "softmax"},
    ),
    Prompt(
        id="position",
        short="No position",
        kind="choice",
        ask="The position table is left out. In which head does the row of [place] change most?",
        choices={str(n): f"Head {n}, {name}" for n, name in enumerate(HEADS, start=1)},
        maps=("head [most], with position", "head [most], without"),
        gap="So much of the weight moves: [tv.1] in head 1, [tv.2] in head 2, [tv.3] in head 3. "
        "In head [most], [keys.before] equal keys become [keys.after].",
        because={
            "1": "Layer norm divides a row by its own spread, so that leaving the place out changes "
            "its other channels too; here that moves most.",
            "2": "“Near me” asks with the position channels. Without them all patches look the same "
            "to it. The other heads ask for colour and light, and hardly notice.",
            "3": "Layer norm divides a row by its own spread, so that leaving the place out changes "
            "its other channels too; here that moves most.",
        },
        see={"position": "off", "stage": "softmax"},
    ),
    Prompt(
        id="swap",
        short="Two swapped",
        kind="choice",
        ask="Position is left out, and the patches [place] and [other] change places in the "
        "photograph. Which rows come out of attention with other numbers?",
        choices={
            "none": "None",
            "two": "Those two only",
            "some": "Those two and some others",
            "all": "All 197",
        },
        maps=("how far each row moves, without position", "how far each row moves, with position"),
        gap="Without position [count.off] rows change, with position [count.on], half of them by less "
        "than [half] of the largest change.",
        because={
            "two": "Without position the layer sees a set of rows, in no order. The two rows trade "
            "places, and all others read the same keys and values as before.",
            "none": "The two patches have the same numbers, so swapping them changes nothing.",
            "all": "",
            "some": "",
        },
    ),
    Prompt(
        id="drop",
        short="Strongest key out",
        kind="slider",
        ask="In the row of [place] no key has more than [first], with a weight of [first.weight]. It is "
        "taken out, and the other weights are brought back to a sum of 1. How far does the output move, "
        "in per cent of its length?",
        maps=("all keys", "without [first]"),
        gap="Without [first] the output moves by [percent]. Without the next one, [second] "
        "([second.weight]), it moves by [second.percent].",
        because={
            "": "A weight alone does not say how far the output moves: that depends on how far the "
            "key’s value lies from what the others give together."
        },
        see={"dropped": "[first.word]", "stage": "mix"},
    ),
    *(_share(side) for side in SIDES),
)
