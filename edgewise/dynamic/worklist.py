"""Work lists: vertices that are to be looked at next, each once, for rounds of `for_each`.

A function puts a vertex on the list with `push`. The next round takes the list and clears it.

`Budget` limits the work of a repair to a share of that of the static call. `Trust` says after how
many batches a repair is tried again where it was given up.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base import atomic
from edgewise.operators import for_each
from edgewise.operators.helpers import inner

__all__ = ["ROUND", "ROW", "Budget", "List", "TooFarError", "Trust", "Worklist", "push"]

#: About how much work a vertex is, in the units of `for_each`: it has a row.
ROW = 32


class TooFarError(Exception):
    """A repair has reached so much of the graph that starting again is faster."""


#: The share of the work of a static call that a repair may do, and the least that it may; a unit
#: is an arc of a repair, about 10 ns. A round starts functions on all threads.
SHARE, LEAST, ROUND = 0.2, 1 << 14, 1024
#: After so many repairs in a row that were given up, the time until the next grows no more.
_PATIENCE = 3


class Budget:
    """The work that a repair may do before it is given up.

    >>> budget = Budget(1_000_000)
    >>> budget.spend(200_000)
    >>> budget.spend(1)
    Traceback (most recent call last):
    ...
    edgewise.dynamic.worklist.TooFarError
    """

    def __init__(self, static: float):
        self.left = max(SHARE * static, LEAST)

    def spend(self, work: float) -> None:
        """Note that so many arcs are visited; TooFarError if these are too many."""
        self.left -= work
        if self.left < 0:
            raise TooFarError


class Trust:
    """Whether to try a repair: after 1, 2, 3 failures in a row, 3, 15, 63 batches go without.

    >>> trust, tried = Trust(), []
    >>> for batch in range(7):
    ...     tried.append(int(trust.tries()))
    ...     if tried[-1]:
    ...         trust.fails()
    >>> tried
    [1, 0, 0, 0, 1, 0, 0]
    """

    def __init__(self) -> None:
        self.failures = self.waits = 0

    def tries(self) -> bool:
        """Should the next batch be repaired? Counts the batch."""
        self.waits = max(self.waits - 1, -1)
        return self.waits < 0

    def fails(self) -> None:
        """Note that a repair was given up."""
        self.failures = min(self.failures + 1, _PATIENCE)
        self.waits = 4**self.failures - 1

    def succeeds(self) -> None:
        """Note that a repair came to its end."""
        self.failures = 0


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
