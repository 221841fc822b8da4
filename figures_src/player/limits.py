"""What the state of a figure may be: one table for the builder, links between pages, addresses and page.

`state.py` has the player's, `explorer/values.py` the explorer's. The page gets it as data, and its script
`docs/javascripts/address.js`, which takes or refuses every value, reads the links of all pages at build.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

from vitattn_core import Grid

# As JSON has it: what a value may be.
Limit: TypeAlias = dict[str, Any]

LONGEST = 24  # characters that a browser writes of a number, from a millionth up


def choice(words: Sequence[str], *, page_only: str | None = None) -> Limit:
    """Return the limit to some words; `page_only` is one more, which a page may have and no address."""
    return {"choices": list(words), **({"page_only": page_only} if page_only else {})}


def span(start: float, end: float) -> Limit:
    """Return the limit to numbers in digits from `start` to `end`, both among them."""
    return {"from": start, "to": end, "longest": LONGEST}


ONE_ROW: Limit = {"places": "one"}  # a row of the sequence, as cls or row.column
SOME_ROWS: Limit = {"places": "some"}  # rows, each once, between commas


@dataclass(frozen=True)
class Table:
    """What a figure can be set to.

    name: of the figure. least: the setting that an address names which has nothing else to say.
    opens: what a photograph opens with in place of defaults. limits: of each setting, in the order in
    which they are named. Raises ValueError for a setting without its limit, or a limit of none.
    """

    name: str
    least: str
    defaults: Mapping[str, str]
    opens: Mapping[str, Mapping[str, str]]
    limits: Mapping[str, Limit]
    grid: Grid

    def __post_init__(self) -> None:
        """See that each setting has its limit, in one order."""
        if list(self.limits) != list(self.defaults):
            raise ValueError(f"{self.name}: limits of {[*self.limits]}, for {[*self.defaults]}")

    def at_first(self, photo: str) -> dict[str, str]:
        """Return the state that a photograph opens with; an address leaves out what is as here."""
        return {**self.defaults, "photo": photo, **self.opens[photo]}

    def choices(self) -> dict[str, list[str]]:
        """Return the values that each setting may take, where they can be listed."""
        return {name: may["choices"] for name, may in self.limits.items() if "choices" in may}

    def as_data(self) -> dict[str, Any]:
        """Return the table as the page, and the checker of links, get it: as JSON can hold it."""
        grid = self.grid
        return {
            "name": self.name,
            "least": self.least,
            "names": list(self.defaults),
            "defaults": self.defaults,
            "opens": self.opens,
            "limits": self.limits,
            "grid": {"rows": grid.rows, "columns": grid.columns, "prefix": grid.prefix},
        }
