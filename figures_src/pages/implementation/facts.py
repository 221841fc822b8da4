"""The numbers of the page on implementation, docs/implementation.md."""

import math

from figures_src.kit.numbers import fixed
from figures_src.pages.facts import Fact, of
from vitattn_core import gelu


def entries() -> list[Fact]:
    """Return the facts of the page: GELU at 1, exact and in its tanh form."""
    tanh = 0.5 * (1 + math.tanh(math.sqrt(2 / math.pi) * (1 + 0.044715)))
    return of(
        "formula",
        [
            ("implementation.gelu", fixed(float(gelu(1)), 5)),
            ("implementation.gelu_tanh", fixed(tanh, 5)),
        ],
    )
