"""The two sides of a bipartite graph, or an odd cycle that proves that there are none [1].

A search from the smallest vertex of every component gives each vertex a depth. Even depths are one
side, odd depths the other. An edge with both ends on one side closes an odd cycle with the paths
from its ends up the search tree. Linear work. Directions are ignored. One thread begins, because
most graphs that are not bipartite have an odd cycle near any vertex.

[1] D. Konig. Theory of finite and infinite graphs (in German). 1936.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.components.connected_components import component_labels
from edgewise.algorithms.components.side_search import two_sides
from edgewise.graph import Graph
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.operators import (
    ANY,
    MIN,
    compute,
    filter,
    propagate,
    reduce_neighbors,
)
from edgewise.operators.sequential import sequential_or

__all__ = ["Bipartition", "bipartition", "is_bipartite"]

_NONE = 1 << 62


class Bipartition(NamedTuple):
    """The two sides of a graph, or an odd cycle; the other field is None.

    ``sides`` is a boolean mask over vertices, True on the side of the smallest vertex of each
    component. ``cycle`` holds the vertices of an odd cycle in order; the last is adjacent to the
    first.
    """

    sides: Any
    cycle: np.ndarray | None


@takes_graph
def is_bipartite(graph: GraphLike) -> bool:
    """Return True if the graph is bipartite; `bipartition` returns its two sides.

    Parameters
    ----------
    graph : Graph
        Directed or undirected; directions are ignored. A self-loop is an odd cycle.

    Returns
    -------
    bool

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> is_bipartite(Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0]))
    True
    """
    return sequential_or(graph, _by_levels if graph.directed else _by_queue, _by_levels)


def _by_queue(graph: Graph) -> bool:
    """The same by one thread, unless there is too much to search for it."""
    found = two_sides(graph)
    return _by_levels(graph) if found is None else found


def _by_levels(graph: AnyGraph) -> bool:
    """Do all edges lead from one level of a search to the next? By all threads."""
    return _odd_edge(graph, _forest(graph)[1]) is None


@takes_graph
def bipartition(graph: GraphLike) -> Bipartition:
    """Return the two sides of a bipartite graph, or an odd cycle of any other graph.

    Parameters
    ----------
    graph : Graph
        Directed or undirected; directions are ignored. A self-loop is an odd cycle.

    Returns
    -------
    Bipartition
        ``(sides, cycle)``, one of which is None. The sides are the same in every run; the odd cycle
        may differ.

    See Also
    --------
    is_bipartite : Only whether the graph is bipartite.

    Notes
    -----
    O(n + m) time.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> bipartition(Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])).sides.tolist()
    [True, False, True, False]
    >>> sorted(bipartition(Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])).cycle.tolist())
    [0, 1, 2]
    """
    parent, depth = _forest(graph)
    edge = _odd_edge(graph, depth)
    if edge is not None:
        return Bipartition(None, _odd_cycle(parent, depth, edge))
    sides = graph.full(False)
    compute(graph, None, _is_left, (depth, sides))
    return Bipartition(sides, None)


def _forest(graph: AnyGraph) -> tuple[Any, Any]:
    """Parents and depths by a search from the smallest vertex of every component."""
    label = component_labels(graph)
    ids = graph.vertex_ids(label.dtype)
    parent, depth = graph.full(-1, label.dtype), graph.full(0, np.int32)
    roots = filter(graph, None, _are_equal, (label, ids))
    compute(graph, roots, _point_at_itself, (parent, ids))
    propagate(graph, roots, _sender, parent, reduce=ANY, depths=depth, mode=_any_way(graph))
    return parent, depth


def _odd_edge(graph: AnyGraph, depth: Any) -> tuple[int, int] | None:
    """The ends of an edge between two levels of the same parity; None if there is none."""
    partner = reduce_neighbors(
        graph, None, _even, depth, reduce=MIN, dtype=np.int64, mode=_any_way(graph)
    )
    found = filter(graph, None, _has_one, partner)
    if found.empty():
        return None
    v = int(found.ids[0])
    return v, int(partner[v])


def _odd_cycle(parent: Any, depth: Any, edge: tuple[int, int]) -> np.ndarray:
    """An edge between two levels of the same parity, and the ways from its ends up."""
    ways = [edge[0]], [edge[1]]
    while ways[0][-1] != ways[1][-1]:
        deeper = max(ways, key=lambda way: int(depth[way[-1]]))
        deeper.append(int(parent[deeper[-1]]))
    return np.array([*ways[0], *ways[1][-2::-1]])


def _any_way(graph: AnyGraph) -> str:
    return "both" if graph.directed else "out"


def _are_equal(v, label, ids):
    return label[v] == ids[v]


def _is_left(v, depth, sides):
    sides[v] = depth[v] % 2 == 0


def _point_at_itself(v, parent, ids):
    parent[v] = ids[v]


def _sender(source):
    return source


def _even(value, own, source):
    return source if (value - own) % 2 == 0 else _NONE


def _has_one(v, partner):
    return partner[v] < _NONE
