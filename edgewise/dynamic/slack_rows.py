"""Rows of a graph that change in place: the adjacency inside a `Stream`.

All rows lie in one pool. Row v has ``length[v]`` ascending targets from ``start[v]`` on, and places
for ``capacity[v]``. A row that outgrows its capacity moves to the end of the pool, to half as much
again. Inserting or removing b arcs costs the b rows they are in, not the graph. When more than half
of the pool is unused, all rows move together. The pool is made when it is first needed: a graph
that is replaced by another one before has cost nothing. The same functions run on CPU threads and
on a GPU.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.offsets import offsets
from edgewise.graph import Graph
from edgewise.graph.csr import frozen, index_dtype
from edgewise.graph.transfer import like
from edgewise.operators import for_each
from edgewise.operators.helpers import first_from, inner, lower_bound

__all__ = ["Rows", "SlackRows", "by_row"]

#: About how much work an arc of a batch is, in the units of `for_each`.
ARC = 32
_SPARE = 1 / 16  # of a new pool, for rows that move
_RUN = 256  # rows that a CPU thread copies together
_POOL = frozenset(("start", "length", "capacity", "targets", "weights", "used", "unused"))


class Rows(NamedTuple):
    """The arrays of the rows, for functions: the weight of place e is ``weights[e * step]``."""

    start: Any
    length: Any
    targets: Any
    weights: Any
    step: int


class SlackRows:
    """Rows that change in place, made from those of a graph; ``turned`` for the rows into it."""

    def __init__(self, graph: Graph, *, turned: bool = False):
        self.xp, self.device, self.directed = graph.xp, graph.device, graph.directed
        self._empty = like(graph, graph.indptr[:1] * 0, graph.indices[:0])  # to make others like it
        self.weighted = graph.weights is not None
        self.fill(graph.transposed if turned else graph)

    def fill(self, given: Graph) -> None:
        """Take the rows of a graph in the place of the ones there are."""
        for name in _POOL:
            self.__dict__.pop(name, None)
        self.num_arcs = given.num_arcs
        self._given: Graph | None = given

    def __getattr__(self, name: str) -> Any:
        """An array of the pool, which is not made yet."""
        if name not in _POOL or self.__dict__.get("_given") is None:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        given: Any = self._given
        self._given = None
        self.start, self.length = given.indptr[:-1], self.xp.diff(given.indptr)
        self.capacity = self.length + self.length // 8  # long rows need not move at once
        starts = offsets(self.capacity)
        self.used, self.unused = int(starts[-1]), 0
        size = int(self.used * (1 + _SPARE)) + 1024
        self.targets = self._copied(given.indices, starts, size)
        self.weights = (self._copied(given.weights, starts, size) if self.weighted
                        else self.xp.ones(1))  # fmt: skip
        self.start = starts[:-1].copy()
        return self.__dict__[name]

    @property
    def num_vertices(self) -> int:
        """The number of rows."""
        return len(self.start) if self._given is None else self._given.num_vertices

    @property
    def rows(self) -> Rows:
        """The arrays, for functions; new ones after every change."""
        return Rows(self.start, self.length, self.targets, self.weights, int(self.weighted))

    def grow(self, n: int) -> None:
        """Add empty rows up to ``n``."""
        more = self.xp.zeros(n - self.num_vertices, np.int64)
        self.start, self.length, self.capacity = (
            self.xp.concatenate([one, more]) for one in (self.start, self.length, self.capacity)
        )
        kind = index_dtype(n)
        self.targets = self.targets.astype(kind, copy=False)

    def find(self, us: Any, vs: Any) -> Any:
        """The place of each arc, -1 if it is not there; arcs ascend and are distinct."""
        found = self.xp.empty(len(us), np.int64)
        if len(us):
            tops, bounds = by_row(self.xp, us)
            state = (*self._read(), tops, bounds, vs, found)
            for_each(len(tops), _find, state, device=self.device, work=ARC * len(us))
        return found

    def _read(self) -> tuple[Any, Any, Any]:
        """Where rows begin, how long they are, and their targets: read-only, without a pool."""
        if self._given is None:
            return frozen(self.start), frozen(self.length), frozen(self.targets)
        given = self._given
        return given.indptr[:-1], frozen(self.xp.diff(given.indptr)), given.indices

    def weights_at(self, places: Any) -> Any:
        """The weights of arcs, by their places."""
        if not self.weighted:
            return self.xp.ones(len(places))
        weights: Any = self.weights if self._given is None else self._given.weights
        return weights[places]

    def insert(self, us: Any, vs: Any, ws: Any) -> None:
        """Add arcs that are not there yet; they ascend and are distinct."""
        if len(us) == 0:
            return
        xp = self.xp
        tops, bounds = by_row(xp, us)
        need = self.length[tops] + xp.diff(bounds)
        moves = need > self.capacity[tops]
        capacity = xp.where(moves, need + need // 2 + 2, self.capacity[tops])
        place = self.start[tops]
        if bool(moves.any()):
            asked = capacity[moves]
            self.unused += int(self.capacity[tops[moves]].sum())
            self._make_place(int(asked.sum()))
            place = self.start[tops]  # a pool that was packed has moved every row
            place[moves] = self.used + xp.cumsum(asked) - asked
            self.used += int(asked.sum())
        new = ws.astype(self.weights.dtype, copy=False) if self.weighted else self.weights
        state = (self.rows, tops, bounds, place, vs, new)
        for_each(len(tops), _insert, state, device=self.device, work=self._work(tops, us))
        self.start[tops], self.length[tops], self.capacity[tops] = place, need, capacity
        self.num_arcs += len(us)

    def remove(self, us: Any, vs: Any) -> None:
        """Remove arcs that are there; they ascend and are distinct."""
        if len(us) == 0:
            return
        tops, bounds = by_row(self.xp, us)
        state = (self.rows, tops, bounds, vs)
        for_each(len(tops), _remove, state, device=self.device, work=self._work(tops, us))
        self.length[tops] -= self.xp.diff(bounds)
        self.num_arcs -= len(us)

    def _work(self, tops: Any, us: Any) -> int:
        """About how much work a change of rows is: it moves parts of them."""
        return ARC * len(us) + int(self.length[tops].sum())

    def frozen(self, labels: Any, bare: Graph | None = None) -> Graph:
        """A graph with these rows; ``bare`` is one without the weights, if there is one."""
        if bare is None:
            indptr, indices, weights = self._packed(self.length, self.targets, self.weights)
        else:
            indptr, indices = bare.indptr, bare.indices
            weights = self._copied(self.weights, indptr) if self.weighted else None
        return like(self._empty, indptr, indices, weights if self.weighted else None,
                    directed=self.directed, labels=labels)  # fmt: skip

    def without_weights(self, labels: Any) -> Graph:
        """A graph with these rows, but no weights: it has fewer bytes to copy."""
        indptr = offsets(self.length)
        return like(self._empty, indptr, self._copied(self.targets, indptr), None,
                    directed=self.directed, labels=labels)  # fmt: skip

    def _packed(self, capacity: Any, targets: Any, weights: Any) -> tuple[Any, Any, Any]:
        """Where rows of such capacities begin, side by side, and the arrays of such a pool."""
        starts = offsets(capacity)
        targets = self._copied(targets, starts)
        return starts, targets, self._copied(weights, starts) if self.weighted else weights

    def _copied(self, old: Any, starts: Any, size: int | None = None) -> Any:
        """The values of a pool whose rows begin elsewhere, for so many."""
        new = self.xp.empty(int(starts[-1]) if size is None else size, old.dtype)
        run = _RUN if self.device == "cpu" else 1
        state = (frozen(self.start), self.length, starts, frozen(old), new, run)
        for_each(-(-self.num_vertices // run), _copy, state, device=self.device, work=len(new))
        return new

    def _make_place(self, wanted: int) -> None:
        """Make sure that the pool has so many unused places at its end."""
        if self.used + wanted <= len(self.targets):
            return
        if 2 * self.unused > self.used:
            starts, targets, weights = self._packed(self.capacity, self.targets, self.weights)
            self.start, self.used, self.unused = starts[:-1].copy(), int(starts[-1]), 0
        else:
            targets, weights = self.targets[: self.used], self.weights
        size = int((self.used + wanted) * (1 + _SPARE)) + 1024
        self.targets = self._enlarged(targets, size)
        if self.weighted:
            self.weights = self._enlarged(weights[: self.used], size)

    def _enlarged(self, old: Any, size: int) -> Any:
        new = self.xp.empty(size, old.dtype)
        new[: len(old)] = old
        return new


def by_row(xp: Any, us: Any) -> tuple[Any, Any]:
    """The distinct rows of ascending ones, and where each begins: one entry more.

    >>> tops, bounds = by_row(np, np.array([2, 2, 7]))
    >>> tops.tolist(), bounds.tolist()
    ([2, 7], [0, 2, 3])
    """
    first = xp.ones(len(us), bool)
    first[1:] = us[1:] != us[:-1]
    begins = xp.flatnonzero(first)
    bounds = xp.full(len(begins) + 1, len(us), np.int64)
    bounds[:-1] = begins
    return us[begins], bounds


def _find(i, start, length, targets, tops, bounds, vs, found):
    v = tops[i]
    at, end = start[v], start[v] + length[v]
    for j in range(bounds[i], bounds[i + 1]):
        at = first_from(targets, at, end, vs[j])
        found[j] = at if at < end and targets[at] == vs[j] else -1


def _insert(i, rows, tops, bounds, place, vs, ws):
    """Merge a row with new targets from its end on, in runs; to another place, if it moves."""
    v, new = tops[i], place[i]
    old, j, first = rows.start[v], bounds[i + 1] - 1, bounds[i]
    end = old + rows.length[v]
    shift = new - old + j + 1 - first
    while j >= first:
        at = lower_bound(rows.targets, old, end, vs[j])
        _move_up(rows, at, end, shift)
        shift -= 1
        rows.targets[at + shift] = vs[j]
        if rows.step:
            rows.weights[at + shift] = ws[j]
        end = at
        j -= 1
    if new != old:
        _move_up(rows, old, end, shift)


def _remove(i, rows, tops, bounds, vs):
    """Close the gaps that some targets of a row leave, run by run."""
    v, j, last = tops[i], bounds[i], bounds[i + 1]
    end = rows.start[v] + rows.length[v]
    at = first_from(rows.targets, rows.start[v], end, vs[j])
    gap = 0
    while j < last:
        gap += 1
        j += 1
        after = first_from(rows.targets, at + 1, end, vs[j]) if j < last else end
        _move_down(rows, at + 1, after, gap)
        at = after


@inner
def _move_up(rows, low, high, shift):
    """Move places from ``low`` to ``high - 1`` by as much as ``shift``, the last one first."""
    size, last, end = np.uint64(high - low), np.uint64(high - 1), np.uint64(high - 1 + shift)
    for back in range(size):
        rows.targets[end - back] = rows.targets[last - back]
    if rows.step:
        for back in range(size):
            rows.weights[end - back] = rows.weights[last - back]


@inner
def _move_down(rows, low, high, gap):
    """Move places from ``low`` to ``high - 1`` down by ``gap``, the first one first."""
    size, first, to = np.uint64(high - low), np.uint64(low), np.uint64(low - gap)
    for e in range(size):
        rows.targets[to + e] = rows.targets[first + e]
    if rows.step:
        for e in range(size):
            rows.weights[to + e] = rows.weights[first + e]


def _copy(i, start, length, starts, old, new, run):
    """Copy some rows, those that lie side by side at once."""
    v, last = i * run, min((i + 1) * run, len(length))
    while v < last:
        begin, at = start[v], starts[v]
        end = begin + length[v]
        v += 1
        while v < last and start[v] == end and starts[v] == at + end - begin:
            end += length[v]
            v += 1
        to, first = np.uint64(at), np.uint64(begin)  # unsigned: many at a time
        for e in range(np.uint64(end - begin)):
            new[to + e] = old[first + e]
