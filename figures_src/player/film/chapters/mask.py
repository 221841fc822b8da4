"""Mask: the keys pass a row at a time; those that are taken out leave the axis."""

from figures_src.player.film.timeline import Chapter, Move, Step, by_rows, come
from vitattn_core.teaching import GRID

STAGGER = 110
FALL = {"stroke-dasharray": "90px 90px", "stroke-dashoffset": "90px"}  # as in scores.py

CHAPTER = Chapter(
    "mask",
    (
        Step(
            "Which keys take part? A row of patches at a time.",
            (GRID.rows + 1) * STAGGER + 900,
            (Move('[data-d$="ticks.masked"]', (FALL,), ms=500, parts=by_rows(200, STAGGER)),),
        ),
        Step(
            "{kept.count} stay, {taken.count} are taken out.",
            1500,
            mean="They are the same in all heads.",
            moves=(
                Move(
                    '[data-d="ticks.masked"]',
                    (
                        {"translate": "0px 0px", "opacity": "1"},
                        {"translate": "0px -0.6px", "opacity": "1"},
                        {"translate": "0px -1.2px", "opacity": "0"},
                    ),
                    start=100,
                    ms=1200,
                    copy="taken",
                ),
                Move(".va-taken", ({"opacity": "0"},), 400),
                come('[data-mark="kept"] .va-result b', x=-60, y=0),
                come('[data-mark="taken"] .va-result b', x=-60, y=0, start=400),
            ),
        ),
    ),
)
