"""A walk along every edge exactly once, by Hierholzer's algorithm [1], on one CPU thread.

It exists if all edges are connected and at most two vertices are odd: the ends of the walk. A
vertex is odd if its degree is, or in a directed graph if out-degree and in-degree differ by one.
A stack holds the walk so far; where it is stuck, its last vertex is the next from behind.

[1] C. Hierholzer. Ueber die Moeglichkeit, einen Linienzug ohne Wiederholung und ohne Unterbrechung
    zu umfahren. Mathematische Annalen 6, 1873.
"""

from __future__ import annotations

import numpy as np

from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host, row_ids
from edgewise.operators.sequential import going, sequential

__all__ = ["eulerian_path"]


@takes_graph
def eulerian_path(graph: LocalGraphLike) -> np.ndarray:
    """Return the vertices of an Eulerian path: a walk along every edge exactly once.

    Parameters
    ----------
    graph : Graph
        Directed or undirected, in host memory.

    Returns
    -------
    array of int64
        The vertices in order, one more than there are edges. If the first and the last are equal,
        it is an Eulerian circuit. Empty if there is no such walk, or no edge.

    Notes
    -----
    O(n + m) time. The walk starts at the vertex with an additional edge, or at the smallest vertex
    with an edge. Vertices without edges are left out.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> eulerian_path(Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])).tolist()
    [2, 0, 1, 2, 3]
    >>> eulerian_path(Graph.from_edges([0, 0, 0], [1, 2, 3])).tolist()
    []
    """
    check_host(graph, "eulerian_path")
    none, start = np.empty(0, np.int64), _start(graph)
    if start is None:
        return none
    m = graph.num_edges
    used, walk, found = np.zeros(m, np.bool_), np.empty(m + 1, np.int64), np.zeros(1, np.int64)
    state = (graph.indptr, graph.indices, graph.arc_to_edge, graph.indptr[:-1].copy(), used,
             np.empty(m + 1, np.int64), walk, start, found)  # fmt: skip
    sequential(_walk, state, steps=2 * m, work=graph.num_arcs, phase="walk")
    return walk[::-1].copy() if found[0] == m + 1 else none


def _start(graph: Graph) -> int | None:
    """The vertex to start from, if the degrees allow a walk."""
    if graph.num_edges == 0:
        return None
    out = graph.row_lengths()
    if graph.directed:
        excess = out - graph.column_lengths()
        first, last = np.flatnonzero(excess == 1), np.flatnonzero(excess == -1)
        if len(first) > 1 or len(first) != len(last) or abs(excess).sum() > 2:
            return None
        return int(first[0] if len(first) else (out > 0).argmax())
    loops = np.bincount(graph.indices[row_ids(graph) == graph.indices], minlength=len(out))
    odd = np.flatnonzero((out + loops) % 2)
    return None if len(odd) > 2 else int(odd[0] if len(odd) else (out > 0).argmax())


def _walk(control, indptr, indices, edge, cursor, used, stack, walk, start, found):
    """Walk until stuck, go back to the last vertex with an edge left, and so on."""
    stack[0], size, steps = start, 1, 0
    while size > 0:
        steps += 1
        if steps % 4096 == 0 and not going(control, steps):
            return
        v = stack[size - 1]
        e = cursor[v]
        while e < indptr[v + 1] and used[edge[e]]:
            e += 1
        cursor[v] = e + 1
        if e >= indptr[v + 1]:
            cursor[v] = e
            walk[found[0]] = v
            found[0] += 1
            size -= 1
            continue
        used[edge[e]] = True
        stack[size] = indices[e]
        size += 1
