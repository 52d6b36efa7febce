"""The distances between all pairs of vertices, for small graphs: an n x n table.

Unweighted, 512 searches share a sweep (`bit_parallel`); with weights there is one search per
vertex. A table that would exceed the memory limit is refused before it is allocated.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.traversal.lengths import lengths_from, metric_of
from edgewise.algorithms.traversal.multi_source_bfs import all_distances
from edgewise.algorithms.weighting import edge_weights
from edgewise.base.checks import check_bytes
from edgewise.base.observe import notify
from edgewise.graph.anywhere import put, whole
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["all_pairs_shortest_paths"]


@takes_graph
def all_pairs_shortest_paths(
    graph: GraphLike, *, weights: Any = "weight", memory: int | str = "8GiB"
) -> Any:
    """Return the shortest-path distances between all pairs of vertices.

    Parameters
    ----------
    graph : Graph
        Directed or undirected.
    weights : str, array over edges, or None
        The graph's weights by default (unit weights if it has none); None ignores them.
        Weights are lengths and must not be negative.
    memory : int or str
        Maximum size of the result, in bytes or as "4GiB".

    Returns
    -------
    array of int32, int64 or float64, of shape (n, n)
        ``distance[u, v]`` is the distance from u to v: int32 for hops, int64 for integer lengths,
        float64 for others. The type's maximum, or infinity, means that there is no path. On a grid
        it is an array over vertices with n columns.

    Raises
    ------
    ValueError
        If the result would be larger than ``memory``, or if a length is negative or NaN.

    See Also
    --------
    multi_source_bfs : Hop distances from given sources.

    Notes
    -----
    O(n (n + m)) time unweighted, O(n m log n) weighted; O(n²) memory.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> roads = Graph.from_edges([0, 0, 1], [1, 2, 2], [1.0, 5.0, 1.5])
    >>> all_pairs_shortest_paths(roads).tolist()
    [[0.0, 1.0, 2.5], [1.0, 0.0, 1.5], [2.5, 1.5, 0.0]]
    """
    n, hops = graph.num_vertices, edge_weights(graph, weights) is None
    most = check_bytes(memory, "memory")
    if n * n * (4 if hops else 8) > most:
        raise ValueError(
            f"memory must be at least {n * n * (4 if hops else 8):,} for a table of {n:,} x "
            f"{n:,} distances, got {most:,}"
        )
    if hops:
        return all_distances(graph)
    metric, xp = metric_of(graph, weights), graph.xp
    wide = xp.float64 if metric.dtype is xp.float64 else xp.int64
    far = xp.inf if wide is xp.float64 else xp.iinfo(xp.int64).max
    table = xp.empty((n, n), wide)
    for source in range(n):
        distance = lengths_from(graph, source, weights, metric)
        distance = xp.where(distance == metric.far, far, distance.astype(wide))
        put(graph, table, source, whole(distance))
        notify(source, source=source, total=n)
    return table
