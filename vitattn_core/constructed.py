"""A constructed stack: five rows and three blocks, made to show what a rollout cannot see.

The rows are CLS and the patches of a 2 × 2 grid. Each has a mark of its own, by which the heads find
it, and each patch has one number to tell, in a pair of channels (+, −) that layer norm's mean does
not touch. Every patch is read by CLS, and what becomes of it is its story: `plain` is passed on,
`unread` is in no value, `twice` is added in block 2 and taken away in block 3 by W_O, and `faint` is
made large by the MLP.
"""

import numpy as np

from .arrays import Array
from .attention import AttentionWeights
from .block import BlockWeights
from .grid import Grid

STACK_GRID = Grid(height=32, width=32, patch=16)
STORIES = ("plain", "unread", "twice", "faint")  # what becomes of each patch, in sequence order
MARK, TOLD = 4.0, 2.0  # size of a row's mark and of what it tells
EPS = 1e-6
_ROWS = STACK_GRID.tokens
_WIDTH = _ROWS + 2 * len(STORIES) + 1

# How gladly CLS (first line) and the patches (second line) read each row, block by block.
_SCORES = (
    ((0, 0, 2, 0, 0), (0, 0, 2, 0, 0)),
    ((0, 0, 2, 2, -1), (0, 0, 2, 0, 0)),
    ((0, 1, 2, 2, -1), (0, 0, 2, 0, 0)),
)


def told(patch: int) -> slice:
    """Return the pair of channels in which a patch (0 to 3) tells its number, as (+, −).

    The first patch's pair lies behind the five marks:

    >>> told(0)
    slice(5, 7, None)
    """
    return slice(_ROWS + 2 * patch, _ROWS + 2 * patch + 2)


def stack_rows() -> Array:
    """Return the rows (5, 14) that enter the first block: marks, and what each patch tells.

    The mean of every row is exactly 0, so layer norm subtracts nothing:

    >>> stack_rows().shape, stack_rows().sum(axis=1).tolist()
    ((5, 14), [0.0, 0.0, 0.0, 0.0, 0.0])
    """
    X = np.zeros((_ROWS, _WIDTH))
    X[:, :_ROWS] = MARK * np.eye(_ROWS)
    for patch in range(len(STORIES)):
        X[STACK_GRID.prefix + patch, told(patch)] = TOLD, -TOLD
    X[:, -1] = -X.sum(axis=1)  # a counterweight: the mean of every row is exactly 0, and stays so
    return X


def stack_blocks(*, only_mixing: bool = False) -> list[BlockWeights]:
    """Return the three blocks: one head each, as wide as the rows, and an MLP that works in the last.

    With `only_mixing` the same heads pass every value on as it is, and no MLP works.

    CLS reads the patch `unread`, row 2, most of all, and nothing of it arrives:

    >>> trace = block(stack_rows(), stack_blocks()[0])
    >>> int(trace.A[0, 0].argmax()), bool(trace.V[0, 2].any())
    (2, False)
    """
    blocks = []
    for number, (cls, patches) in enumerate(_SCORES, start=1):
        w_q, w_k = np.zeros((_WIDTH, _WIDTH)), np.zeros((_WIDTH, _WIDTH))
        w_q[:_ROWS, :_ROWS] = np.eye(_ROWS)
        w_k[:_ROWS, :_ROWS] = np.array([cls] + [patches] * len(STORIES)).T
        w_v = np.zeros((_WIDTH, _WIDTH))
        for patch, story in enumerate(STORIES):
            if only_mixing or story != "unread":
                w_v[told(patch), told(patch)] = np.eye(2)
        w_o = np.eye(_WIDTH)
        if number == 3 and not only_mixing:
            w_o[told(2), told(2)] *= -1
        w_1, w_2 = np.zeros((_WIDTH, 4 * _WIDTH)), np.zeros((4 * _WIDTH, _WIDTH))
        if number == 3 and not only_mixing:
            w_1[told(3), :2] = 16 * np.eye(2)
            w_2[:2, told(3)] = np.array([[1, -1], [-1, 1]])
        attention = AttentionWeights(w_q=w_q, w_k=w_k, w_v=w_v, w_o=w_o, heads=1)
        blocks.append(BlockWeights(attention=attention, w_1=w_1, w_2=w_2, eps=EPS))
    return blocks
