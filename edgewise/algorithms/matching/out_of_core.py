"""The locally dominant matching of a graph in host memory, by one or more devices.

Every device has a contiguous range of the vertices and processes their rows batch by batch
(`edgewise.operators.batches`). The mates and the pointers are on every device. In a round, each
device updates the pointers of its vertices, the devices exchange them, and each matches the mutual
ones. The matching is that of `match_free`, for any number of batches and devices: only the order of
evaluation changes. A single device whose buffers hold all rows needs no rounds. It runs its kernel
of the algorithm and notifies observers once.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.order import BEST, rank
from edgewise.algorithms.weighting import edge_weights
from edgewise.base.checks import check_count
from edgewise.base.compiling import clock
from edgewise.base.observe import notify, observed
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import host
from edgewise.graph.weight_columns import WEIGHT
from edgewise.operators import Frontier, for_rows
from edgewise.operators.batches import Source, batches_on, split
from edgewise.operators.engines import fused
from edgewise.operators.sequential import in_reach

__all__ = ["match_in_batches"]

#: Who has not pointed yet, and who has nobody to point at.
_UNKNOWN, _NOBODY = -2, -1


def match_in_batches(
    graph: AnyGraph, mate: Any, weights: Any, num_batches: Any, devices: Any
) -> None:
    """Match those who have no mate (-1) with each other; see `locally_dominant`."""
    if not in_reach(graph):
        raise ValueError(
            "num_batches and device need a graph in host memory; copy it with graph.to('cpu')"
        )
    names = ["cuda"] if devices is None else [devices] if isinstance(devices, str) else [*devices]
    if not names:
        raise ValueError("device must name at least one device")
    if num_batches != "auto":
        num_batches = check_count(1 if num_batches is None else num_batches, "num_batches", 1)
    source = Source(graph, edge_weights(graph, weights))
    ends = split(graph.indptr, 0, graph.num_vertices, len(names))
    parts: list[_Part] = []
    try:
        for name, low, high in zip(names, ends, ends[1:], strict=False):
            parts.append(_Part(source, mate, name, low, high, num_batches))
        if len(parts) > 1 or not parts[0].match_at_once():
            _play(parts)
        for part in parts:
            mate[part.low : part.high] = part.mates()
    finally:
        for part in parts:
            part.batches.close()


def _play(parts: list[_Part]) -> None:
    """Round after round, until nobody is in play."""
    turn, before = 0, _times(parts)
    while True:
        alive, visited = map(sum, zip(*(part.look() for part in parts), strict=True))
        if alive == 0:
            return
        begin = clock()
        for part in parts:
            for other in parts:
                if other is not part:
                    other.hear(part)
        parts[0].times["synchronization"] += clock() - begin
        joined = [part.join() for part in parts][0]
        if observed():
            now = _times(parts)
            spent = {phase: now[phase] - before[phase] for phase in now}
            notify(turn, committed=joined // 2, visited=visited, **spent)
            before = now
        turn += 1


def _times(parts: list[_Part]) -> dict[str, float]:
    return {phase: sum(part.spent()[phase] for part in parts) for phase in parts[0].spent()}


class _Part:
    """One device with the vertices ``low..high``."""

    def __init__(self, source: Source, mate: Any, name: str, low: int, high: int, batches: Any):
        self.low, self.high, self.indptr, n = low, high, source.indptr, len(mate)
        beside = n * (2 * mate.itemsize + 1) + (high - low) * 52
        self.batches = batches_on(name, source, low, high, batches, beside=beside)
        self.times = dict.fromkeys(("matching", "synchronization"), 0.0)
        alike = source.weights is None
        self.kind = np.dtype(np.int64) if alike else source.weights.dtype
        self.offer: Any = _unit_offer if alike else _offer
        with self.batches.here():
            xp = self.batches.xp
            self.mate, self.pointer = xp.array(mate), xp.full(n, _UNKNOWN, mate.dtype)
            self.alive = low + xp.flatnonzero(self.mate[low:high] < 0)

    def match_at_once(self) -> bool:
        """Match all vertices in one go, if all rows are there at once; were they?"""
        with self.batches.here():
            rows, begin = self.batches.whole(), clock()
            if rows is None or not fused(rows, __package__, "locally_dominant", self.mate, WEIGHT):
                return False
            joined = len(self.alive) - int((self.mate < 0).sum())
        self.times["matching"] += clock() - begin
        notify(0, committed=joined // 2, visited=rows.num_arcs, **self.spent())
        return True

    def look(self) -> tuple[int, int]:
        """Let the vertices point that must: how many are in play, and arcs looked at."""
        with self.batches.here():
            xp, starts = self.batches.xp, self.batches.starts
            alive = self.alive[self.mate[self.alive] < 0]
            aims = self.pointer[alive]
            must = alive[(aims < 0) | (self.mate[xp.maximum(aims, 0)] >= 0)]
            cuts = xp.searchsorted(must, xp.asarray(starts)).tolist()
            lookers = dict(zip(starts, zip(cuts, cuts[1:], strict=False), strict=False))
            wanted = [k for k in range(len(starts) - 1) if cuts[k] < cuts[k + 1]]
            for rows in self.batches.bring(wanted):
                some = slice(*lookers[rows.first])
                self._point(rows, (must[some] - rows.first).astype(np.int32))
            self.alive = alive[self.pointer[alive] >= 0]
            visited = 0
            if observed():
                ids = host(must)
                visited = int((self.indptr[ids + 1] - self.indptr[ids]).sum())
        return len(self.alive), visited

    def _point(self, rows: Any, ids: Any) -> None:
        last = rows.first + rows.num_vertices
        for_rows(
            rows, Frontier._trusted(rows.num_vertices, ids=ids), self.offer, _point,
            self.pointer[rows.first : last], reduce=BEST,
            params={"mate": self.mate, "first": rows.first},
            dtype=(self.kind, np.int64, np.int64),
        )  # fmt: skip

    def hear(self, other: _Part) -> None:
        """Learn where the vertices of another part point."""
        theirs = other.pointer[other.low : other.high]
        if self.batches.xp is not other.batches.xp:
            with other.batches.here():
                theirs = host(theirs)
        with self.batches.here():  # from one GPU to another without a stop in host memory
            self.pointer[other.low : other.high] = self.batches.xp.asarray(theirs)

    def join(self) -> int:
        """Note who points at each other, of all vertices; how many do."""
        begin = clock()
        with self.batches.here():
            xp = self.batches.xp
            ids = xp.flatnonzero((self.mate < 0) & (self.pointer >= 0))
            aims = self.pointer[ids]
            agreed = self.pointer[aims] == ids
            self.mate[ids[agreed]] = aims[agreed]
            joined = int(agreed.sum())
        self.times["matching"] += clock() - begin
        return joined

    def mates(self) -> np.ndarray:
        """The mates in the range, on the host."""
        with self.batches.here():
            return host(self.mate[self.low : self.high])

    def spent(self) -> dict[str, float]:
        """Seconds so far, by phase."""
        times = self.batches.times
        return {"transfer": times["transfer"], "pointing": times["work"], **self.times}


def _offer(weight, source, own, mate, first):
    """The edge to a free neighbor; none, if it may not be chosen. Rows are numbered from first."""
    if mate[source] >= 0 or not weight > 0 or source == own + first:
        return weight * 0, np.int64(-1), np.int64(-1)
    return weight, own + first, source


def _unit_offer(source, own, mate, first):
    if mate[source] >= 0 or source == own + first:
        return np.int64(0), np.int64(-1), np.int64(-1)
    return rank(own + first, source), own + first, source


def _point(v, best, pointer):
    pointer[v] = best[2]
