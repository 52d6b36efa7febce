"""Eccentricities of a very small graph by one search per vertex, on one thread.

This takes less time than starting the first few searches of `eccentricity_bounds`. O(n m) work.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.traversal.bfs import search
from edgewise.graph import Graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators.adjacency import unsigned
from edgewise.operators.sequential import going, sequential, sequential_or

__all__ = ["all_depths"]

#: Vertices times arcs: searches of about a millisecond in all.
_STEPS = 1 << 20


def all_depths(graph: AnyGraph) -> np.ndarray | None:
    """Return the distance from every vertex to the farthest one that it reaches.

    None unless searching from every vertex is faster than choosing the searches.
    """
    few = graph.num_vertices * graph.num_arcs <= _STEPS
    return sequential_or(graph, _searched, _nothing) if few else None


def _nothing(graph: AnyGraph) -> None:
    """No rows to search."""


def _searched(graph: Graph) -> np.ndarray:
    n, indptr, indices = graph.num_vertices, unsigned(graph.indptr), unsigned(graph.indices)
    deepest, distance = np.empty(n, np.int32), np.empty(n, np.int32)
    scratch = np.empty(n, graph.id_dtype), np.empty(n, indices.dtype)
    sequential(_from_all, (indptr, indices, deepest, distance, *scratch), steps=n)
    return deepest


def _from_all(control, indptr, indices, deepest, distance, parent, queue):
    for source in range(len(deepest)):
        if source % 1024 == 0 and not going(control, source):
            return
        last = search(control, indptr, indices, distance, parent, queue, source, len(deepest))
        deepest[source] = distance[queue[last - np.uint64(1)]]
