"""Heads: the outputs of three heads slide together, and W_O maps them back."""

from figures_src.player.film.timeline import Chapter, Move, Step, bars, come, stream

CHAPTER = Chapter(
    "heads",
    (
        Step(
            "Three heads have each read the photograph.",
            1500,
            (come(".va-maps > *", x=-60, y=0, ms=600, stagger=300),),
        ),
        Step(
            "Each has four numbers; they slide together into one row.",
            1900,
            (
                Move(
                    '[data-mark="outputs"] .va-groups > div',
                    ({"opacity": "0"}, {"opacity": "1"}, {"opacity": "1"}),
                    source=".va-maps > *",
                    ms=900,
                    stagger=200,
                ),
            ),
        ),
        Step(
            "One matrix connects the heads for the first time.",
            1500,
            (Move(".va-matrix > rect", ({"scale": "0 0"},), ms=300, stagger=25),),
        ),
        Step(
            "Out come twelve numbers, in the channels of the row.",
            1700,
            (
                stream('[data-t^="M."]', source=".va-matrix", stagger=90),
                bars("M", start=350, stagger=90),
            ),
        ),
    ),
)
