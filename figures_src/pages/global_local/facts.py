"""The numbers of the page on global and local operators, docs/global-local.md."""

from figures_src.inputs.models import BASE
from figures_src.kit.numbers import fixed, with_commas
from figures_src.pages.facts import Fact, of

from . import examples

CLOSE = 1e-9


def entries() -> list[Fact]:
    """Return the facts of the page: the table column by column, and what the sentences quote."""
    measured, counted = [], []
    for name in examples.TABLE:
        moves = examples.moves(name)
        depth = examples.depth(name)
        measured += [
            (f"local.inner.{name}", with_commas(int(moves[examples.QUERY].sum()))),
            (f"local.corner.{name}", with_commas(int(moves[0].sum()))),
            (f"local.content.{name}", _yes(examples.by_content(name) > CLOSE)),
            (f"local.one.{name}", with_commas(int(examples.follows(name, "one").sum()))),
            (f"local.seven.{name}", with_commas(int(examples.follows(name, "seven").sum()))),
            (f"local.any.{name}", with_commas(int(examples.follows(name, "any").sum()))),
            (f"local.place.{name}", _yes(examples.tells_neighbours_apart(name))),
            (f"local.depth.{name}", "never" if depth is None else with_commas(depth)),
        ]
        growth = examples.macs(name, 2 * examples.PATCHES.rows) / examples.macs(
            name, examples.PATCHES.rows
        )
        counted += [
            (f"local.parameters.{name}", with_commas(examples.parameters(name))),
            (f"local.macs.{name}", with_commas(examples.macs(name, examples.PATCHES.rows))),
            (f"local.growth.{name}", f"×{fixed(growth, 2)}"),
        ]
    measured.append(("local.depth.shifted", with_commas(examples.depth("shifted") or 0)))
    counted.append(("local.depthwise", with_commas(examples.SIDE**2 * BASE.width)))
    return [*of("teaching", measured), *of("formula", counted)]


def _yes(found: bool) -> str:
    return "yes" if found else "no"
