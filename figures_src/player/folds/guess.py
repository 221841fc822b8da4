"""The fold "Guess first": one question at a time, a guess, and then what the pass says beside it.

Drawn here: the words, the controls, and one paper from which the script makes every map.
"""

import json
import re
from html import escape

from figures_src.kit.elements import tag
from figures_src.kit.geometry import CELL
from figures_src.kit.photographs import frame
from figures_src.player.photo_panel import grid_lines
from figures_src.player.registry import fold
from figures_src.player.styles.mark_sizes import CLS_TOP
from vitattn_core.teaching import GRID

from .guess_questions import PROMPTS, Prompt

SLOT = re.compile(r"\[([\w.]+)\]")
INDEX = re.compile(r"\b([A-Za-z])_([a-z])\b")
BOX = f"0 {CLS_TOP} {GRID.width} {GRID.height - CLS_TOP}"
RING = 5  # of a guessed cell, in pixels of the photograph


@fold("guess", question="Guess first", order=3, late=True)
def draw() -> str:
    """Return all questions; the script shows one of them."""
    lead = tag(
        "p",
        "Decide first, then compare: the questions are about the row picked above, unless they name "
        "another. “Show me” answers at once, and nothing is kept.",
        class_="va-lead",
    )
    buttons = (
        tag(
            "button",
            slots(p.short),
            type="button",
            class_="va-pick",
            data_ask=p.id,
            aria_pressed="false",
        )
        for p in PROMPTS
    )
    picker = tag("div", *buttons, class_="va-picks", role="group", aria_label="Question")
    heard = tag("p", class_="va-unseen", role="status", data_heard="")
    return lead + picker + "".join(_question(p) for p in PROMPTS) + heard + _paper()


def slots(sentence: str) -> str:
    """Return a sentence whose [name] are empty places that the script fills, d_h with its index."""
    words = INDEX.sub(r"\1<sub>\2</sub>", escape(sentence))
    return SLOT.sub(lambda match: f'<b data-fill="{match[1]}">…</b>', words)


def _question(p: Prompt) -> str:
    controls = {"tap": _tap, "choice": _choices, "slider": _slider}[p.kind](p)
    first = 1 if p.kind == "tap" else 0  # the map that is tapped stands there from the start
    maps = "".join(_map(caption) for caption in p.maps[first:])
    because = "".join(
        tag("span", slots(words), data_because=answer, hidden="")
        for answer, words in p.because.items()
        if words
    )
    gap = tag(
        "p",
        tag("span", data_verdict=""),
        " ",
        tag("span", slots(p.outcome), data_said="") + " " if p.outcome else "",
        slots(p.gap),
        " ",
        because,
        class_="va-gap",
        tabindex=-1,
    )
    see = tag("button", "See it above", type="button", class_="va-button", data_do="see")
    again = tag("button", "Ask again", type="button", class_="va-button", data_do="again")
    after = tag("p", again, see if p.see else "", class_="va-after")
    answer = tag(
        "div",
        gap,
        tag("div", maps, class_="va-guess-maps") if maps else "",
        after,
        class_="va-answer",
        hidden="",
    )
    return tag(
        "section",
        tag("p", slots(p.ask), class_="va-prompt-words"),
        controls,
        answer,
        class_="va-prompt",
        data_question=p.id,
        data_kind=p.kind,
        data_see=json.dumps(dict(p.see)) if p.see else None,
        **{f"data_{name}": text for name, text in p.constants.items()},
        aria_label=p.short,
        hidden="",
    )


def _buttons(*more: str) -> str:
    show = tag("button", "Show me", type="button", class_="va-button", data_do="show")
    return tag("p", *more, show, class_="va-before")


def _compare() -> str:
    return tag("button", "Compare", type="button", class_="va-button va-main", data_do="compare")


def _choices(p: Prompt) -> str:
    buttons = (
        tag(
            "button",
            tag("span", words),
            tag("small", data_mark_of=value),
            type="button",
            class_="va-choice",
            data_choice=value,
            aria_pressed="false",
        )
        for value, words in p.choices.items()
    )
    group = tag("div", *buttons, class_="va-choices", role="group", aria_label="Your guess")
    return group + _buttons()


def _tap(p: Prompt) -> str:
    count = tag("span", "0 of 5 tapped", class_="va-count", data_count="")
    return tag("div", _map(p.maps[0], taps=True), class_="va-guess-maps") + _buttons(
        _compare(), count
    )


def _slider(p: Prompt) -> str:
    value = tag(
        "b", "50%", class_="va-slider-value", aria_hidden="true"
    )  # the slider tells its own
    attributes = {"type": "range", "min": 0, "max": 100, "step": 1, "value": 50}
    label = tag("label", "Your guess ", value, tag("input", **attributes))
    ends = "".join(
        tag("text", f"{share}%", x=f"{share}%", y=14, class_=f"at-{n}")
        for n, share in ((0, 0), (2, 50), (4, 100))
    )
    marks = "".join(
        tag(
            "svg",
            tag("line", class_="va-marked", y1=22, y2=46),
            tag("text", words, y=62 if name == "guess" else 80),
            class_=f"va-over {role}",
            x="50%",
            data_at=name,
        )
        for name, words, role in (
            ("guess", "your guess", "role-none"),
            ("truth", "the pass" if p.maps else "counted", "role-weight"),
        )
    )
    line = tag("line", class_="va-zero", x1="0", x2="100%", y1=34, y2=34)
    scale = tag(
        "svg",
        ends,
        line,
        marks,
        class_="va-panel",
        width="100%",
        height=86,
        aria_hidden="true",
    )
    scale = tag("div", scale, class_="va-guess-scale", hidden="")
    return tag("div", label, scale, class_="va-guess-slider") + _buttons(_compare())


def _map(caption: str, *, taps: bool = False) -> str:
    box = {"viewBox": BOX, "class": "va-guess-map", "role": "grid" if taps else "img"}
    about = {"data_taps": ""} if taps else {"data_map": ""}
    drawing = tag("svg", **box, **about, aria_label="Patches to tap" if taps else "Map")
    return tag("figure", drawing, tag("figcaption", slots(caption)), class_="va-guess-figure")


def _paper() -> str:
    """Return what every map is made of: photograph, lines, one cell, the query's frame, a ring."""
    inset = (CELL - 2 * RING) / 2
    ring = {"x": inset, "y": inset, "width": 2 * RING, "height": 2 * RING, "rx": RING}
    drawing = tag(
        "svg",
        tag("use", href="#va-photograph"),
        tag("path", d=grid_lines(), class_="va-lines"),
        tag("rect", y=CLS_TOP, width=CELL, height=CELL, class_="va-cls"),
        tag("rect", width=CELL, height=CELL, class_="va-guess-cell"),
        tag("text", "CLS", x=CELL + 2.5, y=CLS_TOP + 10.6, class_="va-cls-label"),
        frame(0, 0),
        tag(
            "g",
            tag("rect", class_="va-halo", **ring),
            tag("rect", class_="va-frame", **ring),
            class_="va-guess-ring",
        ),
    )
    return tag("template", drawing)
