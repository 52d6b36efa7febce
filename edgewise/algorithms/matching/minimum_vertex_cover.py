"""Minimum vertex covers of bipartite graphs from maximum matchings (Konig [1]).

Searches from all free vertices of the left side go right along any edge and back along matched
edges. The left vertices that they do not reach and the right vertices that they do are a cover:
every edge has an end in it. It has one vertex of each matched edge, so that no cover is smaller.

[1] D. Konig. Graphok es matrixok. Matematikai es Fizikai Lapok 38, 1931.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.matching.biadjacency import two_sides
from edgewise.algorithms.matching.hopcroft_karp import hopcroft_karp
from edgewise.base.checks import check_undirected
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.sequential import going, sequential

__all__ = ["cover_from", "minimum_vertex_cover"]


@takes_graph
def minimum_vertex_cover(graph: LocalGraphLike, *, sides: Any = None) -> np.ndarray:
    """Return a mask of a minimum vertex cover of a bipartite graph.

    Parameters
    ----------
    graph : Graph
        Undirected and bipartite, in host memory; weights are ignored.
    sides : array of bool over vertices, optional
        A boolean mask of the left side. By default the two sides are found.

    Returns
    -------
    array of bool over vertices
        True for vertices of the cover: every edge has an end there. The others are an independent
        set of maximum size.

    Raises
    ------
    ValueError
        If the graph is directed, on a device, or not bipartite. The message names an edge of an odd
        cycle.

    See Also
    --------
    matching.hopcroft_karp : A maximum matching; it has as many edges as the cover has vertices.

    Notes
    -----
    O(m √n) time on one CPU thread.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> minimum_vertex_cover(Graph.from_edges([0, 1, 2, 2], [3, 3, 3, 4])).tolist()
    [False, False, True, True, False]
    """
    check_host(graph, "minimum_vertex_cover")
    check_undirected(graph, "minimum_vertex_cover")
    left = two_sides(graph) if sides is None else sides
    mate = hopcroft_karp(graph, sides=left).mate
    return cover_from(graph, np.asarray(left), mate)


def cover_from(graph: Graph, left: np.ndarray, mate: np.ndarray) -> np.ndarray:
    """Return the cover that a matching proves; it is one if the matching is a maximum matching."""
    free = np.flatnonzero(left & (mate < 0))
    seen, queue = np.zeros(len(left), np.bool_), np.empty(len(left), np.int64)
    seen[free], queue[: len(free)] = True, free
    state = (graph.indptr, graph.indices, mate.astype(np.int64), seen, queue, len(free))
    sequential(_search, state, steps=len(left), work=graph.num_arcs)
    return np.where(left, ~seen, seen)


def _search(control, indptr, indices, mate, seen, queue, tail):
    head = 0
    while head < tail:
        if head % 256 == 0 and not going(control, head):
            return
        v = queue[head]
        head += 1
        for e in range(indptr[v], indptr[v + 1]):
            u = indices[e]
            if not seen[u]:
                seen[u], after = True, mate[u]
                if after >= 0 and not seen[after]:
                    seen[after], queue[tail] = True, after
                    tail += 1
