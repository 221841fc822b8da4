"""The style rules of the stages: which plate, paint, legend and line belong to which.

Where a script runs they go by the player's attribute; without one by the stage list's radio buttons.
The second kind asks with :has(), which costs a browser a look at the whole player at every change.
"""

from collections.abc import Callable, Iterator

from figures_src.player.arithmetic_line import KEY_STAGES
from figures_src.player.registry import plates
from vitattn_core import STAGES

# What lies on the photograph: its colours alone, squares on grey, weights on grey, or grey with the
# picked patch in colour.
PAINT = {
    **dict.fromkeys(("patches", "embed", "norm", "qkv"), "colours"),
    **dict.fromkeys(("scores", "scale", "mask"), "squares"),
    **dict.fromkeys(("softmax", "mix", "heads"), "weights"),
    **dict.fromkeys(("residual", "mlp"), "alone"),
}


def css() -> str:
    """Return one set of rules for each drawn stage, for pages whose script says which one is chosen."""
    return _sheet(lambda stage: f".js vit-player[stage={stage}]")


def unscripted_css() -> str:
    """Return the same for pages where no script runs."""
    return _sheet(lambda stage: f"vit-player:has(.va-stages [value={stage}]:checked)")


def _sheet(chosen: Callable[[str], str]) -> str:
    """Return the rules of all drawn stages; paper shows all stages (print_css.py)."""

    def rules() -> Iterator[str]:
        for stage in STAGES:
            if stage.id in plates():
                yield from _rules(chosen(stage.id), stage.id)

    return "@media screen{\n" + "\n".join(rules()) + "\n}\n"


def _rules(chosen: str, stage: str) -> list[str]:
    paint = PAINT[stage]
    line = "key" if stage in KEY_STAGES else stage
    rules = [
        f"{chosen} .va-plate[id$=stage-{stage}],{chosen} .va-paint[data-for={stage}]{{display:block}}",
        f"{chosen} .va-line[data-line={line}]{{display:flex}}",
        f"{chosen} .va-key-{paint}{{display:inline}}",
    ]
    if paint != "weights":
        rules.append(f"{chosen} .va-square{{fill-opacity:0}}")
    if paint == "colours":
        rules.append(f"{chosen} .va-picture{{filter:none}}")
        rules.append(f"{chosen} .va-lines{{stroke-opacity:.35}}")
    if stage not in KEY_STAGES:
        rules.append(f"{chosen} .va-mark.is-key{{display:none}}")
    if stage != "mask" and paint != "weights":
        rules.append(f"{chosen} .va-panel-photo .va-taken{{display:none}}")
    if paint == "alone":
        rules.append(f"{chosen} .va-spot{{display:block}}")
    return rules + (_line_rules(chosen, stage) if stage in KEY_STAGES else [])


def _line_rules(chosen: str, stage: str) -> list[str]:
    """Underline the step of the stage; later steps show their sign only, early ones leave a phone."""
    at = KEY_STAGES.index(stage)
    rules = [f"{chosen} [data-from={stage}]{{border-bottom:2px solid}}"]
    if later := KEY_STAGES[at + 1 :]:
        rules.append(
            ",".join(f"{chosen} [data-from={other}] .va-then" for other in later) + "{display:none}"
        )
    if stage != "mask":
        rules.append(f"{chosen}[dropped=''] [data-from=mask]{{display:none}}")
    if early := KEY_STAGES[: max(0, at - 1)]:
        hidden = ",".join(f"{chosen} [data-from={other}]" for other in early)
        rules.append(f"@container player (max-width:34.95rem){{{hidden}{{display:none}}}}")
    return rules
