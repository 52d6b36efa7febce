"""Bridges: edges on no cycle, and the 2-edge-connected components that remain without them.

Both follow from the blocks of the graph (`edgewise.algorithms.components.blocks`). Linear work.
"""

from __future__ import annotations

from typing import Any

from edgewise.algorithms.components.blocks import find_blocks
from edgewise.algorithms.partition import Components, as_components
from edgewise.base import atomic
from edgewise.graph.edges import per_edge
from edgewise.graph.foreign import LocalGraphLike, takes_graph
from edgewise.operators import compute, filter
from edgewise.operators.helpers import find_edge

__all__ = ["bridges", "two_edge_connected_components"]


@takes_graph
def bridges(graph: LocalGraphLike, *, method: str = "auto") -> Any:
    """Return a mask of the bridges, over edges: the edges that lie on no cycle.

    Parameters
    ----------
    graph : Graph
        Undirected, on one device.
    method : {"auto", "search", "trees"}
        Algorithm to use; it affects only the time.
        The default is "search", a depth-first search on one thread, in host memory. On a GPU it is
        "trees", passes over breadth-first trees.

    Returns
    -------
    array of bool over edges
        In the order of ``graph.edges()``.

    See Also
    --------
    articulation_points : The vertices whose removal disconnects their neighbors.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> graph = Graph.from_edges([0, 0, 1, 2, 3], [1, 2, 2, 3, 4])
    >>> found, (u, v, _) = bridges(graph), graph.edges()
    >>> u[found].tolist(), v[found].tolist()
    ([2, 3], [3, 4])
    """
    blocks = find_blocks(graph, method, "bridges")
    found = graph.xp.zeros(graph.num_arcs, bool)
    members = filter(graph, None, _is_set, blocks.bridge)
    compute(graph, members, _mark, (blocks.parent, graph.indptr, graph.indices, found))
    return per_edge(graph, found)


@takes_graph
def two_edge_connected_components(graph: LocalGraphLike, *, method: str = "auto") -> Components:
    """Return the 2-edge-connected component of each vertex, named by its smallest vertex.

    Parameters
    ----------
    graph : Graph
        Undirected, on one device.
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
    top = graph.full(0, graph.id_dtype)
    compute(graph, None, _begin, (blocks.parent, blocks.bridge, top))
    moving = None
    while moving is None or not moving.empty():
        moving = filter(graph, moving, _moves, top)
    label = graph.full(graph.num_vertices, top.dtype)
    compute(graph, None, _lower, (top, label))
    return as_components(label[top])


def _is_set(v, marks):
    return marks[v]


def _mark(v, parent, indptr, indices, found):
    found[find_edge(indptr, indices, min(v, parent[v]), max(v, parent[v]))] = True


def _begin(v, parent, bridge, top):
    top[v] = v if bridge[v] else parent[v]


def _moves(v, top):
    """Go to the parent's parent; is there more to go?"""
    top[v] = top[top[v]]
    return top[v] != top[top[v]]


def _lower(v, top, label):
    if v < label[top[v]]:
        atomic.min(label, top[v], v)
