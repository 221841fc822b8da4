"""The contact sheet of the page on the trained model: one patch's row in every head; whence its numbers."""

from html import escape

from figures_src.explorer import values
from figures_src.inputs import captures
from figures_src.kit.elements import tag
from figures_src.kit.numbers import fixed
from figures_src.kit.small_map import drawing
from figures_src.pages.claims import listed
from figures_src.pages.registry import figure

from . import facts

PICTURE = "va-sheet"


@figure(
    "checkpoint-sheet",
    caption="One patch of the cat, (7,5) on the lower rim of an eye, in all heads: layers 1 to 12, heads "
    "1 to 6. Each map ends at its own largest weight; the number under it is the weight on CLS, which the "
    "small square above it paints.",
    alt="Small maps, one for each of {{ model.layers.word = twelve }} layers and "
    "{{ model.heads.word = six }} heads. In the first layers the weight lies around the "
    "patch, on one neighbour, or everywhere; from layer 7 on most heads paint the same eye, "
    "and many of them the other eye too.",
)
def sheet() -> str:
    """Return the sheet; a script makes each map a link to its state of the explorer."""
    photo, query = values.DEFAULTS["photo"], values.query()
    side = captures.GRID.width
    image = tag("image", id=PICTURE, href=f"assets/photos/{photo}.webp", width=side, height=side)
    hidden = tag(
        "svg", tag("defs", image), width=0, height=0, aria_hidden="true", class_="va-unseen"
    )
    marks = [tag("span")]
    marks += [tag("span", str(head)) for head in range(1, captures.HEADS + 1)]
    for layer in range(1, captures.LAYERS + 1):
        marks.append(tag("span", str(layer), class_="va-of-layer"))
        for head in range(1, captures.HEADS + 1):
            weights = captures.row(photo, layer, head, query)
            share = fixed(weights[0], 2)
            marks.append(
                tag(
                    "a",
                    drawing(values.FIELD, PICTURE, weights, query=query),
                    share,
                    id=f"sheet-{layer}-{head}",
                    role="img",
                    data_state=f"#layer={layer}&head={head}",
                    class_="va-state",
                    aria_label=escape(f"layer {layer}, head {head}: {share} on CLS"),
                )
            )
    return hidden + tag("div", *marks, class_="va-sheet")


@figure(
    "checkpoint-entries",
    caption="All stand in figures_src/inputs/captures/; what eight bits cost is in its manifest.json.",
    alt="A list of names, folded.",
)
def entries() -> str:
    return listed(facts.claims())
