"""The controls of the film, above the stage list, which is its progress bar.

Their script, docs/javascripts/film.js, is loaded when one of them is first used. Without scripts two
tick boxes stand in their place: assets/unscripted.css plays a short film once the first is ticked.
"""

from figures_src.kit.elements import tag

from ..state import DEFAULTS, SPEEDS

REST = "Play follows the picked patch through all twelve stages; or pick a stage."  # while nothing plays


def film_controls() -> str:
    """Return step back, play or pause, step on, speed, and a line for what is happening."""

    def button(action: str, label: str, key: str, *words: str, **more: object) -> str:
        attributes = {"type": "button", "data_action": action, "title": f"{label} ({key})"}
        return tag("button", *words, **attributes, aria_keyshortcuts=key, **more)

    def sign(shape: str) -> str:
        icon = tag("path", d=shape)
        return tag("svg", icon, viewBox="0 0 12 12", width=12, height=12, aria_hidden="true")

    back = sign("M2 1h2v10H2zM11 1v10L4.5 6z")
    on = sign("M8 1h2v10H8zM1 1v10l6.5-5z")
    play = tag("span", sign("M2 0.5v11L11.5 6z"), class_="va-sign is-play")
    pause = tag("span", sign("M2 1h3v10H2zM7 1h3v10H7z"), class_="va-sign is-pause")
    choices = (
        tag(
            "label",
            tag(
                "input",
                type="radio",
                name="va-speed",
                value=value,
                data_state="speed",
                checked="" if DEFAULTS["speed"] == value else None,
            ),
            tag("span", f"{value}×"),
        )
        for value in SPEEDS
    )
    speed = tag(
        "fieldset",
        tag("legend", "Speed", class_="va-unseen"),
        *choices,
        class_="va-radios va-speed",
    )
    asked = "".join(
        tag("label", tag("input", type="checkbox", class_=f"va-{name}"), words, class_="va-asked")
        for name, words in (("playing", " Play"), ("paused", " Pause"))
    )
    return tag(
        "div",
        button("step-back", "Step back", "j", back, class_="va-move", aria_label="Step back"),
        button("play", "Play or pause", "k", play, pause, tag("b", "Play"), class_="va-play"),
        button("step-on", "Step on", "l", on, class_="va-move", aria_label="Step on"),
        speed,
        tag("p", REST, class_="va-now"),
        asked,
        class_="va-transport",
    )
