"""Bridges: edges on no cycle, and the 2-edge-connected components that remain without them.

Both follow from the blocks of the graph (`edgewise.algorithms.components.blocks`). Linear work.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.algorithms.communities.hierarchy import named
from edgewise.algorithms.components.blocks import find_blocks
from edgewise.algorithms.partition import Components, as_components
from edgewise.graph.edges import per_edge
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.operators import filter, look_up
from edgewise.operators.edge_marks import mark_edges

__all__ = ["bridges", "two_edge_connected_components"]


@takes_graph
def bridges(graph: GraphLike, *, method: str = "auto") -> Any:
    """Return a mask of the bridges, over edges: the edges that lie on no cycle.

    Parameters
    ----------
    graph : Graph
        Undirected.
    method : {"auto", "search", "trees"}
        Algorithm to use; it affects only the time.
        The default is "search", a depth-first search on one thread, in host memory. On a GPU and on
        a grid it is "trees", passes over breadth-first trees.

    Returns
    -------
    array of bool over edges
        In the order of ``graph.edges()``.

    See Also
    --------
    articulation_points : The vertices whose removal disconnects their neighbors.

    Notes
    -----
    O(n + m) time; on a grid in rounds for all levels of breadth-first trees.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 4])
    >>> found, (u, v, _) = bridges(graph), graph.edges()
    >>> u[found].tolist(), v[found].tolist()
    ([2, 3], [3, 4])
    """
    blocks = find_blocks(graph, method, "bridges")
    members, ids = filter(graph, None, _is_set, blocks.bridge), graph.vertex_ids(graph.id_dtype)
    ends = (choose(ids, blocks.parent) for choose in (np.minimum, np.maximum))
    return per_edge(graph, mark_edges(graph, members, *ends))


@takes_graph
def two_edge_connected_components(graph: GraphLike, *, method: str = "auto") -> Components:
    """Return the 2-edge-connected component of each vertex, named by its smallest vertex.

    Parameters
    ----------
    graph : Graph
        Undirected.
    method : {"auto", "search", "trees"}
        Algorithm to use, as in `bridges`; it affects only the time.

    Returns
    -------
    Components
        An array of labels over vertices. Two labels are equal if and only if the vertices stay
        connected when any one edge is removed. NetworkX's ``k_edge_components`` with k = 2 returns
        the same components.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 4])
    >>> two_edge_connected_components(graph).tolist()
    [0, 0, 0, 3, 4]
    """
    blocks = find_blocks(graph, method, "two_edge_connected_components")
    ids = graph.vertex_ids(graph.id_dtype)
    top, above = ids, graph.xp.where(blocks.bridge, ids, blocks.parent)
    while (above != top).any():
        top, above = above, look_up(graph, above, above)
    return as_components(named(graph, top))


def _is_set(v, marks):
    return marks[v]
