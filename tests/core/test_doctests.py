"""The examples in the docstrings of the core are true, and every public function and class has one."""

import ast
import doctest
import importlib
import pkgutil

import numpy as np
import pytest

import vitattn_core
from figures_src.publish import api_page

MODULES = [f"vitattn_core.{m.name}" for m in pkgutil.iter_modules(vitattn_core.__path__)]
# What an example may use without importing it, as the page of names says.
EXPORTED = {name: getattr(vitattn_core, name) for name in vitattn_core.__all__}


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name: str) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    module = importlib.import_module(name)
    known = {"np": np, **EXPORTED, **vars(module)}
    if name.endswith("loops"):
        known |= vars(importlib.import_module("vitattn_core.constructed"))
    failed, _ = doctest.testmod(module, globs=known, optionflags=flags)
    assert failed == 0


def test_every_public_function_and_class_has_an_example() -> None:
    callable_ = [entry for entry in api_page.names() if "(" in entry.signature]
    assert len(callable_) > 75
    parser = doctest.DocTestParser()
    assert [f"{e.module}.{e.name}" for e in callable_ if not parser.get_examples(e.doc)] == []


def test_an_example_gives_keys_and_values_that_differ() -> None:
    """Where K is V, an example cannot show which of the two is mixed."""
    takes_both = {"attention", "blocked_attention", "AttentionWeights", "head", "self_attention"}
    takes_both |= {"multi_head_self_attention", "scaled_dot_product_attention"}
    seen = 0
    for entry in api_page.names():
        for example in doctest.DocTestParser().get_examples(entry.doc):
            for node in ast.walk(ast.parse(example.source)):
                called = getattr(node, "func", None)
                name = getattr(called, "id", getattr(called, "attr", ""))
                if not isinstance(node, ast.Call) or name not in takes_both:
                    continue
                given = {k.arg: ast.unparse(k.value) for k in node.keywords}
                inputs = [given.get(f"w_{x}") for x in "kv"] if "w_k" in given else None
                if inputs is None:
                    from_k = 2 if "self_attention" in name else 1
                    inputs = [ast.unparse(part) for part in node.args[from_k : from_k + 2]]
                seen += 1
                assert inputs[0] != inputs[1], f"{entry.module}.{entry.name}"
    assert seen > 8
