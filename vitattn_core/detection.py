"""What each check makes of each mistake: caught, let through, or never asked.

The checks are those of `checks`, run on a copy of the core with the mistake in it.
"""

import sys
from collections.abc import Iterable
from dataclasses import replace
from functools import cache
from types import ModuleType
from typing import Literal

from .checks import CHECKS
from .mistakes import MISTAKES, core_changed

Outcome = Literal["caught", "let through", "not run"]


@cache
def _marked(mistake: str) -> tuple[ModuleType, ModuleType]:
    """Return a core with the mistake, and the module in it that notes when its wrong line is run."""
    change = MISTAKES[mistake]
    core = core_changed([replace(change, wrong=f"globals().update(ran=True); {change.wrong}")])
    return core, sys.modules[f"{core.__name__}.{change.module}"]


@cache
def outcome(check: str, mistake: str) -> Outcome:
    """Return what a check makes of a mistake, both by id; KeyError for an unknown one.

    "not run": the check holds and never comes by the line, so it could not tell.

    A count that is wrong changes no array, so a check of row sums never comes by it:

    >>> outcome("row-sum", "one-row"), outcome("row-sum", "axis")
    ('not run', 'caught')
    """
    core, module = _marked(mistake)
    vars(module)["ran"] = False
    if not CHECKS[check].holds(core):
        return "caught"
    return "let through" if vars(module)["ran"] else "not run"


def outcomes(mistakes: Iterable[str] = MISTAKES) -> dict[str, dict[str, Outcome]]:
    """Return mistake -> check -> outcome, for all checks.

    One right shape is no evidence: it is what every mistake has.

    >>> {told["shape"] for told in outcomes().values()} & {"caught"}
    set()
    """
    return {mistake: {check: outcome(check, mistake) for check in CHECKS} for mistake in mistakes}
