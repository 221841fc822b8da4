"""The player: the photograph, the bench with its plates, the arithmetic line and the controls.

Drawn here for the default state, complete without JavaScript; `docs/javascripts/player.js` fills the
same marks for any other state.
"""

import json
from dataclasses import replace
from functools import cache

from figures_src.inputs import photographs
from figures_src.kit.elements import note, tag
from figures_src.kit.mathml import convert
from figures_src.player.bound import Bound
from figures_src.player.registry import Fold, Plate, folds, plates
from vitattn_core import STAGES, Stage
from vitattn_core.teaching import HEADS

from . import arithmetic_line, arrival, tool_buttons
from .film.controls import film_controls
from .photo_panel import how, panel, repeated
from .row import State, row
from .state import DEFAULTS

# Classic scripts, in this order: a browser loads no module from disk.
SCRIPTS = (
    "javascripts/attention.js",
    "javascripts/numbers.js",
    "javascripts/grid.js",
    "javascripts/address.js",
    "javascripts/element.js",
    "assets/teaching.js",
    "javascripts/row-words.js",
    "javascripts/row.js",
    "javascripts/player.js",
)

# What the figure can do without a script, for a reader whose script did not come.
STILL = "Stages can be picked, and a short film plays: tick Play."
STILL_CALM = "Stages can be picked."


@cache
def default_row() -> Bound:
    """Return the marks' values in the default state, those of the mean of heads among them."""
    trace = photographs.trace(DEFAULTS["photo"])
    single_head, mean = row(State(), trace), row(State(head=0), trace)
    return Bound(replace(single_head, values=mean.values | single_head.values))


def player() -> str:
    """Return the whole `<vit-player>` in its default state."""
    picked = default_row()
    figures = "".join(
        figure(entry, plates()[entry.id], picked) for entry in STAGES if entry.id in plates()
    )
    scene = tag(
        "div",
        tag("div", legend(picked), panel(picked, DEFAULTS["photo"]), class_="va-photo"),
        how(),
        tag("div", figures, class_="va-bench"),
        arithmetic_line.lines(picked),
        class_="va-scene",
    )
    parts = (
        film_controls(),
        stage_list(),
        note(),
        chosen(picked),
        changed(picked),
        scene,
        controls(),
        readouts(picked),
        *(fold(entry) for entry in folds()),
        tool_buttons.keys(),
    )
    scripts = (tag("script", src=source, defer="") for source in SCRIPTS)
    unscripted = tag("noscript", tag("link", rel="stylesheet", href="assets/unscripted.css"))
    arrives = arrival.script(still=STILL, still_calm=STILL_CALM)
    return unscripted + tag("vit-player", *parts, **DEFAULTS) + arrives + "".join(scripts)


def stage_list() -> str:
    """Return the twelve stages as a radio group: it switches the plates by the style sheet alone."""
    stage_plates = plates()
    choices = []
    for entry in STAGES:
        radio = tag(
            "input",
            type="radio",
            name="va-stage",
            value=entry.id,
            checked="" if entry.id == DEFAULTS["stage"] else None,
            disabled=None if entry.id in stage_plates else "",
        )
        words = tag("span", entry.id, class_="va-stage-name")
        words += tag("span", entry.symbol, class_="va-stage-symbol", aria_hidden="true")
        choices.append(tag("label", radio, words, class_="va-stage"))
    legend_ = tag("legend", "Stage", class_="va-unseen")
    return tag("fieldset", legend_, *choices, class_="va-stages")


def chosen(picked: Bound) -> str:
    """Return what the reader has chosen, in words: on paper nothing else says it."""
    stage = next(entry.title for entry in STAGES if entry.id == DEFAULTS["stage"])
    head = f"head {DEFAULTS['head']}, {HEADS[int(DEFAULTS['head']) - 1]}"
    parts = (
        tag("b", photographs.TITLES[DEFAULTS["photo"]], data_chosen="photo"),
        f", {picked.text('query.named', 'b')}, ",
        tag("b", head, data_chosen="head"),
        ", stage ",
        tag("b", stage, data_chosen="stage"),
        ".",
    )
    return tag("p", "Chosen: ", *parts, class_="va-chosen")


def changed(picked: Bound) -> str:
    """Return the lines that stand there while the mechanism is off the standard, or keys are dropped."""
    reset = tag("button", "Reset", type="button", class_="va-button", data_action="reset")
    changes = tag("span", "Changed: ", tag("b"))
    moved = tag(
        "span",
        "output moved by ",
        picked.text("delta.output", "b", data_readout="delta-output"),
        " of its length, row that leaves the block by ",
        picked.text("delta.row"),
    )
    line = tag("p", changes, moved, reset, class_="va-changed", hidden="")
    done = tag("button", "Done", type="button", class_="va-button")
    words = tag("span", "Choosing a patch takes its key out, or puts it back.")
    return line + tag("p", words, done, class_="va-picking", hidden="")


def figure(entry: Stage, stage_plate: Plate, picked: Bound) -> str:
    """Return one stage's plate with its title, formula and sentence."""
    head = tag("strong", entry.title, class_="va-title")
    head += tag("span", convert(entry.formula, display=False), class_="va-formula")
    caption = tag("figcaption", head, class_="va-caption")
    of_one_head = " va-one-head" if stage_plate.mean_alt else ""
    unseen = tag("p", stage_plate.alt, class_=f"va-unseen{of_one_head}")
    if stage_plate.mean_alt:
        unseen += tag("p", stage_plate.mean_alt, class_="va-unseen va-heads")
    parts = (caption, stage_plate.draw(picked), repeated(), unseen)
    return tag("figure", *parts, class_="va-plate", id=f"stage-{entry.id}")


def fold(entry: Fold) -> str:
    """Return a fold, closed; the style sheet shows it where a script can run.

    What is drawn in it is hidden until its own script is there, which answers for it.
    """
    summary = tag("summary", entry.question)
    body = tag("div", "" if entry.late else entry.draw(), class_="va-fold-body", hidden="")
    kind = {
        "class_": "va-fold",
        "data_part": entry.name,
        "data_late": "" if entry.late else None,
        "data_needs": " ".join(entry.needs) or None,
    }
    return tag("details", summary, note(), body, **kind)


def late_folds() -> dict[str, str]:
    """Return the scripts of what stands under late questions, by place in the site."""
    return {
        f"assets/fold-{entry.name}.js": "((window.vitattn ??= {}).folds ??= {})"
        f"[{json.dumps(entry.name)}] = {json.dumps(entry.draw(), ensure_ascii=False)};\n"
        for entry in folds()
        if entry.late
    }


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
    colours = tag("span", "every patch, and CLS, is a row", class_="va-key-colours")
    rowwise = tag("span", "this row works alone", class_="va-key-alone")
    query = tag(
        "span", tag("i", "q", class_="va-letter role-query"), " of ", picked.text("query", "span")
    )
    return tag(
        "div",
        ramp,
        squares,
        colours,
        rowwise,
        tag("span", query, class_="va-picked"),
        class_="va-legend",
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
            " ",
            picked.text("words.largest", "span"),
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
    return tag(
        "div",
        radios("head", "Head", heads),
        radios("photo", "Photograph", photographs.TITLES),
        radios(
            "range",
            "Colour from 0 to",
            {"fit": "this row’s largest", "fixed": "the head’s largest"},
        ),
        tool_buttons.tools(),
        note(),
        class_="va-controls",
    )
