"""Work arrays that stay with the graph, so that a call on a few vertices costs a few vertices.

An array over all vertices takes longer to make than such a call has to do. `borrowed` takes one
that was left clean by the call before, and whoever borrows it cleans what it has touched.

>>> import numpy as np
>>> from edgewise.graph import Graph
>>> graph = Graph.from_edges([0, 1], [1, 2])
>>> with borrowed(graph, "marks", lambda: np.zeros(3, np.int8)) as first:
...     pass
>>> with borrowed(graph, "marks", lambda: np.zeros(3, np.int8)) as second:
...     second is first
True
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from edgewise.graph.kinds import AnyGraph

__all__ = ["Filled", "borrowed"]

#: How many bytes a vertex are kept in filled arrays: those used last stay.
_FILLED = 32


class borrowed:  # noqa: N801 (a context manager; this form costs a tenth of contextlib's)
    """Arrays kept under ``key``, made by ``make()`` if there are none or others have them.

    They are put back when the block ends, and dropped if it fails: then they may not be clean.
    What lends out parts of itself has a ``take_back()``, which is called before.
    """

    __slots__ = ("arrays", "key", "make", "shelf")

    def __init__(self, graph: AnyGraph, key: Hashable, make: Callable[[], Any]):
        held = getattr(graph, "__dict__", None)  # what stands for a graph keeps nothing
        self.shelf = {} if held is None else held.setdefault("_workspace", {})
        self.key, self.make = key, make

    def __enter__(self) -> Any:
        kept = self.shelf.pop(self.key, None)
        self.arrays = self.make() if kept is None else kept
        return self.arrays

    def __exit__(self, failure: Any, *_: Any) -> None:
        if failure is None:
            take_back = getattr(self.arrays, "take_back", None)
            if take_back is not None:
                take_back()
            self.shelf[self.key] = self.arrays


class Filled:
    """A workspace over ``n`` vertices that lends arrays of one number everywhere.

    Whoever changes an element writes the number back before `take_back`.
    """

    def __init__(self, n: int):
        self.n = n
        self._kept: list[tuple[Any, Any]] = []
        self._lent: list[tuple[Any, Any]] = []

    def lend(self, count: int, dtype: Any, number: Any, make: Callable[..., Any]) -> Any:
        """So many numbers, kept from an earlier call or by ``make(count, number, dtype)``."""
        key = (count, np.dtype(dtype).str, np.asarray(number).tobytes())
        for place, (known, array) in enumerate(self._kept):
            if known == key:
                self._lent.append(self._kept.pop(place))
                return array
        self._lent.append((key, make(count, number, dtype)))
        return self._lent[-1][1]

    def take_back(self) -> None:
        """Keep the arrays used last, as many as may stay."""
        every, self._lent = self._lent + self._kept, []
        self._kept, left = [], _FILLED * self.n
        for key, array in every:
            if array.nbytes <= left:
                left -= array.nbytes
                self._kept.append((key, array))
