"""Softmax: scores grow to e^(s − m), the sticks are laid end to end, and the bar gets length 1."""

from figures_src.player.film.timeline import Chapter, Move, Step, come

CHAPTER = Chapter(
    "softmax",
    (
        Step(
            "Each score becomes a stick, e to the power of s − m high.",
            2300,
            mean="The mean of the heads’ weights: shown here, not formed by the model.",
            moves=(
                Move(
                    ".va-curve",
                    ({"stroke-dasharray": "900px 900px", "stroke-dashoffset": "900px"},),
                    ms=1400,
                    start=600,
                ),
                Move(
                    '[data-d="sticks"]',
                    ({"scale": "1 0.3"}, {"scale": "1 0.3"}, {"scale": "1 0"}),
                    ms=1500,
                    copy="kept",
                ),
                Move('[data-d="sticks"]', ({"scale": "1 0"},), ms=1000, start=700),
                Move('[data-x^="x.exponential"]', ({"opacity": "0"},), start=1400),
                come('[data-mark="scores"] .va-result b', x=-60, y=0, start=1500),
            ),
        ),
        Step(
            "The sticks tip over and are laid end to end.",
            2000,
            mean="Its parts are laid end to end.",
            moves=(
                Move(".va-segment > rect", lay=True, start=100, ms=2600, stagger=40),
                Move(".va-others > rect", lay=True, start=600, ms=2100),
                Move(".va-others > text", ({"opacity": "0"},), start=2700, ms=400),
            ),
        ),
        Step(
            "Divided by their sum, they fill exactly one bar.",
            1900,
            mean="They fill exactly one bar.",
            moves=(
                Move(".va-bracket", ({"scale": "0 1"},), ms=900),
                Move(".va-segment > :not(rect)", ({"opacity": "0"},), start=900, ms=400),
                come('[data-mark="whole"] .va-result b', x=-60, y=0, start=900),
            ),
        ),
        Step(
            "Each weight is painted where its patch is.",
            1700,
            (
                Move(
                    ".va-cells > g",
                    ({"opacity": "0", "translate": "0px -5px"},),
                    stagger=70,
                    ms=400,
                ),
            ),
        ),
    ),
)
