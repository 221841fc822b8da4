"""Residual: what was read drops onto what the row was."""

from figures_src.player.film.timeline import Chapter, Move, Step, come

CHAPTER = Chapter(
    "residual",
    (
        Step(
            "The row as it entered, before attention.",
            1400,
            (
                Move(".va-spot", ({"opacity": "0"},), ms=500),
                Move(".va-rises > .va-rise", ({"scale": "1 0"},), start=200, stagger=40),
            ),
        ),
        Step(
            "What it has read drops onto it.",
            1900,
            (
                Move(
                    ".va-added", ({"translate": "0px -70px", "opacity": "0"},), ms=700, stagger=70
                ),
                come('[data-t^="added."]', y=-40, start=300, stagger=70),
            ),
        ),
        Step(
            "Where it ends is the row now.",
            1500,
            (
                Move(
                    ".va-end",
                    (
                        {"translate": "0px calc(var(--v) * 66px)", "opacity": "0"},
                        {"translate": "0px 0px", "opacity": "1"},
                    ),
                    ms=900,
                    stagger=30,
                ),
                come('[data-t^="Y."]', y=-16, start=300, stagger=30),
            ),
        ),
    ),
)
