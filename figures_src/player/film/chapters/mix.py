"""Mix: values rise under their weights, flow to the query, and settle at one level."""

from figures_src.player.film.timeline import Chapter, Frame, Move, Step, come

DRAWN = {"stroke-dasharray": "700px 700px", "stroke-dashoffset": "700px"}


def _settle(channel: int) -> Move:
    """Return the values of a channel that sink into their level, and come back behind it."""
    level = f"0px {{level.{channel}}}px"
    end_frame: Frame = {"translate": level, "scale": "1 0.001"}
    return Move(
        f'[data-d="strip.{channel}"]',
        ({"translate": "0px 0px", "scale": "1 1"}, end_frame, end_frame),
        start=channel * 150,
        ms=2100,
    )


CHAPTER = Chapter(
    "mix",
    (
        Step(
            "Under each weight stands what its row gives: the values.",
            1500,
            (Move('[data-d^="strip."]', ({"scale": "1 0"},), ms=700, stagger=150),),
            mean="Each head mixes its own values.",
        ),
        Step(
            "They flow from the keys to the query, as much as each weighs.",
            2000,
            (
                Move(".va-flow path:not(.va-head)", (DRAWN,), ms=1300),
                Move(".va-flow > g > .va-head", ({"scale": "0 0"},), start=900, stagger=60),
            ),
        ),
        Step(
            "High and low even out to one level.",
            2700,
            mean="Out come four numbers a head.",
            moves=(
                *(_settle(channel) for channel in range(4)),
                Move(".va-heads .va-bar", ({"scale": "0 1"},), stagger=60),
                Move("[data-level] > line", (DRAWN,), start=550, ms=600, stagger=150),
            ),
        ),
        Step(
            "The four levels are the output.",
            1100,
            (come('[data-t^="o."]', x=-60, y=0, stagger=120),),
            mean="The model forms no mean of them.",
        ),
    ),
)
