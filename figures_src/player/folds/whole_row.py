"""The fold "The whole row": all keys of the picked row as a table, and the row beside its column."""

from figures_src.kit.elements import tag
from figures_src.kit.small_map import small_map
from figures_src.player.registry import fold
from vitattn_core.teaching import GRID, VALUE_CHANNELS

# Columns of numbers: name, heading, its words. `mean`: there is one in the mean of heads too.
COLUMNS = (
    ("score", "s", "score"),
    ("top", "m", "largest"),
    ("exponential", "e<sup>s − m</sup>", "exp"),
    ("total", "Σ", "sum"),
    ("weight", "a", "weight"),
    *((f"given.{c}", "a·v", name) for c, name in enumerate(VALUE_CHANNELS)),
)
# Those that are the same number for all keys, unless the softmax runs over the queries.
OF_THE_KEY = ("top", "total")


@fold("whole-row", question="The whole row", order=2, late=True)
def draw() -> str:
    """Return the table with one empty line that the script copies, and the two maps."""
    lead = tag("p", data_say="lead", class_="va-lead")
    mean = tag(
        "p",
        "The mean of heads is a display choice, so it has weights only: scores, exponentials and "
        "values belong to one head each.",
        class_="va-aside va-heads",
    )
    save = tag("button", "Save as CSV", type="button", class_="va-button", data_do="csv")
    after = tag("p", save, tag("span", f"{GRID.tokens} keys, every number in full"))
    table = tag("div", lead, _table(), mean, after, class_="va-row-table-part")
    return tag("div", table, _maps(), class_="va-whole-row")


def _kind(name: str) -> str | None:
    """Return the class that hides a column where it does not belong."""
    if name == "weight":
        return "is-weight"
    return "va-one-head va-of-the-key" if name in OF_THE_KEY else "va-one-head"


def _table() -> str:
    heads = [_head("key", "key", "place", None, "none")]
    heads += [
        _head(name, letter, words, _kind(name), "descending" if name == "weight" else "none")
        for name, letter, words in COLUMNS
    ]
    cells = "".join(tag("td", "…", class_=_kind(name)) for name, *_ in COLUMNS)
    key = tag("th", tag("b", "…"), tag("span"), scope="row")
    sums = "".join(tag("td", "–", class_=_kind(name), data_sum=name) for name, *_ in COLUMNS)
    table = tag(
        "table",
        tag("caption", f"All {GRID.tokens} keys of the picked row", class_="va-unseen"),
        tag("thead", tag("tr", *heads)),
        tag("tbody", tag("tr", key, cells)),
        tag("tfoot", tag("tr", tag("th", "sum", scope="row"), sums)),
        class_="va-row-table",
    )
    return tag(
        "div",
        table,
        class_="va-row-table-box",
        tabindex=0,
        role="region",
        aria_label="All keys of the picked row",
    )


def _head(name: str, letter: str, words: str, kind: str | None, sort: str) -> str:
    small = tag("small", words, data_name=name)
    if name.startswith("given."):  # the script writes a·k there where keys are mixed
        letter = tag("span", letter, data_mixed="")
    button = tag("button", letter, small, type="button", data_sort=name)
    return tag("th", button, scope="col", class_=kind, aria_sort=sort)


def _maps() -> str:
    from_, by = small_map("from", "Reads from", "…"), small_map("by", "Read by", "…")
    scale = tag(
        "p",
        "both from 0 ",
        tag("span", class_="va-ramp"),
        " ",
        tag("b", "0", data_say="end"),
        "; the cell above is CLS",
        class_="va-scale",
    )
    why = tag("p", data_say="both", class_="va-aside")
    return tag("div", tag("div", from_, by, scale, class_="va-two-maps"), why)
