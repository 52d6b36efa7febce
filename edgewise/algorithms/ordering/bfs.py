"""Breadth-first order: level by level from the first vertex of every component.

Within a level vertices go by their parent's position, then by id, as in a queue. Linear work;
wide levels are numbered in parallel.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.components.connected_components import connected_components
from edgewise.algorithms.ordering.level_order import depths_from, level_by_level
from edgewise.algorithms.ordering.places import both_ways
from edgewise.base.checks import check_one_device
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators.sorting import to_places

__all__ = ["bfs"]


@takes_graph
def bfs(graph: LocalGraphLike) -> Any:
    """Order by breadth-first search, component after component, each from its smallest vertex.

    Parameters
    ----------
    graph : Graph
        Edges of a directed graph are followed both ways.

    Returns
    -------
    array of int over vertices
        Positions, as `graph.permute` takes them.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> bfs(Graph.from_edges([0, 0, 1, 4], [3, 4, 2, 5])).tolist()
    [0, 4, 5, 1, 2, 3]
    """
    check_one_device(graph, "bfs")
    graph = both_ways(graph, "bfs")
    label = connected_components(graph)
    ids = graph.vertex_ids()
    depth = depths_from(graph, graph.xp.flatnonzero(label == ids))
    return to_places(graph, level_by_level(graph, depth, graph.full(0, depth.dtype), label))
