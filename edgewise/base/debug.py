"""Checks in users' functions, on request: `debug`, or EDGEWISE_CHECK=1 for a whole process.

Compiled code does not look whether an index lies inside its array, and a whole number divided by
zero is 0. Inside ``with debug():`` the functions that are given to operators, and the compiled ones
that they call, are compiled to look; these kernels are kept apart from the others.

>>> import edgewise as ew
>>> graph = ew.Graph.from_edges([0, 1], [1, 2])
>>> def ahead(v, values):
...     values[v] = values[v + 1]
>>> with ew.debug():
...     ew.compute(graph, None, ahead, graph.full(0.0))
Traceback (most recent call last):
...
IndexError: ahead (<doctest ...>:1) uses an index outside of its array
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

__all__ = ["debug", "debugging"]

_ALWAYS = os.environ.get("EDGEWISE_CHECK", "0") not in ("", "0")
_debugging: ContextVar[bool] = ContextVar("edgewise_debug", default=_ALWAYS)


@contextmanager
def debug(enabled: bool = True) -> Iterator[None]:
    """Check every index and divisor in functions given to operators inside the ``with`` block.

    A function that reads or writes outside of an array ends the call with an ``IndexError`` that
    names it, one that divides a whole number by zero (``//``, ``%``) with a ``ZeroDivisionError``,
    a message that state of 8, 16 or 32 bits cannot hold with an ``OverflowError``; arrays that it
    has changed until then stay changed. Negative numbers down to the length count from the end, as
    always in Python, except in ``edgewise.atomic``. For graphs in host memory; expect loops to take
    up to twice as long. ``debug(False)`` leaves functions unchecked where EDGEWISE_CHECK=1 asks for
    it.
    """
    token = _debugging.set(bool(enabled))
    try:
        yield
    finally:
        _debugging.reset(token)


def debugging() -> bool:
    """Are functions to be checked now?"""
    return _debugging.get()
