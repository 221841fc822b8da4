"""How many there are of what the core and the registries list: pages quote these counts in words."""

from figures_src.inputs import captures, photographs
from figures_src.inputs.models import BASE
from figures_src.kit.numbers import with_commas
from figures_src.pages.learned_heads.facts import WORDS
from figures_src.pages.questions.reader_questions import QUESTIONS
from figures_src.pages.weight_and_effect.facts import TOP
from vitattn_core import STAGES, Grid
from vitattn_core.teaching import CHANNELS, GRID, HEAD_WIDTH, HEADS

from .examples import KEPT_LINES
from .exercises import exercises
from .facts import Fact, of
from .learned_heads import examples
from .maps import examples as map_examples

YOURSELF = "test-yourself.md"


def entries() -> list[Fact]:
    """Return the counts."""
    asked = sum(one.page == YOURSELF for one in exercises().values())
    double = Grid(2 * GRID.height, 2 * GRID.width, GRID.patch)
    numbers = {
        "count.stages": len(STAGES),
        "count.photographs": len(photographs.TITLES),
        "count.questions": len(QUESTIONS),
        "count.yourself": asked,
        "teaching.heads": len(HEADS),
        "teaching.channels": len(CHANNELS),
        "teaching.head_channels": HEAD_WIDTH,
        "vit.heads": BASE.heads,
        "cost.growth.patches": double.patches // GRID.patches,
        "maps.reach": map_examples.REACH,
        "masks.padded_lines": GRID.rows - KEPT_LINES,
        "model.photographs": len(captures.PHOTOS),
        "model.layers": captures.LAYERS,
        "model.layers_before": captures.LAYERS - 1,
        "model.heads": captures.HEADS,
        "learned.late": len(examples.LATE),
        "learned.shift.heads": len(WORDS),
        "learned.shift.heads_of_4": sum(head.startswith("4.") for head in WORDS),
        "effect.top": TOP,
    }
    return of("formula", [(key, with_commas(number)) for key, number in numbers.items()])
