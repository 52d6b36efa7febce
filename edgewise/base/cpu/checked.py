"""Functions that check their indices and their divisors: what `check_bounds` asks for.

`checked` copies a user's function: compiled with bounds checks, over compiled functions that are
checked as well and atomics that look first. A whole number divided by zero raises.
"""

from __future__ import annotations

import sys
from types import FunctionType
from typing import Any
from weakref import WeakKeyDictionary

from numba.extending import is_jitted

from edgewise.base import atomic
from edgewise.base.cache import helper
from edgewise.base.compiler import CHECKED
from edgewise.base.rebind import package_with, rebound

__all__ = ["add", "bit_and", "bit_or", "cas", "checked", "exch", "max", "min"]

#: Options that `helper` sets itself.
_SET = ("nopython", "no_cpython_wrapper", "no_cfunc_wrapper", "boundscheck")
_known: WeakKeyDictionary = WeakKeyDictionary()


def checked(function: Any) -> Any:
    """The checked form of a plain or compiled function of a user."""
    found = _known.get(function)
    if found is None:
        source = getattr(function, "py_func", function)
        given = getattr(function, "targetoptions", {})
        options = {name: value for name, value in given.items() if name not in _SET}
        options.setdefault("error_model", CHECKED)

        def keep(copy: Any) -> Any:
            return _known.setdefault(function, helper(copy, **options, boundscheck=True))

        found = rebound(source, _twin, keep)
    return found


def _twin(value: Any) -> Any:
    """What a name stands for in a checked function."""
    here = sys.modules[__name__]
    if value is atomic:
        return here
    if value is sys.modules["edgewise"]:
        return package_with(here)
    if isinstance(value, FunctionType) and value.__module__ == atomic.__name__:
        return getattr(here, value.__name__)
    return checked(value) if is_jitted(value) else value


def _look(array, index):
    if index < 0 or index >= len(array):
        raise IndexError("index is out of bounds")


_look = helper(_look)


@helper
def add(array, index, value):
    """See `edgewise.atomic.add`."""
    _look(array, index)
    return atomic.add(array, index, value)


@helper
def min(array, index, value):
    """See `edgewise.atomic.min`."""
    _look(array, index)
    return atomic.min(array, index, value)


@helper
def max(array, index, value):
    """See `edgewise.atomic.max`."""
    _look(array, index)
    return atomic.max(array, index, value)


@helper
def bit_or(array, index, value):
    """See `edgewise.atomic.bit_or`."""
    _look(array, index)
    return atomic.bit_or(array, index, value)


@helper
def bit_and(array, index, value):
    """See `edgewise.atomic.bit_and`."""
    _look(array, index)
    return atomic.bit_and(array, index, value)


@helper
def exch(array, index, value):
    """See `edgewise.atomic.exch`."""
    _look(array, index)
    return atomic.exch(array, index, value)


@helper
def cas(array, index, expected, value):
    """See `edgewise.atomic.cas`."""
    _look(array, index)
    return atomic.cas(array, index, expected, value)
