"""Layer norm: the twelve ticks slide to mean 0, then close up, or spread out, to spread 1."""

from figures_src.player.film.timeline import Chapter, Move, Step, bars, come

FALL = "0px -1.1px"  # an axis is 1 high in its own units

CHAPTER = Chapter(
    "norm",
    (
        Step(
            "The twelve numbers of the row, one tick each.",
            1000,
            (Move('[data-d="norm.ticks.x"]', ({"translate": FALL, "opacity": "0"},), 100),),
        ),
        Step(
            "Their mean is taken away: all slide by the same step.",
            1600,
            (
                Move(
                    '[data-d="norm.ticks.centred"]',
                    (
                        {"translate": "{norm.mean}px -1.1px", "opacity": "0"},
                        {"translate": "{norm.mean}px 0px", "opacity": "1"},
                        {"translate": "{norm.mean}px 0px", "opacity": "1"},
                    ),
                    ms=1300,
                ),
            ),
        ),
        Step(
            "All are divided by their spread.",
            1600,
            (
                Move(
                    '[data-d="norm.ticks.u"]',
                    (
                        {"scale": "{norm.spread} 1", "translate": FALL, "opacity": "0"},
                        {"scale": "{norm.spread} 1", "translate": "0px 0px", "opacity": "1"},
                        {"scale": "{norm.spread} 1", "translate": "0px 0px", "opacity": "1"},
                    ),
                    ms=1300,
                ),
            ),
        ),
        Step(
            "The same twelve channels, normed.",
            1300,
            (come('[data-t^="U."]', y=-30, stagger=40), bars("U", start=250)),
        ),
    ),
)
