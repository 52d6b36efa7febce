"""Flows along shortest augmenting paths (Dinic [1]), on one CPU thread.

The first paths are found by searches from both ends (`edgewise.algorithms.flows.meeting`), which
complete flows of a few paths. Other flows continue in phases. Each phase begins with a
breadth-first search from the target, backward along arcs with residual capacity, that ends at the
source. height[v] is the number of arcs from v to the target, and n if the search did not reach v.
Then a depth-first search from the source saturates paths whose arcs lead one step down. When a
search does not reach the source, the flow is a maximum flow.

O(n^2 m) work at most, but usually about that of a few searches. A flow that takes much longer is
left unfinished, and `edgewise.algorithms.flows.push_relabel` continues from it.

[1] E. Dinic. Algorithm for solution of a problem of maximum flow in a network with power
    estimation. Soviet Mathematics Doklady 11, 1970.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.flows.flow_memory import (
    FINISHED,
    LOOKED,
    SEARCHES,
    Memory,
    Residual,
    memory_for,
)
from edgewise.algorithms.flows.meeting import meet, reach
from edgewise.base.observe import notify
from edgewise.graph import Graph
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential, sequential_or

__all__ = ["augment"]

#: The flow is left unfinished after so many looks at arcs, in graphs that are small by `is_small`
#: with this factor; in larger ones, after so many for each vertex and arc.
_LONG, _SMALL, _TIMES = 1 << 25, 16, 16
#: Searches from both ends look at so many arcs for each vertex and arc of the graph, if one end has
#: no more than so many arcs; and at a fraction of the arcs if both have more.
_TWO_ENDED, _FEW, _FRACTION = 4, 8, 4
#: So many arcs lie between two questions whether to go on: a fraction of a millisecond.
_LOOK = 1 << 14


def augment(
    graph: Graph,
    residual: Any,
    source: int,
    target: int,
    *,
    limit: Any = None,
    sides: bool = True,
    patience: int | None = None,
    memory: Memory | None = None,
) -> tuple[Any, Any]:
    """Send as much flow as possible from ``source`` to ``target``, and update ``residual``.

    Return the amount, and a boolean mask of the vertices that cannot reach the target any more. The
    mask is None if the flow is unfinished: after ``patience`` looks at arcs, or with ``limit`` if
    it gets there. With ``sides=False`` it is also None if all arcs of one end are saturated.
    ``memory`` is that of earlier flows in the graph.
    """
    both, search = memory_for(graph, residual.dtype) if memory is None else memory
    value, counts = both.value, both.counts
    value[0], counts[LOOKED], counts[FINISHED], search.reached[:] = 0, 0, 0, (-1, 0)
    patience = patience or sequential_or(graph, _long, _by_size, times=_SMALL)
    network = Residual(graph.indptr, graph.indices, graph.reverse_arc, residual)
    whole = residual.dtype.kind == "i"
    most = (np.iinfo(np.int64).max if whole else np.inf) if limit is None else limit
    state = (
        network,
        both,
        search,
        source,
        target,
        residual.dtype.type(most),
        patience,
        sides,
        whole,
    )
    before = int(counts[SEARCHES])
    sequential(_augment, state, steps=patience, work=32 * graph.num_arcs)
    notify(0, phase="augment", searches=int(counts[SEARCHES]) - before + int(search.reached[1]))
    if not counts[FINISHED]:
        return value[0].item(), None
    if search.reached[0] >= 0:
        return value[0].item(), search.height == graph.num_vertices
    return value[0].item(), both.seen[1] != counts[SEARCHES]


def _long(graph: Graph) -> int:
    return _LONG


def _by_size(graph: Graph) -> int:
    return _TIMES * (graph.num_vertices + graph.num_arcs)


def _augment(control, network, both, search, source, target, limit, patience, sides, whole):
    indptr, indices, reverse, capacity = network
    size = len(indices) + len(search.height)
    leaving, entering = indptr[source + 1] - indptr[source], indptr[target + 1] - indptr[target]
    few = min(leaving, entering) <= _FEW
    first = min(patience, _TWO_ENDED * size if few else size // _FRACTION)
    # no flow exceeds the capacity of the arcs out of the source, or into the target; with rounding,
    # a flow of that value may leave them a residual capacity
    out, into = both.value[0], both.value[0]
    for e in range(indptr[source], indptr[source + 1]):
        out += capacity[e] if indices[e] != source else 0
    for e in range(indptr[target], indptr[target + 1]):
        if into < out:
            into += capacity[reverse[e]] if indices[e] != target else 0
    bound = min(out, into) if whole else limit
    if meet(control, network, both, source, target, min(limit, bound), first):
        if both.counts[FINISHED] or (sides and both.value[0] >= bound):
            reach(control, network, both, target)
        return
    if both.counts[LOOKED] >= patience or not going(control, both.counts[LOOKED]):
        return
    for v in range(len(search.height)):
        search.height[v] = len(search.height)
    search.reached[0] = 0
    going_on = True
    while going_on and both.value[0] < limit:
        search.reached[1] += 1
        going_on = _search(control, network, both, search, source, target, patience) and _saturate(
            control, network, both, search, source, target, patience
        )


@inner
def _search(control, network, both, search, source, target, patience):
    """Make heights exact; is there a way from the source, and are we to go on?"""
    indptr, indices, reverse, capacity = network
    height, queue, cursor, _, reached = search
    n, looked, due = len(height), both.counts[LOOKED], 0
    for i in range(reached[0]):
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
    reached[0], both.counts[LOOKED], both.counts[FINISHED] = tail, looked, height[source] == n
    return height[source] < n


@inner
def _saturate(control, network, both, search, source, target, patience):
    """Fill paths to the target along arcs that lead one step down; are we to go on?"""
    indptr, indices, reverse, capacity = network
    height, _, cursor, path, _ = search
    n, looked, due = len(height), both.counts[LOOKED], 0
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
            both.value[0] += amount
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
            both.counts[LOOKED] = looked
            return True
