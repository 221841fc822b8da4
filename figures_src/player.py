"""The player: the photograph, the bench with its plates, the arithmetic line and the controls.

Drawn here for the default state, complete without JavaScript; `docs/javascripts/player.js` fills the
same marks for any other state.
"""

from dataclasses import replace

from vitattn_core import STAGES, Stage
from vitattn_core.teaching import HEADS

from . import photos
from .marks import Bound, tag
from .mathml import convert
from .panel import panel
from .registry import Plate, plates
from .row import State, row
from .settings import DEFAULTS

# Classic scripts, in this order: a browser loads no module from disk.
SCRIPTS = (
    "javascripts/attention.js",
    "assets/teaching.js",
    "javascripts/row.js",
    "javascripts/player.js",
)
LINE_STAGES = ("scores", "scale", "softmax", "mix")
# What lies on the photograph at a stage: squares (products, scores) or the cells (weights).
PAINT = {"scores": "squares", "scale": "squares", "softmax": "weights", "mix": "weights"}


def player() -> str:
    """Return the whole `<vit-player>` in its default state."""
    trace = photos.trace(DEFAULTS["photo"])
    one, mean = row(State(), trace), row(State(head=0), trace)
    picked = Bound(replace(one, values=mean.values | one.values))
    figures = "".join(
        figure(entry, plates()[entry.id], picked) for entry in STAGES if entry.id in plates()
    )
    scene = tag(
        "div",
        tag("div", legend(picked), panel(picked, DEFAULTS["photo"]), class_="va-photo"),
        tag("div", figures, class_="va-bench"),
        line(picked),
        line_of_means(picked),
        class_="va-scene",
    )
    parts = (
        stage_list(),
        scene,
        readouts(picked),
        controls(),
        tag("p", class_="va-note", role="status"),
    )
    scripts = (tag("script", src=source, defer="") for source in SCRIPTS)
    return tag("vit-player", *parts, **DEFAULTS) + "".join(scripts)


def stage_list() -> str:
    """Return the twelve stages as a radio group: it switches the plates by the style sheet alone."""
    drawn = plates()
    choices = []
    for entry in STAGES:
        radio = tag(
            "input",
            type="radio",
            name="va-stage",
            value=entry.id,
            checked="" if entry.id == DEFAULTS["stage"] else None,
            disabled=None if entry.id in drawn else "",
        )
        words = tag("span", entry.id, class_="va-stage-name")
        words += tag("span", entry.symbol, class_="va-stage-symbol", aria_hidden="true")
        choices.append(tag("label", radio, words, class_="va-stage"))
    legend_ = tag("legend", "Stage", class_="va-unseen")
    return tag("fieldset", legend_, *choices, class_="va-stages")


def figure(entry: Stage, drawn: Plate, picked: Bound) -> str:
    """Return one stage's plate with its title, formula and sentence."""
    head = tag("strong", entry.title, class_="va-title")
    head += tag("span", convert(entry.formula, display=False), class_="va-formula")
    caption = tag("figcaption", head, class_="va-caption")
    unseen = tag("p", drawn.alt, class_="va-unseen")
    return tag(
        "figure", caption, drawn.draw(picked), unseen, class_="va-plate", id=f"stage-{entry.id}"
    )


def legend(picked: Bound) -> str:
    """Return what the paint means, set beside the CLS cell, and the picked patch."""
    ramp = tag(
        "span",
        "0 ",
        tag("span", class_="va-ramp"),
        " ",
        picked.text("range.end", "span"),
        " weight",
        class_="va-key-weights",
    )
    squares = tag(
        "span",
        tag("i", class_="va-chip is-above"),
        " above 0 ",
        tag("i", class_="va-chip is-below"),
        " below 0; area is size",
        class_="va-key-squares",
    )
    query = tag(
        "span", tag("i", "q", class_="va-letter role-query"), " = ", picked.text("query", "span")
    )
    return tag("div", ramp, squares, tag("span", query, class_="va-picked"), class_="va-legend")


def line(picked: Bound) -> str:
    """Return the arithmetic line: the pointed key from its products to what it gives."""
    sign = " + "
    terms = sign.join(
        tag(
            "span",
            picked.text(f"line.q.{c}", "span", class_="role-query"),
            " × ",
            picked.text(f"line.k.{c}", "span", class_="role-key"),
            class_="va-term",
        )
        for c in range(4)
    )
    given = ", ".join(picked.text(f"line.av.{c}", "span") for c in range(4))
    minus_m = f"e<sup>s − {picked.text('line.top', 'span')}</sup>"
    steps = (
        ("scores", "q·k", f"= {terms} = {picked.text('line.product')}"),
        ("scale", f"÷ {picked.text('divisor', 'span')}", f"= {picked.text('line.score')}"),
        ("softmax", minus_m, f"= {picked.text('line.exponential')}"),
        (
            "softmax",
            f"÷ {picked.text('line.total', 'span')}",
            "= " + picked.text("line.weight", class_="role-weight"),
        ),
        ("mix", "× v", f"= <span class='role-value'>({given})</span>"),
    )
    operations = (
        tag(
            "span", tag("em", sign_), " ", tag("span", result), class_="va-step", data_from=stage_id
        )
        for stage_id, sign_, result in steps
    )
    return tag("p", _pointed(picked), *operations, class_="va-line va-one-head")


def line_of_means(picked: Bound) -> str:
    """Return the line that stands there while the mean of heads is chosen."""
    weights = " + ".join(picked.text(f"h{h}.weight", "span") for h in range(len(HEADS)))
    result = picked.text("mean.weight", class_="role-weight")
    sum_ = tag("span", f"({weights}) ÷ {len(HEADS)} = {result}")
    why = tag("em", "mean of the heads’ weights, for display only")
    return tag("p", _pointed(picked), tag("span", why, " ", sum_), class_="va-line va-heads")


def _pointed(picked: Bound) -> str:
    """Return which key the line is about, and the buttons that go to the next one by weight."""

    def button(way: str, sign_: str, label: str) -> str:
        attributes = {"type": "button", "data_action": way, "aria_label": label, "hidden": ""}
        return tag("button", sign_, class_="va-step-key", **attributes)

    return tag(
        "span",
        button("key-before", "‹", "Key before this one by weight"),
        tag("span", "key ", picked.text("key", "span"), class_="role-key"),
        button("key-after", "›", "Key after this one by weight"),
        class_="va-who",
    )


def readouts(picked: Bound) -> str:
    """Return the numbers of the row that hold at every stage."""

    def readout(name: str, label: str, value: str, unit: str = "") -> str:
        text = picked.text(value, "b", data_readout=name)
        return tag("span", f"{label} ", text, unit, class_="va-readout")

    return tag(
        "p",
        readout("row-sum", "row sum", "row.sum"),
        tag(
            "span",
            "largest ",
            picked.text("weight.largest", "b", data_readout="top-weight"),
            " at ",
            picked.text("weight.largest.key", "span"),
            class_="va-readout",
        ),
        readout("cls-share", "on CLS, off the photograph", "cls.share"),
        readout("entropy", "entropy", "entropy", " nats"),
        tag("span", "as spread as ", picked.text("keys"), " equal keys", class_="va-readout"),
        tag(
            "span",
            "key ",
            picked.text("key.named", "span"),
            ": score ",
            picked.text("scaled", "b", data_readout="score"),
            ", weight ",
            picked.text("weight", "b", data_readout="weight"),
            class_="va-readout",
        ),
        class_="va-readouts",
    )


def controls() -> str:
    """Return what only works in the page: head, photograph, colour range, a link to this state."""

    def radios(name: str, label: str, choices: dict[str, str]) -> str:
        marks = (
            tag(
                "label",
                tag(
                    "input",
                    type="radio",
                    name=f"va-{name}",
                    value=value,
                    data_state=name,
                    checked="" if DEFAULTS[name] == value else None,
                ),
                tag("span", words),
            )
            for value, words in choices.items()
        )
        return tag("fieldset", tag("legend", label), *marks, class_="va-radios")

    heads = {str(n): f"{n} {name}" for n, name in enumerate(HEADS, start=1)}
    heads["mean"] = "mean (display only)"
    link = tag("button", "Copy link", type="button", class_="va-button", data_action="copy-link")
    return tag(
        "div",
        radios("head", "Head", heads),
        radios("photo", "Photograph", photos.TITLES),
        radios(
            "range",
            "Colour from 0 to",
            {"fit": "this row’s largest", "fixed": "the head’s largest"},
        ),
        link,
        class_="va-controls",
        hidden="",
    )


def css() -> str:
    """Return the rules that show a stage's plate, paint, legend and part of the line."""
    order = [entry.id for entry in STAGES]
    rules = []
    for stage_id in plates():
        here = f"vit-player:has(.va-stages [value={stage_id}]:checked)"
        paint = PAINT[stage_id]
        rules.append(
            f"{here} .va-plate[id$=stage-{stage_id}],{here} .va-paint[data-for={stage_id}]{{display:block}}"
        )
        rules.append(f"{here} .va-key-{paint}{{display:inline}}")
        if paint != "weights":
            rules.append(f"{here} .va-square{{fill-opacity:0}}")
        rules.append(f"{here} [data-from={stage_id}]{{border-bottom:2px solid}}")
        later = [other for other in LINE_STAGES if order.index(other) > order.index(stage_id)]
        shown = (
            LINE_STAGES[max(0, LINE_STAGES.index(stage_id) - 1) :]
            if stage_id in LINE_STAGES
            else ()
        )
        hidden = ",".join(
            f"{here} [data-from={other}]" for other in LINE_STAGES if other not in shown
        )
        if hidden:
            rules.append(f"@container player (max-width:699px){{{hidden}{{display:none}}}}")
        if later:
            ahead = ",".join(f"{here} [data-from={other}]>span" for other in later)
            rules.append(f"{ahead}{{display:none}}")
    return "\n".join(rules) + "\n"
