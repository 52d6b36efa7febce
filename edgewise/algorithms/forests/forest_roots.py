"""Roots of all trees of a forest by pointer jumping [1], over the forest of [2] if none is given.

parent[v] leads toward v's root; a root is its own parent. In each round every vertex takes its
parent's parent, which halves the depth: O(n log depth) work.

[1] J. JaJa. An introduction to parallel algorithms. Addison-Wesley, 1992, section 2.2.
[2] G. Slota, M. Mandulak. Scaling distributed graph processing to hundreds of GPUs. ICPP 2025.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base.observe import notify
from edgewise.graph.foreign import GraphLike, takes_graph
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.lookup import check_vertices, named
from edgewise.operators import ADD, MIN, compute, look_up, reduce_all, reduce_neighbors

__all__ = ["forest_roots"]


@takes_graph
def forest_roots(graph: GraphLike, *, parents: Any = None) -> Any:
    """Return the root of each vertex in a forest.

    Parameters
    ----------
    graph : Graph
        Directed or undirected; directions are ignored.
    parents : array of int or str over vertices, optional
        The parent of each vertex; a root is its own parent.
        Parents need not be neighbors. By default the parent is the smallest of the neighbors and
        the vertex itself.

    Returns
    -------
    array of vertex ids over vertices

    Raises
    ------
    ValueError
        If ``parents`` has an invalid id or a cycle.

    Notes
    -----
    O(n log h) time, where h is the height of the tallest tree.

    Examples
    --------
    >>> from edgewise.graph import Graph
    >>> forest_roots(Graph.from_edges([0, 1, 3, 2], [1, 3, 4, 5])).tolist()
    [0, 0, 2, 0, 0, 2]
    >>> forest_roots(Graph.from_edges([0, 1], [1, 2]), parents=[1, 2, 2]).tolist()
    [2, 2, 2]
    """
    ids = graph.vertex_ids(graph.id_dtype)
    root = parents = _smallest(graph, ids) if parents is None else _given(graph, ids, parents)
    for iteration in range(graph.num_vertices.bit_length() + 1):
        before, root = root, look_up(graph, root, root)
        changed = reduce_all(graph, (before, root), reduce=ADD, function=_differs, dtype=np.int64)
        notify(iteration, changed=changed)
        if not changed:
            break
    # Those on or behind a circle end up at one of its vertices, which is not its own parent.
    above = look_up(graph, parents, root)
    if reduce_all(graph, (above, root), reduce=ADD, function=_differs, dtype=np.int64):
        raise ValueError("parents must lead to roots, which are their own parents; got a cycle")
    return root


def _smallest(graph: AnyGraph, ids: Any) -> Any:
    """For every vertex the least of itself and its neighbors."""
    edges = "both" if graph.directed else "in"
    least = reduce_neighbors(graph, None, _value, ids, reduce=MIN, mode=edges)
    compute(graph, None, _lower, (least, ids))
    return least


def _given(graph: AnyGraph, ids: Any, parents: Any) -> Any:
    """The parents in the type of ids, checked."""
    if named(parents):
        parents = check_vertices(graph, parents, "parents")
    try:
        return look_up(graph, ids, graph.xp.asarray(parents))
    except (TypeError, ValueError) as error:
        last = graph.num_vertices - 1
        raise ValueError(f"parents must be vertex ids from 0 to {last}, one per vertex") from error


def _value(value):
    return value


def _lower(v, least, ids):
    least[v] = min(least[v], ids[v])


def _differs(v, before, after):
    return 1 if before[v] != after[v] else 0
