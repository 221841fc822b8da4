"""The explorer of learned attention, drawn for its default state, complete without JavaScript.

`docs/javascripts/explorer.js` fills the same marks for any other state. It shares the player's
rooms: photo_panel.py and small_map.py draw both, grid.js, element.js and numbers.js serve both.
"""

import math
from html import escape

from figures_src.inputs import captures, photographs
from figures_src.kit.elements import note, tag
from figures_src.kit.numbers import fixed
from figures_src.kit.small_map import drawing
from figures_src.player import arrival
from figures_src.player.photo_panel import cells, grid_lines, how, mark

from . import values

# Classic scripts, in this order: a browser loads no module from disk.
SCRIPTS = (
    "javascripts/attention.js",
    "javascripts/numbers.js",
    "javascripts/grid.js",
    "javascripts/address.js",
    "javascripts/element.js",
    "assets/explorer.js",
    "javascripts/explorer-row.js",
    "javascripts/explorer.js",
)
PICTURE = "va-learned"
FIELD = values.FIELD
STILL = "The same patch in all heads stands on the sheet below."  # what there is without a script


def explorer() -> str:
    """Return the whole `<vit-explorer>` in its default state, with its styles and scripts."""
    row = values.default()
    scene = tag(
        "div",
        tag("div", _legend(row), _panel(row), how(), class_="va-photo"),
        tag("div", _head_line(row), _heads(row), class_="va-learned-side"),
        tag("p", tag("b", "Whose numbers. "), escape(provenance()), class_="va-provenance"),
        class_="va-learned-scene",
    )
    parts = (
        _layers(),
        note(),
        _changed(),
        scene,
        _line(row),
        _readouts(row),
        _controls(),
        _what_if(row),
        tag("noscript", _still()),
    )
    styles = tag("link", rel="stylesheet", href="stylesheets/explorer.css")
    element = tag("vit-explorer", *parts, **values.DEFAULTS, data_origin="checkpoint")
    arrives = arrival.script(still=STILL, still_calm=STILL)
    scripts = "".join(tag("script", src=source, defer="") for source in SCRIPTS)
    return styles + element + arrives + scripts


def _still() -> str:
    """Return what is said where no script runs."""
    sheet = tag("a", "the sheet below", href="#sheet")
    words = ("Without JavaScript this view stays as it is. The same patch in all heads: ", sheet)
    return tag("p", *words, ".", class_="va-aside")


def provenance() -> str:
    """Return in plain words where the numbers come from, as the manifest says it."""
    return str(captures.manifest()["provenance"]["says"])


def _text(row: values.Learned, name: str, element: str = "b", **attributes: object) -> str:
    """Return an element that shows a value by its name; the script fills it again."""
    return tag(element, escape(row.values[name]), **attributes, data_t=name)


def _radio(name: str, value: str, *words: str, **attributes: object) -> str:
    choice = {"type": "radio", "name": f"va-{name}", "value": value, "data_state": name}
    box = tag("input", **choice, checked="" if values.DEFAULTS[name] == value else None)
    return tag("label", box, *words, **attributes)


def _radios(name: str, legend: str, choices: dict[str, str], cls: str = "") -> str:
    marks = (_radio(name, value, tag("span", words)) for value, words in choices.items())
    return tag("fieldset", tag("legend", legend), *marks, class_=f"va-radios {cls}".strip())


def _layers() -> str:
    choices = {value: value for value in values.states()["layer"]}
    return tag("div", _radios("layer", "Layer", choices, "va-layers"), class_="va-controls")


def _changed() -> str:
    reset = tag("button", "Reset", type="button", class_="va-button", data_action="reset")
    changes = tag("span", "Not what the model does: ", tag("b"))
    return tag("p", changes, reset, class_="va-changed", hidden="")


def _legend(row: values.Learned) -> str:
    ramp = ("0 ", tag("span", class_="va-ramp"), " ", _text(row, "range.end", "span"), " weight")
    letter = tag("i", "q", class_="va-letter role-query")
    picked = tag("span", letter, " of ", _text(row, "query", "span"), class_="va-picked")
    return tag("div", tag("span", *ramp, class_="va-key-weights"), picked, class_="va-legend")


def _panel(row: values.Learned) -> str:
    side, top = FIELD.grid.width, FIELD.cls_top
    file = f"assets/photos/{values.DEFAULTS['photo']}.webp"
    return tag(
        "svg",
        tag("defs", tag("image", id=PICTURE, href=file, width=side, height=side)),
        tag("use", href=f"#{PICTURE}", class_="va-picture"),
        tag("path", d=grid_lines(FIELD), class_="va-lines"),
        cells(row.levels, FIELD),
        tag("path", d="", class_="va-taken", data_taken=""),
        tag("text", "CLS", x=FIELD.cell + 2.5, y=top + 10.6, class_="va-cls-label"),
        mark(row.key, "key", "k", FIELD),
        mark(row.query, "query", "q", FIELD),
        **{"viewBox": f"0 {top} {side} {side - top}", "class": "va-panel-photo"},
        role="img",
        aria_label=f"{FIELD.grid.rows} × {FIELD.grid.columns} patches, "
        "and CLS as a cell of its own above them",
    )


def _head_line(row: values.Learned) -> str:
    title = tag("strong", "Layer ", _text(row, "layer", "span"), ", ", _text(row, "head", "span"))
    return tag("p", title, " ", _text(row, "say", "span", class_="va-says"), class_="va-say")


def _heads(row: values.Learned) -> str:
    """Return the six heads of the layer side by side: each map is its head's radio button."""
    labels = []
    for head, weights in enumerate(values.default_rows(), start=1):
        words = tag(
            "span",
            tag("b", f"Head {head}"),
            tag("small", "0 to ", _text(row, f"map.{head}.largest", "span")),
            tag("small", "CLS ", _text(row, f"map.{head}.cls", "span")),
            class_="va-head-says",
        )
        head_map = drawing(FIELD, PICTURE, weights, query=row.query)
        labels.append(
            _radio("head", str(head), head_map, words, class_="va-head-map", data_map=head)
        )
    mean = _radio("head", "mean", tag("span", "mean of the six (display only)"))
    legend = tag("legend", "Head", class_="va-unseen")
    choice = tag("div", tag("div", mean, class_="va-radios"), class_="va-controls")
    maps = tag("div", *labels, class_="va-head-maps")
    return tag("fieldset", legend, maps, choice, note(), class_="va-learned-heads")


def _line(row: values.Learned) -> str:
    """Return the arithmetic of the pointed key: its score, live, and its weight."""

    def step(way: str, sign: str, label: str) -> str:
        attributes = {"type": "button", "data_action": way, "aria_label": label}
        return tag("button", sign, class_="va-step-key", **attributes)

    who = tag(
        "span",
        step("key-before", "‹", "Key before this one by weight"),
        tag("span", "key ", _text(row, "key", "span"), class_="role-key"),
        step("key-after", "›", "Key after this one by weight"),
        class_="va-who",
    )
    single_head = tag(
        "span",
        tag("span", "q · k = ", _text(row, "line.product"), class_="va-term"),
        tag(
            "span",
            "÷ ",
            _text(row, "divisor", "span"),
            " ",
            _text(row, "line.sign.score", "span"),
            " ",
            _text(row, "line.score"),
            tag("em", " score"),
            class_="va-term",
        ),
        _text(row, "line.out", "span", class_="va-term va-out-of-it"),
        tag(
            "span",
            "e",
            tag("sup", _text(row, "line.power", "span")),
            " ",
            _text(row, "line.sign.exponential", "span"),
            " ",
            _text(row, "line.exponential"),
            class_="va-term",
        ),
        tag(
            "span",
            _text(row, "line.over", "span"),
            " ",
            _text(row, "line.sign.weight", "span"),
            " ",
            _text(row, "line.weight", class_="role-weight"),
            tag("em", " weight"),
            class_="va-term",
        ),
        class_="va-one-head",
    )
    mean = tag(
        "span",
        tag("em", "mean of the six heads’ weights, for display only"),
        " = ",
        _text(row, "weight", class_="role-weight"),
        class_="va-mean-head",
    )
    return tag("p", who, single_head, mean, class_="va-line")


def _readouts(row: values.Learned) -> str:
    def readout(name: str, label: str, value: str, *after: str) -> str:
        text = _text(row, value, "b", data_readout=name)
        return tag("span", f"{label} ", text, *after, class_="va-readout")

    largest = (" ", _text(row, "largest.at", "span"))
    return tag(
        "p",
        readout("cls-share", "on CLS, off the photograph", "cls.share"),
        readout("top-weight", "largest", "weight.largest", *largest),
        readout("entropy", "entropy", "entropy", " nats"),
        readout("keys", "as spread as", "keys", " equal keys"),
        readout("distance", "mean distance", "distance", " px"),
        readout("row-sum", "row sum", "row.sum"),
        tag(
            "span",
            "key ",
            _text(row, "key", "span"),
            ": score ",
            _text(row, "score", "b", data_readout="score"),
            ", weight ",
            _text(row, "weight", "b", data_readout="weight"),
            class_="va-readout",
        ),
        class_="va-readouts",
    )


def _controls() -> str:
    ranges = {"fit": "this row’s largest", "fixed": "the head’s largest"}
    copy = tag("button", "Copy link", type="button", class_="va-button", data_action="copy-link")
    return tag(
        "div",
        _radios(
            "photo", "Photograph", {name: photographs.TITLES[name] for name in captures.PHOTOS}
        ),
        _radios("range", "Colour from 0 to", ranges),
        _moves(),
        tag("div", copy, class_="va-tools"),
        note(),
        class_="va-controls",
    )


def _moves() -> str:
    """Return four buttons that move the query: cells are small for a finger on a narrow screen."""
    ways = {"left": "←", "up": "↑", "down": "↓", "right": "→"}
    buttons = (
        tag(
            "button",
            sign,
            type="button",
            class_="va-button",
            data_action=f"go-{way}",
            aria_label=f"Query one cell {way}",
        )
        for way, sign in ways.items()
    )
    return tag("p", tag("span", "Move the query"), *buttons, class_="va-moves")


def _what_if(row: values.Learned) -> str:
    """Return what changes the mechanism: the divisor of the products, and keys taken out."""
    width = captures.manifest()["architecture"]["width"]
    choices = {
        "head": f"√d_h = {fixed(math.sqrt(captures.HEAD_WIDTH), 0)}",
        "model": f"√D = {fixed(math.sqrt(width), 1)}",
        "none": "nothing",
    }
    divisor = _radios("divisor", "Divide products by", choices).replace("d_h", "d<sub>h</sub>")
    drop = tag("button", "Take it out", type="button", class_="va-button", data_action="drop-key")
    who = tag("span", "Key ", _text(row, "key", "span"), ":")
    pointed = tag("p", who, " ", drop, class_="va-pointed")
    out = tag("p", "Taken out: ", tag("span", "none", data_say="dropped"), class_="va-out")
    note = tag(
        "p",
        "Queries and keys stay as they were: this is one row computed anew, not the model run anew.",
        class_="va-aside",
    )
    body = tag("div", divisor, pointed, out, note, class_="va-fold-body")
    summary = tag("summary", "What if …?")
    return tag("details", summary, body, class_="va-fold", data_part="learned-what-if")
