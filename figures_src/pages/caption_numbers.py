"""The numbers that captions and alternative texts quote and no page does: what the figures show."""

from figures_src.kit.numbers import fixed, with_commas
from figures_src.pages.maps.examples import worth
from figures_src.pages.weight_and_effect.facts import BRIGHT_IDLE, DIM_BUSY

from .cls import figures
from .cost import figures as cost_charts
from .explainer import figures_influence
from .facts import Fact, of
from .heads import figures as heads
from .learned_heads import figures as learned_heads
from .masks import figures as masks
from .questions import figures as questions


def entries() -> list[Fact]:
    """Return the numbers."""
    return [
        *of("formula", [*_counts(), *_where(), *_matrix()]),
        *of("teaching", _worth()),
    ]


def _counts() -> list[tuple[str, str]]:
    marked = figures_influence.MARKED[0] * figures_influence.SIDE + figures_influence.MARKED[1]
    reached = {
        name: int(figures_influence.influence(operator)[marked].sum())
        for name, operator in figures_influence.OPERATORS.items()
    }
    numbers = {
        "cls.registers": figures.WITH_REGISTERS.registers,
        "cost.chart_side": cost_charts.SIDES[1],
        "heads.written": len(heads.WRITTEN),
        "influence.convolution": reached["convolution, 3 × 3"],
        "influence.windows": reached["attention in windows"],
        "influence.everywhere": reached["global attention"],
        "learned.eyes.panels": len(learned_heads.FOUND),
        "masks.kinds": len(masks.kinds()) - 1,  # the first is no mask
        "masks.axis.rows": masks.ROWS,
        "effect.named": len(BRIGHT_IDLE) + len(DIM_BUSY),
    }
    return [(key, with_commas(number)) for key, number in numbers.items()]


def _where() -> list[tuple[str, str]]:
    """The weights of the bars, key by key, as they stand in them."""
    named = zip(("none", "minus", "times"), masks.places().values(), strict=False)
    return [
        (f"masks.where.{name}.{key}", masks.share(float(weight)))
        for name, weights in named
        for key, weight in enumerate(weights, start=1)
        if weight and (name != "times" or key == 3)
    ]


def _matrix() -> list[tuple[str, str]]:
    """The framed row and column of the matrix that is shown twice, and their sums."""
    row, column = questions.WEIGHTS[questions.PICKED], questions.WEIGHTS[:, questions.PICKED]
    return [
        (f"questions.{kind}.{name}", fixed(float(number), 2))
        for kind, line in (("row", row), ("column", column))
        for name, number in [*enumerate(line), ("sum", line.sum())]
    ]


def _worth() -> list[tuple[str, str]]:
    return [("maps.worth", with_commas(len(worth()) - 1))]  # the patch itself is left out
