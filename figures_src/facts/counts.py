"""How many there are of what the core and the registries list: pages quote these counts in words."""

from vitattn_core import STAGES, Grid
from vitattn_core.teaching import CHANNELS, GRID, HEAD_WIDTH, HEADS

from .. import captures, learned_examples, map_examples, photos
from ..exercises import exercises
from ..questions import QUESTIONS
from ..sections import masks
from . import Fact, of, whole
from .explainer import BASE_HEADS
from .learned_heads import WORDS
from .weight_and_effect import TOP

YOURSELF = "test-yourself.md"


def entries() -> list[Fact]:
    """Return the counts."""
    asked = sum(one.page == YOURSELF for one in exercises().values())
    double = Grid(2 * GRID.height, 2 * GRID.width, GRID.patch)
    numbers = {
        "count.stages": len(STAGES),
        "count.photographs": len(photos.TITLES),
        "count.questions": len(QUESTIONS),
        "count.yourself": asked,
        "teaching.heads": len(HEADS),
        "teaching.channels": len(CHANNELS),
        "teaching.head_channels": HEAD_WIDTH,
        "vit.heads": BASE_HEADS,
        "cost.growth.patches": double.patches // GRID.patches,
        "maps.reach": map_examples.REACH,
        "masks.padded_lines": GRID.rows - masks.KEPT_LINES,
        "model.photographs": len(captures.PHOTOS),
        "model.layers": captures.LAYERS,
        "model.layers_before": captures.LAYERS - 1,
        "model.heads": captures.HEADS,
        "learned.late": len(learned_examples.LATE),
        "learned.shift.heads": len(WORDS),
        "learned.shift.heads_of_4": sum(head.startswith("4.") for head in WORDS),
        "effect.top": TOP,
    }
    return of("formula", [(key, whole(number)) for key, number in numbers.items()])
