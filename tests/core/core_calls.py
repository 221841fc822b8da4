"""One right call of every public function of the core that takes arrays or counts.

Tests of a kind of input go through this table: they put one odd argument into an otherwise right
call. What has to be in it is read from the source, so that a new function cannot be forgotten.
"""

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np

import vitattn_core as core
from tests.built import ROOT
from tests.core.tiny_vit import TINY, picture, tensors
from vitattn_core import reading

GRID = core.Grid(4, 6, 2)  # 2 × 3 patches and CLS: seven rows
N, D, HEADS, BATCH = GRID.tokens, 4, 2, 3


@dataclass(frozen=True)
class Call:
    """A call by name: its arrays, those of them that have the batch in front, and other arguments."""

    function: Callable[..., Any]
    arrays: dict[str, Any] = field(default_factory=dict)
    batched: tuple[str, ...] = ()
    other: dict[str, Any] = field(default_factory=dict)

    def __call__(self, **changed: Any) -> Any:
        return self.function(**{**self.arrays, **self.other, **changed})


def rows(*shape: int) -> np.ndarray:
    """Numbers of a shape, no two alike."""
    return np.sin(1 + 1.3 * np.arange(np.prod(shape))).reshape(shape)


def shares(*shape: int) -> np.ndarray:
    return core.softmax(3 * rows(*shape))


def keep(*shape: int) -> np.ndarray:
    kept = np.ones(shape, bool)
    kept[..., -1] = False
    return kept


EYE = np.eye(D)
WEIGHTS = core.AttentionWeights(EYE, 2 * EYE, 3 * EYE, EYE, heads=HEADS)
BLOCK = core.BlockWeights(WEIGHTS, rows(D, 8), rows(8, D), eps=1e-6)
MODEL = core.load_checkpoint(tensors("timm", TINY), TINY, "timm")
IMAGES = np.stack([picture(), picture(2), picture(3)])
qkv = {name: rows(BATCH, N, D) + turn for turn, name in enumerate("qkv")}
counts = {"tokens": 5, "width": 8}

CALLS = {
    "products": Call(core.products, {"q": qkv["q"], "k": qkv["k"]}, ("q", "k")),
    "scale": Call(core.scale, {"unscaled": rows(BATCH, N, N)}, ("unscaled",), {"head_width": D}),
    "softmax": Call(core.softmax, {"scores": rows(BATCH, N, N)}, ("scores",), {"axis": -1}),
    "mix": Call(
        core.mix, {"weights": shares(BATCH, N, N), "values": qkv["v"]}, ("weights", "values")
    ),
    "attention": Call(core.attention, {**qkv, "mask": keep(BATCH, N, N)}, ("q", "k", "v", "mask")),
    "blocked_attention": Call(
        core.blocked_attention,
        {**qkv, "mask": keep(BATCH, N, N)},
        ("q", "k", "v", "mask"),
        {"query_block": 2, "key_block": 3},
    ),
    "split_heads": Call(core.split_heads, {"rows": rows(BATCH, N, D)}, ("rows",), {"heads": HEADS}),
    "merge_heads": Call(core.merge_heads, {"outputs": rows(BATCH, HEADS, N, 2)}, ("outputs",)),
    "multi_head_attention": Call(
        core.multi_head_attention,
        {"u": rows(BATCH, N, D), "mask": keep(BATCH, 1, N, N)},
        ("u", "mask"),
        {"weights": WEIGHTS},
    ),
    "block": Call(
        core.block,
        {"X": rows(BATCH, N, D), "mask": keep(BATCH, 1, N, N)},
        ("X", "mask"),
        {"weights": BLOCK},
    ),
    "stack": Call(
        core.stack,
        {"X": rows(BATCH, N, D), "mask": keep(BATCH, 1, N, N)},
        ("X", "mask"),
        {"blocks": [BLOCK, BLOCK]},
    ),
    "layer_norm": Call(
        core.layer_norm,
        {"x": rows(BATCH, N, D), "gain": rows(D), "shift": rows(D)},
        ("x",),
        {"eps": 1e-6},
    ),
    "gelu": Call(core.gelu, {"x": rows(BATCH, N, D)}, ("x",)),
    "check_mask": Call(
        core.check_mask, {"mask": keep(1, N, N)}, (), {"scores_shape": (BATCH, N, N)}
    ),
    "hide": Call(
        core.hide, {"scores": rows(BATCH, N, N), "mask": keep(BATCH, N, N)}, ("scores", "mask")
    ),
    "key_mask": Call(core.key_mask, {"keep": keep(BATCH, N)}, ("keep",)),
    "causal_mask": Call(core.causal_mask, other={"tokens": N}),
    "window_mask": Call(core.window_mask, other={"grid": GRID, "side": 1}),
    "delete_key": Call(core.delete_key, {"weights": shares(BATCH, N, N)}, ("weights",), {"key": 1}),
    "zero_value": Call(core.zero_value, {"values": rows(BATCH, N, D)}, ("values",), {"key": 1}),
    "swap_values": Call(
        core.swap_values, {"values": rows(BATCH, N, D)}, ("values",), {"one": 1, "other": 2}
    ),
    "part_lengths": Call(
        core.part_lengths,
        {"weights": shares(BATCH, N, N), "values": rows(BATCH, N, D)},
        ("weights", "values"),
    ),
    "flattest_weights": Call(
        core.flattest_weights,
        {"values": rows(N, 2), "output": rows(N, 2)[:-1].mean(axis=0), "keep": keep(N)},
    ),
    "rollout": Call(core.rollout, {"layers": [shares(HEADS, N, N), shares(HEADS, N, N)]}),
    "patchify": Call(core.patchify, {"image": rows(BATCH, 2, 4, 6)}, ("image",), {"patch": 2}),
    "unpatchify": Call(
        core.unpatchify,
        {"rows": rows(BATCH, 6, 8)},
        ("rows",),
        {"channels": 2, "height": 4, "width": 6, "patch": 2},
    ),
    "embed": Call(
        core.embed, {"rows": rows(BATCH, 6, 8), "weight": rows(8, D), "bias": rows(D)}, ("rows",)
    ),
    "sequence": Call(
        core.sequence,
        {"patch_rows": rows(BATCH, 6, D), "cls": rows(D), "registers": rows(2, D)},
        ("patch_rows",),
    ),
    "add_position": Call(
        core.add_position, {"rows": rows(BATCH, N, D), "table": rows(N, D)}, ("rows",)
    ),
    "sine_positions": Call(core.sine_positions, other={"grid": GRID, "width": D}),
    "resize_positions": Call(
        core.resize_positions,
        {"table": rows(N, D)},
        other={"old": GRID, "new": core.Grid(6, 6, 2)},
    ),
    "relative_bias": Call(
        core.relative_bias, {"table": rows(BATCH, 3, 5)}, ("table",), {"grid": GRID}
    ),
    "teaching_pass": Call(
        core.teaching_pass, {"photograph": np.full((3, 224, 224), 99.0), "mask": keep(1, 1, 197)}
    ),
    "load_checkpoint": Call(
        core.load_checkpoint,
        {"tensors": tensors("timm", TINY)},
        other={"architecture": TINY, "naming": "timm"},
    ),
    "Grid": Call(core.Grid, other={"height": 4, "width": 6, "patch": 2, "registers": 1}),
    "Grid.token": Call(GRID.token, other={"row": 1, "column": 2}),
    "Grid.place": Call(GRID.place, other={"token": 3}),
    "Grid.pixels": Call(GRID.pixels, other={"token": 3}),
    "Grid.field": Call(GRID.field, {"row_of_weights": shares(BATCH, N)}, ("row_of_weights",)),
    "Grid.off_grid": Call(GRID.off_grid, {"row_of_weights": shares(BATCH, N)}, ("row_of_weights",)),
    "Architecture": Call(
        core.Architecture, other={name: getattr(TINY, name) for name in TINY.__dataclass_fields__}
    ),
    "AttentionWeights": Call(
        lambda heads: core.multi_head_attention(
            rows(N, D), core.AttentionWeights(EYE, EYE, EYE, EYE, heads=heads)
        )["A"],
        other={"heads": HEADS},
    ),
    "Checkpoint.grid": Call(MODEL.grid, other={"height": 6, "width": 4}),
    "Checkpoint.first": Call(MODEL.first, {"image": IMAGES}, ("image",)),
    "Checkpoint.normed": Call(
        MODEL.normed, {"rows": rows(BATCH, N, 8).astype(np.float32)}, ("rows",)
    ),
    "Checkpoint.run": Call(MODEL.run, {"image": IMAGES}, ("image",)),
    "entropy": Call(reading.entropy, {"weights": shares(BATCH, N, N)}, ("weights",)),
    "effective_keys": Call(reading.effective_keys, {"weights": shares(BATCH, N, N)}, ("weights",)),
    "total_variation": Call(
        reading.total_variation,
        {"one": shares(BATCH, N, N), "other": shares(1, N, N)},
        ("one",),
    ),
    "rank_correlation": Call(
        reading.rank_correlation, {"one": rows(BATCH, N), "other": rows(1, N) ** 2}, ("one",)
    ),
    **{
        name: Call(getattr(core, name), other=counts)
        for name in ("qkv_macs", "scores_macs", "mix_macs", "pair_macs", "output_macs")
    },
    **{
        name: Call(getattr(core, name), other={**counts, "ratio": 4})
        for name in ("mlp_macs", "block_terms", "block_macs")
    },
    "pairs": Call(core.pairs, other={"tokens": 5}),
    "score_slots": Call(core.score_slots, other={"tokens": 5, "heads": 2}),
    "flops": Call(core.flops, other={"macs": 5}),
    "model_macs": Call(
        core.model_macs,
        other={"grid": GRID, "width": 8, "depth": 2, "classes": 5, "channels": 3, "ratio": 4},
    ),
    "crossovers": Call(core.crossovers, other={"width": 8, "patch": 2, "prefix": 1, "ratio": 4}),
    "sides_around": Call(core.sides_around, other={"tokens": 9, "patch": 2, "prefix": 1}),
}

# What the user makes a result of, and never hands in: their fields are checked where they are used.
RESULTS = ("Crossover", "Pass", "Trace", "Naming", "BlockWeights", "TeachingWeights", "Checkpoint")


def parameters(kind: str) -> Iterator[tuple[str, str]]:
    """Yield (call, parameter) of all public functions, methods and fields annotated with a kind."""
    for file in sorted((ROOT / "vitattn_core").glob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            name = getattr(node, "name", "_")
            if name == "weights" or (name not in core.__all__):
                continue
            if getattr(core, name).__module__ != f"vitattn_core.{file.stem}":
                continue  # of the same name in a file to copy, which checks nothing
            if isinstance(node, ast.FunctionDef):
                yield from ((name, arg) for arg in _annotated(node, kind))
            elif isinstance(node, ast.ClassDef):
                for item in node.body:
                    if isinstance(item, ast.FunctionDef) and item.name[0] != "_":
                        yield from ((f"{name}.{item.name}", arg) for arg in _annotated(item, kind))
                    elif isinstance(item, ast.AnnAssign) and name not in RESULTS:
                        yield from [(name, ast.unparse(item.target))] * _is(item.annotation, kind)


def _annotated(node: ast.FunctionDef, kind: str) -> Iterator[str]:
    for arg in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs):
        if arg.annotation is not None and _is(arg.annotation, kind):
            yield arg.arg


def _is(annotation: ast.expr, kind: str) -> bool:
    """Is it an `int`, or does it speak of an `ArrayLike`, alone or inside?"""
    return kind in {n.id for n in ast.walk(annotation) if isinstance(n, ast.Name)} and (
        kind != "int" or ast.unparse(annotation) == "int"
    )
