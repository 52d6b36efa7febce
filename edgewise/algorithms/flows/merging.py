"""Global minimum cuts by flows into a growing set, where contraction makes little progress.

``inside`` marks vertices that no cut below the best one separates, at first the vertex 0. A flow
from all of them to a next vertex either reaches the value of the best cut, or gives a better one.
In both cases the vertex joins them. The searches for augmenting paths run backward from the vertex
and end at the first one that is inside, which is near once these are many.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.flows.flow_memory import LOOKED, SEARCHES, Residual, two_searches
from edgewise.algorithms.flows.meeting import restore, send
from edgewise.graph import Graph
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["merged"]

#: Changed arcs that are noted; after more of them, all arcs are restored.
_LOG = 1 << 16
#: So many arcs lie between two questions whether to go on: a fraction of a millisecond.
_LOOK = 1 << 14


def merged(graph: Graph, capacity: Any, best: Any) -> Any:
    """Lower ``best`` to the value of a minimum cut of a connected graph.

    Return a side of it, or None if no cut is better.
    """
    n, before = graph.num_vertices, best[0]
    both = two_searches(graph, capacity.dtype, min(_LOG, graph.num_arcs))
    inside, side, order = np.zeros(n, np.bool_), np.zeros(n, np.bool_), np.empty(n, np.int64)
    network = Residual(graph.indptr, graph.indices, graph.reverse_arc, capacity.copy())
    state = (network, both, capacity, inside, order, side, best)
    sequential(_merge_all, state, steps=n, work=64 * graph.num_arcs, phase="merge")
    return side if best[0] < before else None


def _merge_all(control, network, both, capacity, inside, order, side, best):
    indptr, indices, _, _ = network
    order[0], inside[0], head, tail = 0, True, 0, 1
    while head < tail:  # breadth first
        v = order[head]
        head += 1
        for e in range(indptr[v], indptr[v + 1]):
            u = np.int64(indices[e])
            if not inside[u]:
                if not _fill(control, network, both, inside, side, best, u, tail):
                    return
                restore(network, both, capacity)
                inside[u], order[tail] = True, u
                tail += 1


@inner
def _fill(control, network, both, inside, side, best, target, done):
    """Send flow to a vertex, up to the best cut; False if interrupted."""
    value = both.value
    while value[0] < best[0]:
        at = _search(control, network, both, inside, target, done)
        if at == -2:
            return False
        if at == -1:
            best[0] = value[0]
            for v in range(len(side)):
                side[v] = both.seen[1, v] == both.counts[SEARCHES]
        else:
            send(network, both, at, target, at, best[0] - value[0])
    return True


@inner
def _search(control, network, both, inside, target, done):
    """Return the first vertex inside that has a path to the target; -1 if none, -2 if stopped."""
    indptr, indices, reverse, capacity = network
    seen, arc, queue, counts = both.seen[1], both.arc[1], both.queue[1], both.counts
    counts[SEARCHES] += 1
    stamp, looked, due = np.int32(counts[SEARCHES]), counts[LOOKED], 0
    seen[target], queue[0], head, tail = stamp, target, 0, 1
    while head < tail:
        v = queue[head]
        head += 1
        looked += 1 + indptr[v + 1] - indptr[v]
        if looked >= due:
            due = looked + _LOOK
            if not going(control, done):
                return np.int64(-2)
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if seen[u] != stamp and capacity[reverse[e]] > 0:
                seen[u], arc[u] = stamp, reverse[e]
                if inside[u]:
                    counts[LOOKED] = looked
                    return np.int64(u)
                queue[tail] = u
                tail += 1
    counts[LOOKED] = looked
    return np.int64(-1)
