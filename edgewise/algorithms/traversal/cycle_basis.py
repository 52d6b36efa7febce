"""A basis of the cycles of an undirected graph: the fundamental cycles of a search forest [1].

One CPU thread searches breadth-first from the smallest vertex of each component. Every edge outside
the forest closes one cycle with the paths from its ends to their nearest common ancestor. Cycles
are measured and written in parallel. O(n + m) work, plus the lengths of the cycles.

[1] G. Kirchhoff. Annalen der Physik und Chemie 72, 1847.
"""

from __future__ import annotations

import numpy as np

from edgewise.algorithms.traversal.path_list import PathList
from edgewise.base.checks import check_undirected
from edgewise.base.memory import free_memory
from edgewise.base.offsets import offsets
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators import for_each
from edgewise.operators.sequential import going, sequential

__all__ = ["cycle_basis"]


@takes_graph
def cycle_basis(graph: LocalGraphLike) -> PathList:
    """Return a basis of the cycles of an undirected graph.

    Every cycle is a symmetric difference of cycles of the basis, in exactly one way.

    Parameters
    ----------
    graph : Graph
        Undirected, in host memory.

    Returns
    -------
    PathList
        m - n + c cycles for n vertices, m edges and c components: one for each edge that is not in
        a breadth-first search forest, in the order of ``graph.edges()``. A cycle lists its
        vertices once; the last one is adjacent to the first. A self-loop is a cycle of one vertex.

    See Also
    --------
    simple_cycles : All simple cycles.
    bridges : The edges on no cycle.

    Notes
    -----
    O(n + m) time, plus the lengths of all cycles in the basis.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> cycle_basis(Graph.from_edges([0, 1, 2, 3, 0], [1, 2, 3, 0, 2])).lists()
    [[1, 0, 2], [2, 0, 3]]
    """
    check_host(graph, "cycle_basis")
    check_undirected(graph, "cycle_basis")
    n, work = graph.num_vertices, 4 * graph.num_arcs
    parents, depth, queue = np.full(n, -1), np.zeros(n, np.int64), np.empty(n, np.int64)
    state = (graph.indptr, graph.indices, parents, depth, queue)
    sequential(_search, state, steps=n, work=graph.num_arcs)
    u, v, _ = graph.edges()
    outside = (u == v) | ((parents[u] != v) & (parents[v] != u))
    u, v = u[outside].astype(np.int64), v[outside].astype(np.int64)
    sizes = np.empty(len(u), np.int64)
    for_each(len(u), _measure, (u, v, parents, depth, sizes), work=work)
    indptr = offsets(sizes)
    if 8 * int(indptr[-1]) > free_memory():
        raise MemoryError(f"{len(u):,} cycles exceed the free memory")
    vertices = np.empty(indptr[-1], np.int64)
    for_each(len(u), _write, (u, v, parents, depth, indptr, vertices), work=work + len(vertices))
    return PathList(indptr, vertices, True)


def _search(control, indptr, indices, parents, depth, queue):
    """The breadth-first search forest; roots are their own parents."""
    low = high = 0
    for root in range(len(parents)):
        if parents[root] < 0:
            parents[root], queue[high] = root, root
            high += 1
        while low < high:
            u = queue[low]
            low += 1
            if low % 1024 == 0 and not going(control, low):
                return
            for e in range(indptr[u], indptr[u + 1]):
                v = np.int64(indices[e])
                if parents[v] < 0:
                    parents[v], depth[v], queue[high] = u, depth[u] + 1, v
                    high += 1


def _measure(i, ends, others, parents, depth, sizes):
    """The number of vertices on the cycle of an edge."""
    u, v, size = ends[i], others[i], 1
    while u != v:
        if depth[u] >= depth[v]:
            u = parents[u]
        else:
            v = parents[v]
        size += 1
    sizes[i] = size


def _write(i, ends, others, parents, depth, indptr, vertices):
    """Write the cycle of an edge, from both ends to the ancestor."""
    u, v, low, high = ends[i], others[i], indptr[i], indptr[i + 1] - 1
    vertices[low], vertices[high] = u, v
    while u != v:
        if depth[u] >= depth[v]:
            u, low = parents[u], low + 1
            vertices[low] = u
        else:
            v, high = parents[v], high - 1
            vertices[high] = v
