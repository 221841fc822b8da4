"""The fold "What if …?": one change of the mechanism, and the same row before and after it."""

from figures_src.kit.elements import tag
from figures_src.kit.small_map import small_map
from figures_src.player.registry import fold
from figures_src.player.state import DEFAULTS
from vitattn_core.mistakes import MISTAKES

SWITCHES = {
    "scale": ("Divide products by", {"head": "√d_h", "model": "√D", "off": "nothing"}),
    "position": ("Position", {"on": "added", "off": "left out"}),
    "mix": ("Mix", {"v": "values", "k": "keys"}),
    "axis": ("Softmax over", {"keys": "the keys", "queries": "the queries"}),
}

# Bugs that act on one block, in the order of the bug lab, and the state that makes each.
BUGS = {
    "sqrt-model": ("scale", "model"),
    "axis": ("axis", "queries"),
    "keys-mixed": ("mix", "k"),
    "no-position": ("position", "off"),
    "merge": ("bug", "merge"),
    "mask": ("bug", "mask"),
    "offset": ("bug", "offset"),
    "residual": ("bug", "residual"),
}

READ = {
    "sum": "row sum",
    "largest": "largest weight",
    "entropy": "entropy, in nats",
    "keys": "as spread as … equal keys",
    "cls": "on CLS",
}


@fold("what-if", question="What if …?", order=1, late=True)
def draw() -> str:
    """Return the switches, the keys to drop, the bugs, and the comparison."""
    return tag("div", _maps(), _choices(), _numbers(), class_="va-what-if")


def _choices() -> str:
    switches = "".join(
        _radios(name, *words_and_choices) for name, words_and_choices in SWITCHES.items()
    )
    return tag("div", switches, _dropping(), _bugs(), class_="va-changes")


def _radios(name: str, words: str, choices: dict[str, str]) -> str:
    def radio(value: str, label: str) -> str:
        attributes = {"type": "radio", "name": f"va-{name}", "value": value, "data_state": name}
        box = tag("input", **attributes, checked="" if DEFAULTS[name] == value else None)
        return tag("label", box, tag("span", _math(label)))

    marks = (radio(value, label) for value, label in choices.items())
    return tag("fieldset", tag("legend", words), *marks, class_="va-radios")


def _math(words: str) -> str:
    return words.replace("d_h", "d<sub>h</sub>")


def _button(words: str, *, does: str, **attributes: object) -> str:
    common = {"type": "button", "class_": "va-button", "data_do": does}
    return tag("button", words, **common, **attributes)


def _dropping() -> str:
    """Return the pointed key with its button, the way to take keys out on the photograph, the list."""

    def step(way: str, sign: str, label: str) -> str:
        attributes = {"type": "button", "data_action": way, "aria_label": label}
        return tag("button", sign, class_="va-step-key", **attributes)

    pointed = tag(
        "p",
        step("key-before", "‹", "Key before this one by weight"),
        tag(
            "span",
            "key ",
            tag("b", "…", data_say="key"),
            ", weight ",
            tag("b", "…", data_say="weight"),
        ),
        step("key-after", "›", "Key after this one by weight"),
        _button("Take it out", does="drop"),
        _button("Take out on the photograph", does="pick", aria_pressed="false"),
        class_="va-pointed",
    )
    chip = tag("li", _button("…", does="put-back"))
    back = _button("Put all back", does="put-all-back")
    out = tag("p", "Out: ", tag("span", "no key", data_say="dropped"), class_="va-out")
    listed = tag("ul", tag("template", chip), class_="va-dropped", aria_label="Keys taken out")
    return tag(
        "fieldset", tag("legend", "Drop keys"), pointed, out, listed, back, class_="va-dropping"
    )


def _bugs() -> str:
    def bug(name: str, state: tuple[str, str]) -> str:
        setting, value = state
        return tag(
            "button",
            _math(MISTAKES[name].title),
            type="button",
            class_="va-pick",
            aria_pressed="false",
            data_setting=setting,
            data_value=value,
        )

    marks = (bug(name, state) for name, state in BUGS.items())
    return tag(
        "fieldset",
        tag("legend", "Or a bug that people have shipped"),
        tag("div", *marks, class_="va-picks"),
        class_="va-bugs",
    )


def _maps() -> str:
    """Return the row as it is and as it was, and what that means in words."""
    maps = small_map("standard", "As in the model", "nothing changed") + small_map(
        "changed", "Changed", "nothing yet"
    )
    end = tag("b", "0", data_say="end")
    scale = tag(
        "p",
        "both from 0 ",
        tag("span", class_="va-ramp"),
        " ",
        end,
        "; the cell above is CLS",
        class_="va-scale",
    )
    consequence = tag("p", data_say="consequence", class_="va-consequence")
    return tag(
        "div",
        tag("p", data_say="lead", class_="va-lead"),
        tag("div", maps, scale, class_="va-two-maps"),
        consequence,
        class_="va-compare",
    )


def _numbers() -> str:
    heads = ("", "as in the model", "changed")
    head = tag("tr", tag("td"), *(tag("th", words, scope="col") for words in heads[1:]))
    rows = "".join(
        tag(
            "tr",
            tag("th", words, scope="row"),
            tag("td", data_say=f"{name}.0"),
            tag("td", data_say=f"{name}.1"),
        )
        for name, words in READ.items()
    )
    rows += "".join(
        tag(
            "tr",
            tag("th", words, scope="row"),
            tag("td", tag("b", data_say=name), " of its length", colspan=2),
        )
        for name, words in (
            ("moved.output", "output moved by"),
            ("moved.row", "row that leaves the block, by"),
        )
    )
    return tag("table", tag("thead", head), tag("tbody", rows), class_="va-before-after")
