"""The tools under the player: link, embed code, a plate as SVG, full screen, and the list of keys.

Their script, docs/javascripts/tools.js, is loaded when one of them is first used.
"""

from figures_src.kit.elements import tag

# What the keys do, in the order in which one meets them.
KEYS = (
    (("Tab",), "from control to control: stages, photograph, bench, folds"),
    (("←", "→"), "in the list of stages: the stage before, the stage after"),
    (("←", "→", "↑", "↓"), "on the photograph: from patch to patch; the one in focus is the key"),
    (("↑",), "from the top line of patches: to CLS"),
    (("Home", "End"), "to the ends of a line of patches"),
    (("Page Up", "Page Down"), "to CLS, to the last line of patches"),
    (("Enter", "Space"), "on the photograph: pick the patch in focus as the query"),
    (("k",), "play the film, pause it"),
    (("j", "l"), "step back, step on"),
    (("Del",), "on the photograph: take the patch in focus out as a key, or put it back"),
    (("?",), "this list"),
    (("Esc",), "close it; leave full screen"),
)


def tools() -> str:
    """Return the buttons; they are shown where scripts run, full screen where the browser has it."""

    def button(action: str, *words: str) -> str:
        attributes = {"type": "button", "class_": "va-button", "data_action": action}
        return tag("button", *words, **attributes)

    enter = tag("span", "Full screen", class_="va-enter")
    leave = tag("span", "Leave full screen", class_="va-leave")
    return tag(
        "div",
        button("copy-link", "Copy link"),
        button("copy-embed", "Copy embed code"),
        button("save-plate", "Save as SVG"),
        button("full-screen", enter, leave),
        button("show-keys", "Keys ", tag("kbd", "?")),
        tag(
            "a",
            "Open the whole page",
            class_="va-home-link",
            href="index.html",
            target="_blank",
            rel="noopener",
        ),
        class_="va-tools",
    )


def keys() -> str:
    """Return the dialog that lists the keys, as a template until it is first asked for."""
    lines = (
        tag("dt", " ".join(tag("kbd", name) for name in names)) + tag("dd", does)
        for names, does in KEYS
    )
    close = tag("button", "Close", type="button", class_="va-button", data_action="close-keys")
    dialog = tag(
        "dialog",
        tag("p", tag("strong", "Keys"), " They act only while the player has the focus."),
        tag("dl", *lines),
        close,
        class_="va-keys",
        aria_label="Keys",
    )
    return tag("template", dialog, class_="va-keys-drawn")
