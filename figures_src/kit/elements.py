"""SVG and HTML elements as text."""

from html import escape

VOID = {"input", "img", "br", "link"}


def tag(name: str, /, *children: str, **attributes: object) -> str:
    """Return an element; `class_` is written as class, `data_t` as data-t; None leaves one out."""
    attributes_text = "".join(
        f' {key.rstrip("_").replace("_", "-") if key != "viewBox" else key}="{escape(str(value))}"'
        for key, value in attributes.items()
        if value is not None
    )
    if name in VOID:
        return f"<{name}{attributes_text}>"
    return f"<{name}{attributes_text}>{''.join(children)}</{name}>"


def anchor_at(place: str) -> str:
    """Return how text is set at a place (a percentage) on an axis, so that it stays inside."""
    share = float(place.rstrip("%"))
    return "start" if share < 16 else "end" if share > 84 else "middle"


def note() -> str:
    """Return an empty line for the answer to a control beside it: it is shown there, and heard."""
    return tag("p", class_="va-note", role="status")
