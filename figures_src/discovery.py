"""Modules that are found because they stand in a folder: each must hold what the folder asks for."""

import importlib
import pkgutil
from collections.abc import Callable, Iterable
from functools import wraps
from types import FunctionType, ModuleType
from typing import Any, ParamSpec, TypeVar

from figures_src.source_fault import SourceFault, at, line_of

P = ParamSpec("P")
T = TypeVar("T")


def modules(package: str, path: Iterable[str], *, begins: str = "") -> list[ModuleType]:
    """Return the modules of a package whose name begins so, in the order of their names; or all."""
    names = [module.name for module in pkgutil.iter_modules(path)]
    return [
        importlib.import_module(f"{package}.{name}") for name in names if name.startswith(begins)
    ]


def attribute(module: ModuleType, name: str, kind: type[T], description: str) -> T:
    """Return what a module calls `name`; SourceFault where it is missing or of another kind."""
    value: Any = getattr(module, name, None)
    if not isinstance(value, kind):
        raise SourceFault(at(str(module.__file__), 1), f"takes {name}, {description}")
    return value


def entries(modules: Iterable[ModuleType], kind: type[T]) -> list[T]:
    """Return what the function `entries()` of each module returns: lists of `kind`.

    Raises SourceFault for a module without this function, and for what is no list of `kind`.
    """
    every: list[T] = []
    for module in modules:
        description = f"a function that returns a list of {kind.__name__}"
        list_entries = attribute(module, "entries", FunctionType, description)
        module_entries = list_entries()
        wrong = [module_entries] if not isinstance(module_entries, list) else module_entries
        wrong = [one for one in wrong if not isinstance(one, kind)]
        if wrong or not isinstance(module_entries, list):
            got = f"entries() returned {wrong[0]!r:.60}" if wrong else "entries() returned no list"
            raise SourceFault(line_of(list_entries), f"{got}, takes a list of {kind.__name__}")
        every += module_entries
    return every


def returning(name: str, draw: Callable[P, T], kind: type[T]) -> Callable[P, T]:
    """Return the drawing function, which raises SourceFault where it returns no `kind`."""

    @wraps(draw)
    def checked(*args: P.args, **named: P.kwargs) -> T:
        drawing = draw(*args, **named)
        if not isinstance(drawing, kind):
            takes = {str: "a string of HTML", bytes: "the bytes of a picture"}[kind]  # type: ignore[index]
            raise SourceFault(line_of(draw), f"{name}: returned {drawing!r:.60}, takes {takes}")
        return drawing

    return checked
