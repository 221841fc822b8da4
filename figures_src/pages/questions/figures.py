"""Page Questions: one row and one column of the same small matrix of weights."""

import numpy as np

from figures_src.kit.elements import tag
from figures_src.kit.numbers import fixed
from figures_src.pages.registry import figure

# Three rows, not symmetric, each sums to 1
WEIGHTS = np.array([[0.7, 0.2, 0.1], [0.1, 0.6, 0.3], [0.25, 0.25, 0.5]])
PICKED = 1


@figure(
    "questions-row-column",
    caption="The same matrix twice. The row says from where query 1 reads: its weights sum to 1. The "
    "column says who reads key 1, and can sum to anything from 0 to the number of rows.",
    alt="Two copies of a 3 by 3 matrix. In the first, the middle row is framed: "
    "{{ questions.row.0 = 0.10 }}, {{ questions.row.1 = 0.60 }}, "
    "{{ questions.row.2 = 0.30 }}, sum {{ questions.row.sum = 1.00 }}. In the second, the "
    "middle column is framed: {{ questions.column.0 = 0.20 }}, "
    "{{ questions.column.1 = 0.60 }}, {{ questions.column.2 = 0.25 }}, sum "
    "{{ questions.column.sum = 1.05 }}.",
)
def row_column() -> str:
    return tag("div", _matrix("row"), _matrix("column"), class_="va-two-readings")


def _matrix(kind: str) -> str:
    lit = WEIGHTS[PICKED] if kind == "row" else WEIGHTS[:, PICKED]
    cells = []
    for i, row in enumerate(WEIGHTS):
        cells.append(tag("span", f"query {i}", class_="va-side"))
        for j, weight in enumerate(row):
            here = (i if kind == "row" else j) == PICKED
            kinds = "va-weight-cell" + (" is-lit" if here else "")
            cells.append(tag("span", fixed(weight, 2), class_=kinds))
    heads = (tag("span", f"key {j}", class_="va-side") for j in range(len(WEIGHTS)))
    grid = tag("div", tag("span"), *heads, *cells, class_="va-weight-cells", aria_hidden="true")
    words = {"row": "from where query 1 reads", "column": "who reads key 1"}[kind]
    total = tag("b", f"sum {fixed(lit.sum(), 2)}", class_="role-weight")
    return tag("div", tag("strong", kind), grid, tag("p", total, " ", words), class_="va-reading")
