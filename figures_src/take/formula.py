"""The formulas of the stages as words in one line, with raised and lowered letters.

Only the TeX that `STAGES` uses is known; fractions are written with a stroke.
"""

import re

from ..mathml import ROLES
from .words import Run

SIGNS = {
    **{r"\cdot": "·", r"\to": "→", r"\infty": "∞", r"\sum": "Σ", r"\sqrt": "√"},
    **{r"\quad": "   ", r"\;": " ", r"\,": " "},
}
TOKEN = re.compile(r"\\[a-zA-Z]+|\\[;,]|[{}_^]|\s+|.")
SPACED = {"=": " = ", "+": " + ", "·": " · ", "→": " → ", "/": " / "}


def formula(tex: str, size: float) -> list[Run]:
    """Return a formula as runs; ValueError for TeX that is not known here."""
    tokens = [token for token in TOKEN.findall(tex) if not token.isspace()]
    parts, rest = _read(tokens, size, 0)
    if rest:
        raise ValueError(f"formula: got {tex!r}, of which {rest[0]!r} is left over")
    return parts


def _read(tokens: list[str], size: float, shift: float) -> tuple[list[Run], list[str]]:
    """Read up to a closing brace or the end; return runs and what is left."""
    parts: list[Run] = []
    while tokens and tokens[0] != "}":
        token, *tokens = tokens
        if token in "_^":
            inner = size * 0.72
            by = 0.28 * size if token == "_" else -0.4 * size
            found, tokens = _argument(tokens, inner, shift + by)
            parts += found
        elif token == r"\frac":
            above, tokens = _argument(tokens, size, shift)
            below, tokens = _argument(tokens, size, shift)
            parts += [*above, _sign(" / ", size, shift), *below]
        elif token == r"\mathrm":
            word, tokens = _argument(tokens, size, shift)
            text = "".join(part.text for part in word)
            parts.append(_sign(text, size, shift))
        elif token == "{":
            found, tokens = _read(tokens, size, shift)
            parts += found
            tokens = tokens[1:]
        elif token.startswith("\\") and token not in SIGNS:
            raise ValueError(f"formula: got {token}, takes {', '.join(SIGNS)}")
        else:
            text = SIGNS.get(token, token)
            parts.append(_sign(SPACED.get(text, text).replace("-", "−"), size, shift))
    return parts, tokens


def _argument(tokens: list[str], size: float, shift: float) -> tuple[list[Run], list[str]]:
    """Read one letter or one group in braces."""
    if tokens[0] == "{":
        found, rest = _read(tokens[1:], size, shift)
        return found, rest[1:]
    found, _ = _read(tokens[:1], size, shift)
    return found, tokens[1:]


def _sign(text: str, size: float, shift: float) -> Run:
    letter = text.strip()
    role = ROLES.get(letter.lower())
    return Run(
        text,
        size=round(size, 1),
        colour=f"var(--va-{role})" if role and len(letter) == 1 else "var(--va-ink)",
        slant="italic" if len(letter) == 1 and letter.isalpha() and letter != "Σ" else "normal",
        family="serif",
        shift=round(shift, 1),
    )
