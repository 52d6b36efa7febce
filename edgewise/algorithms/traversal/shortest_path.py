"""A shortest path between two vertices, by searches from both ends [1, 2] or by A* [3].

Counted in edges, levels of two breadth-first searches alternate, the smaller frontier first, until
they meet. With lengths, two searches of Dijkstra settle the vertices near both ends. They stop when
no path through unsettled vertices can be shorter than the best one found. With an estimate of the
remaining distance, one search settles vertices in order of distance plus estimate. One CPU thread
searches; only the vertices that it visits take time. On other engines, `bfs` or `sssp` searches.

[1] I. Pohl. Bi-directional search. Machine Intelligence 6, 1971.
[2] T. Nicholson. Finding the shortest route between two points in a network. Computer J. 9, 1966.
[3] P. Hart, N. Nilsson, B. Raphael. A formal basis for the heuristic determination of minimum cost
    paths. IEEE Trans. Systems Science and Cybernetics 4(2), 1968.
"""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from edgewise.algorithms.traversal.bfs import hops
from edgewise.algorithms.traversal.lengths import metric_of
from edgewise.algorithms.traversal.sssp import by_length
from edgewise.algorithms.traversal.two_ends import Waiting, approach, meet, meet_by_length
from edgewise.algorithms.weighting import as_numbers, edge_weights
from edgewise.base.checks import check_vertex
from edgewise.base.once import once
from edgewise.graph import Graph
from edgewise.graph.arrays import RowArrays
from edgewise.graph.csr import frozen
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.transfer import check_host
from edgewise.graph.weight_columns import is_own
from edgewise.operators.sequential import sequential, sequential_or

__all__ = ["shortest_path"]


@takes_graph
def shortest_path(
    graph: GraphLike,
    source: int | str,
    target: int | str,
    *,
    weights: Any = None,
    estimate: Any = None,
) -> list[int]:
    """Return the vertices of a shortest path from a source to a target; empty if there is none.

    Parameters
    ----------
    graph : Graph
        In a directed graph, the path follows the edges.
    source, target : int or str
        The ends of the path, by id or label.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights are lengths and must not be negative.
    estimate : array of float over vertices, or function, optional
        A lower bound of the distance from each vertex to the target, for an A* search. A function
        gets an array of all vertices and the target, and returns these numbers.
        With straight-line distances, fewer vertices are visited. If an estimate is too large, the
        path may not be shortest. Only for graphs in host memory.

    Returns
    -------
    list of int
        The vertices from ``source`` to ``target``, both included; ``[source]`` if they are equal.
        If no path exists, the list is empty. ``graph.label(path)`` gives the labels.

    Raises
    ------
    ValueError
        If ``source`` or ``target`` is not a vertex, or if a length is negative or NaN.

    See Also
    --------
    bfs : Paths from a source to all vertices.
    sssp : Paths from a source to all vertices, by length.
    bellman_ford : Paths with negative lengths.

    Notes
    -----
    O(n + m) time without weights, O(m log n) with weights; usually much less, because only the
    neighborhoods of both ends are searched. The first search in a directed graph also builds the
    transposed graph, which is kept.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 1, 0, 4], [1, 2, 3, 2], [1.0, 1.0, 1.0, 1.0])
    >>> shortest_path(graph, 0, 2), shortest_path(graph, 2, 2)
    ([0, 1, 2], [2])
    >>> road = Graph.from_edges([0, 1, 0], [1, 2, 2], [1.0, 1.0, 5.0], num_vertices=4)
    >>> shortest_path(road, 0, 2), shortest_path(road, 0, 2, weights="weight")
    ([0, 2], [0, 1, 2])
    >>> shortest_path(road, 0, 3)
    []
    >>> place = np.array([0.0, 1.0, 2.0, 9.0])
    >>> ahead = lambda vertices, target: abs(place[vertices] - place[target])
    >>> shortest_path(road, 0, 2, weights="weight", estimate=ahead)
    [0, 1, 2]
    """
    source, target = check_vertex(graph, source), check_vertex(graph, target, "target")
    unit = edge_weights(graph, weights) is None
    if estimate is not None:
        check_host(graph, "shortest_path with an estimate")
        if callable(estimate):
            estimate = estimate(graph.vertex_ids(), target)
        bound = as_numbers(graph, estimate, "estimate")
        if bound.shape != (graph.num_vertices,) or np.isnan(bound).any():
            raise ValueError(
                f"estimate must have one number per vertex and no NaN, got shape {bound.shape}"
            )
        return _guided(cast(Graph, graph), source, target, weights, bound)
    if unit:
        return sequential_or(graph, _by_hops, _from_source, source, target)
    if metric_of(graph, weights).endless:  # an error names the edge where the range ends
        return _by_sssp(graph, source, target, weights)
    return sequential_or(graph, _two_sided, _by_sssp, source, target, weights)


def _from_source(graph: AnyGraph, source: int, target: int) -> list[int]:
    return hops(graph, source).path_to(target)


def _by_sssp(graph: AnyGraph, source: int, target: int, weights: Any) -> list[int]:
    return by_length(graph, source, weights).path_to(target)


def _by_hops(graph: Graph, source: int, target: int) -> list[int]:
    """Two breadth-first searches."""
    n, back = graph.num_vertices, graph.transposed if graph.directed else graph
    seen, queue = np.zeros((2, n), np.int64), np.empty((2, n), np.int64)
    found = np.full(2, -1)
    state = (graph.indptr, graph.indices, back.indptr, back.indices, seen, queue, source, target,
             found)  # fmt: skip
    sequential(meet, state, steps=n, work=graph.num_arcs)
    return _joined(seen, *found.tolist())


def _two_sided(graph: Graph, source: int, target: int, weights: Any) -> list[int]:
    """Two searches of Dijkstra."""
    n, back = graph.num_vertices, graph.transposed if graph.directed else graph
    seen, place, heap = np.zeros((2, n), np.int64), *np.empty((2, 2, n), np.int64)
    lengths: Any = edge_weights(graph, weights)
    whole = lengths.dtype.kind == "i"
    distance = np.empty((2, n), np.int64 if whole else np.float64)
    most = np.iinfo(np.int64).max if whole else np.inf
    found = np.full(2, -1)
    rows = (RowArrays(graph.indptr, graph.indices, lengths),
            RowArrays(back.indptr, back.indices, _backward(graph, weights)))  # fmt: skip
    state = (*rows, seen, Waiting(heap, place, distance), source, target, most, found)
    sequential(meet_by_length, state, steps=n, work=graph.num_arcs)
    return _joined(seen, *found.tolist())


def _backward(graph: Graph, weights: Any) -> Any:
    """The lengths along the arcs of the second search; those of a column are kept."""
    lengths = edge_weights(graph, weights)
    if not graph.directed:
        return lengths
    back: Any = graph.transposed
    if is_own(weights):
        return back.weights
    if isinstance(weights, str):
        return once(graph, ("backward", weights), lambda: frozen(lengths[back.arc_ids]))
    return frozen(lengths[back.arc_ids])


def _guided(graph: Graph, source: int, target: int, weights: Any, bound: Any) -> list[int]:
    """One search, by distance plus estimate."""
    metric_of(graph, weights)  # checks the lengths
    n, lengths = graph.num_vertices, edge_weights(graph, weights)
    lengths = np.ones(graph.num_arcs) if lengths is None else lengths
    seen, place, heap = np.zeros(n, np.int64), *np.empty((2, n), np.int64)
    distance, key = np.empty((2, n))
    state = (graph.indptr, graph.indices, lengths, bound, seen, Waiting(heap, place, key),
             distance, source, target)  # fmt: skip
    sequential(approach, state, steps=n, work=graph.num_arcs)
    return _walked(seen, target) if seen[target] else []


def _joined(seen: np.ndarray, left: int, right: int) -> list[int]:
    """The way from the source to ``left``, and from ``right``, the next or the same, on."""
    if left < 0:
        return []
    start, end = _walked(seen[0], left), _walked(seen[1], right)[::-1]
    return start + (end[1:] if left == right else end)


def _walked(seen: np.ndarray, v: int) -> list[int]:
    """The way to v; ``seen`` is one more than the vertex before, which is v itself at the end."""
    way = [v]
    while (before := int(seen[v]) - 1) != v:
        way.append(v := before)
    return way[::-1]
