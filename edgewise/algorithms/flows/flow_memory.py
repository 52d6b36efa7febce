"""The arrays of flows along augmenting paths; they serve one flow after another in a graph."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.graph import Graph

__all__ = ["FINISHED", "HIGH", "LOGGED", "LOOKED", "LOW", "SEARCHES", "Memory", "Phases",
           "Residual", "TwoSearches", "memory_for", "two_searches"]  # fmt: skip

#: Places in ``counts``: arcs looked at, 1 if the flow is finished, the number of the last search,
#: the frontier of the search from the target, and the arcs in the log.
LOOKED, FINISHED, SEARCHES, LOW, HIGH, LOGGED = range(6)


class Residual(NamedTuple):
    """The residual network: a symmetric graph, and the residual capacity of its arcs."""

    indptr: Any
    indices: Any
    reverse: Any  # the reverse of every arc
    capacity: Any


class TwoSearches(NamedTuple):
    """The arrays of both searches, the flow sent, and counts."""

    seen: Any
    arc: Any  # the arc to each vertex on the way from the source, and from it to the target
    queue: Any
    log: Any  # the first arcs of which the capacity has changed
    value: Any
    counts: Any


def two_searches(graph: Graph, dtype: Any, log: int = 0) -> TwoSearches:
    """Return arrays for searches in a graph, with flows of a type."""
    n = graph.num_vertices
    seen, arc = np.zeros((2, n), np.int32), np.empty((2, n), np.int64)
    queue = np.empty((2, n), graph.id_dtype)
    return TwoSearches(seen, arc, queue, np.empty(log, np.int64), np.zeros(1, dtype),
                   np.zeros(6, np.int64))  # fmt: skip


class Phases(NamedTuple):
    """The arrays of the phases."""

    height: Any
    queue: Any
    cursor: Any  # the arc of every vertex at which its search goes on
    path: Any  # the arcs from the source to where the search is
    reached: Any  # vertices in the queue, -1 before the first phase; and phases


class Memory(NamedTuple):
    """The arrays of all searches; they serve one flow after another in a graph."""

    both: TwoSearches
    search: Phases


def memory_for(graph: Graph, dtype: Any) -> Memory:
    """Return the arrays for flows of a type in a graph."""
    n, kind = graph.num_vertices, graph.id_dtype
    cursor, path = np.empty(n, np.int64), np.empty(n, np.int64)
    search = Phases(np.empty(n, kind), np.empty(n, kind), cursor, path, np.zeros(2, np.int64))
    return Memory(two_searches(graph, dtype), search)
