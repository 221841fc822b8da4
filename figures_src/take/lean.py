"""What the whole film does without, so that its file stays small: at a stage, one thing is looked at."""

import re

from vitattn_core.teaching import GRID

from ..tree import Node, find

# At every stage, and at one. With ^ the whole strip goes that holds the mark.
AWAY = (
    *(".va-say", ".va-aside", ".va-line", ".va-sums > b", ".va-label > small", ".va-thumb"),
    *(".va-below", ".va-casing", ".va-bar", ".va-zero", ".va-lead-line"),
)
AWAY_AT = {
    "patches": (".va-means",),
    "norm": (".va-wide", ".va-result > small"),
    "scale": (".va-above", "^[data-d='ticks.products']", '[data-mark="divisor"]'),
    "mask": (".va-above", '[data-mark="taken"]'),
    "softmax": (".va-curve", ".va-segment > text"),
    "mix": (".va-segment > text", ".va-result > small", "^.va-unit"),
    "heads": (
        *(".va-matrix-line", ".va-map-line > small", ".va-names"),
        *(f'[data-d="map.{head}.1"]' for head in range(3)),  # the faintest
    ),
    "residual": ('[data-t^="base."]', '[data-t^="M."]', ".va-sums"),
    "mlp": (".va-sums", ".va-names"),
}
KEPT_AT = {"scores": (".va-sum .va-bar",), "mlp": (".va-curve",)}


def lean_out(source: Node, stage_id: str) -> None:
    """Take out what the whole film does without, and round what is left."""
    kept = {node for chosen in KEPT_AT.get(stage_id, ()) for node in find(source, chosen)}
    for chosen in (*AWAY, *AWAY_AT.get(stage_id, ())):
        for node in find(source, chosen.removeprefix("^")):
            while chosen.startswith("^") and "va-strip" not in node.classes and node.parent:
                node = node.parent
            if node not in kept and node.parent is not None and node in node.parent.children:
                node.parent.children.remove(node)
    for node in source.walk():
        if re.search(r"--v:-?0\.000$", node.attrs.get("style", "")) and "va-rise" in node.classes:
            node.attrs["style"] = "display:none"
        elif "va-values" in node.classes:
            node.attrs["d"] = coarse(node.attrs["d"])
        elif {"va-shaft", "va-head"} & set(node.classes) and "d" in node.attrs:
            node.attrs["d"] = re.sub(r"\d+\.\d", lambda n: f"{float(n[0]):.0f}", node.attrs["d"])
        elif "va-above" in node.classes:
            node.attrs["d"] = rounded(node.attrs["d"])
        elif "va-tick" in node.classes and node.parent and "data-box" not in node.parent.attrs:
            node.attrs["d"] = f"M0 0H{GRID.tokens - 1}V1H0z"  # the sequence
        elif node.attrs.get("data-d", "").startswith("map."):
            node.attrs["d"] = rows(node.attrs["d"])


def rounded(squares: str) -> str:
    """Return squares in half units of the photograph's panel."""
    made = []
    for found in re.findall(r"M(\S+) (\S+)h([\d.]+)v", squares):
        x, y, side = (round(2 * float(part)) / 2 for part in found)
        made.append(f"M{x:g} {y:g}h{side:g}v{side:g}h-{side:g}z")
    return "".join(made)


def coarse(strip: str) -> str:
    """Return a staircase without steps that are less than three pixels wide."""
    made, here = "M0 0", 0.0
    for height, end in re.findall(r"V(-?[\d.]+)H([\d.]+)", strip):
        if float(end) - here >= 0.007:
            made += f"V{height}H{end}"
            here = float(end)
    return made + "V0z"


def rows(cells: str) -> str:
    """Return cells of one unit with neighbours in a row made one."""
    made: list[list[int]] = []
    for x, y in re.findall(r"M(\d+) (\d+)h1v1h-1z", cells):
        if made and made[-1][1] == int(y) and made[-1][0] + made[-1][2] == int(x):
            made[-1][2] += 1
        else:
            made.append([int(x), int(y), 1])
    return "".join(f"M{x} {y}h{long}v1h-{long}z" for x, y, long in made)
