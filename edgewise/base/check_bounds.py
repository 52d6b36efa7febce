"""Checks in users' functions, on request: `check_bounds`, or EDGEWISE_CHECK=1 for a whole process.

Compiled code does not look whether an index lies inside its array, and a whole number divided by
zero is 0. Inside ``with check_bounds():`` the functions that are given to operators, and the
compiled ones that they call, are compiled to look; these kernels are kept apart from the others.

>>> import edgewise as ew
>>> graph = ew.Graph.from_edges([0, 1], [1, 2])
>>> def ahead(v, values):
...     values[v] = values[v + 1]
>>> with ew.check_bounds():
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

__all__ = ["check_bounds", "debugging"]

_ALWAYS = os.environ.get("EDGEWISE_CHECK", "0") not in ("", "0")
_debugging: ContextVar[bool] = ContextVar("edgewise_debug", default=_ALWAYS)


@contextmanager
def check_bounds(enabled: bool = True) -> Iterator[None]:
    """Check every index and divisor in functions given to operators inside the ``with`` block.

    An access outside an array raises ``IndexError``, with the name of the function. An integer
    division by zero (``//``, ``%``) raises ``ZeroDivisionError``. A message that overflows a state
    of 8, 16 or 32 bits raises ``OverflowError``. Array elements changed before the error stay
    changed.

    Negative indices count from the end, as in Python, except in ``edgewise.atomic``. The checks
    apply to graphs in host memory, and loops may take up to twice as long. ``check_bounds(False)``
    turns checks off where EDGEWISE_CHECK=1 turns them on.
    """
    token = _debugging.set(bool(enabled))
    try:
        yield
    finally:
        _debugging.reset(token)


def debugging() -> bool:
    """Are functions to be checked now?"""
    return _debugging.get()
