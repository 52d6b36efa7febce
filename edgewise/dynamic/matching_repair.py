"""The locally dominant matching after a batch.

With a strict order of edges there is one matching in which every other edge meets a chosen one that
outranks it. An edge blocks if it outranks the chosen edges of both ends. A vertex with a blocking
edge takes its best one; the mates that are left alone look for a new one. The chosen edges only get
better in their order, so this ends, in the only matching without a blocking edge. One CPU thread;
on a GPU the matching is computed from scratch.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.locally_dominant import locally_dominant
from edgewise.algorithms.matching.order import outranks
from edgewise.algorithms.matching.result import Matching
from edgewise.base.checks import check_undirected
from edgewise.dynamic.worklist import Budget
from edgewise.operators.sequential import going, sequential

__all__ = ["MatchingRepair"]


class MatchingRepair:
    """The answer of `matching.locally_dominant`, kept up to date."""

    #: A batch of more than this share of the edges is not repaired: computing anew is faster.
    share = 1 / 128

    def __init__(self, stream: Any):
        check_undirected(stream, "matching")
        self.stream, self.rows = stream, stream.out
        self.here = stream.out.device == "cpu"
        self.found: Any = locally_dominant(stream.graph) if self.here else None
        self.started = False

    def start(self) -> None:
        """Make what repairs need, at the first one."""
        if self.here and not self.started:
            self.started = True
            self._allocate(self.found.mate.astype(np.int64))
            ids = np.flatnonzero(self.mate >= 0)
            self.worth[ids] = self.rows.weights_at(self.rows.find(ids, self.mate[ids]))

    def _allocate(self, mate: np.ndarray) -> None:
        self.mate = mate
        self.worth = np.zeros(len(mate), self.rows.weights.dtype)
        self.stack, self.waits = np.empty(len(mate), np.int64), np.zeros(len(mate), np.int8)

    def grow(self, n: int) -> None:
        """Add vertices without a mate."""
        if self.here:
            worth = self.worth
            self._allocate(np.concatenate([self.mate, np.full(n - len(self.mate), -1)]))
            self.worth[: len(worth)] = worth

    def check(self, batch: Any) -> None:
        """ValueError if the batch may not be added."""
        if batch.weights is not None and not np.isfinite(batch.weights).all():
            raise ValueError("weights must be finite to keep a matching up to date")

    def removed(self, change: Any) -> None:
        """Part the mates whose edge is gone, and let them look."""
        if self.here:
            us, vs, _ = change.edges
            parted = (self.mate[us] == vs) & (us != vs)
            ends = np.concatenate([us[parted], vs[parted]])
            self.mate[ends] = -1
            self._look(ends)

    def added(self, change: Any) -> None:
        """Let the ends of new edges look."""
        if self.here:
            us, vs, _ = change.edges
            self._look(np.unique(np.concatenate([us, vs])))

    def _look(self, ends: np.ndarray) -> None:
        if len(ends) == 0:
            return
        rows = self.rows.rows
        self.stack[: len(ends)] = ends
        self.waits[ends] = 1
        budget, told = Budget(4 * len(self.mate) + self.rows.num_arcs / 2), np.zeros(1, np.int64)
        limit = int(budget.left)
        state = (rows, self.stack, len(ends), self.waits, self.mate, self.worth, limit, told)
        sequential(_settle, state, steps=len(ends), work=int(budget.left), phase="match")
        budget.spend(int(told[0]))

    def answer(self) -> Matching:
        """The matching now."""
        if not self.here:
            return locally_dominant(self.stream.graph)
        if not self.started:
            return self.found._replace(mate=self.found.mate.copy())
        first = np.flatnonzero(self.mate > np.arange(len(self.mate)))
        weight = float(self.worth[first].sum()) if self.rows.weighted else float(len(first))
        kind = self.rows.targets.dtype
        return Matching(self.mate.astype(kind), weight, len(first))


def _settle(control, rows, stack, size, waits, mate, worth, limit, told):
    """Let the vertices on the stack take their best blocking edge, until none has one.

    ``told`` gets the work: more than ``limit`` if it is given up.
    """
    (start, length, targets, weights, step), done = rows, 0
    while size > 0 and told[0] <= limit:
        done += 1
        if done % 256 == 0 and not going(control, done):
            return
        size -= 1
        v = stack[size]
        waits[v] = 0
        told[0] += 4 + length[v]
        best, most = np.int64(-1), worth[v]
        for e in range(start[v], start[v] + length[v]):
            u, weight = np.int64(targets[e]), weights[e * step]
            if u == v or not weight > 0:
                continue
            if mate[v] >= 0 and not outranks(v, weight, u, worth[v], mate[v]):
                continue
            if mate[u] >= 0 and not outranks(u, weight, v, worth[u], mate[u]):
                continue
            if best < 0 or outranks(v, weight, u, most, best):
                best, most = u, weight
        if best < 0:
            continue
        for x in (v, best):
            left = mate[x]
            if left >= 0:
                mate[left] = -1
                if waits[left] == 0:
                    waits[left], stack[size] = 1, left
                    size += 1
        mate[v], mate[best] = best, v
        worth[v] = worth[best] = most
