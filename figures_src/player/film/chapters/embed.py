"""Embed: numbers come out of the picked patch, then out of its place, and are added."""

from figures_src.player.film.timeline import Chapter, Move, Step, bars, stream

CHAPTER = Chapter(
    "embed",
    (
        Step(
            "Four numbers come from the pixels, and a constant.",
            1800,
            (
                stream('[data-t^="content."]', source=".va-mark.is-query"),
                bars("content", start=350, stagger=100),
            ),
            cls="CLS brings its own number.",
        ),
        Step(
            "Four more say where it is.",
            1800,
            (
                stream('[data-t^="position."]', source=".va-mark.is-query"),
                bars("position", start=350, stagger=100),
            ),
            cls="CLS has no place: nothing is added.",
        ),
        Step(
            "Added channel by channel: the row that enters the block.",
            1500,
            (
                Move(
                    '[data-mark="sum"] .va-numbers',
                    ({"opacity": "0"}, {"opacity": "1"}, {"opacity": "1"}, {"opacity": "1"}),
                    source='[data-mark="from-pixels"] .va-numbers',
                    start=100,
                    ms=900,
                ),
            ),
        ),
    ),
)
