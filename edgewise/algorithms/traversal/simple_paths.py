"""All simple paths or all shortest paths between two vertices.

See `path_search` for the search, which lists them. For shortest paths it follows only arcs that are
on a shortest path from the source. One CPU thread; time in proportion to the paths, but simple
paths may have dead ends.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.traversal.bfs import hops
from edgewise.algorithms.traversal.path_list import PathList
from edgewise.algorithms.traversal.path_search import listed_paths
from edgewise.algorithms.traversal.sssp import by_length
from edgewise.algorithms.weighting import edge_weights
from edgewise.base.checks import check_count, check_vertex
from edgewise.graph import Graph
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.graph.subgraphs import only_edges
from edgewise.graph.transfer import check_host, row_ids

__all__ = ["all_shortest_paths", "simple_paths"]

_FEW = 1000


@takes_graph
def simple_paths(
    graph: LocalGraphLike,
    source: int | str,
    target: int | str,
    *,
    max_length: int | None = None,
    max_paths: int = _FEW,
) -> PathList:
    """Return the simple paths from a source to a target: paths that visit no vertex twice.

    Parameters
    ----------
    graph : Graph
        In host memory. In a directed graph, paths follow the edges.
    source, target : int or str
        The ends of the paths, by id or label.
    max_length : int, optional
        Largest number of edges of a path; unlimited by default.
    max_paths : int
        Stop after so many paths.

    Returns
    -------
    PathList
        The paths in lexicographic order, up to ``max_paths`` of them. If source and target are
        equal, the only path is that vertex.

    See Also
    --------
    all_shortest_paths : Only the shortest ones.
    shortest_path : One shortest path.

    Notes
    -----
    The number of paths and of dead ends may be exponential in n; ``max_length`` bounds it.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> square = Graph.from_edges([0, 1, 2, 3, 0], [1, 2, 3, 0, 2])
    >>> simple_paths(square, 0, 2).lists()
    [[0, 1, 2], [0, 2], [0, 3, 2]]
    >>> simple_paths(square, 0, 2, max_length=1).lists()
    [[0, 2]]
    """
    check_host(graph, "simple_paths")
    source, target = check_vertex(graph, source), check_vertex(graph, target, "target")
    n = graph.num_vertices
    longest = n if max_length is None else min(check_count(max_length, "max_length"), n)
    return listed_paths(graph, source, target, longest, check_count(max_paths, "max_paths", 1))


@takes_graph
def all_shortest_paths(
    graph: LocalGraphLike,
    source: int | str,
    target: int | str,
    *,
    weights: Any = None,
    max_paths: int = _FEW,
) -> PathList:
    """Return all shortest paths from a source to a target.

    Parameters
    ----------
    graph : Graph
        In host memory. In a directed graph, paths follow the edges.
    source, target : int or str
        The ends of the paths, by id or label.
    weights : str, array over edges, or None
        None ignores the graph's weights; "weight" uses them (unit weights if it has none).
        Weights are lengths and must not be negative. Lengths that differ only by rounding are
        different.
    max_paths : int
        Stop after so many paths.

    Returns
    -------
    PathList
        The paths in lexicographic order, up to ``max_paths`` of them; none if no path exists.

    See Also
    --------
    shortest_path : One shortest path.
    simple_paths : Paths of any length.

    Notes
    -----
    One search from the source, plus time in proportion to the paths.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> square = Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])
    >>> all_shortest_paths(square, 0, 2).lists()
    [[0, 1, 2], [0, 3, 2]]
    """
    check_host(graph, "all_shortest_paths")
    source, target = check_vertex(graph, source), check_vertex(graph, target, "target")
    most, lengths = check_count(max_paths, "max_paths", 1), edge_weights(graph, weights)
    paths = hops(graph, source) if lengths is None else by_length(graph, source, weights)
    u, v, distance, reached = row_ids(graph), graph.indices, paths.distance, paths.parent >= 0
    inside = reached[u] & reached[v]
    ends, heads = u[inside], v[inside]
    steps = 1 if lengths is None else lengths[inside]
    tight = np.zeros(graph.num_arcs, bool)
    tight[inside] = distance[ends] + steps == distance[heads]
    plain = Graph(graph.indptr, graph.indices, directed=True)
    return listed_paths(only_edges(plain, tight), source, target, graph.num_vertices, most)
