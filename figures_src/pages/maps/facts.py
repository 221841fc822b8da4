"""The numbers of the page on maps, docs/maps.md."""

import numpy as np

from figures_src.inputs import photographs
from figures_src.inputs.models import BASE
from figures_src.kit.numbers import ROUNDING, fixed, percent, with_commas
from figures_src.pages.facts import Fact, of
from vitattn_core import core_with, part_lengths
from vitattn_core.constructed import STACK_GRID, STORIES
from vitattn_core.reading import effective_keys, rank_correlation
from vitattn_core.teaching import GRID, HEAD_WIDTH

from . import examples

DISCARD = 0.5  # share of the smallest weights that the faulty rollout drops first


def entries() -> list[Fact]:
    """Return the facts of the page."""
    return [
        *of("formula", _freedom()),
        *of("teaching", _two_maps() + _places() + _scene() + _worth() + _rolled()),
    ]


def _freedom() -> list[tuple[str, str]]:
    """In how many directions a row of weights can change while sum and output stay."""
    base = BASE.width // BASE.heads
    return [
        ("maps.free", with_commas(GRID.tokens - HEAD_WIDTH - 1)),
        ("maps.free_base", with_commas(GRID.tokens - base - 1)),
    ]


def _two_maps() -> list[tuple[str, str]]:
    row, other = examples.two_maps()
    near = examples.near()
    return [
        ("maps.near.share", percent(float(row[near].sum()))),
        ("maps.near.keys", fixed(effective_keys(row), 0)),
        ("maps.far.keys", fixed(effective_keys(other), 0)),
        ("maps.shared", percent(float(np.minimum(row, other).sum()))),
    ]


def _places() -> list[tuple[str, str]]:
    """The same map with values that tell where a patch is; CLS tells the middle of the grid."""
    places = np.array([((GRID.rows - 1) / 2, (GRID.columns - 1) / 2), *GRID.places()])
    row, column = photographs.trace("chelsea").A[0, examples.QUERY] @ places
    return [("maps.place.row", fixed(row, 2)), ("maps.place.column", fixed(column, 2))]


def _scene() -> list[tuple[str, str]]:
    scene = examples.small_scene()
    off = examples.off_diagonal
    query = (6 - examples.CORNER[0]) * examples.SIDE + 2 - examples.CORNER[1]
    brightest = int(scene.weights[query].argmax())
    deleted = scene.deleted[query]
    away = np.linalg.norm(scene.values - scene.outputs[query], axis=1)
    assert away.argmin() == brightest == query  # the page says: itself, and the nearest of all
    by_row = rank_correlation(scene.weights, scene.deleted)
    apart = np.linalg.norm(scene.values[:, None] - scene.values, axis=-1)
    # the page says: weight goes to patches whose values are like the query's own
    assert rank_correlation(off(scene.weights), off(apart)) < -0.8
    entries = [
        (
            "maps.rho.deleted",
            fixed(rank_correlation(scene.weights.ravel(), scene.deleted.ravel()), 2),
        ),
        (
            "maps.rho.zeroed",
            fixed(rank_correlation(scene.weights.ravel(), scene.zeroed.ravel()), 2),
        ),
        (
            "maps.rho.swapped",
            fixed(rank_correlation(off(scene.weights), off(scene.swapped)), 2),
        ),
        ("maps.idle.weight", fixed(scene.weights[query, brightest], 3)),
        ("maps.idle.rank", with_commas(int((deleted >= deleted[brightest]).sum()))),
        ("maps.rho.lowest", fixed(min(by_row), 2)),
        ("maps.rho.highest", fixed(max(by_row), 2)),
        ("maps.scene.pairs", with_commas(scene.weights.size)),
        ("maps.scene.others", with_commas(off(scene.weights).size)),
    ]
    for name in ("deleted", "zeroed"):
        same = scene.weights.argmax(axis=1) == getattr(scene, name).argmax(axis=1)
        entries.append((f"maps.top.{name}", with_commas(int(same.sum()))))
    return entries


def _worth() -> list[tuple[str, str]]:
    """How much longer the parts are, laid end to end, than the mixture: the eye and the nose."""
    trace = photographs.trace("chelsea")
    entries = []
    for name, place in (("eye", (5, 4)), ("nose", (10, 8))):
        query = GRID.token(*place)
        parts = part_lengths(trace.A[0], trace.V[0])[query].sum()
        entries.append((f"maps.parts.{name}", fixed(parts / np.linalg.norm(trace.O[0, query]), 2)))
    for key in examples.worth():
        if key.key == 0:
            entries.append(("maps.part.cls", fixed(key.part, 3)))
        if key.key == GRID.token(6, 5):
            entries.append(("maps.part.6_5", fixed(key.part, 3)))
            entries.append(("maps.drop.6_5", percent(key.effect)))
    return entries


def _rolled() -> list[tuple[str, str]]:
    run, mixing = examples.rolled(), examples.rolled(only_mixing=True)
    bent = max(run.bent, mixing.bent)  # a kernel may round a sum of turned numbers another way
    assert bent < ROUNDING, f"maps: a turned sign moved a weight by {bent:.1e}; the page says: none"
    entries = []
    for patch, story in enumerate(STORIES):
        share = run.rollout[0, STACK_GRID.prefix + patch]
        entries += [
            (f"maps.rollout.{story}", fixed(share, 3)),
            (f"maps.effect.{story}", fixed(run.effect[patch], 3)),
        ]
    # Many weights of this stack are equal but for rounding, and which of them go must not hang on that.
    weights = [trace.A.mean(axis=0).round(9) for trace in run.traces]
    faulty = core_with("rollout").rollout(weights, discard=DISCARD)
    return [*entries, ("maps.faulty.sum", fixed(faulty[0].sum(), 3))]
