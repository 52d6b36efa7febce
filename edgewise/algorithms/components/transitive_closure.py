"""Transitive closure and transitive reduction [1], 64 vertices at a time as the bits of a word.

For the reduction of an acyclic graph, vertices are processed against the topological order. The
word of u is the union of those of its successors, and of their own bits. An edge (u, v) is
redundant if v is in the word of a successor of u. For the closure, one search runs from each vertex
(`multi_source_bfs`). Threads take different words.

[1] A. Aho, M. Garey, J. Ullman. The transitive reduction of a directed graph. SIAM J. Computing
    1(2), 1972.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.components.strongly_connected_components import (
    strongly_connected_components,
)
from edgewise.algorithms.components.topological_sort import topological_sort
from edgewise.algorithms.partition import plain
from edgewise.algorithms.traversal.multi_source_bfs import multi_source_bfs
from edgewise.base.checks import check_directed, check_one_device
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.subgraphs import only_edges
from edgewise.graph.transfer import check_host
from edgewise.operators import for_each

__all__ = ["transitive_closure", "transitive_reduction"]

#: Distances that are held at once, and words.
_BLOCK, _WORDS = 1 << 24, 1 << 24


@takes_graph
def transitive_closure(graph: LocalGraphLike) -> Any:
    """Return the transitive closure: an edge (u, v) for each path of one edge or more from u to v.

    Parameters
    ----------
    graph : Graph
        Directed; weights are ignored.

    Returns
    -------
    Graph
        With the same vertices and labels. A vertex on a cycle gets a self-loop.

    See Also
    --------
    transitive_reduction : The fewest edges with the same paths.
    descendants : The vertices that one vertex reaches.

    Notes
    -----
    O(n (n + m)) time at most; many searches run at once. The result may have n² edges.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> closure = transitive_closure(Graph.from_edges([0, 1], [1, 2], directed=True))
    >>> list(zip(*(ends.tolist() for ends in closure.edges()[:2])))
    [(0, 1), (0, 2), (1, 2)]
    """
    check_one_device(graph, "transitive_closure")
    check_directed(graph, "transitive_closure")
    n, xp = graph.num_vertices, graph.xp
    far, height = np.iinfo(np.int32).max, max(_BLOCK // max(n, 1), 64)
    ends = [(xp.empty(0, np.int64),) * 2]
    for low in range(0, n, height):
        sources = np.arange(low, min(low + height, n))
        rows, reached = xp.nonzero(multi_source_bfs(graph, sources) < far)
        ends.append((rows + low, reached))
    sources, targets = (xp.concatenate(column) for column in zip(*ends, strict=True))
    others = sources != targets
    looped = _on_cycles(graph)
    closure = Graph.from_edges(
        xp.concatenate((sources[others], looped)), xp.concatenate((targets[others], looped)),
        directed=True, num_vertices=n,
    )  # fmt: skip
    return closure if graph.labels is None else closure.with_labels(graph.labels)


def _on_cycles(graph: Graph) -> Any:
    """The vertices with a self-loop, and those whose component has another vertex."""
    xp, n = graph.xp, graph.num_vertices
    u, v, _ = graph.arcs()
    label = plain(strongly_connected_components(graph))
    cyclic = xp.bincount(label, minlength=n)[label] > 1 if n else xp.zeros(0, bool)
    cyclic[u[u == v]] = True
    return xp.flatnonzero(cyclic)


@takes_graph
def transitive_reduction(graph: LocalGraphLike) -> Any:
    """Return the transitive reduction: the fewest edges of an acyclic graph with the same paths.

    Parameters
    ----------
    graph : Graph
        Directed, without cycles, in host memory.

    Returns
    -------
    Graph
        The graph without its redundant edges: those whose ends another path joins. Weights and
        labels are kept.

    Raises
    ------
    ValueError
        If there is a cycle; the message lists its vertices.

    See Also
    --------
    transitive_closure : All edges with the same paths.

    Notes
    -----
    O(n m / 64) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1], [1, 2, 2], directed=True)
    >>> list(zip(*(ends.tolist() for ends in transitive_reduction(graph).edges()[:2])))
    [(0, 1), (1, 2)]
    """
    check_host(graph, "transitive_reduction")
    check_directed(graph, "transitive_reduction")
    order, n = topological_sort(graph), graph.num_vertices
    redundant, words = graph.full_arcs(0, np.int32), (n + 63) // 64
    width = max(min(words, _WORDS // max(n, 1)), 1)
    for low in range(0, words, width):
        count = min(width, words - low)
        state = (graph.indptr, graph.indices, order, low, np.zeros((count, n), np.uint64),
                 redundant)  # fmt: skip
        for_each(count, _reduce, state, work=count * (graph.num_arcs + n))
    return only_edges(graph, redundant == 0)


def _reduce(i, indptr, indices, order, low, words, redundant):
    """Find the redundant edges to the 64 vertices of one word."""
    first = 64 * (low + i)
    for j in range(len(order) - 1, -1, -1):
        u = order[j]
        beyond, heads = np.uint64(0), np.uint64(0)
        for e in range(indptr[u], indptr[u + 1]):
            v = np.int64(indices[e])
            beyond |= words[i, v]
            if first <= v < first + 64:
                heads |= np.uint64(1) << np.uint64(v - first)
        if beyond & heads:
            for e in range(indptr[u], indptr[u + 1]):
                v = np.int64(indices[e])
                if first <= v < first + 64 and (beyond >> np.uint64(v - first)) & np.uint64(1):
                    redundant[e] = 1
        words[i, u] = beyond | heads
