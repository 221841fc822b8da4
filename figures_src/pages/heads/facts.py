"""The numbers of the page on several heads, docs/heads.md."""

from figures_src.inputs import photographs
from figures_src.kit.numbers import fixed
from figures_src.pages.examples import merged_wrong
from figures_src.pages.facts import Fact, of
from vitattn_core.reading import effective_keys, total_variation
from vitattn_core.teaching import CHANNELS, GRID, HEADS

from . import figures


def entries() -> list[Fact]:
    """Return the facts of the page; all of them are of weights set by hand."""
    return of("teaching", _opposite() + _photograph() + _merged() + _parts())


def _opposite() -> list[tuple[str, str]]:
    """The constructed pair on the photograph of the cup."""
    two = figures.opposite()
    return [
        ("heads.opposite.tv", fixed(total_variation(*two.weights), 2)),
        *((f"heads.opposite.out.{n}", fixed(out, 2)) for n, out in enumerate(two.outputs, start=1)),
        ("heads.opposite.difference", fixed(two.outputs[0] - two.outputs[1], 2)),
    ]


def _photograph() -> list[tuple[str, str]]:
    """Chelsea, query (5,4): spread of the three rows and of their mean, and how far apart they are."""
    *each, mean = figures.rows().values()
    twin = GRID.token(6, 11)
    numbers = [
        ("heads.mean.keys", fixed(effective_keys(mean), 1)),
        ("heads.mean.twin", fixed(mean[twin], 3)),
        ("heads.near.self", fixed(each[1][figures.QUERY], 3)),
        ("heads.near.beside", fixed(each[1][GRID.token(6, 3)], 3)),
        *((f"heads.keys.{h + 1}", fixed(effective_keys(each[h]), 1)) for h in (1, 2)),
    ]
    for h, row in enumerate(each, start=1):
        numbers.append((f"heads.tv.mean.{h}", fixed(total_variation(row, mean), 2)))
        for other in range(h + 1, len(HEADS) + 1):
            distance = total_variation(row, each[other - 1])
            numbers.append((f"heads.tv.{h}_{other}", fixed(distance, 2)))
    return numbers


def _merged() -> list[tuple[str, str]]:
    diff = CHANNELS.index("diff")
    return [
        ("heads.merged.diff", fixed(merged_wrong()[figures.QUERY, diff], 2)),
    ]


def _parts() -> list[tuple[str, str]]:
    """What each head writes to `light` and to `diff` for the eye's row, and the sums."""
    light, diff = CHANNELS.index("light"), CHANNELS.index("diff")
    parts, row = figures.parts(), photographs.trace("chelsea").M[figures.QUERY]
    return [
        ("heads.part.1.light", fixed(parts[0, light], 2)),
        ("heads.part.3.light", fixed(parts[2, light], 2)),
        ("heads.sum.light", fixed(row[light], 2)),
        ("heads.part.1.diff", fixed(parts[0, diff], 2)),
        ("heads.part.2.diff", fixed(parts[1, diff], 2)),
    ]
