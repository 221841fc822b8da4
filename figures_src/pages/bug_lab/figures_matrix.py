"""Page Bug lab: which check catches which mistake, a table made by running each on each."""

import re

from figures_src.kit.elements import tag
from figures_src.pages.registry import figure, figures
from figures_src.source_fault import SourceFault
from vitattn_core import CHECKS, MISTAKES, outcome

from . import examples

NAMES = {id: mistake.short for id, mistake in MISTAKES.items()} | {examples.READING: "map as cause"}
SIGNS = {
    "caught": ("●", "caught", "is-caught"),
    "let through": ("○", "passes", "is-passed"),
    "not run": ("–", "–", "is-unasked"),
}


@figure(
    "bug-lab-matrix",
    caption="● caught, ○ let through, – never asked: the check does not run the line that is wrong, "
    "and for error 6 no line is.",
    alt="A table of {{ bug.errors.word = twelve }} errors and {{ bug.checks.word = seven }} checks. "
    "The check of shapes and the check of batches catch none. Parity catches all "
    "{{ bug.bugs.word = eleven }} bugs. Error 6 is asked by none.",
)
def matrix() -> str:
    for id in MISTAKES:
        if f"bug-lab-{id}" not in figures():
            todo = f"takes a figure bug-lab-{id} in figures_src/pages/bug_lab/ and a section {{#{id}}} of"
            raise SourceFault("vitattn_core/mistakes.py", f"mistake {id!r}: {todo} docs/bug-lab.md")
    heads = (
        tag("th", tag("span", check.title), scope="col", data_check=check.id)
        for check in CHECKS.values()
    )
    lines = (_line(id) for id in examples.ORDER)
    head = tag("thead", tag("tr", tag("td"), *heads))
    return tag("table", head, tag("tbody", *lines), class_="va-detection")


def _line(id: str) -> str:
    short = re.sub(r"_(\w)", r"<sub>\1</sub>", NAMES[id])
    name = tag("a", f"{examples.number(id)} ", short, href=f"#{id}")
    cells = (_cell("not run" if id == examples.READING else outcome(check, id)) for check in CHECKS)
    return tag("tr", tag("th", name, scope="row"), *cells, data_mistake=id)


def _cell(found: str) -> str:
    sign, words, kind = SIGNS[found]
    if sign == words:
        return tag("td", tag("span", "–"), class_=kind)
    shown = tag("i", sign, aria_hidden="true")
    return tag("td", shown, tag("span", words, class_="va-heard"), class_=kind)
