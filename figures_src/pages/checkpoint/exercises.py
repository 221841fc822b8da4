"""Questions of the page on the trained model: to be tried in the explorer, each with a real number."""

import math

import numpy as np

from figures_src.explorer import values
from figures_src.inputs import captures
from figures_src.kit.numbers import fixed
from figures_src.pages.exercises import Exercise
from vitattn_core import key_mask, products, scale, softmax
from vitattn_core.arrays import Array
from vitattn_core.masks import hide
from vitattn_core.reading import effective_keys

PAGE = "checkpoint.md"
PHOTO = values.DEFAULTS["photo"]
LAYER, HEAD = (int(values.DEFAULTS[name]) for name in ("layer", "head"))
SHIFTS = 4  # the layer whose heads read neighbours


def entries() -> list[Exercise]:
    """Return the page's questions."""
    return [_divisor(), _drop(), _mean()]


def _products() -> Array:
    """Return the products of the first view's query with all keys, (N,)."""
    captured = captures.load(PHOTO, LAYER)
    return products(captured.Q[HEAD - 1, [values.query()]], captured.K[HEAD - 1])[0]


def _divisor() -> Exercise:
    width = captures.manifest()["architecture"]["width"]

    def keys(divisor: float) -> str:
        return fixed(effective_keys(softmax(_products() / divisor)), 1)

    def solve() -> str:
        scores = _products() / math.sqrt(width)
        weights = np.exp(scores) / np.exp(scores).sum()
        return fixed(math.exp(-sum(a * math.log(a) for a in weights)), 1)

    return Exercise(
        id="checkpoint-divisor",
        page=PAGE,
        question="In the first view the products are divided by $\\sqrt{d_h}$, and the row is as spread as "
        f"{keys(math.sqrt(captures.HEAD_WIDTH))} equal keys. As how many is it with "
        "$\\sqrt{D}$ in its place?",
        choices=(
            (
                keys(1),
                "This is the row without any divisor. $\\sqrt{D}$ is the larger number, "
                "so the scores lie closer together, not further apart.",
            ),
            (
                keys(math.sqrt(captures.HEAD_WIDTH)),
                "This is the row as the model has it. The order of the keys does not change, their "
                "weights do.",
            ),
            (
                keys(math.sqrt(width)),
                "All scores shrink by the same factor, and smaller differences make a flatter row. The "
                "model was trained with $\\sqrt{d_h}$; this row is not one it has ever used.",
            ),
        ),
        right=2,
        solve=solve,
    )


def _drop() -> Exercise:
    weights = captures.row(PHOTO, LAYER, HEAD, values.query())
    first, second = (int(token) for token in np.argsort(-weights)[:2])
    keep = np.ones(captures.TOKENS, dtype=bool)
    keep[first] = False

    def solve() -> str:
        scores = scale(_products()[None], captures.HEAD_WIDTH)
        return fixed(softmax(hide(scores, key_mask(keep)))[0, second], 3)

    return Exercise(
        id="checkpoint-drop",
        page=PAGE,
        question=f"In the first view the strongest key is {values.place(first)} with "
        f"{fixed(weights[first], 3)}, then comes {values.place(second)} with "
        f"{fixed(weights[second], 3)}. Take the strongest out. What does the other one get?",
        choices=(
            (
                fixed(weights[second], 3),
                "This is its weight before. The weights that are left have to sum to 1 again, so each "
                "grows.",
            ),
            (
                fixed(weights[second] / (1 - weights[first]), 3),
                "Every weight that is left is divided by what is left of the sum.",
            ),
            (
                fixed(weights[first] + weights[second], 3),
                "This hands all of the free weight to one key. It is shared out among all of them, in "
                "proportion.",
            ),
        ),
        right=1,
        solve=solve,
    )


def _mean() -> Exercise:
    below = captures.GRID.token(8, 5)
    heads = range(1, captures.HEADS + 1)
    each = [captures.row(PHOTO, SHIFTS, head, values.query())[below] for head in heads]
    most = max(each)

    def solve() -> str:
        layer = captures.load(PHOTO, SHIFTS)
        return fixed(layer.weights[:, values.query()].mean(axis=0)[below], 3)

    return Exercise(
        id="checkpoint-mean",
        page=PAGE,
        question=f"In layer {SHIFTS} one head of six gives the patch below the query {fixed(most, 3)}; the "
        f"others together {fixed(sum(each) - most, 3)}. What does the mean of the six give it?",
        choices=(
            (
                fixed(most, 3),
                "This is the largest of the six. Some tools do paint that, and then say so.",
            ),
            (
                fixed(most / 3, 3),
                "This is shared among the three heads that read a neighbour. The mean is over all six.",
            ),
            (
                fixed(sum(each) / len(each), 3),
                "A sixth is left of it. Each of the three sharp heads fades in this way, and the mean shows "
                "a spread that no head has.",
            ),
        ),
        right=2,
        solve=solve,
    )
