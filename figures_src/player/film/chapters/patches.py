"""Patches: the grid draws itself, and one square grows out of the photograph onto the bench."""

from figures_src.player.film.timeline import Chapter, Move, Step, come
from vitattn_core.teaching import GRID

CHAPTER = Chapter(
    "patches",
    (
        Step(
            f"The photograph is cut into {GRID.rows} × {GRID.columns} squares.",
            1500,
            (
                Move(
                    ".va-lines",
                    ({"stroke-dasharray": "480px 480px", "stroke-dashoffset": "480px"},),
                    start=200,
                    ms=1000,
                ),
            ),
        ),
        Step(
            "One of them is picked.",
            900,
            (come(".va-mark.is-query", y=-40, ms=500),),
            cls="CLS is picked: a row that belongs to no square.",
        ),
        Step(
            "Its pixels come to the bench.",
            1300,
            (Move(".va-enlarged", source=".va-mark.is-query", zoom=True, ms=900),),
            cls="CLS has no pixels.",
        ),
        Step(
            "Each colour has a mean; so have the centre and the rim.",
            1500,
            (
                Move(".va-means .va-bar", ({"scale": "0 1"},), stagger=150),
                come(".va-means .va-result b", x=-24, y=0, stagger=150),
            ),
            cls="There is nothing to average.",
        ),
        Step(
            "The square becomes row {token} of the sequence.",
            1300,
            (
                Move(
                    '.va-sequence [data-x="x.token"] > *',
                    ({"translate": "calc(0% - {x.token}) 0px"},),
                    ms=900,
                ),
                Move('.va-sequence [data-x="x.token"] > text', ({"opacity": "0"},), 800, 300),
            ),
            cls="CLS stands in front of all squares: row {token}.",
        ),
    ),
)
