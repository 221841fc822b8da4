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


SHARES = {
    "projections": "ink",
    "pairs": "weight",
    "MLP": "quiet",
}  # parts of a block, their colours


def share_bar(pairs: float, mlp: float, *, room: float, room_of_pairs: float) -> str:
    """Return a block's MACs as a bar of length one: projections, pair term, MLP, as shares.

    A part has its name on it where its share is above `room`, the pair term's above its own.
    """
    parts, start = [], 0.0
    for (name, kind), share in zip(SHARES.items(), (1 - pairs - mlp, pairs, mlp), strict=True):
        place = {"x": f"{100 * start:.2f}%", "width": f"{100 * share:.2f}%"}
        parts.append(tag("rect", height=34, class_=f"va-share is-{kind}", **place))
        if share > (room_of_pairs if name == "pairs" else room):
            middle = f"{100 * (start + share / 2):.2f}%"
            parts.append(tag("text", name, x=middle, y=22, class_="va-on-share"))
        start += share
    return svg(34, *parts)


def share_key() -> str:
    """Return the names of a bar's parts, for places where they have no room on it."""
    chips = (
        tag("span", tag("i", class_=f"va-chip va-share is-{kind}"), " ", name)
        for name, kind in SHARES.items()
    )
    return tag("p", *chips, class_="va-share-key", aria_hidden="true")
