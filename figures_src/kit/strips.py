"""Panels of a figure: SVG as wide as its place, and strips of them, label | plot | result."""

from .elements import tag


def marked(name: str | None) -> dict[str, object]:
    """Return the attributes of a mark that a phrase points at; none for no name."""
    if name is None:
        return {}
    label = name.replace("-", " ")
    return {"data_mark": name, "tabindex": 0, "role": "group", "aria_label": label}


def strip(
    letter: str,
    role: str,
    words: str,
    plot: str,
    result: str = "",
    cls: str = "",
    mark: str | None = None,
) -> str:
    """Return one line of the bench: its letter and words, its plot, its result at the right.

    With `mark` it lights the phrase of that name in the plate's sentence, and is lit by it.
    """
    label = tag("i", letter, class_=f"va-letter role-{role}") if letter else ""
    label += tag("small", words) if words else ""
    return tag(
        "div",
        tag("div", label, class_="va-label"),
        tag("div", plot, class_="va-plot"),
        tag("div", result, class_="va-result") if result else "",
        class_=f"va-strip {cls}".strip(),
        **marked(mark),
    )


def svg(height: float, *children: str, cls: str = "", **attributes: object) -> str:
    """Return a panel as wide as its place and `height` pixels high; the caption speaks for it."""
    kind = f"va-panel {cls}".strip()
    return tag(
        "svg", *children, class_=kind, width="100%", height=height, aria_hidden="true", **attributes
    )


def share_key() -> str:
    """Return the names of a bar's parts, for places where they have no room on it."""
    parts = (("ink", "projections"), ("weight", "pairs"), ("quiet", "MLP"))
    chips = (
        tag("span", tag("i", class_=f"va-chip va-share is-{kind}"), " ", name)
        for kind, name in parts
    )
    return tag("p", *chips, class_="va-share-key", aria_hidden="true")
