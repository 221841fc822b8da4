"""The numbers of the page on the CLS row and pooling, docs/cls.md."""

import numpy as np

from figures_src.inputs import photographs
from figures_src.kit.numbers import fixed, percent
from figures_src.pages.facts import Fact, of
from vitattn_core.teaching import CHANNELS, GRID

from . import figures


def entries() -> list[Fact]:
    """Return the facts of the page."""
    return [*of("formula", _rows()), *of("teaching", _shares() + _summaries())]


def _rows() -> list[tuple[str, str]]:
    return [
        ("cls.token.patches", str(figures.NO_CLS.token(*figures.PLACE))),
        ("cls.token.registers", str(figures.WITH_REGISTERS.token(*figures.PLACE))),
        ("cls.even", fixed(1 / GRID.tokens, 4)),
    ]


def _shares() -> list[tuple[str, str]]:
    """Photograph chelsea: what the eye's row leaves to the picture, and what patches give to CLS."""
    row = figures.row()
    of_head = {head: figures.shares(head - 1) for head in (1, 2, 3)}
    numbers = [("cls.field_sum", fixed(GRID.field(row).sum(), 3))]
    for head, share in of_head.items():
        numbers.append((f"cls.share.{head}.largest", percent(float(share.max()))))
    numbers.append(("cls.share.1.median", percent(float(np.median(of_head[1])))))
    scores = photographs.trace("chelsea").S[0, GRID.prefix :]
    numbers += [
        ("cls.score.least", fixed(scores[:, 0].min(), 1)),
        ("cls.score.most", fixed(scores[:, 0].max(), 1)),
        ("cls.score.others", fixed(float(np.median(scores[:, 1:])), 1)),
    ]
    return numbers


def _summaries() -> list[tuple[str, str]]:
    light = CHANNELS.index("light")
    numbers = [
        (f"cls.light.{name.lower()}", fixed(row[light], 2))
        for name, row in figures.summaries().items()
    ]
    trace = photographs.trace("chelsea")
    brought = trace.X[GRID.prefix :, light].mean()
    numbers.append(("cls.light.brought", fixed(brought, 2)))
    numbers += [(f"cls.red.{head}", fixed(trace.O[head - 1, 0, 0], 2)) for head in (1, 3)]
    return numbers
