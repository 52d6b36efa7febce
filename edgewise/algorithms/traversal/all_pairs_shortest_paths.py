"""The distance between all pairs of vertices: for small graphs, a table of n x n.

By hops 512 searches share a sweep (`lanes`); by length there is one search per vertex. The table
is refused before it is made if it would take more memory than it may.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.traversal.lengths import lengths_from, metric_of
from edgewise.algorithms.traversal.multi_source_bfs import all_distances
from edgewise.algorithms.weighting import edge_weights
from edgewise.base.checks import check_number
from edgewise.base.observe import notify
from edgewise.graph.anywhere import put, whole
from edgewise.graph.foreign import GraphLike, takes_graph

__all__ = ["all_pairs_shortest_paths"]


@takes_graph
def all_pairs_shortest_paths(
    graph: GraphLike, *, weights: Any = None, max_memory: float = 2.0**33
) -> Any:
    """The distance from every vertex to every other.

    Parameters
    ----------
    graph : Graph
    weights : None, "unit" or array over edges
        Lengths, not negative: the graph's own (all one if it has none), all one, or these.
    max_memory : float
        How large a table may be made, in bytes.

    Returns
    -------
    array of int32, int64 or float64
        ``distance[u, v]`` is that from u to v. Hops are int32, whole lengths int64, others float64;
        the type's maximum, or infinity, where there is no way. On a grid an array over vertices
        with a column for each.

    Raises
    ------
    ValueError
        If the table would be larger than ``max_memory``, or a length is negative or NaN.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> roads = Graph.from_edges([0, 0, 1], [1, 2, 2], [1.0, 5.0, 1.5])
    >>> all_pairs_shortest_paths(roads).tolist()
    [[0.0, 1.0, 2.5], [1.0, 0.0, 1.5], [2.5, 1.5, 0.0]]
    """
    n, hops = graph.num_vertices, edge_weights(graph, weights) is None
    most = check_number(max_memory, "max_memory")
    if n * n * (4 if hops else 8) > most:
        raise ValueError(
            f"max_memory must be at least {n * n * (4 if hops else 8):,} for a table of {n:,} x "
            f"{n:,} distances, got {most:,.0f}"
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
