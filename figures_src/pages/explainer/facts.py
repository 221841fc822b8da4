"""The numbers of the explainer, docs/index.md, and of the notation page."""

import math

import numpy as np

from figures_src.inputs import photographs
from figures_src.inputs.models import BASE, CLASSES
from figures_src.kit.numbers import fixed, percent, with_commas
from figures_src.pages.facts import Fact, of
from vitattn_core import Grid, cost, softmax
from vitattn_core.reading import effective_keys
from vitattn_core.teaching import CHANNELS, GRID, VALUE_CHANNELS, WIDTH


def entries() -> list[Fact]:
    """Return the explainer's facts."""
    return [
        *of("formula", _sizes() + _float32() + _costs()),
        *of("teaching", _eye() + _eye_changed()),
    ]


def _sizes() -> list[tuple[str, str]]:
    registers = Grid(GRID.height, GRID.width, GRID.patch, registers=4)
    return [
        ("vit.side", with_commas(GRID.height)),
        ("vit.patches", with_commas(GRID.patches)),
        ("vit.tokens", with_commas(GRID.tokens)),
        ("vit.tokens_registers", with_commas(registers.tokens)),
        ("vit.width", with_commas(BASE.width)),
        ("vit.blocks", with_commas(BASE.depth)),
        ("vit.patch_values", with_commas(3 * GRID.patch**2)),
        ("eye.token", with_commas(GRID.token(5, 4))),
        ("softmax.top", fixed(math.exp(0), 3)),
    ]


def _float32() -> list[tuple[str, str]]:
    """e^−x in float32: 0 from half the smallest number, 2^−149, on; without denormals from 2^−126."""
    underflow = 150 * math.log(2)
    return [
        ("float32.underflow", fixed(underflow, 0)),
        ("float32.underflow_tied", fixed(underflow - math.log(GRID.patches), 1)),
        ("float32.flush", fixed(126 * math.log(2), 0)),
    ]


def _costs() -> list[tuple[str, str]]:
    """ViT-B/16, one block, in MACs; at 224 px unless the key names another side."""
    n, d = GRID.tokens, BASE.width
    model = cost.model_macs(GRID, width=d, depth=BASE.depth, classes=CLASSES)
    entries = [
        (f"cost.{term}_224", with_commas(macs)) for term, macs in cost.block_terms(n, d).items()
    ]
    entries += [
        ("cost.block_224", with_commas(cost.block_macs(n, d))),
        ("cost.slots_224", with_commas(cost.score_slots(n, BASE.heads))),
        ("cost.tokens_448", with_commas(Grid(2 * GRID.height, 2 * GRID.width, GRID.patch).tokens)),
        ("cost.classes", with_commas(CLASSES)),
        ("cost.model", with_commas(model)),
        ("cost.model_giga", fixed(model / 1e9, 1)),
    ]
    for side in (224, 384, 1024):
        tokens = Grid(side, side, GRID.patch).tokens
        share = cost.pair_macs(tokens, d) / cost.block_macs(tokens, d)
        entries.append((f"cost.share_{side}", percent(share)))
        if side != GRID.height:
            entries.append((f"cost.side_{side}", with_commas(side)))
    entries.append(("cost.tokens_384", with_commas(Grid(384, 384, GRID.patch).tokens)))
    crossing = cost.crossovers(d)["rest"]
    return [
        *entries,
        ("cost.even_rest", with_commas(crossing.tokens)),
        ("cost.even_rest.below", with_commas(crossing.below)),
        ("cost.even_rest.above", with_commas(crossing.above)),
    ]


def _eye() -> list[tuple[str, str]]:
    """Photograph chelsea, query (5,4), the left eye; head 1, "like me", unless the key says so."""
    trace, q = photographs.trace("chelsea"), GRID.token(5, 4)
    a, s, other = trace.A[0, q], trace.S[0, q], GRID.token(6, 11)
    terms = trace.Q[0, q] * trace.K[0, other]
    entries = [
        ("eye.weight.self", fixed(a[q], 3)),
        *(
            (f"eye.weight.{r}_{c}", fixed(a[GRID.token(r, c)], 3))
            for r, c in ((6, 11), (5, 11), (11, 8))
        ),
        ("eye.weight.cls", fixed(a[0], 3)),
        ("eye.keys", fixed(effective_keys(a), 1)),
        ("eye.product.6_11", fixed(trace.P[0, q, other], 2)),
        ("eye.score.6_11", fixed(s[other], 2)),
        ("eye.top_score", fixed(s.max(), 2)),
        ("eye.below_top.6_11", fixed(s[other] - s.max(), 2)),
        ("eye.exp.6_11", fixed(math.exp(s[other] - s.max()), 3)),
        ("eye.exp_sum", fixed(np.exp(s - s.max()).sum(), 3)),
        ("eye.column.head1", fixed(trace.A[0, :, q].sum(), 2)),
        ("eye.column.head3", fixed(trace.A[2, :, q].sum(), 2)),
        ("eye.part.self.red", fixed(a[q] * trace.V[0, q, 0], 2)),
        ("eye.diff", fixed(trace.M[q, CHANNELS.index("diff")], 2)),
    ]
    entries += [(f"eye.term{n}.6_11", fixed(term, 2)) for n, term in enumerate(terms, start=1)]
    named = zip(VALUE_CHANNELS[:3], trace.O[0, q], strict=False)
    return entries + [(f"eye.output.{name}", fixed(value, 2)) for name, value in named]


def _eye_changed() -> list[tuple[str, str]]:
    """The same row with another divisor, and with one key taken out."""
    trace, q = photographs.trace("chelsea"), GRID.token(5, 4)
    entries = []
    for name, divisor in (("unscaled", 1.0), ("sqrt_model", math.sqrt(WIDTH))):
        a = softmax(trace.P[0, q] / divisor)
        entries += [
            (f"eye.{name}.weight", fixed(a.max(), 3)),
            (f"eye.{name}.keys", fixed(effective_keys(a), 1)),
        ]
    output = trace.O[0, q]
    for name, key in (("6_11", GRID.token(6, 11)), ("cls", 0)):
        kept = trace.A[0, q].copy()
        kept[key] = 0
        moved = kept / kept.sum() @ trace.V[0] - output
        share = np.linalg.norm(moved) / np.linalg.norm(output)
        entries.append((f"eye.drop.{name}", percent(float(share))))
    return entries
