"""Heads joined: every head has read the photograph its own way; W_O maps their outputs back."""

from figures_src.kit.elements import tag
from figures_src.kit.strips import marked
from figures_src.player.bound import Bound, phrase
from figures_src.player.panels import CHANNEL_WORDS, channels
from figures_src.player.registry import plate
from vitattn_core import teaching_weights
from vitattn_core.teaching import GRID, HEADS

CELL = 10


@plate(
    "heads",
    shows=("joined", "M"),
    alt="{{ teaching.heads.word = Three }} small maps of weights, one a head; the "
    "{{ teaching.channels.word = twelve }} numbers joined from the outputs; the matrix W_O; and the "
    "{{ teaching.channels.word = twelve }} channels that it makes of the "
    "{{ teaching.channels.word = twelve }} numbers.",
)
def draw(row: Bound) -> str:
    say = (
        f"{phrase('heads', 'Three heads')} {row.text('words.heads', 'span')}; "
        f"{row.text('words.maps', 'span')}. "
        f"{phrase('outputs', 'Their outputs')} {row.text('joined.words', 'span')}, and "
        f"{phrase('matrix', 'W<sub>O</sub>')} maps these twelve numbers back to the row’s channels."
    )
    return "".join(
        (
            tag("p", say, class_="va-say"),
            tag(
                "div",
                *(_map(row, h) for h in range(len(HEADS))),
                class_="va-maps",
                **marked("heads"),
            ),
            channels(
                row,
                "o",
                row.text("joined.of", "span"),
                "joined",
                "output",
                mark="outputs",
                names=[row.text(f"joined.name.{c}", "span") for c in range(len(CHANNEL_WORDS))],
            ),
            tag(
                "div",
                _matrix(),
                tag("p", f"{NOTE} {row.text('words.diff', 'span')}", class_="va-aside"),
                class_="va-matrix-line",
                **marked("matrix"),
            ),
            channels(row, "M", "what attention adds to the row", "M", "output"),
        )
    )


NOTE = (
    "W<sub>O</sub>: a line for each number of o, a column for each channel of M; filled adds, hollow "
    "subtracts, area is size. Only here can two heads meet:"
)


def _map(row: Bound, h: int) -> str:
    side = GRID.columns
    picture = tag(
        "svg",
        tag("use", href="#va-photograph", class_="va-dim"),
        viewBox="0 0 224 224",
        width="100%",
        height="100%",
    )
    inner = row.paint(
        f"map.{h}",
        viewBox=f"0 0 {side} {side}",
        width="100%",
        height="100%",
        class_="va-map-paint",
    )
    map_ = tag("svg", picture, inner, class_="va-map", viewBox="0 0 100 100", aria_hidden="true")
    words = tag("b", f"head {h + 1}") + tag("span", HEADS[h])
    words += tag("span", "largest ", row.text(f"map.{h}.largest")) + tag(
        "span", "CLS ", row.text(f"map.{h}.cls")
    )
    return tag("div", map_, tag("small", words), class_="va-map-line")


def _matrix() -> str:
    w_o = teaching_weights().block.attention.w_o
    largest = abs(w_o).max()
    marks = []
    for line, numbers in enumerate(w_o):
        for c, number in enumerate(numbers):
            if number:
                side = CELL * (abs(number) / largest) ** 0.5 * 0.9
                corner = (CELL - side) / 2
                marks.append(
                    tag(
                        "rect",
                        x=f"{c * CELL + corner:.1f}",
                        y=f"{line * CELL + corner:.1f}",
                        width=f"{side:.1f}",
                        height=f"{side:.1f}",
                        class_="va-plus" if number > 0 else "va-minus",
                    )
                )
    size = CELL * len(CHANNEL_WORDS)
    lines = "".join(f"M0 {n * 4 * CELL}H{size}M{n * 4 * CELL} 0V{size}" for n in range(4))
    grid = tag("path", d=lines, class_="va-zero")
    return tag(
        "svg",
        grid,
        *marks,
        viewBox=f"-1 -1 {size + 2} {size + 2}",
        class_="va-matrix",
        aria_hidden="true",
    )
