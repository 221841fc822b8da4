"""MLP: two units take their place on the curve of GELU, and one writes into the row."""

from figures_src.player.film.timeline import Chapter, Move, Step, bars, come


def _slide(unit: int) -> Move:
    """Return a unit's marker that goes from 0 to what its unit has computed."""
    place = f"x.mlp.before.{unit}"
    frames = ({"translate": f"calc(50% - {{{place}}}) 0px", "opacity": "0"},)
    return Move(f'[data-x="{place}"] > *', frames, start=200 + 300 * unit, ms=1000)


CHAPTER = Chapter(
    "mlp",
    (
        Step(
            "The row is normed again; two of its numbers count here.",
            1200,
            (come('[data-t="mlp.diff"]', y=-24), come('[data-t="mlp.out"]', y=-24, start=200)),
        ),
        Step("Two units weigh them, one each way.", 2000, (_slide(0), _slide(1))),
        Step(
            "GELU lets through what is above zero, and almost nothing below.",
            1700,
            (
                Move(
                    ".va-curve",
                    ({"stroke-dasharray": "900px 900px", "stroke-dashoffset": "900px"},),
                    ms=1200,
                ),
                come('[data-t^="mlp.after."]', x=-30, y=0, start=800, stagger=250),
            ),
        ),
        Step(
            "What comes out is added to the row: it leaves the block.",
            1800,
            (
                bars("Z", start=200),
                come('[data-t^="Z."]', y=-20, stagger=40),
            ),
        ),
    ),
)
