"""The two sides of an undirected graph by a short search on one CPU thread."""

from __future__ import annotations

import numpy as np

from edgewise.graph import Graph
from edgewise.operators.adjacency import unsigned
from edgewise.operators.sequential import sequential

__all__ = ["two_sides"]

#: What is found, and after how many edges and vertices the search is left unfinished.
_EVEN, _ODD, _UNKNOWN, _LOOKED_AT = 0, 1, 2, 1 << 18


def two_sides(graph: Graph) -> bool | None:
    """Return whether all edges join two sides; None if a short search does not decide it."""
    indptr, indices, n = unsigned(graph.indptr), unsigned(graph.indices), graph.num_vertices
    found, side = np.zeros(1, np.int64), np.zeros(n, np.int8)
    state = (indptr, indices, side, np.empty(n, indices.dtype), found)
    sequential(_part, state, steps=min(graph.num_arcs, _LOOKED_AT))
    return None if found[0] == _UNKNOWN else bool(found[0] == _EVEN)


def _part(control, indptr, indices, side, queue, found):
    """Search from every vertex that has no side yet; sides are 1 and 2.

    found[0] tells of an edge within a side, or that all edges join two sides, or that this many
    edges were not enough to know.
    """
    left = np.int64(_LOOKED_AT)
    for root in range(len(side)):
        if side[root] > 0:
            continue
        side[root], queue[0], head, tail = 1, root, np.uint64(0), np.uint64(1)
        while head < tail:
            v = queue[head]
            head += np.uint64(1)
            low, high = indptr[v], indptr[v + np.uint64(1)]
            left -= np.int64(high - low) + 1
            if left < 0:
                found[0] = _UNKNOWN
                return
            other = np.int8(3) - side[v]
            for e in range(low, high):
                u = indices[e]
                if side[u] == 0:
                    side[u], queue[tail] = other, u
                    tail += np.uint64(1)
                elif side[u] != other:
                    found[0] = _ODD
                    return
