"""Page Bug lab, errors that do their damage elsewhere: ledger, reading, rows, pixels, several layers."""

from figures_src.inputs import photographs
from figures_src.kit.elements import tag
from figures_src.kit.number_row import names, numbers
from figures_src.kit.numbers import fixed, percent
from figures_src.kit.photographs import frame, paint, panel, photograph, side_by_side, sizes
from figures_src.kit.strips import share_bar, share_key, strip
from figures_src.pages.examples import image_lines, merge_damage, merged_sources
from figures_src.pages.registry import figure
from figures_src.player.panels import CHANNEL_WORDS
from vitattn_core.teaching import GRID

from . import examples
from .panels import RIGHT, WRONG, row, under


@figure(
    "bug-lab-one-row",
    caption="One block of ViT-B/16 for an image of {{ cost.side_1024 = 1,024 }} pixels. Charged for "
    "one row, the pair term all but disappears from the ledger.",
    alt="Two bars of length one. As it should be, the pair term takes nearly half. With the bug it is "
    "too thin to be seen.",
)
def one_row() -> str:
    lines = []
    for words, terms in zip((RIGHT, WRONG), examples.ledgers(), strict=True):
        result = tag("b", percent(examples.pair_share(terms), 2), class_="role-weight")
        lines.append(strip("", "none", words, _ledger(terms), result + tag("small", "pairs")))
    return tag("div", *lines, share_key(), class_="va-lines-below") + under("one-row")


def _ledger(terms: dict[str, int]) -> str:
    """Return a block's MACs as a bar of length one."""
    mlp = terms["mlp"] / sum(terms.values())
    return share_bar(examples.pair_share(terms), mlp, room=0.15, room_of_pairs=0.15)


@figure(
    "bug-lab-reading",
    caption="Left, the row of head 1. Right, how far its output really moves when one key is deleted "
    "and the others grow to sum to 1; area is size. The order is another one: CLS, nearly dark, "
    "moves it further than the bright patch (6,11).",
    alt="The cat twice. Left: both eyes are lit. Right: no square on the left eye itself, the largest ones "
    "on and below the nose, on the forehead and above the left eye, middle-sized ones on the other eye.",
)
def reading() -> str:
    weights, moved = (
        photographs.trace("chelsea").A[examples.LIKE_ME, examples.QUERY],
        examples.effects(),
    )
    twin = GRID.token(6, 11)
    shown = moved.copy()
    shown[examples.QUERY] = 0  # the patch itself leads in both, and would set the scale
    said = f"(6,11): weight {fixed(weights[twin], 3)}"
    left = row("what the map says", weights, float(weights.max()), said)
    drawing = photograph(sizes(GRID.field(shown), float(shown.max())), frame(*examples.PLACE))
    front = tag(
        "p", tag("span", "CLS ", tag("b", percent(float(moved[0])))), class_="va-show-front"
    )
    words = f"(6,11): moves it by {percent(float(moved[twin]))}"
    right = panel("what deleting does", drawing, words, "the patch itself left out", above=front)
    unseen = "No check catches this one: no line of code is wrong."
    return side_by_side(left, right, size=368) + tag("p", unseen, class_="va-caught")


@figure(
    "bug-lab-merge",
    caption="Where the {{ teaching.channels.word = twelve }} numbers come from that W<sub>O</sub> "
    "reads for the picked patch, and how far what attention adds to each row is off; area is "
    "size.",
    alt="The cat three times. Right: the left eye. With the bug: "
    "{{ teaching.heads.word = three }} patches near the upper rim. The damage: squares on "
    "nearly all patches.",
)
def merge() -> str:
    _, tokens = merged_sources()
    others = [GRID.place(token) for token in tokens]
    off = merge_damage()
    here = frame(*examples.PLACE)
    drawn = (
        panel(RIGHT, photograph(here), "heads 1, 2, 3 of (5,4)"),
        panel(
            WRONG,
            photograph(*(frame(*place, role="key") for place in others), here),
            "head 2 of " + ", ".join(f"({r},{c})" for r, c in others),
        ),
        panel("the damage", photograph(sizes(GRID.field(off), float(off.max())), here), "all rows"),
    )
    return side_by_side(*drawn) + under("merge")


@figure(
    "bug-lab-patchify",
    caption="Where the numbers of the picked patch’s row come from: its square, or a few whole image "
    "lines of one colour. Put back at their places, the wrong rows give stripes.",
    alt="The cat three times. Right: a square on the left eye. With the bug: a thin band across the "
    "picture, and coloured stripes in place of the cat.",
)
def patchify() -> str:
    _, first, last = image_lines()
    band = tag("path", d=f"M0 {first}H{GRID.width}V{last + 1}H0z", class_="va-lit-band")
    size = {"width": GRID.width, "height": GRID.height}
    stripes = tag("image", href="assets/pictures/patches-scrambled.webp", **size)
    here = frame(*examples.PLACE)
    drawn = (
        panel(RIGHT, photograph(here), "the square (5,4)"),
        panel(WRONG, photograph(band), f"green, image lines {first} to {last}"),
        panel("the damage", photograph(stripes, here), "all rows, put back"),
    )
    return side_by_side(*drawn) + under("patchify")


@figure(
    "bug-lab-residual",
    caption="The picked patch’s row after attention, channel by channel. Adding to LN(X) pulls "
    "everything towards 0: the row’s own mean and spread are gone, the keel is no longer 4, and "
    "channels that held 0 do not.",
    alt="Three lines of {{ teaching.channels.word = twelve }} numbers: the row that goes in, the "
    "right row, which keeps place and keel, and the wrong row, in which they have shrunk.",
)
def residual() -> str:
    trace, faulty = photographs.trace("chelsea"), examples.wrong("residual")
    lines = (
        ("goes in", trace.X[examples.QUERY], "none"),
        (RIGHT, trace.Y[examples.QUERY], "output"),
        (WRONG, faulty.Y[examples.QUERY], "output"),
    )
    groups = []
    for start in range(0, len(CHANNEL_WORDS), 4):
        group = slice(start, start + 4)
        rows = (
            strip("", "none", words, numbers(row[group].tolist(), reach=6.0, role=role))
            for words, row, role in lines
        )
        head = strip("", "none", "", names(CHANNEL_WORDS[group]))
        groups.append(tag("div", head, *rows, class_="va-lines-below"))
    return tag("div", *groups, class_="va-summaries") + under("residual")


@figure(
    "bug-lab-rollout",
    caption="Three teaching blocks, small weights dropped. The two rows look alike, which is why the "
    "bug lives long. Right, how far each patch’s row is from summing to 1; area is size.",
    alt="The cat three times. The two rows of the rollout can hardly be told apart. The damage: squares "
    "of many sizes on all patches.",
)
def rolled() -> str:
    both = examples.rollouts()
    rows = [matrix[examples.QUERY] for matrix in both]
    largest = max(float(row.max()) for row in rows)
    off = abs(both[1].sum(axis=1) - 1)
    most = float(off[GRID.prefix :].max())
    drawn = [
        panel(
            title,
            photograph(paint(row, largest=largest), frame(*examples.PLACE)),
            f"sum {fixed(float(row.sum()), 3)}",
        )
        for title, row in zip((RIGHT, WRONG), rows, strict=True)
    ]
    damage = photograph(sizes(GRID.field(off), most), frame(*examples.PLACE))
    drawn.append(panel("the damage", damage, f"largest {fixed(most, 3)}"))
    return side_by_side(*drawn) + under("rollout")
