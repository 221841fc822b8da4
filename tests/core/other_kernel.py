"""Runs a module as another processor would: every product of matrices ends a few units elsewhere.

    python -B -X pycache_prefix=EMPTY -m tests.core.other_kernel SEED figures_src --into FOLDER

Kernels add up in another order, so what they return differs by a few units in the last place of the
terms, and a sum that cancels leaves 2e-17 in place of 0. `OPENBLAS_CORETYPE=Sandybridge` shows it, on
machines that have such a kernel; here each `a @ b` of the project gets such a difference. A product
that is exact, as one with rows of 0 and 1, is the same on every processor and stays.
"""

import ast
import importlib.machinery
import runpy
import sys
from typing import Any

import numpy as np

UNITS = 2  # of the last place, of the sum of the sizes of all terms
OURS = ("vitattn_core", "figures_src")


class Products(ast.NodeTransformer):
    """Puts `_elsewhere(a, b)` in the place of `a @ b`."""

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.op, ast.MatMult):
            return node
        called = ast.Call(ast.Name("_elsewhere", ast.Load()), [node.left, node.right], [])
        return ast.copy_location(called, node)


def product(rng: np.random.Generator) -> Any:
    """Return a function that multiplies matrices with differences drawn from `rng`."""

    def elsewhere(a: Any, b: Any) -> Any:
        right = a @ b
        if not isinstance(right, np.ndarray | np.floating) or right.dtype.kind != "f":
            return right
        sizes = np.abs(a) @ np.abs(b)
        if exact(a) and exact(b):
            return right
        step = np.finfo(right.dtype).eps * sizes
        return (right + step * rng.integers(-UNITS, UNITS + 1, np.shape(right))).astype(right.dtype)

    return elsewhere


def exact(x: Any) -> bool:
    """Return whether these are small whole numbers: their products and sums are never rounded."""
    return bool((np.round(x) == x).all() and np.abs(x).max(initial=0) < 2**12)


def main() -> None:
    """Run the module that is named, with its arguments."""
    import builtins

    seed, module, *rest = sys.argv[1:]
    vars(builtins)["_elsewhere"] = product(np.random.default_rng(int(seed)))
    compiled = importlib.machinery.SourceFileLoader.source_to_code

    def to_code(self: Any, data: Any, path: Any, **given: Any) -> Any:
        if any(room in str(path) for room in OURS):
            tree = ast.parse(data) if not isinstance(data, ast.AST) else data
            data = ast.fix_missing_locations(Products().visit(tree))
        return compiled(self, data, path, **given)

    vars(importlib.machinery)["SourceFileLoader"].source_to_code = to_code
    sys.argv = [module, *rest]
    runpy.run_module(module, run_name="__main__", alter_sys=True)


if __name__ == "__main__":
    main()
