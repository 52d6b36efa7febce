"""Flows along shortest augmenting paths (Dinic [1]), on one CPU thread.

Each phase begins with a breadth-first search from the target, backward along arcs with residual
capacity, that ends at the source. height[v] is the number of arcs from v to the target, and n if
the search did not reach v. Then a depth-first search from the source saturates paths whose arcs
lead one step down. When a search does not reach the source, the flow is a maximum flow.

O(n^2 m) work at most, but usually about that of a few searches. A flow that takes much longer is
left unfinished, and `edgewise.algorithms.flows.push_relabel` continues from it.

[1] E. Dinic. Algorithm for solution of a problem of maximum flow in a network with power
    estimation. Soviet Mathematics Doklady 11, 1970.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.base.observe import notify
from edgewise.graph import Graph
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential, sequential_or

__all__ = ["augment"]

#: The flow is left unfinished after so many looks at arcs, in graphs that are small by `is_small`
#: with this factor; in larger ones, after so many for each vertex and arc.
_LONG, _SMALL, _TIMES = 1 << 25, 16, 16
#: So many arcs lie between two questions whether to go on: a fraction of a millisecond.
_LOOK = 1 << 14
#: Places in ``counts``: vertices in the queue, arcs looked at, 1 if the flow is finished, phases.
_REACHED, _LOOKED, _FINISHED, _PHASES = range(4)


class Residual(NamedTuple):
    """The residual network: a symmetric graph, and the residual capacity of its arcs."""

    indptr: Any
    indices: Any
    reverse: Any  # the reverse of every arc
    capacity: Any
    source: int
    target: int


class Search(NamedTuple):
    """The heights of a phase, the arrays of its searches, and the flow sent."""

    height: Any
    queue: Any
    cursor: Any  # the arc of every vertex at which its search goes on
    path: Any  # the arcs from the source to where the search is
    value: Any
    counts: Any
    patience: int  # so many looks at arcs, then the flow is left unfinished


def augment(graph: Graph, residual: Any, source: int, target: int) -> tuple[Any, Any]:
    """Send as much flow as possible from ``source`` to ``target``, and update ``residual``.

    Return the amount, and a boolean mask of the vertices that cannot reach the target any more. The
    mask is None if the flow is unfinished.
    """
    n, dtype = graph.num_vertices, graph.indices.dtype
    height, queue = np.full(n, n, dtype), np.empty(n, dtype)
    cursor, path = np.empty(n, np.int64), np.empty(n, np.int64)
    value, counts = np.zeros(1, residual.dtype), np.zeros(4, np.int64)
    patience = sequential_or(graph, _long, _by_size, times=_SMALL)
    arcs = graph.indptr, graph.indices, graph.reverse_arc
    network = Residual(*arcs, residual, source, target)
    search = Search(height, queue, cursor, path, value, counts, patience)
    sequential(_augment, (network, search), steps=patience, work=32 * graph.num_arcs)
    notify(0, phase="augment", searches=int(counts[_PHASES]))
    return value[0].item(), height == n if counts[_FINISHED] else None


def _long(graph: Graph) -> int:
    return _LONG


def _by_size(graph: Graph) -> int:
    return _TIMES * (graph.num_vertices + graph.num_arcs)


def _augment(control, network, search):
    going_on = True
    while going_on:
        search.counts[_PHASES] += 1
        going_on = _search(control, network, search) and _saturate(control, network, search)


@inner
def _search(control, network, search):
    """Make heights exact; is there a way from the source, and are we to go on?"""
    indptr, indices, reverse, capacity, source, target = network
    height, queue, cursor, _, _, counts, patience = search
    n, looked, due = len(height), counts[_LOOKED], 0
    for i in range(counts[_REACHED]):
        height[queue[i]] = n
    height[target], queue[0], head, tail = 0, target, 0, 1
    while head < tail and height[source] == n:
        if looked >= due:
            due = looked + _LOOK
            if looked >= patience or not going(control, looked):
                return False
        v = queue[head]
        head += 1
        looked += 1 + indptr[v + 1] - indptr[v]
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if height[u] == n and capacity[reverse[e]] > 0:
                height[u], cursor[u], queue[tail] = height[v] + 1, indptr[u], u
                tail += 1
    counts[_REACHED], counts[_LOOKED], counts[_FINISHED] = tail, looked, height[source] == n
    return height[source] < n


@inner
def _saturate(control, network, search):
    """Fill paths to the target along arcs that lead one step down; are we to go on?"""
    indptr, indices, reverse, capacity, source, target = network
    height, _, cursor, path, value, counts, patience = search
    n, looked, due = len(height), counts[_LOOKED], 0
    v, depth = np.int64(source), 0
    while True:
        if looked >= due:
            due = looked + _LOOK
            if looked >= patience or not going(control, looked):
                return False
        if v == target:
            looked += depth
            amount = capacity[path[0]]
            for i in range(1, depth):
                amount = min(amount, capacity[path[i]])
            value[0] += amount
            for i in range(depth - 1, -1, -1):
                e = path[i]
                capacity[e] -= amount
                capacity[reverse[e]] += amount
                if capacity[e] <= 0:
                    depth = i  # the first arc that is full: the search goes on before it
            v = np.int64(indices[reverse[path[depth]]])
        e, end = cursor[v], indptr[v + 1]
        while e < end and not (capacity[e] > 0 and height[indices[e]] == height[v] - 1):
            e += 1
        looked += 1 + e - cursor[v]
        cursor[v] = e
        if e < end:
            path[depth], v = e, np.int64(indices[e])
            depth += 1
        elif depth > 0:  # no way on: back by one arc, which is not taken again
            height[v], depth = n, depth - 1
            v = np.int64(indices[reverse[path[depth]]])
        else:
            counts[_LOOKED] = looked
            return True
