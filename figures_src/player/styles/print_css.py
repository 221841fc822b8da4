"""The style rules of print: each plate's own repeat of the photograph, painted for its stage.

A repeat is a reference to the one panel (`panel.repeated`). What is copied by a reference is styled
as the original is, but inherits from where it stands; so the plate sets custom properties, and the
marks of the panel read them.
"""

from figures_src.player.arithmetic_line import KEY_STAGES
from figures_src.player.registry import plates
from vitattn_core import STAGES

from .stage_css import PAINT

PAINTED = ("scores", "scale", "mask", "mix")  # stages with marks of their own on the panel

# Under weights darker than any but faint paint, so that paint is lighter the larger the weight, also where
# print is grey; under squares and beside one patch as light as their marks allow: ink is no photograph.
DARK = "grayscale(1) contrast(.45) brightness(.52)"
SHADED = "grayscale(1) contrast(.5) brightness(.85)"
LIGHT = "grayscale(1) contrast(.5) brightness(1.15)"

# What the marks do where the plate says nothing.
MARKS = (
    *(f".va-paint[data-for={stage}]{{display:var(--{stage},none)}}" for stage in PAINTED),
    ".va-cells .va-square{visibility:var(--weights,hidden)}",
    ".va-mark.is-key{display:var(--key,none)}",
    ".va-panel-photo .va-taken{display:var(--taken,none)}",
    ".va-panel-photo .va-spot{display:var(--spot,none)}",
    f".va-panel-photo .va-picture{{filter:var(--photo,{DARK})}}",
    ".va-panel-photo .va-lines{stroke-opacity:var(--lines,.12)}",
)


def css() -> str:
    """Return the rules, for print only."""
    plate_rules = (
        f"[id$=stage-{s.id}]{{{_plate_properties(s.id)}}}" for s in STAGES if s.id in plates()
    )
    return f"@media print{{{''.join((*plate_rules, *MARKS))}}}\n"


def _plate_properties(stage: str) -> str:
    """Return what a plate tells the copy of the panel that stands in it."""
    properties = {stage: "block"} if stage in PAINTED else {}
    properties |= {"key": "inline"} if stage in KEY_STAGES else {}
    if PAINT[stage] == "colours":
        properties |= {"photo": "none", "lines": ".35"}
    if PAINT[stage] == "weights":
        properties |= {"weights": "visible"}
    if PAINT[stage] == "weights" or stage == "mask":
        properties |= {"taken": "inline"}
    if PAINT[stage] == "squares":
        properties |= {"photo": SHADED}
    if PAINT[stage] == "alone":
        properties |= {"spot": "block", "photo": LIGHT}
    return ";".join(f"--{name}:{value}" for name, value in properties.items())
