"""Shortest paths with negative lengths by Bellman and Ford [1], with a queue [2].

A vertex whose distance has decreased waits in a queue to relax its edges. Parents form a tree
unless there is a negative cycle, on which they run in a circle. They are checked after every n
decreases, so a negative cycle is found early. O(n m) time at most, on one CPU thread.

[1] R. Bellman. On a routing problem. Quarterly of Applied Mathematics 16, 1958.
[2] B. Cherkassky, A. Goldberg. Negative-cycle detection algorithms. Math. Programming 85, 1999.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.traversal.paths import Paths
from edgewise.algorithms.weighting import edge_weights, refuse
from edgewise.base.checks import check_vertex
from edgewise.base.ranges import check_whole
from edgewise.graph import Graph
from edgewise.graph.arrays import RowArrays
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.transfer import check_host
from edgewise.operators.helpers import inner
from edgewise.operators.sequential import going, sequential

__all__ = ["bellman_ford", "signed_lengths"]

#: As many vertices of a cycle are named.
_NAMED = 8


@takes_graph
def bellman_ford(graph: LocalGraphLike, source: int | str, *, weights: Any = "weight") -> Paths:
    """Return shortest-path distances and predecessors from a source; lengths may be negative.

    Parameters
    ----------
    graph : Graph
        In host memory. In a directed graph, paths follow the edges. In an undirected graph, an edge
        of negative length is a negative cycle: back and forth.
    source : int or str
        The vertex to start from, by id or label.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Weights are lengths.

    Returns
    -------
    Paths
        As for `sssp`: ``distance`` is float64 for float lengths and int64 for integer lengths.

    Raises
    ------
    ValueError
        If a negative cycle is reachable from the source; the message lists its vertices. Also if
        ``source`` is not a vertex, or if a length is NaN or minus infinity.

    See Also
    --------
    sssp : Faster, for lengths that are not negative.

    Notes
    -----
    O(n m) time at most; close to O(m) on most graphs.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1], [1, 2, 2], [4.0, 3.0, -2.0], directed=True)
    >>> paths = bellman_ford(graph, 0)
    >>> paths.distance.tolist(), paths.path_to(2)
    ([0.0, 4.0, 2.0], [0, 1, 2])
    >>> bellman_ford(Graph.from_edges([0, 1, 2], [1, 2, 0], [1, 1, -3], directed=True), 0)
    Traceback (most recent call last):
    ValueError: weights must form no negative cycle, got 0 -> 1 -> 2 -> 0
    """
    check_host(graph, "bellman_ford")
    source, n = check_vertex(graph, source), graph.num_vertices
    lengths = signed_lengths(graph, weights)
    whole = lengths.dtype.kind == "i"
    dtype, far = (np.int64, np.iinfo(np.int64).max) if whole else (np.float64, np.inf)
    distance, parent = graph.full(far, dtype), graph.full(-1, graph.id_dtype)
    distance[source], parent[source] = 0, source
    queue, waits, found = np.empty(n, np.int64), np.zeros(n, np.bool_), np.full(1, -1)
    mark = np.zeros(n, np.int64)
    rows = RowArrays(graph.indptr, graph.indices, lengths)
    state = (rows, distance, parent, queue, waits, mark, source, found)
    sequential(_relax, state, steps=n, work=4 * graph.num_arcs, phase="relax")
    if found[0] >= 0:
        raise ValueError(f"weights must form no negative cycle, got {_named(graph, parent, found)}")
    return Paths(distance, parent)


def signed_lengths(graph: Graph, weights: Any, *, finite: bool = False) -> Any:
    """Return the lengths; their sums over any path are within the range of their type."""
    lengths = edge_weights(graph, weights)
    if lengths is None:
        return np.ones(graph.num_arcs, np.int64)
    wrong = ~np.isfinite(lengths) if finite else ~(lengths > -np.inf)
    if wrong.any():
        rule = "be finite" if finite else "not be NaN or minus infinity"
        refuse(graph, lengths, wrong, rule, "->" if graph.directed else "-")
    some = lengths[np.isfinite(lengths)]
    largest = max(-float(some.min(initial=0)), float(some.max(initial=0)))
    if lengths.dtype.kind == "i":
        check_whole(largest * (graph.num_vertices + 1), "distances")
    elif not largest * (graph.num_vertices + 1) < 1e308:
        raise ValueError("weights must keep distances within float64, got a length of "
                         f"{largest:.3g}")  # fmt: skip
    return lengths


def _named(graph: Graph, parent: Any, found: Any) -> str:
    """The vertices of a cycle of parents, in the direction of the edges."""
    cycle, v = [int(found[0])], int(parent[found[0]])
    while v != cycle[0]:
        cycle.append(v)
        v = int(parent[v])
    cycle = [min(cycle), *_after(cycle[::-1], min(cycle))]
    words = [str(graph.label(v)) for v in cycle[:_NAMED]]
    return " -> ".join([*words, "..."] if len(cycle) > _NAMED else [*words, words[0]])


def _after(cycle: list[int], first: int) -> list[int]:
    """The others of a cycle, from one on."""
    at = cycle.index(first)
    return cycle[at + 1 :] + cycle[:at]


def _relax(control, rows, distance, parent, queue, waits, mark, source, found):
    """Process the circular queue; ``found`` gets a vertex on a negative cycle."""
    indptr, indices, lengths = rows
    n = len(queue)
    queue[0], waits[source] = source, True
    head, size, decreases, rounds = 0, 1, 0, 0
    while size > 0:
        v = queue[head]
        head = head + 1 if head + 1 < n else 0
        size -= 1
        waits[v] = False
        for e in range(indptr[v], indptr[v + 1]):
            u, length = np.int64(indices[e]), distance[v] + lengths[e]
            if lengths[e] == np.inf or length >= distance[u]:
                continue
            distance[u], parent[u] = length, v
            if u == v:
                found[0] = v
                return
            decreases += 1
            if not waits[u]:
                tail = head + size
                queue[tail if tail < n else tail - n], waits[u] = u, True
                size += 1
        if decreases >= n:
            decreases, rounds = 0, rounds + 1
            found[0] = _on_cycle(parent, mark, rounds * n)
            if found[0] >= 0 or not going(control, min(rounds, n)):
                return


@inner
def _on_cycle(parent, mark, before):
    """A vertex on a cycle of parents, or -1; marks above ``before`` are those of this call."""
    for start in range(len(parent)):
        v, own = np.int64(start), before + start + 1
        if parent[v] < 0:
            continue
        while mark[v] <= before and parent[v] != v:
            mark[v] = own
            v = np.int64(parent[v])
        if mark[v] == own:
            return v
    return np.int64(-1)
