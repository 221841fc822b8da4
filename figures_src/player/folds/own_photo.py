"""The fold "Your own photograph": open or drop one, choose a square of it, and follow its rows."""

from figures_src.kit.elements import tag
from figures_src.player.registry import fold
from vitattn_core.teaching import GRID

SLIDERS = (("side", "Side of the square"), ("x", "From the left"), ("y", "From the top"))


@fold("own-photo", question="Your own photograph", order=4, needs=("file-kind",))
def draw() -> str:
    """Return the button, the square to choose, and what is said about files and limits."""
    side = f"{GRID.width} × {GRID.height}"
    lead = tag(
        "p",
        f"A square of it is drawn at {side} pixels and goes through the same pass. The photograph "
        "stays in this page: nothing is sent, nothing is stored, and a link cannot bring it back.",
        class_="va-lead",
    )
    file = tag("input", type="file", accept="image/*", disabled="")
    open_ = tag("label", "Open a photograph", file, class_="va-button va-main va-open")
    drop = tag("span", "or drop one on the player", class_="va-aside-word")
    status = tag("p", class_="va-told", role="status")
    limits = tag(
        "p",
        "The teaching weights were set by hand with three photographs in view. The rows of other "
        "photographs may be flatter, and their scores may be larger.",
        class_="va-aside",
    )
    return lead + tag("p", open_, drop, class_="va-opening") + status + _square() + limits


def _square() -> str:
    """Return the whole photograph under a square that can be dragged, and three sliders for it."""
    frame = tag(
        "svg",
        tag("path", d="M0 0", class_="va-outside", fill_rule="evenodd"),
        tag("rect", width=0, height=0, class_="va-halo"),
        tag("rect", width=0, height=0, class_="va-frame va-square-frame"),
        class_="va-own-frame",
        preserveAspectRatio="none",
        aria_hidden="true",
    )
    hold = tag("div", class_="va-own-hold")  # a finger takes hold of a box, not of a drawing's part
    picture = tag("div", tag("canvas", aria_hidden="true"), frame, hold, class_="va-own-whole")
    sliders = (
        tag(
            "label",
            tag("span", words),
            tag("input", type="range", min=0, max=0, step=1, value=0, data_square=name),
            tag("span", class_="va-slider-value", data_square_is=name, aria_hidden="true"),
        )
        for name, words in SLIDERS
    )
    centre = tag("button", "Centre", type="button", class_="va-button", data_do="centre")
    return tag(
        "div",
        picture,
        tag(
            "div",
            tag("p", "Drag the square, or move it here:", class_="va-aside"),
            *sliders,
            centre,
            class_="va-own-sliders",
        ),
        class_="va-own",
        hidden="",
    )
