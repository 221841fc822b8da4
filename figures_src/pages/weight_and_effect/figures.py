"""Page Weight and effect, on the photographs: one map, two interventions; one bright key; named patches."""

from figures_src.inputs import captures
from figures_src.inputs.captures import GRID, measured
from figures_src.kit.geometry import Floats
from figures_src.kit.numbers import fixed, percent
from figures_src.kit.photographs import (
    cells_painted,
    frame,
    in_front,
    paint,
    panel,
    photograph,
    side_by_side,
    sizes,
)
from figures_src.pages.claims import listed
from figures_src.pages.registry import figure

from . import facts


def on_grid(patches: Floats) -> Floats:
    """Return a number a patch (256,) as a picture (16, 16)."""
    return patches.reshape(GRID.rows, GRID.columns)


def lengths(name: str, photo: str) -> str:
    """Return an effect of each patch as squares, a full cell for the largest."""
    cells = on_grid(measured(f"{name}.{photo}"))
    return sizes(cells, float(cells.max()), GRID.patch)


@figure(
    "weight-and-effect-maps",
    caption="First, the row of CLS in the last layer, mean of heads. Second and third, how far CLS moves "
    "when one patch is taken away: hidden from CLS in that layer, or its pixels painted over with the "
    "photograph’s mean colour. Area is size, the largest fills its patch.",
    alt="The cat three times. Weights are spread over the whole photograph, the largest in the upper right "
    "corner and at the right edge. Squares of the first intervention are largest in the same places; "
    "those of the second on both eyes and on the nose.",
)
def maps() -> str:
    photo = "chelsea"
    weights = measured(f"score.cls_last.{photo}")
    largest = float(weights.max())
    front = float(captures.cls_rows(photo)[-1, :, 0].mean())
    panels = [
        panel(
            "weight",
            photograph(cells_painted(on_grid(weights), largest, GRID.patch)),
            f"largest on a patch {fixed(largest, 3)}",
            f"on CLS {fixed(front, 3)}",
        )
    ]
    for title, effect in (
        ("hidden in this layer", "hide_last.cls"),
        ("pixels painted over", "pixels.cls"),
    ):
        values = measured(f"effect.{effect}.{photo}")
        rho = facts.rho(photo, "cls_last", effect)
        panels.append(
            panel(
                title,
                photograph(lengths(f"effect.{effect}", photo)),
                f"rank correlation with the weight {fixed(rho, 2)}",
                f"CLS moves by up to {percent(float(values.max()))}",
            )
        )
    return side_by_side(*panels, size=330)


@figure(
    "weight-and-effect-idle",
    caption="Layer 1, head 6: the row of CLS, the row of patch (8,8) and the mean of all "
    "rows. One patch at the right edge of the cup has nearly everything; take it away, and the weight "
    "goes to another.",
    alt="The cup three times, the same single bright patch in each.",
)
def idle() -> str:
    photo, layer, head = "coffee", 1, 6
    A = captures.load(photo, layer).weights[head - 1]
    middle = (8, 8)
    rows = {
        "row of CLS": A[0],
        "row of patch (8,8)": A[GRID.token(*middle)],
        "mean of all rows": A.mean(axis=0),
    }
    panels = []
    for title, weights in rows.items():
        marks = [paint(weights, GRID, largest=1.0)]
        if title.startswith("row of patch"):
            marks.append(frame(*middle, cell=GRID.patch))
        key = GRID.place(int(weights[1:].argmax()) + GRID.prefix)
        panels.append(
            panel(
                title,
                photograph(*marks, photo=photo),
                f"({key[0]},{key[1]}) has {fixed(float(weights[1:].max()), 3)}",
                above=in_front(("CLS", float(weights[0])), largest=1.0),
            )
        )
    return side_by_side(*panels)


@figure(
    "weight-and-effect-patches",
    caption="{{ effect.named.word = Four }} patches, named by weight (row of CLS, layer 12, mean of "
    "heads) and by effect (pixels painted over, how far CLS moves). Ranks of "
    "{{ effect.patches = 256 }}, 1 is the largest.",
    alt="Framed patches: on the cat a bright one on the left cheek and a dark one under the nose; on the cup "
    "a bright one on the far rim; on the rocket a dark one beside the tower in the middle.",
)
def patches() -> str:
    named = [
        *(("bright, idle", *entry) for entry in facts.BRIGHT_IDLE.values()),
        *(("dim, busy", *entry) for entry in facts.DIM_BUSY.values()),
    ]
    panels = []
    for kind, photo, place in named:
        weights = measured(f"score.cls_last.{photo}")
        row, column = place
        panels.append(
            panel(
                f"({row},{column}): {kind}",
                photograph(
                    cells_painted(on_grid(weights), float(weights.max()), GRID.patch),
                    frame(row, column, "key", GRID.patch),
                    photo=photo,
                ),
                f"by weight {facts.rank('score.cls_last', photo, place)}",
                f"by effect {facts.rank('effect.pixels.cls', photo, place)}",
            )
        )
    return side_by_side(*panels)


@figure(
    "weight-and-effect-entries",
    caption="Findings stand in figures_src/inputs/captures/manifest.json, with how far a second run "
    "may differ.",
    alt="A list of names, folded.",
)
def entries() -> str:
    return listed(facts.claims())


def mean_top(photo: str) -> Floats:
    """Return the mean largest weight of a row for each head, (72,)."""
    return measured(f"heads.top.{photo}").ravel()


def removed(photo: str) -> Floats:
    """Return how far the saliency logits move without a head, (72,)."""
    return measured(f"removed.saliency.{photo}").ravel()
