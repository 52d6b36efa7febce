"""Breadth-first order: level by level from the smallest vertex of every component.

Vertices of a level are sorted by the position of their parent, then by id, as in a queue. Linear
work; wide levels are numbered in parallel.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.components.connected_components import component_labels
from edgewise.algorithms.ordering.level_order import depths_from, level_by_level
from edgewise.algorithms.ordering.places import both_ways
from edgewise.base.checks import check_one_device
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators.sorting import to_places

__all__ = ["bfs_order"]


@takes_graph
def bfs_order(graph: LocalGraphLike) -> Any:
    """Return each vertex's position in breadth-first order.

    Components follow one another. Each is searched from its smallest vertex.

    Parameters
    ----------
    graph : Graph
        Directed or undirected. Edges of a directed graph are followed in both directions.

    Returns
    -------
    array of int over vertices
        The position of each vertex, an array over vertices. `Graph.permute` takes it.

    See Also
    --------
    dfs_order : Depth-first order, on one thread.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> bfs_order(Graph.from_edges([0, 0, 1, 4], [3, 4, 2, 5])).tolist()
    [0, 4, 5, 1, 2, 3]
    """
    check_one_device(graph, "bfs_order")
    graph = both_ways(graph, "bfs_order")
    label = component_labels(graph)
    ids = graph.vertex_ids()
    depth = depths_from(graph, graph.xp.flatnonzero(label == ids))
    return to_places(graph, level_by_level(graph, depth, graph.full(0, depth.dtype), label))
