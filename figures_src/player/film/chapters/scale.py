"""Scale: all ticks close up by one divisor, in the same order."""

from figures_src.player.film.timeline import Chapter, Move, Step, come

APART = "{divisor.value} 1"  # the scores, as far apart as the products were


def _follow(which: str) -> Move:
    """Return a lifted tick and its number that go with the others, from product to score."""
    away = f"calc({{x.product{which}}} - {{x.scaled{which}}}) 0px"
    frames = ({"translate": away},)
    return Move(f'[data-x="x.scaled{which}"] > *', frames, start=900, ms=1200)


CHAPTER = Chapter(
    "scale",
    (
        Step(
            "One number divides all products: {divisor}.",
            1200,
            (come('[data-mark="divisor"] .va-sums > *', y=-30, stagger=250),),
        ),
        Step(
            "The ticks close up; none overtakes another.",
            2600,
            (
                Move('[data-d$="ticks.scores"]', ({"scale": APART},), start=900, ms=1200),
                Move(
                    '[data-mark="scores"] .va-plot',
                    ({"opacity": "0", "translate": "0px -120px"},),
                    ms=800,
                ),
                _follow(""),
                _follow(".own"),
                Move('[data-x^="x.scaled"] > text', ({"opacity": "0"},), start=1900, ms=300),
            ),
        ),
        Step(
            "The spread has shrunk by the same divisor.",
            1000,
            (come('[data-mark="scores"] .va-result b', x=-60, y=0),),
        ),
    ),
)
