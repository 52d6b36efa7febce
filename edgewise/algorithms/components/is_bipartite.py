"""Two sides of a bipartite graph, or an odd cycle that shows that there are none [1].

From the smallest vertex of every component each vertex takes the other side than the one that
reached it. If an edge has both ends on one side, it closes an odd cycle with the ways to them in a
tree. Linear work. Directions do not matter.

[1] D. Konig. Theory of finite and infinite graphs (in German). 1936.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from edgewise.algorithms.components.connected_components import weakly_connected_components
from edgewise.graph.foreign import takes_graph
from edgewise.operators import (
    ANY,
    MIN,
    OR,
    compute,
    filter,
    propagate,
    reduce_all,
    reduce_neighbors,
)

__all__ = ["Bipartition", "bipartition", "is_bipartite"]

_NONE = 1 << 62


class Bipartition(NamedTuple):
    """Two sides, or an odd cycle: one of the two is None.

    ``sides[v]`` is True on the side of the smallest vertex of v's component. ``cycle`` lists the
    vertices of an odd cycle, each next to the one before, and the last to the first.
    """

    sides: Any
    cycle: np.ndarray | None


@takes_graph
def is_bipartite(graph: Any) -> bool:
    """Can the vertices be parted into two sides so that no edge has both ends on one?

    Parameters
    ----------
    graph : Graph
        Directions do not matter. A self-loop is an odd cycle.

    Returns
    -------
    bool
        `bipartition` gives the two sides, or an odd cycle.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> is_bipartite(Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0]))
    True
    """
    return not _clashes(graph, _sides(graph, _roots(graph)))


@takes_graph
def bipartition(graph: Any) -> Bipartition:
    """The two sides of a bipartite graph; of any other an odd cycle.

    Parameters
    ----------
    graph : Graph
        Directions do not matter. A self-loop is an odd cycle.

    Returns
    -------
    Bipartition
        ``(sides, cycle)``, of which one is None. The sides are always the same; which odd cycle is
        given may differ from run to run.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> bipartition(Graph.from_edges([0, 1, 2, 3], [1, 2, 3, 0])).sides.tolist()
    [True, False, True, False]
    >>> sorted(bipartition(Graph.from_edges([0, 1, 2, 2], [1, 2, 0, 3])).cycle.tolist())
    [0, 1, 2]
    """
    roots = _roots(graph)
    side = _sides(graph, roots)
    if _clashes(graph, side):
        return Bipartition(None, _odd_cycle(graph, roots))
    sides = graph.full(False)
    compute(graph, None, _is_left, (side, sides))
    return Bipartition(sides, None)


def _roots(graph: Any) -> Any:
    """The smallest vertex of every component."""
    label = weakly_connected_components(graph)
    ids = graph.xp.arange(graph.num_vertices, dtype=label.dtype)
    return filter(graph, None, _are_equal, (label, ids))


def _sides(graph: Any, roots: Any) -> Any:
    """0 or 1 for every vertex, by any tree from the roots."""
    side = graph.full(-1, np.int32)
    compute(graph, roots, _begin, side)
    propagate(graph, roots, _other, side, reduce=ANY, edges=_any_way(graph))
    return side


def _clashes(graph: Any, side: Any) -> bool:
    """Has an edge both ends on one side?"""
    within = reduce_neighbors(
        graph, None, _same, side, reduce=OR, dtype=np.bool_, edges=_any_way(graph)
    )
    return bool(reduce_all(graph, within, reduce=OR))


def _odd_cycle(graph: Any, roots: Any) -> np.ndarray:
    """An edge between levels of the same parity in a forest, and the ways from its ends up."""
    parent, depth = graph.full(-1, graph.indices.dtype), graph.full(0, np.int32)
    ids = graph.xp.arange(graph.num_vertices, dtype=parent.dtype)
    compute(graph, roots, _point_at_itself, (parent, ids))
    propagate(graph, roots, _sender, parent, reduce=ANY, depths=depth, edges=_any_way(graph))
    partner = reduce_neighbors(
        graph, None, _even, depth, reduce=MIN, dtype=np.int64, edges=_any_way(graph)
    )
    v = int(filter(graph, None, _has_one, partner).ids[0])
    ways = [v], [int(partner[v])]
    while ways[0][-1] != ways[1][-1]:
        deeper = max(ways, key=lambda way: int(depth[way[-1]]))
        deeper.append(int(parent[deeper[-1]]))
    return np.array([*ways[0], *ways[1][-2::-1]])


def _any_way(graph: Any) -> str:
    return "both" if graph.directed else "out"


def _are_equal(v, label, ids):
    return label[v] == ids[v]


def _begin(v, side):
    side[v] = 0


def _other(value):
    return 1 - value


def _same(value, own):
    return value == own


def _is_left(v, side, sides):
    sides[v] = side[v] == 0


def _point_at_itself(v, parent, ids):
    parent[v] = ids[v]


def _sender(source):
    return source


def _even(value, own, source):
    return source if (value - own) % 2 == 0 else _NONE


def _has_one(v, partner):
    return partner[v] < _NONE
