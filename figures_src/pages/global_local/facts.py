"""The numbers of the page on global and local operators, docs/global-local.md."""

from figures_src.inputs.models import BASE
from figures_src.kit.numbers import fixed, whole
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
            (f"local.inner.{name}", whole(int(moves[examples.QUERY].sum()))),
            (f"local.corner.{name}", whole(int(moves[0].sum()))),
            (f"local.content.{name}", _yes(examples.by_content(name) > CLOSE)),
            (f"local.one.{name}", whole(int(examples.follows(name, "one").sum()))),
            (f"local.seven.{name}", whole(int(examples.follows(name, "seven").sum()))),
            (f"local.any.{name}", whole(int(examples.follows(name, "any").sum()))),
            (f"local.place.{name}", _yes(examples.tells_neighbours_apart(name))),
            (f"local.depth.{name}", "never" if depth is None else whole(depth)),
        ]
        growth = examples.macs(name, 2 * examples.PATCHES.rows) / examples.macs(
            name, examples.PATCHES.rows
        )
        counted += [
            (f"local.parameters.{name}", whole(examples.parameters(name))),
            (f"local.macs.{name}", whole(examples.macs(name, examples.PATCHES.rows))),
            (f"local.growth.{name}", f"×{fixed(growth, 2)}"),
        ]
    measured.append(("local.depth.shifted", whole(examples.depth("shifted") or 0)))
    counted.append(("local.depthwise", whole(examples.SIDE**2 * BASE.width)))
    return [*of("teaching", measured), *of("formula", counted)]


def _yes(found: bool) -> str:
    return "yes" if found else "no"
