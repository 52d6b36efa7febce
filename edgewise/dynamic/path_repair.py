"""Distances from a source, repaired after a batch [1].

After removals, a vertex keeps its distance if another arc supports it: distance[u] + weight ==
distance[v] for an arc (u, v) whose u keeps its own. All others are affected: they start again from
the arcs that enter them from outside. After insertions, shorter distances spread. In both cases the
work is that of the vertices that change and of their rows. Weights must be positive, so that
supports form no cycle. On a CPU one thread goes through a short list, without rounds; a repair that
would take more than a share of the work of a static call is given up.

Parents are found when somebody asks, for vertices whose parent may have changed.

[1] G. Ramalingam, T. Reps. On the computational complexity of dynamic graph problems. TCS 1996.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.traversal.bfs import bfs
from edgewise.algorithms.traversal.paths import Paths
from edgewise.algorithms.traversal.sssp import sssp
from edgewise.base import atomic
from edgewise.dynamic.path_alone import LONG, alone, lose_alone, spread_alone, supports
from edgewise.dynamic.worklist import ROUND, ROW, Budget, Worklist, push
from edgewise.operators import for_each
from edgewise.operators.helpers import inner

__all__ = ["PathRepair", "Repair"]


class Repair:
    """Distances over rows that change: ``far`` stands for none, ``unit`` ignores weights.

    A repair that reaches too much raises TooFarError, and is of no use from then on. ``static`` is
    the work of the static call, as `Budget` has it.
    """

    def __init__(self, out: Any, into: Any, distance: Any, far: Any, *, unit: bool, static: float):
        self.out, self.into, self.distance, self.far = out, into, distance, far
        self.xp, self.device = out.xp, out.device
        self.units = self.xp.ones(1, np.int64) if unit else None
        n = len(distance)
        self.static, self.budget = static, Budget(np.inf)
        self.todo = Worklist(self.xp, n, self.device)
        self.lost = self.xp.zeros(n, np.int8)
        self.stale = self.xp.zeros(n, np.int8)  # vertices whose parent is to be found

    def grow(self, n: int) -> None:
        """Add vertices without a distance."""
        more = n - len(self.distance)
        self.distance = self.xp.concatenate(
            [self.distance, self.xp.full(more, self.far, self.distance.dtype)]
        )
        self.todo.grow(n)
        self.lost = self.xp.zeros(n, np.int8)
        self.stale = self.xp.concatenate([self.stale, self.xp.ones(more, np.int8)])

    def rows_of(self, given: Any) -> Any:
        """The arrays of rows, with weights of one if these are ignored."""
        rows = given.rows
        return rows if self.units is None else rows._replace(weights=self.units, step=0)

    def lengths(self, ws: Any) -> tuple[Any, int]:
        """The lengths of arcs and the step between them."""
        return (ws, 1) if self.units is None else (self.units, 0)

    def begin(self) -> None:
        """Limit the work of what follows."""
        self.budget = Budget(self.static)

    def shorten(self, us: Any, vs: Any, ws: Any) -> None:
        """Let distances spread along new arcs."""
        self.begin()
        state = (us, vs, *self.lengths(ws), self.distance, self.far, self.stale, self.todo.arrays)
        for_each(len(us), _relax_arc, state, device=self.device)
        self.spread()

    def spread(self) -> None:
        """Let distances spread from the vertices on the list."""
        while len(self.todo):
            if self._is_short():
                alone(spread_alone, self, self.out)
                continue
            ids = self.todo.take()
            self.budget.spend(ROUND + self.work(self.out, ids))
            self.todo.each(ids, _relax, self.rows_of(self.out), self.distance,
                           self.stale, self.todo.arrays)  # fmt: skip

    def _is_short(self) -> bool:
        """Is the list so short that one CPU thread goes through it?"""
        return self.device == "cpu" and len(self.todo) <= LONG

    def lose(self, us: Any, vs: Any, ws: Any) -> Any:
        """Repair after arcs are gone; returns the vertices that were affected."""
        self.begin()
        state = (us, vs, *self.lengths(ws), self.distance, self.far, self.stale, self.todo.arrays)
        for_each(len(us), _doubt, state, device=self.device)
        affected = []
        while len(self.todo):
            if self._is_short():
                affected.append(alone(lose_alone, self, self.out, self.into))
                continue
            looked = self.todo.take()
            self.budget.spend(ROUND + ROW * len(looked))
            fallen = self.xp.zeros(len(looked), np.int8)
            self.todo.each(looked, _unsupported, self.rows_of(self.into), self.distance,
                           self.lost, fallen)  # fmt: skip
            gone = looked[fallen != 0]
            self.budget.spend(3 * self.work(self.into, gone))
            self.todo.each(gone, _doubt_row, self.rows_of(self.out), self.distance,
                           self.lost, self.stale, self.todo.arrays)  # fmt: skip
            affected.append(gone)
        found = self.xp.concatenate(affected) if affected else us[:0]
        self.restart(found)
        return found

    def work(self, rows: Any, ids: Any) -> int:
        """The work of going through the rows of some vertices."""
        return 4 * len(ids) + (int(rows.length[ids].sum()) if len(ids) else 0)

    def restart(self, affected: Any) -> None:
        """New distances for these vertices, from the arcs that enter them from others."""
        if len(affected) == 0:
            return
        self.budget.spend(self.work(self.into, affected))
        self.lost[affected] = 1
        self.distance[affected] = self.far
        self.todo.each(affected, _enter, self.rows_of(self.into), self.distance, self.far,
                       self.lost, self.stale, self.todo.arrays)  # fmt: skip
        self.lost[affected] = 0
        self.spread()


class PathRepair:
    """The answer of `bfs` or `sssp` from one source, kept up to date."""

    #: A batch of more than this share of the edges is not repaired: computing anew is faster.
    share = 1 / 128

    def __init__(self, stream: Any, source: int, name: str):
        self.stream, self.source, self.narrow = stream, source, name == "bfs"
        self.weighted = not self.narrow and stream.weights is not None
        if self.weighted:
            _check_positive(stream.graph.weights)
        self.paths = bfs(stream.bare, source) if self.narrow else sssp(stream.graph, source)
        self.repair: Any = None

    def start(self) -> None:
        """Make what repairs need, at the first one."""
        if self.repair is not None:
            return
        distance, out = self.paths.distance, self.stream.out
        kind, whole = distance.dtype, distance.dtype.kind == "i"
        far = np.iinfo(np.int64).max if whole else np.inf
        distance = distance.astype(np.int64 if whole else np.float64)
        if whole:
            distance[distance == np.iinfo(kind).max] = far
        work = 2 * len(distance) + out.num_arcs / 8 if self.narrow else (
            4 * len(distance) + out.num_arcs)  # fmt: skip
        self.repair = Repair(out, self.stream.into, distance, far, unit=not self.weighted,
                             static=work)  # fmt: skip
        self.parent = self.paths.parent.copy()

    def grow(self, n: int) -> None:
        """Add vertices."""
        more = n - len(self.parent)
        self.parent = self.repair.xp.concatenate(
            [self.parent, self.repair.xp.full(more, -1, self.parent.dtype)]
        )
        self.repair.grow(n)

    def check(self, batch: Any) -> None:
        """ValueError if the batch may not be added."""
        if self.weighted:
            _check_positive(batch.weights)

    def removed(self, change: Any) -> None:
        """Repair after removals."""
        self.repair.lose(*change.arcs)

    def added(self, change: Any) -> None:
        """Repair after insertions."""
        self.repair.shorten(*change.arcs)

    def answer(self) -> Paths:
        """The paths now."""
        if self.repair is None:
            return Paths(self.paths.distance.copy(), self.paths.parent.copy())
        repair, xp = self.repair, self.repair.xp
        stale = xp.flatnonzero(repair.stale)
        repair.todo.each(stale, _parent, repair.rows_of(repair.into), repair.distance,
                         repair.far, self.source, self.parent)  # fmt: skip
        repair.stale[stale] = 0
        if self.narrow:
            distance = xp.minimum(repair.distance, np.iinfo(np.int32).max).astype(np.int32)
        else:
            distance = repair.distance.copy()
        return Paths(distance, self.parent.copy())


def _check_positive(weights: Any) -> None:
    if weights is not None and len(weights) and not bool((weights > 0).all()):
        wrong = weights[~(weights > 0)][0]
        raise ValueError(f"weights must be positive to keep sssp up to date, got {wrong}")


@inner
def _lower(v, length, distance, stale, todo):
    """Give v a shorter distance, if it is one."""
    if length < distance[v] and length < atomic.min(distance, v, length):
        stale[v] = 1
        push(v, todo)


def _relax_arc(i, us, vs, ws, step, distance, far, stale, todo):
    if distance[us[i]] < far:
        length = distance[us[i]] + ws[i * step]
        _lower(vs[i], length, distance, stale, todo)


def _relax(i, ids, rows, distance, stale, todo):
    u = ids[i]
    for e in range(rows.start[u], rows.start[u] + rows.length[u]):
        length = distance[u] + rows.weights[e * rows.step]
        _lower(np.int64(rows.targets[e]), length, distance, stale, todo)


def _doubt(i, us, vs, ws, step, distance, far, stale, todo):
    """Look at the head of a removed arc that supported it."""
    if distance[us[i]] < far and distance[us[i]] + ws[i * step] == distance[vs[i]]:
        stale[vs[i]] = 1
        push(vs[i], todo)


def _unsupported(i, ids, rows, distance, lost, fallen):
    v = ids[i]
    if distance[v] == 0:
        return
    for e in range(rows.start[v], rows.start[v] + rows.length[v]):
        u = np.int64(rows.targets[e])
        if lost[u] == 0 and supports(u, v, rows.weights[e * rows.step], distance):
            return
    lost[v] = 1
    fallen[i] = 1


def _doubt_row(i, ids, rows, distance, lost, stale, todo):
    u = ids[i]
    for e in range(rows.start[u], rows.start[u] + rows.length[u]):
        v = np.int64(rows.targets[e])
        if lost[v] == 0 and supports(u, v, rows.weights[e * rows.step], distance):
            stale[v] = 1
            push(v, todo)


def _enter(i, ids, rows, distance, far, lost, stale, todo):
    v, best = ids[i], far
    for e in range(rows.start[v], rows.start[v] + rows.length[v]):
        u = np.int64(rows.targets[e])
        if lost[u] == 0 and distance[u] < far:
            length = distance[u] + rows.weights[e * rows.step]
            best = min(best, length)
    stale[v] = 1
    if best < far:
        distance[v] = best
        push(v, todo)


def _parent(i, ids, rows, distance, far, source, parent):
    v = ids[i]
    parent[v] = source if v == source else -1
    if v == source or distance[v] == far:
        return
    for e in range(rows.start[v], rows.start[v] + rows.length[v]):
        u = np.int64(rows.targets[e])
        if supports(u, v, rows.weights[e * rows.step], distance):
            parent[v] = u
            return
