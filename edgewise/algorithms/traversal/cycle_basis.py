"""A basis of the cycles of an undirected graph, by Paton's algorithm [1].

A search takes the vertex found last. When it processes z, an edge to a vertex that is found but not
processed closes a cycle: from z along the tree to the first vertex that is adjacent to the other
end. Every cycle of the graph is a symmetric difference of these. The first pass counts, and the
second writes. One CPU thread; O(n + m) time, plus the lengths of the cycles.

[1] K. Paton. An algorithm for finding a fundamental set of cycles for an undirected linear graph.
    Communications of the ACM 12(9), 1969.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.traversal.path_list import PathList
from edgewise.base.checks import check_undirected
from edgewise.base.memory import free_memory
from edgewise.base.offsets import offsets
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.helpers import find_edge, inner
from edgewise.operators.sequential import going, sequential

__all__ = ["basis_of", "cycle_basis"]


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
        m - n + c cycles for n vertices, m edges and c components. Each cycle lists its vertices
        once; the last one is adjacent to the first. A self-loop is a cycle of one vertex.

    See Also
    --------
    simple_cycles : All simple cycles.
    bridges : The edges on no cycle.

    Notes
    -----
    O(n + m) time, plus the lengths of all cycles in the basis, each times O(log d).

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> cycle_basis(Graph.from_edges([0, 1, 2, 3, 0], [1, 2, 3, 0, 2])).lists()
    [[2, 3, 0], [1, 2, 0]]
    """
    check_host(graph, "cycle_basis")
    check_undirected(graph, "cycle_basis")
    return basis_of(graph.indptr, graph.indices, graph.indices, np.arange(graph.num_vertices))


def basis_of(indptr: Any, targets: Any, ordered: Any, roots: Any) -> PathList:
    """The basis of the rows ``targets``, searched from the roots; ``ordered`` rows ascend."""
    n, m = len(indptr) - 1, len(targets)
    found, none = np.zeros(2, np.int64), np.empty(0, np.int64)
    stack, kept = np.empty(n, np.int64), (none, none)
    for phase in ("count", "list"):
        parents, done = np.full(n, -1, np.int64), np.zeros(n, np.bool_)
        state = (indptr, targets, ordered, roots, parents, done, stack, *kept, found)
        sequential(_paton, state, steps=n, work=4 * m, phase=phase)
        if phase == "count":
            if 8 * int(found.sum()) > free_memory():
                raise MemoryError(f"{found[0]:,} cycles exceed the free memory")
            kept = np.empty(found[0], np.int64), np.empty(found[1], np.int64)
            found[:] = 0
    return PathList(offsets(kept[0]), kept[1], True)


def _paton(control, indptr, targets, ordered, roots, parents, done, stack, sizes, vertices, found):
    """Count the cycles and their vertices in ``found``, or write them."""
    steps, size = 0, 0
    for root in roots:
        if parents[root] < 0:
            parents[root], stack[0], size = root, root, 1
        while size > 0:
            size -= 1
            z = stack[size]
            for e in range(indptr[z], indptr[z + 1]):
                steps += 1
                if steps % 1024 == 0 and not going(control, steps):
                    return
                other = np.int64(targets[e])
                if parents[other] < 0:
                    parents[other], stack[size] = z, other
                    size += 1
                elif not done[other]:
                    _close(indptr, ordered, parents, z, other, sizes, vertices, found)
            done[z] = True


@inner
def _close(indptr, ordered, parents, z, other, sizes, vertices, found):
    """The cycle of an edge: its ends, then the ancestors of z up to a neighbor of the other end."""
    at, v, closed = found[1], z, z == other
    writing = len(sizes) > 0
    if writing:
        vertices[at] = other
    at += 1
    while not closed:
        if writing:
            vertices[at] = v
        at += 1
        closed = v != z and find_edge(indptr, ordered, v, other) >= 0
        v = parents[v]
    if writing:
        sizes[found[0]] = at - found[1]
    found[0] += 1
    found[1] = at
