"""Work lists: vertices that are to be looked at next, each once, for rounds of `for_each`.

A function puts a vertex on the list with `push`. The next round takes the list and clears it.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base import atomic
from edgewise.operators import for_each
from edgewise.operators.helpers import inner

__all__ = ["List", "TooFarError", "Worklist", "push"]

#: About how much work a vertex is, in the units of `for_each`: it has a row.
ROW = 32


class TooFarError(Exception):
    """A repair has reached so much of the graph that starting again is faster."""


class List(NamedTuple):
    """The arrays of a list, for functions."""

    ids: Any
    waiting: Any  # int32 over vertices: 1 if it is on the list
    count: Any


class Worklist:
    """A list of vertices of a graph with ``n`` of them, on a device."""

    def __init__(self, xp: Any, n: int, device: str):
        self.xp, self.device = xp, device
        self.arrays = List(xp.empty(n, np.int64), xp.zeros(n, np.int32), xp.zeros(1, np.int64))

    def grow(self, n: int) -> None:
        """Make the list, which is empty, one for more vertices."""
        self.__init__(self.xp, n, self.device)  # type: ignore[misc]

    def __len__(self) -> int:
        return int(self.arrays.count[0])

    def take(self) -> Any:
        """The ids on the list, which is empty then."""
        ids = self.arrays.ids[: len(self)].copy()
        self.arrays.waiting[ids] = 0
        self.arrays.count[0] = 0
        return ids

    def put(self, ids: Any) -> None:
        """Put distinct vertices on the empty list."""
        self.arrays.ids[: len(ids)] = ids
        self.arrays.waiting[ids] = 1
        self.arrays.count[0] = len(ids)

    def each(self, ids: Any, function: Any, *state: Any) -> None:
        """Call ``function(i, ids, *state)`` for every place of ``ids``."""
        if len(ids):
            for_each(len(ids), function, (ids, *state), device=self.device, work=ROW * len(ids))


@inner
def push(v, todo):
    """Put v on the list, if it is not there."""
    if todo.waiting[v] == 0 and atomic.cas(todo.waiting, v, 0, 1) == 0:
        todo.ids[atomic.add(todo.count, 0, 1)] = v
