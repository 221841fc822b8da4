"""Page Bug lab: which check catches which mistake, a table made by running each on each."""

from vitattn_core import CHECKS, outcome

from .. import bug_examples as examples
from ..marks import tag
from ..registry import figure

NAMES = {
    "sqrt-model": "√D for √d<sub>h</sub>",
    "axis": "softmax axis",
    "keys-mixed": "keys mixed",
    "no-position": "no position",
    "one-row": "N for N²",
    "reading": "map as cause",
    "merge": "merge by reshape",
    "mask": "mask turned round",
    "patchify": "scrambled cut",
    "offset": "CLS left in",
    "residual": "residual of LN(X)",
    "rollout": "no keepdims",
}
SIGNS = {
    "caught": ("●", "caught", "is-caught"),
    "let through": ("○", "passes", "is-passed"),
    "not run": ("–", "–", "is-unasked"),
}


@figure(
    "bug-lab-matrix",
    caption="● caught, ○ let through, – never asked: the check does not run the line that is wrong, "
    "and for error 6 no line is.",
    alt="A table of twelve errors and seven checks. The check of shapes and the check of batches "
    "catch none. Parity catches all {{ bug.bugs.word = eleven }} bugs. Error 6 is asked by "
    "none.",
)
def matrix() -> str:
    heads = (
        tag("th", tag("span", check.title), scope="col", data_check=check.id)
        for check in CHECKS.values()
    )
    lines = (_line(id) for id in examples.ORDER)
    head = tag("thead", tag("tr", tag("td"), *heads))
    return tag("table", head, tag("tbody", *lines), class_="va-detection")


def _line(id: str) -> str:
    name = tag("a", f"{examples.number(id)} ", NAMES[id], href=f"#{id}")
    cells = (_cell("not run" if id == examples.READING else outcome(check, id)) for check in CHECKS)
    return tag("tr", tag("th", name, scope="row"), *cells, data_mistake=id)


def _cell(found: str) -> str:
    sign, words, kind = SIGNS[found]
    if sign == words:
        return tag("td", tag("span", "–"), class_=kind)
    shown = tag("i", sign, aria_hidden="true")
    return tag("td", shown, tag("span", words, class_="va-heard"), class_=kind)
