"""The examples in the docstrings of the core are true."""

import doctest
import importlib
import pkgutil

import pytest

import vitattn_core

MODULES = [f"vitattn_core.{m.name}" for m in pkgutil.iter_modules(vitattn_core.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module(name: str) -> None:
    flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
    failed, _ = doctest.testmod(importlib.import_module(name), optionflags=flags)
    assert failed == 0
