"""What the page on learned heads shows: the patch below the eye, both eyes, needles to the top key."""

from dataclasses import dataclass

from figures_src.inputs import captures
from figures_src.inputs.captures import EYES, GRID, HEADS, eye
from figures_src.kit.geometry import Floats

PHOTO = "chelsea"
PLACE = (7, 5)  # at the lower rim of the left eye
QUERY = GRID.token(*PLACE)
LATE = range(7, captures.LAYERS + 1)
SHIFT_LAYER, SHIFT_HEADS = 4, (2, 5, 6)


@dataclass(frozen=True)
class OnEyes:
    """How much of one row of weights lies on the left and on the right eye."""

    layer: int
    head: int
    left: float
    right: float


def on_eyes(layer: int, head: int) -> OnEyes:
    """Return what a head's row of the patch below the eye gives to each eye."""
    field = GRID.field(captures.row(PHOTO, layer, head, QUERY))
    left, right = (float(field[eye(name)].sum()) for name in EYES)
    return OnEyes(layer, head, left, right)


def even_share(name: str) -> float:
    """Return what an eye would get if all rows of the sequence got the same."""
    return float(eye(name).sum() / captures.TOKENS)


def finding_both() -> list[OnEyes]:
    """Return the heads of the late layers that give each eye at least twice its even share."""
    rows = (on_eyes(layer, head) for layer in LATE for head in range(1, HEADS + 1))
    return [
        row
        for row in rows
        if row.left >= 2 * even_share("left") and row.right >= 2 * even_share("right")
    ]


def top_patches(weights: Floats) -> Floats:
    """Return for each patch query (256,) the patch, from 0, that gets most of its weight."""
    return weights[1:, 1:].argmax(axis=-1)


def needles(weights: Floats) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return (row, column) of each patch, and of the patch key that gets most of its weight."""
    tops = top_patches(weights)
    return [
        (divmod(query, GRID.columns), divmod(int(key), GRID.columns))
        for query, key in enumerate(tops)
    ]


def share_of_steps(weights: Floats, step: tuple[int, int]) -> float:
    """Return the share of patches, of those with a neighbour there, whose needle points to it."""
    found = [
        (key[0] - query[0], key[1] - query[1]) == step
        for query, key in needles(weights)
        if 0 <= query[0] + step[0] < GRID.rows and 0 <= query[1] + step[1] < GRID.columns
    ]
    return sum(found) / len(found)


def shift_rows() -> tuple[Floats, Floats]:
    """Return the rows of the patch below the eye: of the three shift heads (3, 257), and the mean of six."""
    A = captures.load(PHOTO, SHIFT_LAYER).weights[:, QUERY]
    return A[[head - 1 for head in SHIFT_HEADS]], A.mean(axis=0)
