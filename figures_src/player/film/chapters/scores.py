"""Scores: the keys are visited. Three in full, with their products summed; then a row at a time."""

from figures_src.player.film.timeline import Chapter, Move, Step, by_rows, come
from vitattn_core.teaching import GRID

FULL = (0, GRID.token(0, 0), GRID.token(0, 1))  # in the order of the sequence
MEET = 1600  # one key in full
LINE = 170  # a row of keys
SWEEP = GRID.rows * LINE
# A tick falls from its upper end to the axis: it is drawn, not moved, which costs less for so many.
FALL = {"stroke-dasharray": "90px 90px", "stroke-dashoffset": "90px"}

# When the products of each key arrive, from the start of the chapter.
ARRIVE = tuple((key, key + 1, n * MEET + 1100) for n, key in enumerate(FULL))
_REST = by_rows(start=len(FULL) * MEET - LINE, stagger=LINE)[1:]
REST = ((FULL[-1] + 1, *_REST[0][1:]), *_REST[1:])
PARTS = (*ARRIVE, *REST)


def _meets() -> tuple[Move, ...]:
    """Return the moves of one key in full: its numbers, the four products, their sum."""
    return (
        come('[data-t^="line.k."]', y=26, ms=300, stagger=60),
        Move('[data-v^="bar.k."]', ({"scale": "0 1"},), 100, 300, 60),
        come('[data-t^="qk."]', y=-30, start=400, ms=350, stagger=110),
        Move('[data-v^="bar.qk."]', ({"scale": "0 1"},), 500, 350, 110),
        come(".va-sum .va-result b", x=-60, y=0, start=850, ms=300),
        Move('[data-x$="product"]', ({"opacity": "0"},), start=1000, ms=250),
    )


def _dim(marks: str) -> Move:
    """Return marks that step back while the keys go by."""
    faint = {"opacity": "0.4"}
    return Move(marks, ({"opacity": "1"}, *[faint] * 6), ms=SWEEP)


CHAPTER = Chapter(
    "scores",
    (
        Step(
            "The query meets a key: four products, one sum, one tick.",
            MEET,
            (
                Move('[data-d$="ticks.products"]', (FALL,), ms=350, parts=PARTS),
                Move(
                    ".va-paint[data-for=scores] > path",
                    ({"visibility": "hidden"},),
                    ms=1,
                    parts=PARTS,
                ),
                Move('[data-x$="product.own"]', ({"opacity": "0"},), ms=200, parts=PARTS, own=True),
                *_meets(),
            ),
            mean="In each head the query meets a key: one tick.",
            visits=((0, FULL[0]),),
        ),
        Step(
            "The same four numbers meet the next key.",
            MEET,
            _meets(),
            mean="The next key.",
            visits=((0, FULL[1]),),
        ),
        Step("And the next.", MEET, _meets(), visits=((0, FULL[2]),)),
        Step(
            "Then all the others, a row of patches at a time.",
            SWEEP + 200,
            (_dim(".va-numbers.role-key"), _dim(".va-sum")),
            visits=tuple((n * LINE, end - 1) for n, (_, end, _) in enumerate(REST)),
        ),
        Step(
            f"All {GRID.tokens} keys are met; the line follows {{key}}.",
            1300,
            _meets(),
            visits=((0, -1),),
        ),
    ),
)
