"""The arithmetic line under the photograph: one number of the picked row, worked through.

From scores to mix it follows the pointed key; at the other stages it shows one channel of the row.
"""

from figures_src.kit.elements import tag
from figures_src.player.bound import Bound
from vitattn_core.teaching import HEADS

# The stages at which the line follows the pointed key, in order.
KEY_STAGES = ("scores", "scale", "mask", "softmax", "mix")


def lines(picked: Bound) -> str:
    """Return all lines; the style sheet shows the one of the stage."""
    t = picked.text
    gain = t("line.heads.gain", "span")
    lines_by_stage = {
        "patches": (
            "patch to row",
            f"<span class='va-not-cls'>1 + {t('grid.columns', 'span')} × row + column = "
            f"{t('token')}</span><span class='va-only-cls'>CLS stands in front of all patches</span>",
        ),
        "embed": (
            "row cos",
            f"{t('line.embed.0', 'span')} {t('words.content', 'span')} + {t('line.embed.1', 'span')} "
            f"{t('words.position', 'span')} = {t('line.embed')}",
        ),
        "norm": (
            "light",
            f"({t('line.norm.0', 'span')} − {t('line.norm.1', 'span')}) ÷ "
            f"{t('line.norm.2', 'span')} = {t('line.norm')}",
        ),
        "qkv": (
            "first number of q",
            f"{t('line.qkv.terms', 'span')} = {t('line.qkv', class_='role-query')}",
        ),
        "heads": (
            "diff",
            f"{gain} × ({_added(picked, 'line.heads', 0)}) ({t('words.kind', 'span')}) − "
            f"{gain} × ({_added(picked, 'line.heads', 3)}) ({t('words.around', 'span')}) = "
            f"{t('line.heads', class_='role-output')}",
        ),
        "residual": (
            "diff",
            f"{t('line.residual.0', 'span')} + {t('line.residual.1', 'span')} = {t('line.residual')}",
        ),
        "mlp": (
            "out",
            f"{t('line.mlp.0', 'span')} + {t('line.mlp.1', 'span')} from unit 1 + "
            f"{t('line.mlp.2', 'span')} from unit 2 = {t('line.mlp')}",
        ),
    }
    ones = (
        tag(
            "p",
            tag("span", name, class_="va-who"),
            tag("span", text),
            class_="va-line va-one-head" if stage == "qkv" else "va-line",
            data_line=stage,
        )
        for stage, (name, text) in lines_by_stage.items()
    )
    return _key(picked) + _means(picked) + "".join(ones)


def _added(picked: Bound, name: str, first: int) -> str:
    """Return three numbers of a line with a plus between them."""
    return " + ".join(picked.text(f"{name}.{n}", "span") for n in range(first, first + 3))


def _key(picked: Bound) -> str:
    """Return the arithmetic line: the pointed key from its products to what it gives."""
    sign = " + "
    terms = sign.join(
        tag(
            "span",
            picked.text(f"line.q.{c}", "span", class_="role-query"),
            " × ",
            picked.text(f"line.k.{c}", "span", class_="role-key"),
            class_="va-term",
        )
        for c in range(4)
    )
    head_outputs = ", ".join(picked.text(f"line.av.{c}", "span") for c in range(4))
    power = f"e<sup>{picked.text('line.power', 'span')}</sup>"
    steps = (
        ("scores", "q·k", f"= {terms} = {picked.text('line.product')}"),
        (
            "scale",
            f"÷ {picked.text('divisor', 'span')}",
            f"{picked.text('line.sign.score', 'span')} {picked.text('line.score')}",
        ),
        ("mask", "mask", f"= {picked.text('line.masked')}"),
        (
            "softmax",
            power,
            f"{picked.text('line.sign.exponential', 'span')} {picked.text('line.exponential')}",
        ),
        (
            "softmax",
            picked.text("line.over", "span"),
            picked.text("line.sign.weight", "span")
            + " "
            + picked.text("line.weight", class_="role-weight"),
        ),
        (
            "mix",
            f"× {picked.text('mixed.letter', 'span')}",
            f"= <span class='role-value'>({head_outputs})</span>",
        ),
    )
    operations = (
        tag(
            "span",
            tag("em", sign_),
            " ",
            tag("span", result, class_="va-then"),
            class_="va-step",
            data_from=stage_id,
        )
        for stage_id, sign_, result in steps
    )
    return tag("p", _pointed(picked), *operations, class_="va-line va-one-head", data_line="key")


def _means(picked: Bound) -> str:
    """Return the line that stands there while the mean of heads is chosen."""
    weights = " + ".join(picked.text(f"h{h}.weight", "span") for h in range(len(HEADS)))
    result = picked.text("mean.weight", class_="role-weight")
    sum_ = tag("span", f"({weights}) ÷ {len(HEADS)} = {result}")
    why = tag("em", "mean of the heads’ weights, for display only")
    return tag(
        "p",
        _pointed(picked),
        tag("span", why, " ", sum_),
        class_="va-line va-heads",
        data_line="key",
    )


def _pointed(picked: Bound) -> str:
    """Return which key the line is about, and the buttons that go to the next one by weight."""

    def button(way: str, sign_: str, label: str) -> str:
        attributes = {"type": "button", "data_action": way, "aria_label": label}
        return tag("button", sign_, class_="va-step-key", **attributes)

    return tag(
        "span",
        button("key-before", "‹", "Key before this one by weight"),
        tag("span", "key ", picked.text("key", "span"), class_="role-key"),
        button("key-after", "›", "Key after this one by weight"),
        class_="va-who",
    )
