"""The colours of the site, one row each: name, light, dark. The only place where a colour is typed.

Role colours are spread in lightness as well as hue, so that they stay apart for colour-blind readers.
`--va-photo-*` lie on the photograph, which is dimmed alike in both schemes.
"""

import math
import re
from dataclasses import dataclass

from figures_src.source_fault import SourceFault, calling_line


@dataclass(frozen=True)
class Token:
    """A colour: hex in the light and in the dark scheme, `contrast` it must have on page and panel."""

    name: str
    light: str
    dark: str
    contrast: float | None = None

    def __post_init__(self) -> None:
        _hex(f"token {self.name}", self.light, self.dark)


def _hex(name: str, *colours: str) -> tuple[str, ...]:
    """Return the colours; SourceFault where one is not written as # and six small hex digits."""
    if wrong := [colour for colour in colours if not re.fullmatch("#[0-9a-f]{6}", colour)]:
        takes = "takes # and six hexadecimal digits, letters small, as '#1a6cc4'"
        place = calling_line("_hex", "Token.__post_init__")
        raise SourceFault(place, f"{name}: got {wrong[0]!r}, {takes}")
    return colours


TOKENS = (
    Token("page", "#ffffff", "#14161a"),
    Token("panel", "#f3f2ee", "#1e2127"),
    Token("rule", "#d8d6cf", "#353a42"),
    Token("ink", "#1b1d20", "#e9e8e4", 7),
    Token("quiet", "#5a5f66", "#a3a9b1", 4.5),
    Token("query", "#1a6cc4", "#69b9ff", 4.5),
    Token("key", "#bd1b82", "#da80c2", 4.5),
    Token("value", "#005d4e", "#5fe6c4", 4.5),
    Token("weight", "#855f00", "#f4b10f", 4.5),
    Token("output", "#75100c", "#ff7759", 4.5),
    Token("score-above", "#f5bd3d", "#f5bd3d"),
    Token("score-below", "#7a72c9", "#b9b3f0"),
    Token("photo-query", "#3fb0ff", "#3fb0ff"),
    Token("photo-key", "#ff7dd3", "#ff7dd3"),
    Token("photo-flow", "#35e0b4", "#35e0b4"),
    Token("photo-above", "#f5bd3d", "#f5bd3d"),
    Token("photo-below", "#c4bff5", "#c4bff5"),
    Token("photo-halo", "#000000", "#000000"),
    Token("photo-line", "#ffffff", "#ffffff"),
    Token("photo-off", "#34363a", "#34363a"),
)

# From a weight of 0 to the largest: lightness rises evenly from 0.44 to 0.97 (OKLCH), hue 62° to 102°.
WEIGHT_STOPS = _hex(
    "WEIGHT_STOPS",
    "#77450c",
    "#8b5200",
    "#9c6200",
    "#ac7200",
    "#bd8300",
    "#cd9500",
    "#dca806",
    "#e6bc3a",
    "#efd164",
    "#f8e589",
    "#fff8bc",
)
WEIGHT_LEVELS = 64
UNPAINTED = 0.004  # below this share of the largest weight nothing is painted


def weight_colour(share: float) -> str:
    """Return the colour of a weight that is `share` (0 to 1) of the largest, linear between stops."""
    if not 0 <= share <= 1:
        raise ValueError(f"weight_colour: got {share}, takes 0 to 1")
    place = share * (len(WEIGHT_STOPS) - 1)
    below = min(int(place), len(WEIGHT_STOPS) - 2)
    low, high = (bytes.fromhex(stop[1:]) for stop in WEIGHT_STOPS[below : below + 2])
    part = place - below
    return "#" + "".join(f"{round(a + (b - a) * part):02x}" for a, b in zip(low, high, strict=True))


def weight_opacity(share: float) -> float:
    """Return how solid that paint is: faint weights let the photograph through."""
    return 0.88 * min(1, 0.25 + 4.5 * share)


def weight_level(weight: float, largest: float) -> int:
    """Return the paint level, 1 to 63, of a weight on the range 0 to `largest`; 0: not painted."""
    if largest <= 0 or weight < UNPAINTED * largest:
        return 0
    exact = weight / largest * (WEIGHT_LEVELS - 1)
    return max(1, min(WEIGHT_LEVELS - 1, math.floor(exact + 0.5)))  # halves up, as in the page


def css() -> str:
    """Return the style sheet of all tokens, light and dark, and of the weight levels.

    Dark is for screens: paper is white whichever scheme the reader has chosen.
    """

    def variables(scheme: str) -> str:
        return "".join(f"--va-{token.name}:{getattr(token, scheme)};" for token in TOKENS)

    ramp = ",".join(WEIGHT_STOPS)
    levels = "".join(
        f".w{level}{{fill:{weight_colour(level / (WEIGHT_LEVELS - 1))};"
        f"fill-opacity:{weight_opacity(level / (WEIGHT_LEVELS - 1)):.3f}}}"
        for level in range(1, WEIGHT_LEVELS)
    )
    return (
        f":root{{{variables('light')}--va-ramp:linear-gradient(90deg,{ramp})}}\n"
        f"@media screen{{[data-md-color-scheme=slate]{{{variables('dark')}}}}}\n"
        f"{levels}\n"
    )
