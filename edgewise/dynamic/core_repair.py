"""Core numbers after a batch, by rounds over the vertices that may change.

Removals: a vertex with fewer than core[v] neighbors of at least its core number falls by one, and
the neighbors that counted on it are looked at again, until none falls.

Insertions: an edge is superior for an end that has no larger core number than the other. If every
vertex has at most one superior edge, no core number grows by more than one [1]. So the batch goes
in rounds of such edges. In a round, the candidates are reached from the lower ends of its edges
along vertices of equal core number that have enough neighbors; those without enough candidates or
better ones around them drop out, until none does.

A batch that takes more than a share of the work of a static call is given up.

[1] H. Jin, N. Wang, D. Yu et al. Core maintenance in dynamic graphs: a parallel approach based on
    matching. IEEE TPDS 29, 2018.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.cores.core_number import core_number
from edgewise.base import atomic
from edgewise.base.checks import check_undirected
from edgewise.dynamic.worklist import ROUND, Budget, Worklist, push
from edgewise.operators import for_each
from edgewise.operators.helpers import inner, lower_bound

__all__ = ["CoreRepair"]


class Pending(NamedTuple):
    """Edges of the batch that rows hold already, but that are not counted yet."""

    keys: Any  # of both directions, ascending
    edge: Any  # the edge of each key
    waits: Any  # int8 over edges: 1 if it is not counted
    many: Any  # over vertices: its edges that are not counted


class CoreRepair:
    """The answer of `core_number`, kept up to date."""

    #: A batch of more than this share of the edges is not repaired: computing anew is faster.
    share = 1 / 256

    def __init__(self, stream: Any):
        check_undirected(stream, "core_number")
        self.rows, self.xp = stream.out, stream.out.xp
        self.core = self.xp.asarray(core_number(stream.bare)).astype(np.int64)
        self.budget, self.started = Budget(np.inf), False

    def start(self) -> None:
        """Make what repairs need, at the first one."""
        if not self.started:
            self.started = True
            self._allocate(len(self.core))

    def _begin(self) -> None:
        """Limit the work of what follows."""
        self.budget = Budget(2 * len(self.core) + self.rows.num_arcs / 2)

    def _take(self, times: int) -> Any:
        """The list, whose rows are gone through so many times."""
        ids = self.todo.take()
        self.budget.spend(ROUND + times * (4 * len(ids) + int(self.rows.length[ids].sum())))
        return ids

    def _allocate(self, n: int) -> None:
        xp = self.xp
        self.todo = Worklist(xp, n, self.rows.device)
        self.first = xp.full(n, _NONE, np.int64)
        self.seen, self.many = xp.zeros(n, np.int32), xp.zeros(n, np.int64)
        self.candidate = xp.zeros(n, np.int8)

    def grow(self, n: int) -> None:
        """Add vertices without neighbors."""
        more = self.xp.zeros(n - len(self.core), np.int64)
        self.core = self.xp.concatenate([self.core, more])
        self._allocate(n)

    def removed(self, change: Any) -> None:
        """Lower core numbers after removals."""
        xp, (us, vs, _) = self.xp, change.edges
        self._begin()
        self.todo.put(xp.unique(xp.concatenate([us, vs])))
        while len(self.todo):
            looked = self._take(1)
            fell = xp.zeros(len(looked), np.int8)
            self.todo.each(looked, _fall, self.rows.rows, self.core, fell)
            self.todo.each(looked[fell != 0], _tell, self.rows.rows, self.core, self.todo.arrays)

    def added(self, change: Any) -> None:
        """Raise core numbers after insertions, some edges at a time."""
        xp, (us, vs, _), n = self.xp, change.edges, len(self.core)
        self._begin()
        keep = us != vs
        us, vs = us[keep], vs[keep]
        left = xp.arange(len(us))
        ends, others = xp.concatenate([us, vs]), xp.concatenate([vs, us])
        keys = ends * n + others
        order = xp.argsort(keys)
        found, counts = xp.unique(ends, return_counts=True)
        self.many[found] += counts
        pending = Pending(keys[order], xp.concatenate([left, left])[order],
                          xp.ones(len(us), np.int8), self.many)  # fmt: skip
        while len(left):
            self.budget.spend(4 * ROUND + 8 * len(left))
            chosen = self._chosen(us, vs, left)
            some = left[chosen]
            pending.waits[some] = 0
            found, counts = xp.unique(xp.concatenate([us[some], vs[some]]), return_counts=True)
            self.many[found] -= counts
            self._raise(us[some], vs[some], pending)
            left = left[~chosen]

    def _chosen(self, us: Any, vs: Any, left: Any) -> Any:
        """Which edges go now: each is the first superior one of its lower ends."""
        chosen = self.xp.empty(len(left), bool)
        state = (left, us, vs, self.core, self.first)
        for_each(len(left), _claim, state, device=self.rows.device)
        for_each(len(left), _is_first, (*state, chosen), device=self.rows.device)
        self.first[us[left]] = _NONE
        self.first[vs[left]] = _NONE
        return chosen

    def _raise(self, us: Any, vs: Any, pending: Pending) -> None:
        """Raise the core numbers that these edges raise."""
        xp, rows, core = self.xp, self.rows.rows, self.core
        lower = xp.concatenate([us[core[us] <= core[vs]], vs[core[vs] <= core[us]]])
        self.todo.put(xp.unique(lower))
        self.seen[lower] = 1
        visited, found = [], []
        while len(self.todo):
            looked = self._take(2)
            visited.append(looked)
            self.todo.each(looked, _reach, rows, core, pending, self.seen, self.candidate,
                           self.todo.arrays)  # fmt: skip
            found.append(looked[self.candidate[looked] != 0])
        chosen, reached = xp.concatenate(found), xp.concatenate(visited)
        self.todo.put(chosen)
        while len(self.todo):
            self.todo.each(self._take(1), _drop, rows, core, pending, self.candidate,
                           self.todo.arrays)  # fmt: skip
        core[chosen[self.candidate[chosen] != 0]] += 1
        self.candidate[chosen] = 0
        self.seen[reached] = 0

    def answer(self) -> Any:
        """The core numbers now."""
        return self.core.copy()


_NONE = np.iinfo(np.int64).max


def _fall(i, ids, rows, core, fell):
    v = ids[i]
    k, enough = core[v], 0
    for e in range(rows.start[v], rows.start[v] + rows.length[v]):
        if enough >= k:
            return
        w = np.int64(rows.targets[e])
        enough += w != v and core[w] >= k
    if enough < k:
        core[v] = k - 1
        fell[i] = 1


def _tell(i, ids, rows, core, todo):
    """Look again at a vertex that fell, and at the neighbors that counted on it."""
    v = ids[i]
    push(v, todo)
    for e in range(rows.start[v], rows.start[v] + rows.length[v]):
        w = np.int64(rows.targets[e])
        if core[w] == core[v] + 1:
            push(w, todo)


def _claim(i, left, us, vs, core, first):
    u, v = us[left[i]], vs[left[i]]
    if core[u] <= core[v]:
        atomic.min(first, u, left[i])
    if core[v] <= core[u]:
        atomic.min(first, v, left[i])


def _is_first(i, left, us, vs, core, first, chosen):
    u, v = us[left[i]], vs[left[i]]
    chosen[i] = (core[u] > core[v] or first[u] == left[i]) and (
        core[v] > core[u] or first[v] == left[i]
    )


@inner
def _counts(v, w, pending):
    """Is the edge v - w counted already?"""
    if v == w:
        return False
    if pending.many[v] == 0 or pending.many[w] == 0:
        return True
    key = v * len(pending.many) + w
    at = lower_bound(pending.keys, 0, len(pending.keys), key)
    if at == len(pending.keys) or pending.keys[at] != key:
        return True
    return pending.waits[pending.edge[at]] == 0


def _reach(i, ids, rows, core, pending, seen, candidate, todo):
    """A vertex with enough neighbors is a candidate, and leads to those of its core number."""
    v = ids[i]
    k, enough = core[v], 0
    for e in range(rows.start[v], rows.start[v] + rows.length[v]):
        w = np.int64(rows.targets[e])
        if core[w] >= k and _counts(v, w, pending):
            enough += 1
    if enough <= k:
        return
    candidate[v] = 1
    for e in range(rows.start[v], rows.start[v] + rows.length[v]):
        w = np.int64(rows.targets[e])
        new = core[w] == k and seen[w] == 0 and _counts(v, w, pending)
        if new and atomic.cas(seen, w, 0, 1) == 0:
            push(w, todo)


def _drop(i, ids, rows, core, pending, candidate, todo):
    """A candidate without enough candidates and better ones around it is none."""
    v = ids[i]
    if candidate[v] == 0:
        return
    k, enough = core[v], 0
    for e in range(rows.start[v], rows.start[v] + rows.length[v]):
        w = np.int64(rows.targets[e])
        if (core[w] > k or (core[w] == k and candidate[w])) and _counts(v, w, pending):
            enough += 1
    if enough > k:
        return
    candidate[v] = 0
    for e in range(rows.start[v], rows.start[v] + rows.length[v]):
        w = np.int64(rows.targets[e])
        if core[w] == k and candidate[w]:
            push(w, todo)
