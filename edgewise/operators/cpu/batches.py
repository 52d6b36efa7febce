"""A range of vertices as a device of its own, on CPU threads; see `edgewise.operators.batches`."""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.cache import kernel
from edgewise.base.compiling import clock
from edgewise.base.cpu.team import grab
from edgewise.base.threads import launch
from edgewise.operators.adjacency import Adjacency
from edgewise.operators.batches import split
from edgewise.operators.cpu.pair_rounds import best_free_arc
from edgewise.operators.cpu.ranking import MOST, keyed

__all__ = ["part"]


class HostPart:
    """The vertices ``low..high``; what it knows of the others is in arrays of its own."""

    def __init__(self, rows: Adjacency, mates: Any, low: int, high: int, batches: Any):
        self.low, self.high, self._rows = low, high, keyed(rows)
        self._batches = split(rows.indptr, low, high, 1 if batches == "auto" else batches)
        self._mates = mates.copy()
        self._points = np.full(len(mates), -2, mates.dtype)
        self._alive = low + np.flatnonzero(mates[low:high] < 0)
        self.times = dict.fromkeys(("transfer", "pointing", "matching", "synchronization"), 0.0)

    def look(self) -> tuple[int, int]:
        begin, indptr, visited = clock(), self._rows.indptr, 0
        alive = self._alive[self._mates[self._alive] < 0]
        aims = self._points[alive]
        must = alive[(aims < 0) | (self._mates[np.maximum(aims, 0)] >= 0)]
        for first, last in self._batches:
            ids = must[np.searchsorted(must, first) : np.searchsorted(must, last)].astype(np.uint64)
            arcs = int((indptr[ids + np.uint64(1)] - indptr[ids]).sum())
            launch(_point, self._rows, self._mates, ids, self._points, work=arcs)
            visited += arcs
        self._alive = alive[self._points[alive] >= 0]
        self.times["pointing"] += clock() - begin
        return len(self._alive), visited

    def pointers(self) -> np.ndarray:
        return self._points[self.low : self.high]

    def hear(self, low: int, high: int, pointers: Any) -> None:
        self._points[low:high] = pointers.get() if hasattr(pointers, "get") else pointers

    def settle(self) -> int:
        begin = clock()
        aims = self._points[self._alive]
        paired = self._points[aims] == self._alive
        self._mates[self._alive[paired]] = aims[paired]
        self.times["matching"] += clock() - begin
        return int(paired.sum())

    def taken(self) -> np.ndarray:
        bits = np.packbits(self._mates >= 0, bitorder="little")
        return np.pad(bits, (0, -len(bits) % 4)).view(np.uint32)

    def mark(self, taken: Any) -> None:
        words = taken.get() if hasattr(taken, "get") else taken
        bits = np.unpackbits(words.view(np.uint8), bitorder="little", count=len(self._mates))
        # Who took whom does not matter here: the mate itself stands where it was found.
        others = bits.astype(bool) & (self._mates < 0)
        self._mates[others] = 0

    def mates(self) -> np.ndarray:
        return self._mates[self.low : self.high]

    def close(self) -> None:
        pass


def part(rows: Adjacency, mates: Any, name: str, low: int, high: int, batches: Any) -> HostPart:
    """The part for these vertices."""
    return HostPart(rows, mates, low, high, batches)


@kernel(borrows=True)
def _point(me, team, control, rows, mates, ids, points):
    indptr, indices = rows[0], rows[1]
    while True:
        low, high = grab(control, 0, 64, len(ids))
        if low == high:
            return
        for i in range(low, high):
            u = ids[i]
            end = indptr[u + np.uint64(1)]
            at = best_free_arc(u, indptr[u], end, rows, MOST, u, mates)
            points[u] = -1 if at == end else points.dtype.type(indices[at])
