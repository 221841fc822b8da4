"""The numbers of the page on cost, docs/cost.md."""

from figures_src.inputs import measurements
from figures_src.inputs.models import CLASSES, MODELS
from figures_src.kit.numbers import fixed, percent, with_commas
from figures_src.pages.facts import Fact, of
from vitattn_core import cost, streaming

from .figures import blocked_bytes, matrix_bytes, written_bytes

LONG = 1792  # pixels: the side of the largest image of the page
COUNTED = 64  # rows, in the block that runs a counter


def entries() -> list[Fact]:
    """Return the facts of the page."""
    return [*of("formula", _ledger() + _crossovers() + _memory() + _counter()), *_measured()]


def _ledger() -> list[tuple[str, str]]:
    """Each model at its two image sides, in MACs: `low` is 224 px, `high` the larger one."""
    entries = []
    for key, model in MODELS.items():
        d = model.width
        entries.append((f"cost.{key}.width", with_commas(d)))
        for which, side in zip(("low", "high"), model.sides, strict=True):
            n = model.tokens(side)
            pair, block = cost.pair_macs(n, d), cost.block_macs(n, d)
            numbers = {
                "side": side,
                "tokens": n,
                "projections": cost.qkv_macs(n, d) + cost.output_macs(n, d),
                "pair": pair,
                "mlp": cost.mlp_macs(n, d),
                "slots": cost.score_slots(n, model.heads),
                "model": cost.model_macs(
                    model.grid(side), width=d, depth=model.depth, classes=CLASSES
                ),
            }
            entries += [
                (f"cost.{key}.{which}.{name}", with_commas(x)) for name, x in numbers.items()
            ]
            entries.append((f"cost.{key}.{which}.share", percent(pair / block)))
    return entries


def _crossovers() -> list[tuple[str, str]]:
    entries = []
    for key, model in MODELS.items():
        for name, crossing in cost.crossovers(model.width, patch=model.patch).items():
            place = f"cost.{key}.even_{name}"
            entries += [
                (place, with_commas(crossing.tokens)),
                (f"{place}.below", with_commas(crossing.below)),
                (f"{place}.above", with_commas(crossing.above)),
            ]
    quarter, half = (n / (6 + n) for n in (2, 6))  # N/(6D + N) at N = 2D and N = 6D
    return [*entries, ("cost.quarter", percent(quarter, 0)), ("cost.half", percent(half, 0))]


def _memory() -> list[tuple[str, str]]:
    entries = [
        ("cost.block_side", with_commas(streaming.BLOCK)),
        ("cost.side_long", with_commas(LONG)),
    ]
    for side in (224, LONG):
        tokens = MODELS["b"].tokens(side)
        entries.append((f"cost.matrix_{side}", written_bytes(matrix_bytes(tokens))))
        entries.append((f"cost.blocked_{side}", written_bytes(blocked_bytes(tokens))))
    middle = MODELS["b"].tokens(LONG // 2)
    return [
        *entries,
        ("cost.tokens_long", with_commas(tokens)),
        ("cost.tokens_middle", with_commas(middle)),
    ]


def _counter() -> list[tuple[str, str]]:
    """One layer of ViT-B/16 over 64 rows, in FLOPs: what a counter should say, and what it says."""
    d = MODELS["b"].width
    projections = cost.qkv_macs(COUNTED, d) + cost.output_macs(COUNTED, d)
    pair = cost.pair_macs(COUNTED, d)
    return [
        ("cost.counter.pair_macs", with_commas(pair)),
        ("cost.counter.pair", with_commas(cost.flops(pair))),
        ("cost.counter.projections", with_commas(cost.flops(projections))),
        ("cost.counter.both", with_commas(cost.flops(projections + pair))),
    ]


def _measured() -> list[Fact]:
    entries = []
    for tokens, row in measurements.ratios().items():
        for what in ("time", "memory"):
            for other, ratio in row[what].items():
                digits = 2 if ratio >= 0.1 else 3 if ratio >= 0.01 else 4
                entries.append((f"cost.measured.{tokens}.{what}.{other}", fixed(ratio, digits)))
        entries += [(f"cost.measured.{tokens}.{n}", fixed(row[n], 2)) for n in ("products", "long")]
    return of("measured", entries)
