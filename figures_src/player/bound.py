"""Marks of the player: bound to a name of the row's values, or lit by a phrase of the plate's sentence.

A bound mark shows its value in the file as built, and says by a data attribute which name it shows,
so that the page's script can fill it again: `data-t` text, `data-d` path, `data-paint` the paths of a
small map, `data-x` place on an axis, `data-v` the custom property --v, `data-box` the view box.
"""

from html import escape

from figures_src.kit.elements import anchor_at, tag

from .row import Row


def phrase(name: str, *words: str) -> str:
    """Return words of a plate's sentence that light the mark of this name, and are lit by it."""
    return tag("button", *words, type="button", class_="va-phrase", data_phrase=name)


def on_one_line(*words: str) -> str:
    """Return words that stay on one line: a phrase is a button, and a full stop would leave it."""
    return tag("span", *words, class_="va-kept-together")


class Bound:
    """Marks that show a value by its name; KeyError for a name that the row does not have."""

    def __init__(self, row: Row) -> None:
        self.row = row
        self.values = row.values

    def text(self, name: str, element: str = "b", **attributes: object) -> str:
        """Return an element whose text is the value."""
        return tag(element, escape(self.values[name]), **attributes, data_t=name)

    def path(self, name: str, **attributes: object) -> str:
        """Return a path whose outline is the value."""
        return tag("path", d=self.values[name], **attributes, data_d=name)

    def paint(self, name: str, **attributes: object) -> str:
        """Return a drawing whose marks are the value: the paths of a small map."""
        return tag("svg", self.values[name], **attributes, data_paint=name)

    def at(self, name: str, element: str, *children: str, **attributes: object) -> str:
        """Return an element moved along an axis by the value, a percentage; its text stays inside."""
        place = self.values[name]
        anchor = anchor_at(place)
        return tag(element, *children, x=place, text_anchor=anchor, **attributes, data_x=name)

    def bar(self, name: str, *, x: float, width: float, y: float, height: float) -> str:
        """Return a signed bar from x (%), up to `width` (%) long; the value is −1 to 1."""
        return tag(
            "rect",
            **{"class": "va-bar", "x": f"{x:g}%", "y": y, "width": f"{width:g}%", "height": height},
            style=f"--v:{self.values[name]}",
            data_v=name,
        )

    def level(self, name: str) -> str:
        """Return the thick line of a mixture across a strip; the value is its height."""
        line = tag("line", x1=0, x2=1, y1=0, y2=0, class_="va-level")
        return tag("g", line, transform=f"translate(0 {self.values[name]})", data_level=name)

    def rise(self, name: str, **place: object) -> str:
        """Return a column that rises or falls from zero by the value."""
        return tag("rect", class_="va-rise", style=f"--v:{self.values[name]}", data_v=name, **place)

    def added(self, under: str, name: str, **place: object) -> str:
        """Return a column that starts where the column `under` ends."""
        style = f"--x:{self.values[under]}"
        return tag("g", self.rise(name, **place), class_="va-added", style=style, data_w=under)

    def end(self, name: str, **place: object) -> str:
        """Return a line across a column at the value."""
        return tag("line", class_="va-end", style=f"--v:{self.values[name]}", data_v=name, **place)
