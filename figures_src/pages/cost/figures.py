"""Page Cost, its charts: the pair term's share by image side, and the memory of the score matrices."""

from typing import Any

from matplotlib.axes import Axes

from figures_src.inputs.models import FLOAT32, MODELS, Model
from figures_src.kit.chart import COLOUR, chart
from figures_src.pages.registry import figure
from vitattn_core import cost, streaming

SIDES = 224, 2048  # of the drawn images, in pixels
BAR: dict[str, Any] = {"color": COLOUR["ink"], "linewidth": 9, "solid_capstyle": "butt"}
# Where labels at the right end would touch: up or down, in per cent.
NUDGED = {"ViT-Ti/16": 2, "ViT-S/16": 0.5, "ViT-B/16": 3.5, "ViT-L/16": 1, "ViT-H/14": -5.5}
ROWS = 197, 785, 3137, 12545


def share(model: Model, side: int) -> float:
    """Return the pair term's part of one block, in per cent."""
    tokens = model.tokens(side)
    return 100 * cost.pair_macs(tokens, model.width) / cost.block_macs(tokens, model.width)


@figure(
    "cost-crossovers",
    caption="The pair term’s share of one block, by the side of a square image. Each curve reaches a "
    "quarter where the pair term equals the four projections, and a half where it equals all the "
    "rest. The bars on ViT-B mark the pairs of image sides between which it happens.",
    alt="Five rising curves over image sides from {{ vit.side = 224 }} to "
    "{{ cost.chart_side = 2,048 }} pixels, ViT-Ti highest, then S, B, L with H close to it. "
    "Dashed lines at {{ cost.quarter = 25% }} and {{ cost.half = 50% }}. ViT-B crosses the "
    "first between {{ cost.b.even_projections.below = 624 }} and "
    "{{ cost.b.even_projections.above = 640 }} pixels and the second between "
    "{{ cost.b.even_rest.below = 1,072 }} and {{ cost.b.even_rest.above = 1,088 }}.",
)
def crossovers() -> str:
    return chart("cost-crossovers", _shares, place=(50, 26, 296, 258))


def _shares(axes: Axes) -> None:
    base = MODELS["b"]
    met = {"projections": (25, "pairs = projections"), "rest": (50, "pairs = all the rest")}
    for name, crossing in cost.crossovers(base.width, patch=base.patch).items():
        level, words = met[name]
        axes.axhline(level, color=COLOUR["quiet"], linewidth=1, dashes=(4, 3))
        axes.text(2040, level - 1.5, words, color=COLOUR["quiet"], ha="right", va="top")
        pixels = f"B: {crossing.below:,}–{crossing.above:,} px"
        axes.text(2040, level - 8, pixels, color=COLOUR["weight"], ha="right", va="top")
        axes.plot((crossing.below, crossing.above), (level, level), zorder=3, **BAR)
    for model in MODELS.values():
        sides = range(SIDES[0], SIDES[1] + 1, model.patch)
        picked = model.name == "ViT-B/16"
        axes.plot(
            sides,
            [share(model, side) for side in sides],
            color=COLOUR["weight" if picked else "quiet"],
            linewidth=3 if picked else 1.5,
            clip_on=False,
        )
        end = share(model, sides[-1]) + NUDGED.get(model.name, 0)
        colour = COLOUR["weight" if picked else "ink"]
        axes.text(2075, end, model.name.removeprefix("ViT-"), color=colour, va="center")
    axes.set_xlim(SIDES)
    axes.set_ylim(0, 100)
    axes.set_xticks([224, 1024, 2048], ["224", "1,024", "2,048 px"])
    axes.set_yticks([0, 25, 50, 75, 100], ["0", "25", "50", "75", "100%"])


@figure(
    "cost-memory",
    caption="Memory beside queries, keys and values, for one layer of ViT-B/16 in float32: the "
    "weights of all heads as matrices, and the outputs with one block of "
    "{{ cost.block_side = 400 }} × {{ cost.block_side = 400 }} scores. Both axes count in "
    "factors of ten.",
    alt="Two lines over the number of rows, from {{ vit.tokens = 197 }} to "
    "{{ cost.tokens_long = 12,545 }}. The matrices rise with the square, from "
    "{{ cost.matrix_224 = 1.9 MB }} to {{ cost.matrix_1792 = 7.6 GB }}; outputs and one block "
    "rise more slowly, from {{ cost.blocked_224 = 0.76 MB }} to "
    "{{ cost.blocked_1792 = 39 MB }}.",
)
def memory() -> str:
    return chart("cost-memory", _memory, place=(64, 26, 292, 258))


def matrix_bytes(tokens: int) -> int:
    """Return what the weights of all heads of one layer of ViT-B/16 take, in float32."""
    return FLOAT32 * cost.score_slots(tokens, MODELS["b"].heads)


def blocked_bytes(tokens: int) -> int:
    """Return what the blocked pass holds: its outputs, and one block of scores."""
    block = min(streaming.BLOCK, tokens) ** 2
    return FLOAT32 * (tokens * MODELS["b"].width + block)


def written_bytes(size: int) -> str:
    """Return a size as a chart shows it: two digits, in MB or GB."""
    unit, name = (1e9, "GB") if size >= 1e9 else (1e6, "MB")
    return f"{size / unit:.2g} {name}"


def _memory(axes: Axes) -> None:
    for size_of, colour, words, near in (
        (matrix_bytes, "weight", "matrices, h·N²", (760, 3.4e8)),
        (blocked_bytes, "output", "outputs and one block", (520, 5.5e5)),
    ):
        sizes = [size_of(tokens) for tokens in ROWS]
        axes.plot(ROWS, sizes, color=COLOUR[colour], marker="o", markersize=7, clip_on=False)
        axes.text(*near, words, color=COLOUR[colour], ha="right" if colour == "weight" else "left")
        first, last = (written_bytes(size) for size in (sizes[0], sizes[-1]))
        up = colour == "weight"
        axes.text(ROWS[0], sizes[0] * (3 if up else 0.55), first, va="bottom" if up else "top")
        axes.text(
            ROWS[-1], sizes[-1] * (1.6 if up else 0.4), last, ha="right", va=("top", "bottom")[up]
        )
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.minorticks_off()
    axes.set_xlim(180, 13500)
    axes.set_ylim(1e5, 2e10)
    axes.set_xticks(ROWS, ["N = 197", *(f"{tokens:,}" for tokens in ROWS[1:])])
    axes.set_yticks([1e5, 1e6, 1e7, 1e8, 1e9, 1e10], ["", "1 MB", "", "100 MB", "", "10 GB"])
