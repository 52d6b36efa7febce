"""Support: the number of triangles that contain an edge.

Each triangle is found once, as in `triangle_count`. It is counted at the edge that found it, and
added to the two others.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from edgewise.base import atomic
from edgewise.graph.kinds import AnyGraph
from edgewise.graph.orient import orient
from edgewise.operators import compute, intersect
from edgewise.operators.helpers import find_edge

__all__ = ["support_of"]


def support_of(graph: AnyGraph, edges: Any) -> Any:
    """Return the support of a frontier of edges, one arc for each, as int32 over all arcs.

    >>> from edgewise import Graph, frontier
    >>> graph = Graph.from_edges([0, 0, 1, 2], [1, 2, 2, 3])
    >>> support_of(graph, frontier(graph, edges=[0, 1, 3, 6])).tolist()
    [1, 1, 0, 1, 0, 0, 0, 0]
    """
    xp, oriented = graph.xp, orient(graph)
    rows, rank = oriented.rows, graph.vertex_ids()
    if oriented.order is not None:
        rank[oriented.order] = graph.vertex_ids()
    found, support = xp.zeros(rows.num_arcs, np.int32), xp.zeros(graph.num_arcs, np.int32)
    state = (rows.indptr, rows.indices, found)
    found += intersect(rows, None, _note, state, ordered=oriented.ordered).counts.astype(np.int32)
    compute(graph, edges, _look_up, (support, rank, rows.indptr, rows.indices, found))
    return support


def _note(u, v, w, indptr, indices, found):
    """At two of the edges; the third is that from u to v, whose triangles are counted."""
    atomic.add(found, find_edge(indptr, indices, u, w), 1)
    atomic.add(found, find_edge(indptr, indices, v, w), 1)


def _look_up(u, v, e, support, rank, indptr, indices, found):
    a, b = rank[u], rank[v]
    support[e] = found[find_edge(indptr, indices, max(a, b), min(a, b))]
