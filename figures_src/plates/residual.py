"""Residual: the row keeps what it was and adds what it has read."""

from ..marks import Bound, tag
from ..panels import channels
from ..registry import plate


@plate(
    "residual",
    shows=("Y",),
    alt="Three rows of twelve channels: the row as it entered, what attention adds, and their sum.",
)
def draw(row: Bound) -> str:
    say = (
        f"The row of {row.text('query')} keeps what it was and adds what it has read. What is added "
        "to is x itself, not its normed form; the place channels stay as they were."
    )
    return "".join(
        (
            tag("p", say, class_="va-say"),
            channels(row, "x", "as it entered", "X"),
            channels(row, "+ M", "what attention adds", "M", "output", named=False),
            channels(row, "= y", "the row now", "Y", "query", named=False),
            tag("p", "From here on this row works alone.", class_="va-aside"),
        )
    )
