"""The numbers of the page on bugs, docs/bug-lab.md."""

from figures_src.kit.numbers import fixed, percent, with_commas
from figures_src.pages.facts import Fact, of
from vitattn_core import CHECKS, MISTAKES, outcomes
from vitattn_core.reading import effective_keys
from vitattn_core.teaching import CHANNELS, GRID

from . import examples


def entries() -> list[Fact]:
    """Return the facts of the page."""
    return [*of("formula", _counts() + _ledger()), *of("teaching", _rows())]


def _counts() -> list[tuple[str, str]]:
    """How many mistakes each check catches, and how many only parity catches."""
    found = outcomes()
    counts = {c: sum(line[c] == "caught" for line in found.values()) for c in CHECKS}
    last = [
        id
        for id, line in found.items()
        if [check for check in CHECKS if line[check] == "caught"] == ["parity"]
    ]
    entries = [(f"bug.caught.{check}", with_commas(count)) for check, count in counts.items()]
    reported = sum(mistake.report is not None for mistake in MISTAKES.values())
    numbers = {
        "bug.parity_alone": len(last),
        "bug.bugs": len(MISTAKES),
        "bug.errors": len(examples.ORDER),
        "bug.reported": reported,
        "bug.checks": len(CHECKS),
    }
    return [*entries, *((key, with_commas(number)) for key, number in numbers.items())]


def _ledger() -> list[tuple[str, str]]:
    return [("bug.one_row.share", percent(examples.pair_share(examples.ledgers()[1]), 2))]


def _rows() -> list[tuple[str, str]]:
    summed = examples.two_rows("axis", examples.LIKE_ME)[1].sum()
    even = examples.two_rows("no-position", examples.NEAR_ME)[1]
    keel = examples.wrong("residual").Y[examples.QUERY, CHANNELS.index("keel")]
    sums = examples.rollouts()[1][GRID.prefix :].sum(axis=1)
    return [
        ("bug.axis.sum", fixed(float(summed), 2)),
        ("bug.no_position.keys", fixed(effective_keys(even), 0)),
        ("bug.residual.keel", fixed(float(keel), 2)),
        ("bug.rollout.least", fixed(float(sums.min()), 3)),
        ("bug.rollout.most", fixed(float(sums.max()), 3)),
    ]
