"""Functions with the same code over other globals: how a function gets the twins of a device."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable
from typing import Any

__all__ = ["package_with", "rebound"]


def rebound(source: Any, twin: Callable[[Any], Any], keep: Callable[[Any], Any]) -> Any:
    """A copy of ``source`` whose globals and cells are what ``twin`` says of them.

    ``keep`` takes the copy before that is asked, and what it makes of it is returned: a function
    that refers to itself finds its own copy.
    """
    scope = dict(source.__globals__)
    cells = tuple(types.CellType() for _ in source.__closure__ or ())
    copy = types.FunctionType(
        source.__code__, scope, source.__name__, source.__defaults__, cells or None
    )
    copy.__kwdefaults__ = source.__kwdefaults__
    copy.__module__, copy.__qualname__ = source.__module__, source.__qualname__
    made = keep(copy)
    for name in _names(source.__code__):
        if name in scope:
            scope[name] = twin(scope[name])
    for cell, old in zip(cells, source.__closure__ or (), strict=True):
        cell.cell_contents = twin(old.cell_contents)
    return made


def package_with(atomic: Any) -> Any:
    """The package ``edgewise``, as functions know it, with other atomics."""
    package = types.ModuleType("edgewise")
    package.__dict__.update(vars(sys.modules["edgewise"]), atomic=atomic)
    return package


def _names(code: Any) -> set[str]:
    found = set(code.co_names)
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            found |= _names(constant)
    return found
